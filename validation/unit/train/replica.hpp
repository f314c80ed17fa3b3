// A replica of the example's network, made and destroyed on the thread that runs Kokkos.
#pragma once

#include "fixtures.hpp"
#include "model/memory.hpp"
#include "train/dense_replica.hpp"

namespace persia::train {

class Replica {
 public:
  // With two trainers, the other one is there in number only: it adds zeros to every sum.
  explicit Replica(const Example& example, std::int32_t num_trainers = 1) {
    kokkos_thread().call([&] {
      replica_ = std::make_unique<DenseReplica>(example.run, example.schema, num_trainers, box, nullptr);
    });
  }
  ~Replica() {
    kokkos_thread().call([&] { replica_.reset(); });
  }
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;

  DenseReplica& operator*() { return *replica_; }

  void train_step(Flight& flight) {
    kokkos_thread().call([&] { replica_->train_step(flight, kokkos_thread().idle_since()); });
  }

  // Weight of x, bias.
  std::vector<float> parameters() {
    std::vector<float> values;
    kokkos_thread().call([&] {
      values.resize(replica_->network().parameters().size());
      model::copy_to_host(replica_->network().parameters(), values);
    });
    return values;
  }

  const sys::Communicator alone = sys::Communicator::self();
  ReduceBox box{alone};

 private:
  std::unique_ptr<DenseReplica> replica_;
};

}  // namespace persia::train
