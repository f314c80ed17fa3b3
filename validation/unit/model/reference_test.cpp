// The serial reference of validation/mpi against this room: same logits, gradients and training.
#include "reference.hpp"

#include "every.hpp"
#include "helpers.hpp"
#include "model/dense_optimizer.hpp"
#include "model/network.hpp"

namespace persia::model {
namespace {

using testing::make_test_schema;
using testing::model_of;
using testing::random_values;

constexpr std::int32_t rows = 12;
constexpr std::size_t dim = 4;

// One id per sample and column, five different ones.
data::Batch make_batch(const config::Schema& schema, std::uint64_t step) {
  data::Batch batch;
  batch.global_rows = batch.num_samples = rows;
  batch.dense = random_values<float>(std::int64_t{rows} * schema.num_dense(), 1000 + step);
  for (std::uint64_t i = 0; i < rows; ++i) batch.labels.push_back(random_below(3, step, i, 2) ? 1.0F : 0.0F);
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    data::IdColumn column{{0}, {}};
    for (std::uint64_t i = 0; i < rows; ++i) {
      column.ids.emplace_back(random_below(4 + c, step, i, 5));
      column.offsets.push_back(static_cast<std::int32_t>(i + 1));
    }
    batch.columns.push_back(column);
  }
  return batch;
}

std::vector<float> first_row(TableIndex table, FeatureId id) {
  return random_values<float>(dim, 77 + 100 * static_cast<std::uint64_t>(table.value()) + id.value());
}

// Rows with SGD, in float: enough of a table to train this room's network.
class Rows {
 public:
  Rows(const config::Schema& schema, double rate)
      : schema_(schema), rate_(rate), tables_(schema.tables.size()) {}

  std::vector<float> embedded(const data::Batch& batch) {
    std::vector<float> out;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t c = 0; c < schema_.columns.size(); ++c) {
        const auto& row = find(c, batch.columns[c].ids[i]);
        out.insert(out.end(), row.begin(), row.end());
      }
    }
    return out;
  }
  void update(const data::Batch& batch, const std::vector<float>& d_embedded) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t c = 0; c < schema_.columns.size(); ++c)
        for (float& value : find(c, batch.columns[c].ids[i]))
          value -= static_cast<float>(rate_ / rows) * d_embedded[at++];
  }
  std::vector<float>& find(std::size_t column, FeatureId id) {
    const TableIndex table = schema_.columns[column].table;
    return tables_[static_cast<std::size_t>(table.value())]
        .try_emplace(id, first_row(table, id))
        .first->second;
  }

 private:
  config::Schema schema_;
  double rate_;
  std::vector<std::map<FeatureId, std::vector<float>>> tables_;
};

class ReferenceTraining
    : public ::testing::TestWithParam<std::tuple<config::ModelType, config::OptimizerType>> {};

TEST_P(ReferenceTraining, EqualsThisRoomOverFiftySteps) {
  const auto [type, optimizer_type] = GetParam();
  auto schema = make_test_schema(3, {dim, dim, dim});
  for (auto& table : schema.tables) table.table.optimizer = {.learning_rate = 0.1};
  config::RunFile run;
  run.model = model_of(type, {9, 6}, {8}, {9, 6});
  run.training.optimizer = {.type = optimizer_type, .learning_rate = 0.02};

  const auto network = make_network(run.model, schema, 3);
  const auto optimizer =
      make_dense_optimizer(run.training.optimizer, static_cast<std::int64_t>(network->parameters().size()));
  const auto start = network->parameters();
  reference::Trainer reference(run, schema, {start.begin(), start.end()}, first_row);
  Rows table(schema, 0.1);
  std::vector<float> logits(rows), d_logits(rows);
  for (std::uint64_t step = 0; step < 50; ++step) {
    const data::Batch batch = make_batch(schema, step);
    const auto embedded = table.embedded(batch);
    std::vector<float> d_embedded(embedded.size());
    const Input input{rows, batch.dense, embedded};
    network->forward(input, logits);
    const double loss = binary_cross_entropy(logits, batch.labels, d_logits) / rows;
    network->backward(input, d_logits, d_embedded);
    table.update(batch, d_embedded);
    optimizer->apply(network->parameters(), network->gradients(), 1.0F / rows, Step(0));
    ASSERT_NEAR(loss, reference.step(batch), 1e-5) << "step " << step;
  }
  const auto end = network->parameters();
  for (std::size_t i = 0; i < end.size(); ++i)
    ASSERT_NEAR(end[i], reference.parameters()[i], 1e-4 * std::max(1.0, std::abs(reference.parameters()[i])));
  for (std::size_t c = 0; c < schema.columns.size(); ++c)
    for (const auto& [id, row] : reference.tables()[c])
      for (std::size_t d = 0; d < dim; ++d) ASSERT_NEAR(table.find(c, id)[d], row.values[d], 1e-4);
}

INSTANTIATE_TEST_SUITE_P(ModelsAndOptimizers, ReferenceTraining,
                         ::testing::Combine(::testing::ValuesIn(persia::testing::every<config::ModelType>()),
                                            ::testing::Values(config::OptimizerType::sgd,
                                                              config::OptimizerType::adagrad)));

}  // namespace
}  // namespace persia::model
