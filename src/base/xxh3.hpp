// XXH3 with the vector instructions that this processor has: one source file for each form of the library.
// Private to base.
#pragma once

#include <xxhash.h>

#include <cstddef>
#include <cstdint>

namespace persia {

[[nodiscard]] std::uint64_t xxh3(const void* bytes, std::size_t size, std::uint64_t seed);
void xxh3_update(XXH3_state_t* state, const void* bytes, std::size_t size);

}  // namespace persia
