// Tables and batches for the tests of this room.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "table/table.hpp"

namespace persia::table {

inline config::TableSchema schema_with(config::OptimizerType type, config::Precision precision,
                                       std::int32_t dim) {
  config::TableSchema schema{.name = "items", .table = {}, .salt = 0x1234567};
  schema.table.dim = dim;
  schema.table.precision = precision;
  schema.table.optimizer = {.type = type, .learning_rate = 0.05};
  return schema;
}

inline std::vector<FeatureId> ids_of(const std::vector<std::uint64_t>& numbers) {
  std::vector<FeatureId> ids;
  for (const std::uint64_t number : numbers) ids.emplace_back(number);
  return ids;
}

inline std::vector<FeatureId> ids_between(std::uint64_t begin, std::uint64_t end) {
  std::vector<FeatureId> ids;
  for (std::uint64_t id = begin; id < end; ++id) ids.emplace_back(id);
  return ids;
}

struct Answer {
  std::vector<float> values;
  std::vector<Row> rows;
};

// In that step, with no older token open.
inline Answer lookup_at(Table& table, const std::vector<FeatureId>& ids, std::int64_t step,
                        Purpose purpose = Purpose::train) {
  Answer answer{std::vector<float>(ids.size() * static_cast<std::size_t>(table.schema().table.dim), -77.0F),
                std::vector<Row>(ids.size())};
  table.lookup(ids, purpose, answer.values, answer.rows, {Step(step), Step(step)});
  return answer;
}

inline Answer lookup(Table& table, const std::vector<FeatureId>& ids, Purpose purpose = Purpose::train) {
  return lookup_at(table, ids, 0, purpose);
}

// Reproducible gradients of a step, in (-1, 1).
inline std::vector<float> gradients_of(std::size_t size, std::uint64_t step) {
  std::vector<float> gradients(size);
  for (std::size_t i = 0; i < size; ++i)
    gradients[i] = static_cast<float>(2 * random_uniform(99, step, i) - 1);
  return gradients;
}

}  // namespace persia::table
