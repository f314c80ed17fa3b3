#include "table/kernels.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "every.hpp"
#include "table_maker.hpp"

namespace persia::table {
namespace {

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
    EXPECT_EQ(kernels.update({&layout, &arguments, 7, rows.data(), gradients.data(), kBlockRows}), 0U);
  }
  auto* const out = reinterpret_cast<float*>(records.data() + kBlockRows * row_bytes);
  kernels.gather({&layout, rows.data(), kBlockRows, out});
  return records;
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
        const auto versions = kernel_versions(type, precision);
        for (const config::Table& options : {table, limited}) {
          const auto best = run(versions.front(), options);
          for (std::size_t v = 1; v < versions.size(); ++v)
            ASSERT_EQ(run(versions[v], options), best)
                << config::name_of(type) << " dim " << dim << " version " << v;
        }
      }
}

}  // namespace
}  // namespace persia::table
