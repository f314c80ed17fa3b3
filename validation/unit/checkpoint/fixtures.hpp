// What the checkpoint tests share: a folder of their own, small tables with trained rows, a network without
// layers, and one whole save.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "checkpoint/checkpoint.hpp"
#include "checkpoint/names.hpp"
#include "roles/teams.hpp"

namespace persia::checkpoint {

using Tables = std::vector<std::unique_ptr<table::Table>>;

class CheckpointTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("persia-checkpoint-" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

inline config::TableSchema schema_of(const std::string& name, config::Precision precision,
                                     config::OptimizerType optimizer, std::int32_t dim = 4) {
  config::TableSchema schema{.name = name, .table = {}, .salt = hash_bytes(name, 0)};
  schema.table.dim = dim;
  schema.table.precision = precision;
  schema.table.optimizer.type = optimizer;
  return schema;
}

inline Tables make_tables(const std::vector<config::TableSchema>& schemas) {
  Tables tables;
  for (const config::TableSchema& schema : schemas) tables.push_back(table::make_table(schema, {.seed = 1}));
  return tables;
}

// Gives the table rows for those of `ids` that `owner` holds, and two updates to each.
inline void train_rows(table::Table& table, const std::vector<std::uint64_t>& ids, std::int32_t owner,
                       std::int32_t num_owners) {
  std::vector<FeatureId> mine;
  for (const std::uint64_t id : ids)
    if (roles::owner_of(place_hash(FeatureId(id), table.schema().salt), num_owners) == OwnerIndex(owner))
      mine.emplace_back(id);
  const std::size_t floats = mine.size() * static_cast<std::size_t>(table.schema().table.dim);
  std::vector<float> values(floats), gradients(floats);
  std::vector<table::Row> rows(mine.size());
  table.lookup(mine, table::Purpose::train, values, rows, {});
  for (std::size_t i = 0; i < floats; ++i)
    gradients[i] = 0.01F * static_cast<float>(mix64(i + mine[i * mine.size() / floats].value()) % 100);
  table.update(rows, gradients, Step(0));
  table.update(rows, gradients, Step(0));
}

// Every row of a table: id -> (values, state) as bytes.
inline std::map<std::uint64_t, std::string> rows_of(const table::Table& table) {
  std::map<std::uint64_t, std::string> result;
  const auto value_bytes = static_cast<std::size_t>(table.value_bytes());
  const std::size_t state_bytes = sizeof(float) * static_cast<std::size_t>(table.state_floats());
  table.for_each_block(7, [&](const table::Table::Block& block) {
    for (std::size_t i = 0; i < block.ids.size(); ++i) {
      std::string row(value_bytes + state_bytes, '\0');
      std::memcpy(row.data(), block.values.data() + i * value_bytes, value_bytes);
      std::memcpy(row.data() + value_bytes, std::as_bytes(block.state).data() + i * state_bytes, state_bytes);
      result[block.ids[i].value()] = row;
    }
  });
  return result;
}

class FakeNetwork final : public model::Network {
 public:
  FakeNetwork() : values_(10) {
    blocks_ = {{"bottom.0.weight", {2, 3}, 0, 6}, {"bottom.0.bias", {4}, 6, 4}};
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = 0.5F + static_cast<float>(i);
  }
  void forward(const model::Input&, std::span<float>) override {}
  void backward(const model::Input&, std::span<const float>, std::span<float>) override {}
  std::span<float> parameters() override { return values_; }
  std::span<float> gradients() override { return {}; }
  [[nodiscard]] const std::vector<model::ParameterBlock>& blocks() const override { return blocks_; }
  [[nodiscard]] std::int64_t multiply_adds_per_sample() const override { return 0; }

  std::vector<float> values_;
  std::vector<model::ParameterBlock> blocks_;
};

class FakeOptimizer final : public model::DenseOptimizer {
 public:
  void apply(std::span<float>, std::span<const float>, float, Step) override {}
  [[nodiscard]] std::vector<State> state() override {
    std::vector<State> result;
    for (auto& [name, values] : states_) result.push_back({name, values});
    return result;
  }
  [[nodiscard]] std::int64_t steps() const override { return steps_; }
  void set_steps(std::int64_t steps) override { steps_ = steps; }

  std::map<std::string, std::vector<float>> states_ = {{"m", std::vector<float>(10, 1.25F)},
                                                       {"v", std::vector<float>(10, 2.5F)}};
  std::int64_t steps_ = 77;
};

// A whole save: `owners` are the tables of each owner.
inline std::filesystem::path save_all(const std::filesystem::path& directory, std::int64_t step,
                                      const std::vector<Tables>& owners, std::int32_t keep = 2,
                                      const std::string& created = "2026-01-02T03:04:05Z") {
  const std::filesystem::path folder = begin_save(directory, Step(step));
  const auto num_owners = static_cast<std::int32_t>(owners.size());
  Manifest manifest{.step = Step(step),
                    .position = {.epoch = 1, .batch_in_epoch = 2},
                    .statistics = {.mean = {0.1}, .scale = {1.0 / 3.0}},
                    .created = created,
                    .run_file = "name: tiny\n",
                    .num_owners = num_owners,
                    .files = {}};
  for (std::int32_t owner = 0; owner < num_owners; ++owner)
    manifest.files.push_back(save_tables(folder, OwnerIndex(owner), num_owners, Step(step),
                                         owners[static_cast<std::size_t>(owner)]));
  FakeNetwork network;
  FakeOptimizer optimizer;
  manifest.files.push_back(save_dense(folder, Step(step), network, optimizer));
  return finish_save(folder, manifest, keep);
}

// The message of the UserError that `action` throws.
template <class Action>
std::string user_error(Action action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no UserError";
}

}  // namespace persia::checkpoint
