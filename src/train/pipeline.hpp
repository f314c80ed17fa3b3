// The trainer's step pipeline, run by the communication thread: read -> look up -> compute -> push, several
// batches at once.
//
//   pass.start            landed: compute thread              gradients ready: push    done: retire
//   [ looking_up ] ------> [ forward, backward, exchange ] --> [ owners apply ] ------> totals
//
// At most staleness + 1 lookups have gradients that are not yet known to be applied, and in sync
// mode a lookup starts only when the one before was pushed. Batches go through compute in the order they
// landed: that of the data, but for workers in hybrid and async mode. Collective discipline: every trainer
// runs the same number of steps; a trainer whose data fail takes part in one more exchange with `failed` set,
// after which all trainers leave run_training() together.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>

#include "config/run_file.hpp"
#include "train/compute_thread.hpp"
#include "train/dense_replica.hpp"
#include "train/reduce_box.hpp"
#include "train/staleness_control.hpp"
#include "train/supply.hpp"

namespace persia::train {

struct PipelineParts {
  Supply& supply;
  ComputeThread& compute;
  DenseReplica& replica;
  ReduceBox& reduce_box;
  config::Mode mode = config::Mode::hybrid;
  const StalenessControl& staleness;
  double timeout_seconds = 600;
};

class Pipeline {
 public:
  explicit Pipeline(const PipelineParts& parts) : parts_(parts) {}

  // Trains from step `first` until `end` steps are done or the pass is over; then waits until every update is
  // applied. `retire` sees each finished step in order; it must throw at a loss that is not finite, after
  // which the replica does nothing more. Returns the next step. Throws StoppedTraining when
  // some trainer failed (with this trainer's own exception, if it was the one), StuckError when a peer let
  // this trainer wait for timeout_seconds. After an exception the pipeline is of no further use. Collective
  // over the trainers.
  Step run_training(BatchPass& pass, Step first, Step end, const std::function<void(const Flight&)>& retire);

  // Runs every batch of the pass through forward with the model after `model` updates; `retire` sees logits
  // in order. Not collective.
  void run_evaluation(BatchPass& pass, Step model, const std::function<void(const Flight&)>& retire);

 private:
  void average_now(Step next);

  enum class Purpose { train, evaluate };
  struct Run;  // the state of one run_x call, in pipeline.cpp

  const PipelineParts parts_;
};

// Some trainer cannot go on; its message is its own. `error` is this trainer's, or null.
struct StoppedTraining {
  std::exception_ptr error;
};

}  // namespace persia::train
