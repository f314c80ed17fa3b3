#include "train/batch_feed.hpp"

#include <mutex>
#include <utility>

#include "data/prefetch.hpp"

namespace persia::train {

struct BatchFeed::State {
  const config::Data& data;
  const config::Schema& schema;
  FeedOptions options;
  std::unique_ptr<data::BatchSource> source;  // of the epoch under way; touched by the reader thread only
  data::ReadCounts finished_epochs;           // reader thread only
  std::int64_t passed = 0;                    // batches since the start; reader thread only
  mutable std::mutex mutex;
  data::ReadCounts shown;  // guarded by mutex
  std::unique_ptr<data::Prefetcher<PreparedBatch>> prefetcher;

  std::optional<PreparedBatch> read() {
    while (options.source.start.epoch < options.end_epoch) {
      if (!source) source = data::open_source(data, schema, options.source);
      if (passed % options.turns != options.turn && source->skip()) {
        ++passed;
        continue;
      }
      std::optional<data::Batch> batch = source->next();
      publish_counts();
      if (batch) {
        ++passed;
        embed::LookupPlan plan = embed::make_plan(*batch, schema, options.num_owners);
        return PreparedBatch{std::move(*batch), std::move(plan)};
      }
      finished_epochs += source->counts();
      source.reset();
      options.source.start = {.epoch = options.source.start.epoch + 1, .batch_in_epoch = 0};
    }
    return std::nullopt;
  }

  void publish_counts() {
    data::ReadCounts sum = finished_epochs;
    sum += source->counts();
    const std::lock_guard lock(mutex);
    shown = sum;
  }
};

BatchFeed::BatchFeed(const config::Data& data, const config::Schema& schema, FeedOptions options)
    : state_(new State{data, schema, std::move(options), nullptr, {}, 0, {}, {}, nullptr}) {
  state_->prefetcher = std::make_unique<data::Prefetcher<PreparedBatch>>(
      [state = state_.get()] { return state->read(); }, state_->options.batches_ahead);
}

BatchFeed::~BatchFeed() {
  state_->prefetcher.reset();
}

std::optional<PreparedBatch> BatchFeed::try_next() {
  return state_->prefetcher->try_next();
}

bool BatchFeed::finished() const {
  return state_->prefetcher->finished();
}

data::ReadCounts BatchFeed::counts() const {
  const std::lock_guard lock(state_->mutex);
  return state_->shown;
}

}  // namespace persia::train
