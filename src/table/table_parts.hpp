// What all threads of one table share. Of the shards, each thread touches its own; the arena and the journal
// take one at a time; the rest does not change while a batch runs.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "table/admission.hpp"
#include "table/cold_store.hpp"
#include "table/eviction.hpp"
#include "table/first_values.hpp"
#include "table/inner_shard.hpp"
#include "table/kernels.hpp"
#include "table/row_layout.hpp"
#include "table/table.hpp"
#include "table/update_arguments.hpp"

namespace persia::table {

struct TableParts {
  TableParts(const config::TableSchema& table_schema, const TableOptions& options);

  config::TableSchema schema;
  RowLayout layout;
  UpdateArguments arguments;  // the learning rate is that of the step
  Kernels kernels;
  FirstValues first_values;
  Admission admission;
  Eviction eviction;
  std::function<void(const EvictedRow&)> on_evicted;
  std::mutex telling;  // of on_evicted
  std::function<double()> clock;
  std::unique_ptr<ColdStore> cold;  // null where rows that go are forgotten
  std::uint64_t rounding_key;
  std::vector<std::uint64_t> first_row;  // a record with the state that every new row starts with
  std::vector<std::uint64_t> zero_row;   // a record of zeros, answered for absent ids
  SlabArena arena;
  std::vector<InnerShard> shards;                   // (kInnerShards), in the arena
  std::array<std::uint32_t, kInnerShards> sweep{};  // by shard, the next slot to look at
};

}  // namespace persia::table
