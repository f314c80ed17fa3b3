// The HDF5 library in use. No hdf5.h here.
#pragma once

#include <string>

namespace persia::sys {

// "1.10.8"
[[nodiscard]] std::string hdf5_version();

}  // namespace persia::sys
