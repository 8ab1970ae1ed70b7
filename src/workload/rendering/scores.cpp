#include "scores.h"

#include "workload/data_shapes.h"

#include "gpusel/base/number.h"
#include "gpusel/base/text.h"
#include "gpusel/catalog/sources.h"

#include <algorithm>

namespace gpusel::workload::rendering {
namespace {

constexpr data::Field<Score> kScore[] = {
    data::field<&Score::gpu>("gpu", "GPU id"),
    data::field<&Score::version>("version", "version of the benchmark, such as 4.5.0"),
    data::field<&Score::backend>("backend", "optix, cuda, hip, …"),
    data::field<&Score::score>("score", "samples per minute"),
    data::field<&Score::source>("source", "key of a source of the file")};

constexpr data::KeyShape kUnit{"unit", "unit of the score", data::Presence::optional,
                               data::ValueReader<std::string>::kShape};
std::vector<data::KeyShape> file_keys() { return {kUnit}; }
constexpr data::FilePart kParts[] = {
    catalog::kSourcesPart,
    {"entries", "one row per GPU, version and backend", data::FilePart::Form::table,
     &data::key_shapes<kScore>, data::Presence::required}};

// 4.10.0 is newer than 4.5.0; a part that is no number counts as 0.
bool older(const std::string& a, const std::string& b) {
  const std::vector<std::string_view> x = split(a, '.');
  const std::vector<std::string_view> y = split(b, '.');
  for (std::size_t i = 0; i < std::max(x.size(), y.size()); ++i) {
    const double left = i < x.size() ? parse_number(x[i]).value_or(0) : 0;
    const double right = i < y.size() ? parse_number(y[i]).value_or(0) : 0;
    if (left < right) return true;
    if (right < left) return false;
  }
  return false;
}

void check_row(const Score& score, data::NodeRef row, data::NodeRef root,
               const data::Reader& reader) {
  const auto sources = root.find("sources");
  if (!sources || !sources->is_map() || !sources->find(score.source)) {
    reader.error("data/unknown-source", row.span(), "no source '" + score.source + "' in this file",
                 "add it below 'sources'");
  }
  if (score.score <= 0) {
    reader.error("scores/not-positive", row.span(), "a score is positive",
                 "leave the row out where it is unknown");
  }
}

}  // namespace

std::vector<GpuId> ScoreTable::gpus() const {
  std::vector<GpuId> ids;
  for (const Score& score : scores_) ids.push_back(score.gpu);
  return ids;
}

bool ScoreTable::has(const GpuId& gpu) const {
  return std::any_of(scores_.begin(), scores_.end(), [&](const Score& s) { return s.gpu == gpu; });
}

std::optional<Pairing> ScoreTable::pair(const GpuId& reference, const GpuId& other) const {
  std::optional<Pairing> best;
  for (const Score& a : scores_) {
    if (a.gpu != reference || (best && !older(best->version, a.version))) continue;
    for (const Score& b : scores_) {
      if (b.gpu != other || b.version != a.version || b.backend != a.backend) continue;
      best = Pairing{a.score, b.score, a.version, a.backend};
      break;
    }
  }
  return best;
}

ScoreTable load_scores(data::DataSet& set, diag::Sink& sink) {
  std::vector<Score> scores;
  for (const data::DataFile* file : set.files("scores")) {
    const data::NodeRef root = file->document->root();
    const data::Reader reader(sink, "$");
    const auto table = root.find("entries");
    if (!table) {
      data::report_missing_key(root, "entries", "the table of scores", reader);
      continue;
    }
    data::read_rows<Score>(*table, kScore, reader.at("entries"),
                           [&](Score score, data::NodeRef row) {
                             check_row(score, row, root, reader.at("entries"));
                             if (score.score > 0) scores.push_back(std::move(score));
                           });
  }
  return ScoreTable(std::move(scores));
}

}  // namespace gpusel::workload::rendering

namespace gpusel::workload {

constinit const data::FileShape kScoresShape{"scores", "published scores of a render benchmark",
                                             &rendering::file_keys, rendering::kParts};

}  // namespace gpusel::workload
