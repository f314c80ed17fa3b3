#include "table/shard_worker.hpp"

namespace persia::table {

ShardWorker::ShardWorker(TableParts& parts, std::uint32_t index, std::uint32_t count)
    : parts_(parts), index_(index), count_(count), first_row_(static_cast<std::size_t>(parts.layout.dim)) {}

}  // namespace persia::table
