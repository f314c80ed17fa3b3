// The flat parameter and gradient buffers of a network, and the plan of what lies where in them.
//
// A network first plans its blocks (ParameterPlan, host only, no allocation), then Parameters allocates both
// buffers at once. Layers keep offsets, not pointers. First values are a pure function of (seed, block name,
// index), so they depend neither on the other blocks nor on ranks or threads.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "model/matrix.hpp"
#include "model/network.hpp"

namespace persia::model {

class ParameterPlan {
 public:
  // Returns the offset. First values are uniform on (-bound, bound); bound 0 means zeros.
  std::int64_t add(const std::string& name, std::vector<std::int64_t> shape, double bound);
  [[nodiscard]] const std::vector<ParameterBlock>& blocks() const { return blocks_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  // Shape: (size()).
  [[nodiscard]] std::vector<float> first_values(std::uint64_t seed) const;

 private:
  std::vector<ParameterBlock> blocks_;
  std::vector<double> bounds_;  // by block
  std::int64_t size_ = 0;
};

// Two buffers of plan.size() values, zero at first.
template <class Real>
struct Parameters {
  explicit Parameters(std::int64_t size)
      : values("persia::model::parameters", static_cast<std::size_t>(size)),
        gradients("persia::model::gradients", static_cast<std::size_t>(size)) {}
  Kokkos::View<Real*, Memory> values;
  Kokkos::View<Real*, Memory> gradients;
};

}  // namespace persia::model
