// A full disk, played by a limit on the size of files, in a child process that must end in order.
#include "sys/hdf5_driver.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "sys/hdf5.hpp"

namespace persia::sys {
namespace {

namespace fs = std::filesystem;

void limit_file_size(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, RLIM_INFINITY};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) std::_Exit(90);
}

void write_megabytes(const fs::path& path, int megabytes, bool many_small) {
  Hdf5File file = Hdf5File::create(path);
  Hdf5Group root = file.root();
  const std::vector<std::byte> block(1 << 20);
  if (many_small) {
    for (int i = 0; i < 4000; ++i) root.create_group("group " + std::to_string(i)).write_integer("i", i);
  } else {
    Hdf5Dataset dataset = root.create_growing_dataset("x", Hdf5Type::uint64, {});
    for (int i = 0; i < megabytes; ++i) dataset.append_rows(block);
  }
  file.close();
}

// Prints the message and ends through exit(), so that HDF5's own end, if it had one, would be seen too.
[[noreturn]] void write_under_limit(rlim_t limit, int megabytes, bool many_small) {
  const fs::path path = fs::temp_directory_path() / ("persia-full-" + std::to_string(::getpid()) + ".h5");
  int code = 0;
  try {
    limit_file_size(limit);
    write_megabytes(path, megabytes, many_small);
  } catch (const UserError&) {
    code = 2;
  } catch (const Error& error) {
    limit_file_size(RLIM_INFINITY);  // standard error is a file here
    std::fprintf(stderr, "%s\n", error.what());
    code = 1;
  }
  fs::remove(path);
  std::exit(code);
}

constexpr const char* message = "cannot (write|extend) .*persia-full-.*h5: File too large: .*ulimit";

TEST(Hdf5DriverDeathTest, AFullDiskIsAnErrorWithThePathNeverACrash) {
  // From "not even the first header" over "in the middle" to "only the last metadata": every cut ends alike.
  for (const rlim_t limit : {0UL, 100UL, 2048UL, 1UL << 20, (2UL << 20) + 4096, 7UL << 20, 8UL << 20})
    EXPECT_EXIT(write_under_limit(limit, 8, false), ::testing::ExitedWithCode(1), message) << limit;
}

TEST(Hdf5DriverDeathTest, MetadataThatDoesNotFitIsAnErrorToo) {
  for (const rlim_t limit : {0UL, 5000UL, 100000UL, 500000UL})
    EXPECT_EXIT(write_under_limit(limit, 0, true), ::testing::ExitedWithCode(1), message) << limit;
}

TEST(Hdf5DriverDeathTest, EnoughRoomIsNoError) {
  EXPECT_EXIT(write_under_limit(64UL << 20, 8, false), ::testing::ExitedWithCode(0), "^$");
}

TEST(Hdf5DriverDeathTest, AFileDroppedAfterAFailureIsHarmless) {
  const auto run = [] {
    const fs::path path = fs::temp_directory_path() / ("persia-full-" + std::to_string(::getpid()) + ".h5");
    limit_file_size(4096);
    {
      Hdf5File file = Hdf5File::create(path);
      (void)file.root().create_group("a");
    }
    fs::remove(path);
    std::exit(0);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace persia::sys
