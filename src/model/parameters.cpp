#include "model/parameters.hpp"

#include <utility>

#include "base/hash.hpp"
#include "base/random.hpp"

namespace persia::model {

std::int64_t ParameterPlan::add(const std::string& name, std::vector<std::int64_t> shape, double bound) {
  std::int64_t size = 1;
  for (const std::int64_t extent : shape) size *= extent;
  const std::int64_t offset = size_;
  blocks_.push_back({.name = name, .shape = std::move(shape), .offset = offset, .size = size});
  bounds_.push_back(bound);
  size_ += size;
  return offset;
}

std::vector<float> ParameterPlan::first_values(std::uint64_t seed) const {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(size_));
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::uint64_t stream = hash_bytes(blocks_[b].name, 0);
    for (std::int64_t i = 0; i < blocks_[b].size; ++i) {
      const double u = random_uniform(seed, stream, static_cast<std::uint64_t>(i));
      values.push_back(static_cast<float>(bounds_[b] * (2 * u - 1)));
    }
  }
  return values;
}

}  // namespace persia::model
