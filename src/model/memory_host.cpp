#include <algorithm>

#include "base/error.hpp"
#include "model/memory.hpp"

namespace persia::model {

void copy_to_host(std::span<const float> from, std::span<float> to) {
  expects(from.size() == to.size(), "copies have equal sizes");
  std::ranges::copy(from, to.begin());
}

void copy_from_host(std::span<const float> from, std::span<float> to) {
  copy_to_host(from, to);
}

}  // namespace persia::model
