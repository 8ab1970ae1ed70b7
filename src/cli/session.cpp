#include "session.h"

#include "gpusel/base/text.h"
#include "gpusel/diag/log.h"
#include "gpusel/recommend/recommend.h"
#include "gpusel/workload/calibration.h"

namespace gpusel::cli {
namespace {

std::optional<std::string> user_data_folder(const Io& io) {
  const std::optional<std::string> xdg = io.variable("XDG_DATA_HOME");
  const std::optional<std::string> home = io.variable("HOME");
  std::string folder;
  if (xdg) {
    folder = *xdg + "/gpusel";
  } else if (home) {
    folder = *home + "/.local/share/gpusel";
  }
  if (folder.empty() || io.files.kind(folder) != PathKind::folder) return std::nullopt;
  return folder;
}

// What --calibration names multiplies estimates and replaces no other data; a file in force is good
// or nothing is answered.
void check_calibrations(data::DataSet& set, Invocation& invocation) {
  static_cast<void>(workload::load_calibrations(set, invocation.diagnostics));
  for (const data::OptionValue& value : invocation.options.all("calibration")) {
    for (const data::DataFile& file : set.all()) {
      if (set.roots()[file.root].path != value.text || file.kind == "calibration") continue;
      invocation.diagnostics.report(
          diag::error("option/bad-value", value.span,
                      "--calibration: '" + file.path + "' is no calibration but of kind '" +
                          file.kind + "'")
              .with_help("give a file that validate --write-calibration wrote; other data goes "
                         "to --catalog"));
    }
  }
}

}  // namespace

std::vector<data::Root> roots_of(const Invocation& invocation) {
  using Kind = data::Root::Kind;
  std::vector<data::Root> roots;
  const data::OptionValue* without = invocation.options.find("no-builtin-catalog");
  if (without == nullptr || without->text == "false") roots.push_back({Kind::builtin, {}});
  if (const auto folder = user_data_folder(invocation.io)) roots.push_back({Kind::path, *folder});
  if (const auto paths = invocation.io.variable("GPUSEL_CATALOG")) {
    for (const std::string_view path : split(*paths, ':')) {
      if (!path.empty()) roots.push_back({Kind::path, std::string(path)});
    }
  }
  for (const std::string_view name : {"catalog", "calibration", "rules"}) {
    for (const data::OptionValue& value : invocation.options.all(name))
      roots.push_back({Kind::path, value.text});
  }
  return roots;
}

std::optional<Session> open_session(Invocation& invocation) {
  return open_session(invocation, roots_of(invocation));
}

std::optional<Session> open_session(Invocation& invocation, std::vector<data::Root> roots) {
  Session session{
      data::DataSet::open(std::move(roots), invocation.io.files, invocation.diagnostics), {}};
  check_calibrations(session.data, invocation);
  if (invocation.diagnostics.has_errors()) return std::nullopt;
  session.catalog = catalog::load_catalog(session.data, invocation.diagnostics);
  if (invocation.diagnostics.has_errors()) return std::nullopt;
  diag::trace("catalog " + session.catalog.fingerprint + ": " +
              std::to_string(session.catalog.offers.size()) + " offers of " +
              std::to_string(session.catalog.instances.size()) + " instances");
  return session;
}

std::optional<rules::RuleSet> load_rules(Session& session, Invocation& invocation) {
  rules::RuleSet rules =
      rules::load_rules(session.data, recommend::fact_table(), invocation.diagnostics);
  if (invocation.diagnostics.has_errors()) return std::nullopt;
  return rules;
}

}  // namespace gpusel::cli
