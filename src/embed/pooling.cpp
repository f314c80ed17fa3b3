#include "embed/pooling.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/error.hpp"

namespace persia::embed {

namespace {

float weight_of(config::Pooling pooling, std::int32_t length) {
  switch (pooling) {
    case config::Pooling::sum:
      return 1.0F;
    case config::Pooling::mean:
      return 1.0F / static_cast<float>(length);
    case config::Pooling::sqrtn:
      return 1.0F / std::sqrt(static_cast<float>(length));
  }
  return 1.0F;
}

// to += weight * from
void add_scaled(float* __restrict to, const float* __restrict from, float weight, std::int32_t dim) {
  for (std::int32_t d = 0; d < dim; ++d) to[d] += weight * from[d];
}

void pool_column(const data::IdColumn& ids, const std::vector<std::int32_t>& row_of_entry,
                 const config::ColumnSchema& column, const float* rows, float* embedded, std::int32_t width) {
  const std::size_t num_samples = ids.offsets.size() - 1;
  for (std::size_t i = 0; i < num_samples; ++i) {
    float* to = embedded + i * static_cast<std::size_t>(width) + column.embedded_begin;
    const std::int32_t begin = ids.offsets[i];
    const std::int32_t length = ids.offsets[i + 1] - begin;
    if (length == 1) {
      const float* from =
          rows + static_cast<std::ptrdiff_t>(row_of_entry[static_cast<std::size_t>(begin)]) * column.dim;
      std::copy_n(from, column.dim, to);
      continue;
    }
    std::fill_n(to, column.dim, 0.0F);
    if (length == 0) continue;
    const float weight = weight_of(column.column.pooling, length);
    for (std::int32_t k = begin; k < begin + length; ++k) {
      const float* from =
          rows + static_cast<std::ptrdiff_t>(row_of_entry[static_cast<std::size_t>(k)]) * column.dim;
      add_scaled(to, from, weight, column.dim);
    }
  }
}

void combine_column(const data::IdColumn& ids, const std::vector<std::int32_t>& row_of_entry,
                    const config::ColumnSchema& column, const float* d_embedded, std::int32_t width,
                    float scale, float* gradients) {
  const std::size_t num_samples = ids.offsets.size() - 1;
  for (std::size_t i = 0; i < num_samples; ++i) {
    const float* from = d_embedded + i * static_cast<std::size_t>(width) + column.embedded_begin;
    const std::int32_t begin = ids.offsets[i];
    const std::int32_t length = ids.offsets[i + 1] - begin;
    if (length == 0) continue;
    const float weight = scale * weight_of(column.column.pooling, length);
    for (std::int32_t k = begin; k < begin + length; ++k) {
      float* to =
          gradients + static_cast<std::ptrdiff_t>(row_of_entry[static_cast<std::size_t>(k)]) * column.dim;
      add_scaled(to, from, weight, column.dim);
    }
  }
}

}  // namespace

void pool(const data::Batch& batch, const LookupPlan& plan, const config::Schema& schema,
          std::span<const float> rows, std::span<float> embedded) {
  expects(rows.size() == static_cast<std::size_t>(plan.num_floats), "rows of the plan");
  expects(embedded.size() ==
              static_cast<std::size_t>(batch.num_samples) * static_cast<std::size_t>(schema.embedded_width),
          "embedded is (num_samples, embedded_width)");
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const config::ColumnSchema& column = schema.columns[c];
    const std::int64_t begin = plan.row_begin[static_cast<std::size_t>(column.table.value())];
    pool_column(batch.columns[c], plan.row_of_entry[c], column, rows.data() + begin, embedded.data(),
                schema.embedded_width);
  }
}

void combine(const data::Batch& batch, const LookupPlan& plan, const config::Schema& schema,
             std::span<const float> d_embedded, float scale, std::span<float> row_gradients) {
  expects(row_gradients.size() == static_cast<std::size_t>(plan.num_floats), "gradients of the plan");
  std::fill(row_gradients.begin(), row_gradients.end(), 0.0F);
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const config::ColumnSchema& column = schema.columns[c];
    const std::int64_t begin = plan.row_begin[static_cast<std::size_t>(column.table.value())];
    combine_column(batch.columns[c], plan.row_of_entry[c], column, d_embedded.data(), schema.embedded_width,
                   scale, row_gradients.data() + begin);
  }
}

}  // namespace persia::embed
