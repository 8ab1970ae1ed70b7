// The whole program: the first line of the input is a command line, the rest a file `in.yaml` and
// standard input. No command line is a fault of the program, and what is refused is explained.
#include "input.h"
#include "support/diff.h"
#include "support/fake_run.h"

#include <string>

using namespace gpusel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  const std::size_t end = text.find('\n');
  test::FakeWorld world;
  world.args = test::shell_words(text.substr(0, end));
  if (end != std::string::npos) world.input = text.substr(end + 1);
  world.files["in.yaml"] = world.input;
  world.files["in.json"] = world.input;
  const test::RunResult result = test::fake_run(world);
  fuzz::require(result.exit_code >= 0 && result.exit_code <= 3, "no internal error");
  fuzz::require(!result.out.empty() || !result.err.empty() || !result.written.empty(),
                "every run says something");
  if (result.exit_code == 2) fuzz::require(!result.err.empty(), "wrong usage is explained");
  return 0;
}
