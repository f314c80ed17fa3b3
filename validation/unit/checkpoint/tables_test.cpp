// save_tables and load_tables: every row comes back with the same bits, whoever wrote and whoever reads.
#include <gmock/gmock.h>

#include <numeric>

#include "base/error.hpp"
#include "checkpoint/tables_file.hpp"
#include "fixtures.hpp"

namespace persia::checkpoint {
namespace {

using ::testing::HasSubstr;

std::vector<config::TableSchema> schemas() {
  using enum config::Precision;
  using enum config::OptimizerType;
  return {schema_of("user", fp32, adam), schema_of("item", fp16, rowwise_adagrad, 3),
          schema_of("a/b", bf16, sgd, 8), schema_of("untouched", fp32, adagrad)};
}

std::vector<std::uint64_t> many_ids(std::size_t n) {
  std::vector<std::uint64_t> ids(n);
  for (std::size_t i = 0; i < n; ++i) ids[i] = mix64(i);
  return ids;
}

std::vector<Tables> trained(std::int32_t num_owners, const std::vector<std::uint64_t>& ids) {
  std::vector<Tables> owners;
  for (std::int32_t owner = 0; owner < num_owners; ++owner) {
    owners.push_back(make_tables(schemas()));
    for (std::size_t t = 0; t < 3; ++t) train_rows(*owners.back()[t], ids, owner, num_owners);
  }
  return owners;
}

std::map<std::uint64_t, std::string> all_rows(const std::vector<Tables>& owners, std::size_t table) {
  std::map<std::uint64_t, std::string> rows;
  for (const Tables& tables : owners) rows.merge(rows_of(*tables[table]));
  return rows;
}

class TablesFile : public CheckpointTest {
 protected:
  std::vector<Tables> load(const std::filesystem::path& folder, std::int32_t num_owners) {
    const Manifest manifest = read_manifest(folder);
    verify(folder, manifest);
    std::vector<Tables> owners;
    for (std::int32_t owner = 0; owner < num_owners; ++owner) {
      owners.push_back(make_tables(schemas()));
      loaded_ += load_tables(folder, manifest, OwnerIndex(owner), num_owners, owners.back());
    }
    return owners;
  }
  std::int64_t loaded_ = 0;
};

TEST_F(TablesFile, GivesEveryRowToAnyNumberOfOwners) {
  const std::vector<std::uint64_t> ids = many_ids(1000);
  for (const std::int32_t then : {1, 2, 3, 4}) {
    const std::vector<Tables> saved = trained(then, ids);
    const std::filesystem::path folder = save_all(folder_, then, saved, 1);
    for (const std::int32_t now : {1, 2, 3, 4, 8}) {
      loaded_ = 0;
      const std::vector<Tables> loaded = load(folder, now);
      EXPECT_EQ(loaded_, 3000);
      for (std::size_t t = 0; t < 4; ++t)
        EXPECT_EQ(all_rows(loaded, t), all_rows(saved, t)) << then << " to " << now << ", table " << t;
    }
  }
}

TEST_F(TablesFile, KeepsNegativeAndExtremeIds) {
  const std::vector<std::uint64_t> ids = {static_cast<std::uint64_t>(-1), static_cast<std::uint64_t>(-7),
                                          std::uint64_t{1} << 63, 0, UINT64_MAX >> 1};
  const std::vector<Tables> saved = trained(2, ids);
  const std::vector<Tables> loaded = load(save_all(folder_, 1, saved), 3);
  EXPECT_EQ(all_rows(loaded, 0), all_rows(saved, 0));
  EXPECT_EQ(all_rows(loaded, 0).size(), 5U);
}

TEST_F(TablesFile, KeepsOwnersAndTablesWithoutRows) {
  const std::vector<Tables> saved = trained(4, {1, 2, 3});
  std::size_t empty_owners = 0;
  for (const Tables& tables : saved) empty_owners += rows_of(*tables[0]).empty();
  EXPECT_GE(empty_owners, 1U);
  const std::filesystem::path folder = save_all(folder_, 1, saved);
  for (const std::int32_t now : {1, 2, 3, 4, 8}) {
    const std::vector<Tables> loaded = load(folder, now);
    EXPECT_EQ(all_rows(loaded, 0), all_rows(saved, 0));
    EXPECT_EQ(all_rows(loaded, 0).size(), 3U);
    EXPECT_EQ(all_rows(loaded, 3).size(), 0U);
  }
}

TEST_F(TablesFile, GoesOnTrainingWithTheSameBits) {
  const std::vector<std::uint64_t> ids = many_ids(200);
  const std::vector<Tables> saved = trained(1, ids);
  const std::vector<Tables> loaded = load(save_all(folder_, 1, saved), 1);
  for (std::size_t t = 0; t < 3; ++t) {
    train_rows(*saved[0][t], ids, 0, 1);
    train_rows(*loaded[0][t], ids, 0, 1);
    EXPECT_EQ(rows_of(*loaded[0][t]), rows_of(*saved[0][t])) << t;
  }
}

TEST_F(TablesFile, PassesMoreRowsThanOneBlock) {
  Tables tables = make_tables({schema_of("big", config::Precision::fp16, config::OptimizerType::adagrad, 2)});
  train_rows(*tables[0], many_ids(static_cast<std::size_t>(2 * max_block_rows + 17)), 0, 1);
  std::vector<Tables> owners;
  owners.push_back(std::move(tables));
  const std::filesystem::path folder = save_all(folder_, 1, owners);
  Tables back = make_tables({owners[0][0]->schema()});
  EXPECT_EQ(load_tables(folder, read_manifest(folder), OwnerIndex(0), 1, back), 2 * max_block_rows + 17);
  EXPECT_EQ(rows_of(*back[0]), rows_of(*owners[0][0]));
}

// A table that notes how many bytes it gives and takes at a time.
class MeasuredTable final : public table::Table {
 public:
  explicit MeasuredTable(const config::TableSchema& schema)
      : inner_(table::make_table(schema, {.seed = 1})) {}
  void lookup(std::span<const FeatureId> ids, table::Purpose purpose, std::span<float> values,
              std::span<table::Row> rows, table::Moment when) override {
    inner_->lookup(ids, purpose, values, rows, when);
  }
  void update(std::span<const table::Row> rows, std::span<const float> gradients, Step step) override {
    inner_->update(rows, gradients, step);
  }
  [[nodiscard]] const config::TableSchema& schema() const override { return inner_->schema(); }
  [[nodiscard]] table::TableStatistics statistics() const override { return inner_->statistics(); }
  [[nodiscard]] std::int32_t value_bytes() const override { return inner_->value_bytes(); }
  [[nodiscard]] std::int32_t state_floats() const override { return inner_->state_floats(); }
  void for_each_block(std::int64_t block_rows,
                      const std::function<void(const Block&)>& visit) const override {
    inner_->for_each_block(block_rows, [&](const Block& block) {
      note(block);
      visit(block);
    });
  }
  void insert_block(const Block& block) override {
    note(block);
    inner_->insert_block(block);
  }
  [[nodiscard]] std::vector<std::uint64_t> sightings() const override { return {}; }
  void insert_sightings(std::span<const std::uint64_t>) override {}
  [[nodiscard]] std::size_t most_bytes() const { return most_bytes_; }

