#include "sys/doctor_hdf5.hpp"

#include <hdf5.h>

#include "base/error.hpp"

namespace persia::sys {

std::string hdf5_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  require(H5get_libversion(&major, &minor, &release) >= 0, "HDF5 does not tell its version");
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace persia::sys
