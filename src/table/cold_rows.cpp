// ShardWorker's rows that come back from disk.
//
// While a batch runs, their ids only get what they will need; when it is done, all of them are read at once.
#include "base/hash.hpp"
#include "table/shard_worker.hpp"

namespace persia::table {

// Training makes the room for the row, whose content comes later: nothing reads it before, since a row in use
// is not a candidate of eviction. Evaluation leaves the row where it is.
std::byte* ShardWorker::resolve_cold(std::uint32_t position, std::uint64_t place, ColdLocation from,
                                     const LookupBatch& batch, Row& row) {
  std::byte* record = nullptr;
  if (batch.purpose == Purpose::train) {
    record = add(batch.ids[position], place, batch.when, row);
    parts_.eviction.start(record, batch.when.step);
    ++counts_.found_on_disk;
  }
  cold_reads_.push_back({row.shard, place, from, record});
  cold_positions_.push_back(position);
  return record == nullptr ? zeros() : record;
}

std::span<const ColdRead> ShardWorker::cold_reads() {
  const std::size_t words = parts_.first_row.size();
  cold_records_.resize(std::max(cold_records_.size(), words * cold_reads_.size()));
  for (std::size_t i = 0; i < cold_reads_.size(); ++i)
    if (cold_reads_[i].to == nullptr)
      cold_reads_[i].to = reinterpret_cast<std::byte*>(cold_records_.data() + i * words);
  return cold_reads_;
}

void ShardWorker::finish_cold(const LookupBatch& batch) {
  for (std::size_t i = 0; i < cold_reads_.size(); ++i) {
    std::byte* const record = cold_reads_[i].to;
    if (batch.purpose == Purpose::train) parts_.eviction.use(record, batch.when.step);
    parts_.kernels.gather({&parts_.layout, &record, &cold_positions_[i], 1, batch.values.data()});
  }
  cold_reads_.clear();
  cold_positions_.clear();
}

}  // namespace persia::table
