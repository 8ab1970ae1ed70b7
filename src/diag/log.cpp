#include "gpusel/diag/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace gpusel::diag {

void set_verbosity(Verbosity verbosity) {
  if (verbosity == Verbosity::quiet) {
    spdlog::set_level(spdlog::level::off);
    return;
  }
  auto logger =
      std::make_shared<spdlog::logger>("gpusel", std::make_shared<spdlog::sinks::stderr_sink_st>());
  logger->set_pattern("%n: %v");
  logger->set_level(spdlog::level::debug);
  spdlog::set_default_logger(logger);
}

void trace(std::string_view message) {
  if (spdlog::default_logger_raw() != nullptr && spdlog::default_logger_raw()->name() == "gpusel") {
    spdlog::debug("{}", message);
  }
}

}  // namespace gpusel::diag
