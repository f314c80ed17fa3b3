#include "sys/hdf5_driver.hpp"

#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

// HDF5 1.14 moved what a driver needs into a header of its own.
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>

#include "base/error.hpp"

namespace persia::sys {

namespace {

constexpr std::size_t max_call_bytes = std::size_t{1} << 30;

// What the access list carries to open_file(); copied as bytes by HDF5.
struct Settings {
  IoFailure* failure;
};

// HDF5 sees the first member only.
struct DriverFile {
  H5FD_t base;
  int descriptor;
  haddr_t allocated_end;
  haddr_t file_end;
  dev_t device;
  ino_t inode;
  IoFailure* failure;
};
static_assert(std::is_standard_layout_v<DriverFile>);

DriverFile* cast(H5FD_t* file) {
  return reinterpret_cast<DriverFile*>(file);
}
const DriverFile* cast(const H5FD_t* file) {
  return reinterpret_cast<const DriverFile*>(file);
}

void remember(DriverFile* file, const char* action) {
  if (file->failure->error == 0) *file->failure = {errno, action};
}

int system_flags(unsigned flags) {
  int result = O_CLOEXEC | ((flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY);
  if ((flags & H5F_ACC_TRUNC) != 0) result |= O_TRUNC;
  if ((flags & H5F_ACC_CREAT) != 0) result |= O_CREAT;
  if ((flags & H5F_ACC_EXCL) != 0) result |= O_EXCL;
  return result;
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t access_list, haddr_t) {
  const auto* settings = static_cast<const Settings*>(H5Pget_driver_info(access_list));
  if (settings == nullptr) return nullptr;
  const int descriptor = ::open(name, system_flags(flags), 0644);
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
    if (descriptor >= 0) ::close(descriptor);
    return nullptr;
  }
  auto* file = new (std::nothrow) DriverFile{};
  if (file == nullptr) {
    ::close(descriptor);
    return nullptr;
  }
  file->descriptor = descriptor;
  file->file_end = static_cast<haddr_t>(status.st_size);
  file->device = status.st_dev;
  file->inode = status.st_ino;
  file->failure = settings->failure;
  return &file->base;
}

herr_t close_file(H5FD_t* base) {
  DriverFile* file = cast(base);
  if (::close(file->descriptor) != 0) remember(file, "close");
  delete file;
  return 0;
}

int compare_files(const H5FD_t* a, const H5FD_t* b) {
  if (cast(a)->device != cast(b)->device) return cast(a)->device < cast(b)->device ? -1 : 1;
  if (cast(a)->inode != cast(b)->inode) return cast(a)->inode < cast(b)->inode ? -1 : 1;
  return 0;
}

herr_t query_features(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_allocated_end(const H5FD_t* file, H5FD_mem_t) {
  return cast(file)->allocated_end;
}

herr_t set_allocated_end(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  cast(file)->allocated_end = end;
  return 0;
}

haddr_t get_file_end(const H5FD_t* file, H5FD_mem_t) {
  return cast(file)->file_end;
}

// Bytes past the end of the file read as zeros, as HDF5 expects of a driver.
herr_t read_bytes(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* buffer) {
  DriverFile* file = cast(base);
  auto* to = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t n = ::pread(file->descriptor, to, std::min(size, max_call_bytes), static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      remember(file, "read");
      return -1;
    }
    if (n == 0) {
      std::memset(to, 0, size);
      return 0;
    }
    to += n;
    at += static_cast<haddr_t>(n);
    size -= static_cast<std::size_t>(n);
  }
  return 0;
}

herr_t write_bytes(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, const void* buffer) {
  DriverFile* file = cast(base);
  const auto* from = static_cast<const char*>(buffer);
  file->file_end = std::max<haddr_t>(file->file_end, at + size);
  while (size > 0 && file->failure->error == 0) {
    const ssize_t n =
        ::pwrite(file->descriptor, from, std::min(size, max_call_bytes), static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      remember(file, "write");
      return 0;
    }
    from += n;
    at += static_cast<haddr_t>(n);
    size -= static_cast<std::size_t>(n);
  }
  return 0;
}

herr_t truncate_file(H5FD_t* base, hid_t, hbool_t) {
  DriverFile* file = cast(base);
  if (file->file_end == file->allocated_end) return 0;
  if (file->failure->error == 0 &&
      ::ftruncate(file->descriptor, static_cast<off_t>(file->allocated_end)) != 0)
    remember(file, "extend");
  file->file_end = file->allocated_end;
  return 0;
}

// From 1.14 on the description carries its own version and a number of the driver.
template <class Class>
void set_version(Class& description) {
  if constexpr (requires { description.version; }) {
    description.version = 1;
    description.value = static_cast<decltype(description.value)>(600);  // outside HDF5's own range
  }
}

H5FD_class_t describe_driver() {
  H5FD_class_t description{};
  set_version(description);
  description.name = "persia";
  description.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
  description.fc_degree = H5F_CLOSE_STRONG;
  description.fapl_size = sizeof(Settings);
  description.open = open_file;
  description.close = close_file;
  description.cmp = compare_files;
  description.query = query_features;
  description.get_eoa = get_allocated_end;
  description.set_eoa = set_allocated_end;
  description.get_eof = get_file_end;
  description.read = read_bytes;
  description.write = write_bytes;
  description.truncate = truncate_file;
  constexpr H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), description.fl_map);
  return description;
}

// Registered once, for the life of the process. The library's own clean-up at exit is switched off: every
// file is closed by its owner before, and what is left would be flushed at a moment when nobody can catch
// an error.
hid_t driver() {
  static const hid_t id = [] {
    static const H5FD_class_t description = describe_driver();
    H5dont_atexit();
    require(H5open() >= 0, "HDF5 does not start");
    return H5FDregister(&description);
  }();
  require(id >= 0, "HDF5 refuses this program's file driver");
  return id;
}

}  // namespace

std::int64_t make_access_list(IoFailure* failure) {
  const hid_t driver_id = driver();
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  require(list >= 0, "HDF5 gives no file access list");
  const Settings settings{failure};
  if (H5Pset_driver(list, driver_id, &settings) < 0 || H5Pset_fclose_degree(list, H5F_CLOSE_STRONG) < 0) {
    H5Pclose(list);
    fail("HDF5 refuses this program's file driver");
  }
  return list;
}

}  // namespace persia::sys
