#include "train/own_supply.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"

namespace persia::train {

class OwnSupply::Pass final : public BatchPass {
 public:
  Pass(OwnSupply& supply, table::Purpose purpose, std::shared_ptr<BatchFeed> feed)
      : supply_(supply), purpose_(purpose), feed_(std::move(feed)) {}

  bool start(Flight& flight) override {
    std::optional<PreparedBatch> input = feed_->try_next();
    if (!input) return false;
    flight.input = std::move(*input);
    flight.read_at = now_seconds();
    flight.token = supply_.source_.start_lookup(flight.input.plan, flight.lookup_step, purpose_);
    supply_.in_the_air_.emplace(flight.token, &flight);
    return true;
  }
  [[nodiscard]] bool finished() const override { return feed_->finished(); }
  [[nodiscard]] data::ReadCounts counts() const override { return feed_->counts(); }

 private:
  OwnSupply& supply_;
  table::Purpose purpose_;
  std::shared_ptr<BatchFeed> feed_;
};

OwnSupply::OwnSupply(embed::EmbeddingSource& source, OpenFeed open_feed)
    : source_(source), open_feed_(std::move(open_feed)) {}

std::unique_ptr<BatchPass> OwnSupply::open(table::Purpose purpose, const data::Position& start) {
  return std::make_unique<Pass>(*this, purpose, open_feed_(purpose, start));
}

Flight* OwnSupply::landed() {
  std::optional<embed::ReadyRows> ready = source_.ready();
  if (!ready) return nullptr;
  const auto found = in_the_air_.find(ready->token);
  expects(found != in_the_air_.end(), "rows come for a flight in the air");
  Flight* flight = found->second;
  in_the_air_.erase(found);
  flight->rows = std::move(ready->rows);
  flight->staleness = std::max(flight->staleness, ready->missing);
  return flight;
}

void OwnSupply::push(Flight& flight) {
  source_.push(flight.token, flight.input.plan, flight.lookup_step, std::move(flight.row_gradients));
}

}  // namespace persia::train