 private:
  void note(const Block& block) const {
    const std::size_t bytes = block.ids.size_bytes() + block.values.size_bytes() + block.state.size_bytes();
    most_bytes_ = std::max(most_bytes_, bytes);
  }
  std::unique_ptr<table::Table> inner_;
  mutable std::size_t most_bytes_ = 0;
};

TEST_F(TablesFile, TakesNoMoreThanABlockOfMemoryHoweverWideRowsAre) {
  const config::TableSchema schema =
      schema_of("wide", config::Precision::fp32, config::OptimizerType::adam, 2048);
  std::vector<Tables> owners(1);
  owners[0].push_back(std::make_unique<MeasuredTable>(schema));
  train_rows(*owners[0][0], many_ids(1500), 0, 1);
  const std::filesystem::path folder = save_all(folder_, 1, owners);
  Tables back;
  back.push_back(std::make_unique<MeasuredTable>(schema));
  EXPECT_EQ(load_tables(folder, read_manifest(folder), OwnerIndex(0), 1, back), 1500);
  EXPECT_EQ(rows_of(*back[0]), rows_of(*owners[0][0]));
  for (const auto* tables : {&owners[0], &back}) {
    const auto& measured = dynamic_cast<const MeasuredTable&>(*tables->front());
    EXPECT_LE(measured.most_bytes(), static_cast<std::size_t>(max_block_bytes));
    EXPECT_GT(measured.most_bytes(), static_cast<std::size_t>(max_block_bytes / 2));
  }
}

TEST(RowsPerBlock, AreWithinBothLimitsAndAtLeastOne) {
  EXPECT_EQ(rows_per_block(8), max_block_rows);
  EXPECT_EQ(rows_per_block(1 << 20), 16);
  EXPECT_EQ(rows_per_block(max_block_bytes + 1), 1);
}

TEST_F(TablesFile, SkipsFilesOfOtherRanges) {
  const std::filesystem::path folder = save_all(folder_, 1, trained(4, many_ids(100)));
  const Manifest manifest = read_manifest(folder);
  std::filesystem::remove(folder / tables_file(OwnerIndex(3), 4));
  Tables tables = make_tables(schemas());
  EXPECT_GT(load_tables(folder, manifest, OwnerIndex(0), 2, tables), 0);  // files 0 and 1 only
  Tables others = make_tables(schemas());
  EXPECT_THROW((void)load_tables(folder, manifest, OwnerIndex(1), 2, others), UserError);
}

TEST_F(TablesFile, RefusesTablesThatDiffer) {
  std::vector<Tables> owners;
  owners.push_back(make_tables({schema_of("t", config::Precision::fp32, config::OptimizerType::sgd, 4)}));
  const std::filesystem::path folder = save_all(folder_, 1, owners);
  const Manifest manifest = read_manifest(folder);
  const auto message = [&](const config::TableSchema& schema) {
    Tables tables = make_tables({schema});
    return user_error([&] { (void)load_tables(folder, manifest, OwnerIndex(0), 1, tables); });
  };
  using enum config::Precision;
  using enum config::OptimizerType;
  EXPECT_THAT(message(schema_of("t", fp32, sgd, 5)), HasSubstr("table t has dim 4 in the checkpoint, 5"));
  EXPECT_THAT(message(schema_of("t", fp16, sgd, 4)), HasSubstr("precision fp32 in the checkpoint, fp16"));
  EXPECT_THAT(message(schema_of("t", fp32, adam, 4)), HasSubstr("optimizer sgd in the checkpoint, adam"));
  EXPECT_THAT(message(schema_of("u", fp32, sgd, 4)), HasSubstr("table u"));
}

TEST(Ranges, OverlapExactlyWhereSomeIdCouldBelongToBoth) {
  for (std::int32_t num_a = 1; num_a <= 7; ++num_a)
    for (std::int32_t num_b = 1; num_b <= 7; ++num_b) {
      std::vector<std::vector<bool>> seen(7, std::vector<bool>(7));
      for (std::uint64_t k = 0; k < 4200; ++k) {
        const std::uint64_t hash = k * (UINT64_MAX / 4200) + 12345;
        seen[static_cast<std::size_t>(roles::owner_of(hash, num_a).value())]
            [static_cast<std::size_t>(roles::owner_of(hash, num_b).value())] = true;
      }
      for (std::int32_t a = 0; a < num_a; ++a)
        for (std::int32_t b = 0; b < num_b; ++b)
          EXPECT_EQ(ranges_overlap(OwnerIndex(a), num_a, OwnerIndex(b), num_b),
                    seen[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)])
              << a << "/" << num_a << " " << b << "/" << num_b;
    }
}

}  // namespace
}  // namespace persia::checkpoint
