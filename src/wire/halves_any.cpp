#include "wire/halves.hpp"
#include "wire/halves_portable.hpp"

namespace persia::wire {

void to_halves(std::span<const float> values, float factor, std::byte* halves) {
  to_halves_portably(values, factor, halves);
}

void from_halves(const std::byte* halves, float factor, std::span<float> values) {
  from_halves_portably(halves, factor, values);
}

}  // namespace persia::wire
