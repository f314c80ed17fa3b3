// What the sources of hdf5.hpp share: checks with HDF5's own text, and element types.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>

#include "sys/hdf5.hpp"
#include "sys/hdf5_driver.hpp"

namespace persia::sys {

static_assert(std::is_same_v<hid_t, std::int64_t>, "Hdf5Id holds HDF5's identifiers");

struct Hdf5State {
  std::string path;
  IoFailure failure;
};

// Throws Error "cannot ACTION in PATH: REASON" if a driver call failed before, or if `code`, an HDF5 return
// value or identifier, is negative. Post: `code`.
std::int64_t check_hdf5(std::int64_t code, const Hdf5State& state, const std::string& action,
                        std::source_location where = std::source_location::current());

// HDF5's innermost reason for the last failed call, "" if it gave none.
[[nodiscard]] std::string hdf5_reason();

// A new identifier of the type as stored.
[[nodiscard]] Hdf5Id make_type(Hdf5Type type);

}  // namespace persia::sys
