// Recommendation models with embedding tables.
#include "reader.h"

namespace gpusel::workload::models {
namespace {

using data::field;
using data::NodeRef;
using data::optional_field;
using data::Reader;
using R = Recommender;

constexpr data::Field<R> kShape[] = {
    field<&R::dense_features>("dense_features", "numbers of a sample that are no categories"),
    field<&R::embed_dim>("embed_dim", "columns of a table"),
    field<&R::table_rows>("table_rows", "rows of each table"),
    field<&R::lookups>("lookups", "rows of each table that one sample needs"),
    field<&R::bottom_mlp>("bottom_mlp", "widths of the network under the tables"),
    field<&R::top_mlp>("top_mlp", "widths of the network over the tables"),
    optional_field<&R::cross_layers>("cross_layers",
                                     "low-rank cross layers; left out: products of "
                                     "pairs"),
    optional_field<&R::cross_rank>("cross_rank", "rank of a cross layer"),
};
constexpr auto kTable = join(kHead<R>, kShape);

void add(std::vector<Bound>& bounds, std::string_view key, const std::vector<int>& values,
         int most) {
  for (const int value : values) bounds.push_back({key, value, 1, most});
}

bool holds(const R& m, NodeRef node, const Reader& reader) {
  if (m.table_rows.empty() || m.bottom_mlp.empty() || m.top_mlp.empty())
    return bad_shape(m, "it needs at least one table and two networks", node, reader);
  if (m.lookups.size() != m.table_rows.size())
    return bad_shape(m, "'lookups' must have one number for each table", node, reader);
  if (m.bottom_mlp.back() != m.embed_dim)
    return bad_shape(m, "'bottom_mlp' must end with 'embed_dim'", node, reader);
  std::vector<Bound> bounds = {
      {"dense_features", m.dense_features, 1, kMostWidth},
      {"embed_dim", m.embed_dim, 1, kMostWidth},
      {"cross_layers", m.cross_layers, 0, kMostLayers},
      {"cross_rank", m.cross_rank, m.cross_layers > 0 ? 1 : 0, kMostWidth}};
  add(bounds, "table_rows", m.table_rows, kMostRows);
  add(bounds, "lookups", m.lookups, kMostWidth);
  add(bounds, "bottom_mlp", m.bottom_mlp, kMostWidth);
  add(bounds, "top_mlp", m.top_mlp, kMostWidth);
  return in_range(bounds, m, node, reader);
}

constexpr KindReader kReaders[] = {
    {ModelKind::recsys, &keys_of_table<kTable>, &read_card<R, kTable, &holds>},
};

}  // namespace

constinit const std::span<const KindReader> kRecommenderKinds = kReaders;

}  // namespace gpusel::workload::models
