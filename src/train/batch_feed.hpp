// A reader thread of a trainer, or of a worker for one trainer: batches with their lookup plans, epoch after
// epoch, ahead of the training.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "config/run_file.hpp"
#include "config/schema.hpp"
#include "data/source.hpp"
#include "train/flight.hpp"

namespace persia::train {

struct FeedOptions {
  data::SourceOptions source;  // start.epoch and start.batch_in_epoch: where to begin
  std::int64_t end_epoch = 1;  // first epoch that is not read
  std::int32_t num_owners = 1;
  std::size_t batches_ahead = 4;
  // Batch n from the start on, over all epochs, is delivered if n % turns == turn.
  std::int64_t turn = 0, turns = 1;
};

class BatchFeed {
 public:
  // `data` and `schema` must outlive the feed.
  BatchFeed(const config::Data& data, const config::Schema& schema, FeedOptions options);
  ~BatchFeed();
  BatchFeed(const BatchFeed&) = delete;
  BatchFeed& operator=(const BatchFeed&) = delete;
  BatchFeed(BatchFeed&&) = delete;
  BatchFeed& operator=(BatchFeed&&) = delete;

  // Never waits. Throws what reading the next batch threw (UserError: bad data).
  [[nodiscard]] std::optional<PreparedBatch> try_next();
  [[nodiscard]] bool finished() const;
  [[nodiscard]] data::ReadCounts counts() const;  // thread safe; of what was read so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace persia::train
