#include "table/kernels.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "base/hash.hpp"
#include "every.hpp"
#include "table_maker.hpp"

namespace persia::table {
namespace {

constexpr auto kInOrder = [] {
  std::array<std::uint32_t, kBlockRows> positions{};
  for (std::uint32_t i = 0; i < kBlockRows; ++i) positions[i] = i;
  return positions;
}();

// Records of kBlockRows rows after some updates by one version of the kernels, and what it gathers from them.
std::vector<std::byte> run(const Kernels& kernels, const config::Table& table) {
  const RowLayout layout = make_row_layout(table);
  const UpdateArguments arguments = make_update_arguments(table);
  const auto row_bytes = static_cast<std::size_t>(layout.row_bytes);
  std::vector<std::byte> records(kBlockRows * row_bytes +
                                 kBlockRows * static_cast<std::size_t>(layout.dim) * 4);
  std::vector<std::byte*> rows;
  for (std::size_t r = 0; r < kBlockRows; ++r) {
    rows.push_back(records.data() + r * row_bytes);
    std::memcpy(rows.back(), &r, sizeof r);
    kernels.store(layout, gradients_of(static_cast<std::size_t>(layout.dim), 1000 + r).data(), rows.back());
  }
  for (std::uint64_t step = 0; step < 5; ++step) {
    const auto gradients = gradients_of(kBlockRows * static_cast<std::size_t>(layout.dim), step);
    EXPECT_EQ(
        kernels.update({&layout, &arguments, 7, rows.data(), kInOrder.data(), gradients.data(), kBlockRows}),
        0U);
  }
  auto* const out = reinterpret_cast<float*>(records.data() + kBlockRows * row_bytes);
  kernels.gather({&layout, rows.data(), kInOrder.data(), kBlockRows, out});
  return records;
}

// The first two stages of a look-up over shards with every third of 30000 ids.
class ProbedShards {
 public:
  ProbedShards() : arena_(12) {
    for (std::uint32_t s = 0; s < kInnerShards; ++s) shards_.emplace_back(arena_, 12, kSalt, s);
    for (std::uint64_t id = 0; id < 30000; ++id) {
      ids_.emplace_back(id);
      const std::uint64_t place = place_hash(FeatureId(id), kSalt);
      if (id % 3 == 0) (void)shards_[shard_of(place)].add(FeatureId(id), place);
    }
  }

  // Every id that is wanted, once and in order, with its candidate.
  void check(const Kernels& kernels, std::uint32_t wanted_shards, std::size_t num_ids) const {
    const RequestJob job{ids_.data(), num_ids, kSalt, shards_.data(), wanted_shards};
    std::size_t next = 0;
    LookupBlock block;
    for (std::size_t at = 0;;) {
      at = kernels.request(job, at, block);
      if (block.size == 0) break;
      kernels.guess(shards_.data(), 8, block);
      for (std::size_t i = 0; i < block.size; ++i, ++next) {
        while ((wanted_shards >> shard_of(place_hash(ids_[next], kSalt)) & 1U) == 0) ++next;
        ASSERT_EQ(block.positions[i], next);
        ASSERT_EQ(block.ids[i], ids_[next]);
        ASSERT_EQ(block.places[i], place_hash(ids_[next], kSalt));
        check_candidate(block, i);
      }
    }
    while (next < num_ids && (wanted_shards >> shard_of(place_hash(ids_[next], kSalt)) & 1U) == 0) ++next;
    ASSERT_EQ(next, num_ids);
  }

 private:
  static constexpr std::uint64_t kSalt = 77;

  void check_candidate(const LookupBlock& block, std::size_t i) const {
    const InnerShard& shard = shards_[shard_of(block.places[i])];
    const Chunk& home = *shard.home(block.places[i]);
    ASSERT_EQ(block.homes[i], &home);
    const Matches matches(home, tag_of(block.places[i]));
    if (matches.empty()) {
      ASSERT_EQ(block.slots[i], kNoSlot);
      ASSERT_EQ(block.rows[i], nullptr);
    } else {
      ASSERT_EQ(block.slots[i], RowSlot(home.slots[matches.first()]));
      ASSERT_EQ(block.rows[i], shard.row(block.slots[i]));
    }
  }

