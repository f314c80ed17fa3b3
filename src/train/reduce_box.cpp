#include "train/reduce_box.hpp"

#include "base/error.hpp"

namespace persia::train {

void ReduceBox::sum(std::span<float> values, std::span<double> totals) {
  if (trainers_.size() == 1) return;
  std::unique_lock lock(mutex_);
  expects(stage_ == Stage::empty, "one sum at a time");
  values_ = values;
  totals_ = totals;
  stage_ = Stage::asked;
  changed_.wait(lock, [&] { return closed_ || stage_ == Stage::empty; });
  require(stage_ == Stage::empty, "the training stopped while gradients were being summed");
}

bool ReduceBox::service() {
  std::unique_lock lock(mutex_);
  if (stage_ == Stage::asked) {
    totals_request_ = trainers_.start_sum(totals_);
    values_request_ = trainers_.start_sum(values_);
    stage_ = Stage::running;
    return true;
  }
  // Both are tested, so that both make progress.
  const bool totals_done = stage_ == Stage::running && totals_request_.test();
  const bool values_done = stage_ == Stage::running && values_request_.test();
  if (!totals_done || !values_done) return false;
  stage_ = Stage::empty;
  changed_.notify_all();
  return true;
}

bool ReduceBox::busy() const {
  std::unique_lock lock(mutex_);
  return stage_ != Stage::empty;
}

void ReduceBox::close() {
  std::unique_lock lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

}  // namespace persia::train
