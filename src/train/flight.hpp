// One batch on its way through the pipeline, from the reader to the finished step. Its rows are looked up by
// this trainer, or it comes from a worker, which has pooled them and keeps the plan.
//
// Owned by the communication thread; the compute thread works on it between hand_over and stage done. `stage`
// is the only member both touch at the same time.
#pragma once

#include <atomic>
#include <exception>
#include <vector>

#include "base/strong.hpp"
#include "data/batch.hpp"
#include "embed/plan.hpp"

namespace persia::train {

struct PreparedBatch {
  data::Batch batch;
  embed::LookupPlan plan;
};

// Sums over a step, of one trainer or of all.
struct StepTotals {
  double loss_sum = 0;
  double rows = 0;
  double failed = 0;          // trainers that cannot go on (bad data): everybody stops after this step
  double waited_seconds = 0;  // compute threads without rows
  double worked_seconds = 0;  // computing, up to the exchange
};

// Seconds of the compute thread's time line, and of pushing on the communication thread.
struct StepTimes {
  double read = 0;         // idle: no batch was there
  double lookup_wait = 0;  // idle: rows had not come
  double compute = 0;
  double all_reduce = 0;
  double push = 0;

  StepTimes& operator+=(const StepTimes& other) {
    read += other.read;
    lookup_wait += other.lookup_wait;
    compute += other.compute;
    all_reduce += other.all_reduce;
    push += other.push;
    return *this;
  }
};

struct Flight {
  enum class Stage { looking_up, computing, gradients_ready, done };

  PreparedBatch input;
  Token token;
  Step lookup_step;                  // place in the order of training: what owners are told
  Step step;                         // of the dense network; another one only where workers are overtaken
  std::int32_t staleness = 0;        // own updates not known to be applied when the lookup started
  double read_at = 0;                // clock seconds at which the reader had delivered it
  std::vector<float> rows;           // (plan.num_floats)
  std::vector<float> row_gradients;  // (plan.num_floats); moved away by the push
  bool comes_pooled = false;         // then these two take the place of the two above:
  std::vector<float> embedded, d_embedded;  // (num_samples, embedded_width)
  bool no_batch = false;                    // the data end before it
  std::exception_ptr error;                 // the data cannot be read
  bool row_gradients_pushed = false;
  std::vector<float> logits;  // (num_samples), evaluation
  StepTotals totals;          // of all trainers in sync and hybrid mode, of this one in async mode
  StepTimes times;
  std::atomic<Stage> stage{Stage::looking_up};
};

}  // namespace persia::train
