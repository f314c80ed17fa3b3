#include "sys/hdf5.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "sys/hdf5_internal.hpp"

namespace persia::sys {

namespace {

herr_t take_first(unsigned position, const H5E_error2_t* entry, void* reason) {
  if (position == 0 && entry->desc != nullptr) *static_cast<std::string*>(reason) = entry->desc;
  return 0;
}

std::string advice(int error) {
  switch (error) {
    case ENOSPC:
      return ": the disk is full; free space or write elsewhere, then start again";
    case EDQUOT:
      return ": the disk quota is used up; free space or write elsewhere, then start again";
    case EFBIG:
      return ": larger than the file system or `ulimit -f` allows; write elsewhere or lift the limit";
    default:
      return "";
  }
}

// HDF5 would print its error stack on standard error.
void silence() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

}  // namespace

std::string hdf5_reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &reason);
  return reason;
}

std::int64_t check_hdf5(std::int64_t code, const Hdf5State& state, const std::string& action,
                        std::source_location where) {
  if (state.failure.error != 0)
    throw Error(fmt::format("cannot {} {}: {}{}", state.failure.action, state.path,
                            std::strerror(state.failure.error), advice(state.failure.error)),
                where);
  if (code < 0) throw Error(fmt::format("cannot {} in {}: {}", action, state.path, hdf5_reason()), where);
  return code;
}

Hdf5Id::~Hdf5Id() {
  if (id_ >= 0) close_(id_);
}

Hdf5Id::Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}

Hdf5Id& Hdf5Id::operator=(Hdf5Id&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(close_, other.close_);
  return *this;
}

int Hdf5Id::close() {
  return id_ >= 0 ? close_(std::exchange(id_, -1)) : 0;
}

Hdf5File::Hdf5File(std::shared_ptr<Hdf5State> state, Hdf5Id id)
    : state_(std::move(state)), id_(std::move(id)) {}
Hdf5File::~Hdf5File() = default;  // closes the file before the state its driver reports to
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;

Hdf5File& Hdf5File::operator=(Hdf5File&& other) noexcept {
  std::swap(state_, other.state_);
  std::swap(id_, other.id_);
  return *this;
}

Hdf5File Hdf5File::create(const std::filesystem::path& path) {
  auto state = std::make_shared<Hdf5State>(Hdf5State{path.string(), {}});
  const Hdf5Id access(make_access_list(&state->failure), H5Pclose);
  silence();
  errno = 0;
  const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get());
  Hdf5Id owner(id, H5Fclose);
  if (id < 0) fail("cannot create {}: {}", path.string(), errno != 0 ? std::strerror(errno) : hdf5_reason());
  check_hdf5(id, *state, "create a file");
  return Hdf5File(std::move(state), std::move(owner));
}

Hdf5File Hdf5File::open(const std::filesystem::path& path) {
  std::error_code error;
  const bool exists = std::filesystem::exists(path, error);
  require_user(exists, "cannot open {}: {}", path.string(), error ? error.message() : std::strerror(ENOENT));
  auto state = std::make_shared<Hdf5State>(Hdf5State{path.string(), {}});
  const Hdf5Id access(make_access_list(&state->failure), H5Pclose);
  silence();
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get());
  require_user(id >= 0, "cannot open {}: {}; it is damaged, unreadable or no HDF5 file", path.string(),
               hdf5_reason());
  return Hdf5File(std::move(state), Hdf5Id(id, H5Fclose));
}

Hdf5Group Hdf5File::root() {
  const auto id = check_hdf5(H5Gopen2(id_.get(), "/", H5P_DEFAULT), *state_, "open the root group");
  return Hdf5Group(state_, "", Hdf5Id(id, H5Gclose));
}

void Hdf5File::close() {
  check_hdf5(id_.close(), *state_, "close the file");
}

}  // namespace persia::sys
