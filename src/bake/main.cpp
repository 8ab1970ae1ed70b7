// Host tool of the build: gpusel_bake_tool FOLDER OUT.cpp. Reads every .yaml below FOLDER with the
// parser that reads users' files and writes one .cpp with the texts and their trees. Knows no
// domain type.
#include "gpusel/data/baked.h"
#include "gpusel/diag/render.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace gpusel;

// Compilers limit the length of one literal; adjacent literals are joined.
void write_literal(std::ostream& out, std::string_view text) {
  constexpr std::size_t kPiece = 12000;
  out << "std::string_view(\n";
  for (std::size_t at = 0; at < text.size() || at == 0; at += kPiece) {
    out << "R\"gpusel~(" << text.substr(at, kPiece) << ")gpusel~\"\n";
  }
  out << ", " << text.size() << ")";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: gpusel_bake_tool FOLDER OUT.cpp\n";
    return 2;
  }
  const fs::path folder(argv[1]);
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ".yaml")
      paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::ostringstream out;
  out << "// Generated from " << paths.size()
      << " data files.\n#include \"gpusel/data/baked.h\"\n\n"
      << "namespace gpusel::data {\n\nstd::span<const BuiltinFile> builtin_files() {\n"
      << "  static const BuiltinFile kFiles[] = {\n";
  diag::Buffer faults;
  for (const fs::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    const diag::SourcePtr source = diag::make_source(path.string(), text.str());
    const std::optional<data::Document> document = data::parse_yaml(source, faults);
    if (!document) continue;
    out << "{\"" << path.lexically_relative(folder).generic_string() << "\",\n";
    write_literal(out, source->text);
    out << ",\n";
    write_literal(out, data::encode_tree(*document));
    out << "},\n";
  }
  out << "  };\n  return kFiles;\n}\n\n}  // namespace gpusel::data\n";
  if (faults.has_errors()) {
    std::cerr << diag::render(faults.sorted(), {});
    return 1;
  }
  std::ofstream(argv[2], std::ios::binary) << out.str();
  return 0;
}
