// Narrowing that fails loudly: counts that go to MPI (int) or HDF5, file sizes, user numbers.
#pragma once

#include <concepts>
#include <source_location>
#include <utility>

#include "base/error.hpp"

namespace persia {

// Post: the same number, or Error naming the value and the caller.
template <std::integral To, std::integral From>
[[nodiscard]] constexpr To checked_cast(From value,
                                        std::source_location where = std::source_location::current()) {
  if (!std::in_range<To>(value))
    throw Error(fmt::format("the number {} does not fit the type wanted in {}", value, where.function_name()),
                where);
  return static_cast<To>(value);
}

}  // namespace persia
