// Where a trainer's batches come from, ready to be computed, and where their gradients go: its own reader and
// look-ups, or worker ranks.
//
// Every training batch holds a token from start() until its gradient is known to be applied. Only the
// communication thread calls it; flights must stay where they are until they have landed and, in training,
// were pushed.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "data/source.hpp"
#include "embed/source.hpp"
#include "table/table.hpp"
#include "train/flight.hpp"

namespace persia::train {

// One pass over data: the training, or an evaluation.
class BatchPass {
 public:
  virtual ~BatchPass() = default;
  // Starts the next batch, if one is at hand; sets the flight's token. Pre: lookup_step is set. Never waits.
  // Throws what reading threw.
  virtual bool start(Flight& flight) = 0;
  // No batch will be at hand any more.
  [[nodiscard]] virtual bool finished() const = 0;
  [[nodiscard]] virtual data::ReadCounts counts() const = 0;  // of what was read so far
};

class Supply {
 public:
  virtual ~Supply() = default;
  // The training from `start` on, or the test data once.
  [[nodiscard]] virtual std::unique_ptr<BatchPass> open(table::Purpose purpose,
                                                        const data::Position& start) = 0;
  // Moves messages. True if anything happened.
  virtual bool progress() = 0;
  // A started flight that can be computed now, or has `no_batch` or `error` set and is over.
  virtual Flight* landed() = 0;
  // Closes the flight's token with its gradients. Never waits.
  virtual void push(Flight& flight) = 0;
  [[nodiscard]] virtual std::int32_t open_tokens() const = 0;
  // Of look-ups made here.
  [[nodiscard]] virtual embed::WireBytes wire_bytes() const { return {}; }
  // Trainer 0 only, when all trainers are done: a report of every worker (BatchServer::report()); none where
  // there are no workers. Error when one has not answered for so long.
  [[nodiscard]] virtual nlohmann::json worker_reports(double /*timeout_seconds*/) {
    return nlohmann::json::array();
  }
  // For messages about a stuck job.
  [[nodiscard]] virtual std::string describe() const = 0;
};

}  // namespace persia::train
