// The file driver under HDF5: plain reads and writes without file locks, and without failures that HDF5
// cannot digest.
//
// HDF5 keeps metadata in memory until a file is closed. If a write fails then (full disk), the library leaves
// the file half open and fails again, or crashes, when the process exits. So this driver remembers the first
// failed write, drops it and all later ones, and reports success: HDF5 closes cleanly, and the owner of the
// file (hdf5.cpp) throws what was remembered. Such a file is worthless, which is why checkpoints are renamed
// only when complete. Locks are not taken: they fail on many network file systems, and nobody reads a file
// of ours before it has its final name. Files are ordinary HDF5, readable with the default driver.
//
// Used by hdf5.cpp only. Not thread safe, like HDF5 itself.
#pragma once

#include <cstdint>

namespace persia::sys {

// The first thing that went wrong with one open file. errno 0: nothing.
struct IoFailure {
  int error = 0;
  const char* action = "";  // "write", "extend", "close", "read"
};

// A file access property list (to be closed with H5Pclose) whose files report to `failure`, which must
// outlive them.
[[nodiscard]] std::int64_t make_access_list(IoFailure* failure);

}  // namespace persia::sys
