// A trainer's computing half: the compute thread with its replica of the dense network, and the box for sums.
//
// Made before the mailboxes, so that a network that cannot be made or loaded stops the job before anything
// runs.
#pragma once

#include <memory>

#include "train/compute_thread.hpp"
#include "train/dense_replica.hpp"
#include "train/reduce_box.hpp"
#include "train/setting.hpp"

namespace persia::train {

class Engine {
 public:
  // Loads the dense network (and, to train, the optimizer) from the start point. Collective over the
  // trainers; throws on all of them or none.
  explicit Engine(const Setting& setting);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  Engine(Engine&&) = delete;
  Engine& operator=(Engine&&) = delete;

  [[nodiscard]] ReduceBox& reduce_box() { return reduce_box_; }
  [[nodiscard]] ComputeThread& compute() { return *compute_; }
  [[nodiscard]] DenseReplica& replica() { return *replica_; }

 private:
  void make_replica(const Setting& setting);
  void end();

  ReduceBox reduce_box_;
  std::unique_ptr<ComputeThread> compute_;
  std::unique_ptr<DenseReplica> replica_;  // made and destroyed on the compute thread
};

}  // namespace persia::train
