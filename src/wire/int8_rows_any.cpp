#include "wire/int8_rows.hpp"
#include "wire/int8_rows_portable.hpp"

namespace persia::wire {

void to_int8_rows(std::span<const float> values, std::size_t dim, std::byte* bytes) {
  to_int8_rows_portably(values, dim, bytes);
}

void from_int8_rows(const std::byte* bytes, std::size_t dim, std::span<float> values) {
  from_int8_rows_portably(bytes, dim, values);
}

}  // namespace persia::wire