  SlabArena arena_;
  std::vector<InnerShard> shards_;
  std::vector<FeatureId> ids_;
};

TEST(Kernels, EveryInstructionSetFindsTheSameCandidates) {
  const ProbedShards shards;
  for (const Kernels& kernels : kernel_versions(config::OptimizerType::sgd, config::Precision::fp32))
    for (const std::uint32_t wanted : {0xFFFFU, 0x5555U, 0x8000U})
      for (const std::size_t num_ids : {0U, 1U, 8U, 23U, 30000U})
        ASSERT_NO_FATAL_FAILURE(shards.check(kernels, wanted, num_ids)) << wanted << " " << num_ids;
}

TEST(Kernels, EveryInstructionSetGivesTheSameBits) {
  for (const auto type : testing::every<config::OptimizerType>())
    for (const auto precision : testing::every<config::Precision>())
      for (const std::int32_t dim : {1, 7, 16, 33, 64, 129}) {
        auto table = schema_with(type, precision, dim).table;
        table.optimizer.weight_decay = 0.01;
        table.optimizer.l1 = 0.5;
        auto limited = table;
        limited.clip_value = 0.8;
        limited.clip_norm = 1.5;
        limited.weight_bound = 0.9;
        auto narrow = table;
        narrow.state_precision = config::StatePrecision::bf16;
        const auto versions = kernel_versions(type, precision);
        for (const config::Table& options : {table, limited, narrow}) {
          const auto best = run(versions.front(), options);
          for (std::size_t v = 1; v < versions.size(); ++v)
            ASSERT_EQ(run(versions[v], options), best)
                << config::name_of(type) << " dim " << dim << " version " << v;
        }
      }
}

// Records whose values are every pattern of 16 bits, subnormals, infinities and NaNs among them, after one
// update, and what was gathered from them before.
std::vector<std::byte> run_every_pattern(const Kernels& kernels, const config::Table& table) {
  const RowLayout layout = make_row_layout(table);
  const UpdateArguments arguments = make_update_arguments(table);
  const auto dim = static_cast<std::size_t>(layout.dim);
  std::vector<std::byte> record(static_cast<std::size_t>(layout.row_bytes));
  std::vector<std::byte> result;
  for (std::uint32_t begin = 0; begin < 65536; begin += static_cast<std::uint32_t>(dim)) {
    for (std::uint32_t i = 0; i < dim; ++i) {
      const auto pattern = static_cast<std::uint16_t>(begin + i);
      std::memcpy(record.data() + layout.values_offset + 2 * i, &pattern, sizeof pattern);
    }
    std::memcpy(record.data(), &begin, sizeof begin);
    std::byte* const row = record.data();
    std::vector<float> gathered(dim);
    kernels.gather({&layout, &row, kInOrder.data(), 1, gathered.data()});
    std::vector<float> gradients = gradients_of(dim, begin);
    for (float& gradient : gradients)
      gradient = std::ldexp(gradient, static_cast<int>(begin / dim % 40) - 24);
    EXPECT_EQ(kernels.update({&layout, &arguments, 7, &row, kInOrder.data(), gradients.data(), 1}), 0U);
    const auto* const bytes = reinterpret_cast<const std::byte*>(gathered.data());
    result.insert(result.end(), bytes, bytes + 4 * dim);
    result.insert(result.end(), record.begin(), record.end());
  }
  return result;
}

TEST(Kernels, EveryInstructionSetHandlesEveryPatternOfHalfPrecisionAlike) {
  for (const auto precision : {config::Precision::fp16, config::Precision::bf16}) {
    auto table = schema_with(config::OptimizerType::sgd, precision, 32).table;
    table.optimizer.learning_rate = 1;
    const auto versions = kernel_versions(config::OptimizerType::sgd, precision);
    const auto best = run_every_pattern(versions.front(), table);
    for (std::size_t v = 1; v < versions.size(); ++v)
      EXPECT_EQ(run_every_pattern(versions[v], table), best)
          << config::name_of(precision) << " version " << v;
  }
}

}  // namespace
}  // namespace persia::table
