// Where the library picks the instructions at run time.
#include <xxh_x86dispatch.h>

#include "base/xxh3.hpp"

namespace persia {

std::uint64_t xxh3(const void* bytes, std::size_t size, std::uint64_t seed) {
  return XXH3_64bits_withSeed_dispatch(bytes, size, seed);
}

void xxh3_update(XXH3_state_t* state, const void* bytes, std::size_t size) {
  XXH3_64bits_update_dispatch(state, bytes, size);
}

}  // namespace persia
