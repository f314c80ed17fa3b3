// Where the library has one form, built for the least processor of its kind.
#include "base/xxh3.hpp"

namespace persia {

std::uint64_t xxh3(const void* bytes, std::size_t size, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, size, seed);
}

void xxh3_update(XXH3_state_t* state, const void* bytes, std::size_t size) {
  XXH3_64bits_update(state, bytes, size);
}

}  // namespace persia
