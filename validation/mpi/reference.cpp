#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace persia::reference {
namespace {

struct Uses {  // ids of one column of one sample, and the weight of each
  std::vector<FeatureId> ids;
  double weight = 1;
};

Uses uses(const data::IdColumn& column, config::Pooling pooling, std::size_t sample) {
  Uses out;
  for (auto k = column.offsets[sample]; k < column.offsets[sample + 1]; ++k)
    out.ids.push_back(column.ids[static_cast<std::size_t>(k)]);
  const auto length = static_cast<double>(out.ids.size());
  if (pooling == config::Pooling::mean) out.weight = 1 / length;
  if (pooling == config::Pooling::sqrtn) out.weight = 1 / std::sqrt(length);
  return out;
}

double loss(double logit, double label) {
  return std::max(logit, 0.0) - logit * label + std::log1p(std::exp(-std::abs(logit)));
}

}  // namespace

Trainer::Trainer(const config::RunFile& run, const config::Schema& schema,
                 const std::vector<float>& first_parameters, FirstRow first_row)
    : schema_(schema),
      first_row_(std::move(first_row)),
      network_(run.model, schema),
      parameters_(first_parameters.begin(), first_parameters.end()),
      optimizer_(run.training.optimizer, first_parameters.size()),
      tables_(schema.tables.size()) {}

Values Trainer::pooled(const data::Batch& batch, std::size_t sample) {
  Values embedded(static_cast<std::size_t>(schema_.embedded_width), 0.0);
  for (std::size_t c = 0; c < schema_.columns.size(); ++c) {
    const config::ColumnSchema& column = schema_.columns[c];
    Table& table = tables_[static_cast<std::size_t>(column.table.value())];
    const config::Table& options = schema_.tables[static_cast<std::size_t>(column.table.value())].table;
    const Uses used = uses(batch.columns[c], column.column.pooling, sample);
    for (const FeatureId id : used.ids) {
      auto row = table.find(id);
      if (row == table.end()) {
        const std::vector<float> first = first_row_(column.table, id);
        row = table.try_emplace(id, Row{{first.begin(), first.end()}, RowOptimizer(options, first.size())})
                  .first;
      }
      for (std::size_t d = 0; d < row->second.values.size(); ++d)
        embedded[static_cast<std::size_t>(column.embedded_begin) + d] += used.weight * row->second.values[d];
    }
  }
  return embedded;
}

void Trainer::add_row_gradients(const data::Batch& batch, std::size_t sample, const Values& d_embedded,
                                std::vector<RowGradients>& gradients) const {
  for (std::size_t c = 0; c < schema_.columns.size(); ++c) {
    const config::ColumnSchema& column = schema_.columns[c];
    const auto dim = static_cast<std::size_t>(column.dim);
    const Uses used = uses(batch.columns[c], column.column.pooling, sample);
    for (const FeatureId id : used.ids) {
      Values& sum = gradients[static_cast<std::size_t>(column.table.value())][id];
      sum.resize(dim, 0.0);
      for (std::size_t d = 0; d < dim; ++d)
        sum[d] += used.weight * d_embedded[static_cast<std::size_t>(column.embedded_begin) + d];
    }
  }
}

double Trainer::step(const data::Batch& batch) {
  const auto samples = static_cast<std::size_t>(batch.num_samples);
  const double scale = 1 / static_cast<double>(batch.global_rows);
  const std::size_t num_dense = schema_.dense.size();
  Values gradients(parameters_.size(), 0.0);
  std::vector<RowGradients> row_gradients(tables_.size());
  double total = 0;
  for (std::size_t s = 0; s < samples; ++s) {
    const auto dense = batch.dense.begin() + static_cast<std::ptrdiff_t>(s * num_dense);
    const Trace trace = network_.forward(
        parameters_, Values(dense, dense + static_cast<std::ptrdiff_t>(num_dense)), pooled(batch, s));
    const double label = batch.labels[s];
    total += loss(trace.logit, label);
    const double d_logit = (1 / (1 + std::exp(-trace.logit)) - label) * scale;
    const Values d_embedded = network_.backward(parameters_, trace, d_logit, gradients);
    add_row_gradients(batch, s, d_embedded, row_gradients);
  }
  optimizer_.apply(parameters_, std::move(gradients), step_);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    for (auto& [id, g] : row_gradients[t]) {
      Row& row = tables_[t].at(id);
      row.optimizer.apply(row.values, std::move(g), step_);
    }
  }
  ++step_;
  return total * scale;
}

}  // namespace persia::reference
