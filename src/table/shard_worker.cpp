#include "table/shard_worker.hpp"

namespace persia::table {

ShardWorker::ShardWorker(TableParts& parts, std::uint32_t index, std::uint32_t count)
    : parts_(parts), first_row_(static_cast<std::size_t>(parts.layout.dim)) {
  for (std::uint32_t s = index; s < kInnerShards; s += count) shards_ |= 1U << s;
}

}  // namespace persia::table
