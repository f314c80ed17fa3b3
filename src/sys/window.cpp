#include "sys/window.hpp"

#include <cstring>
#include <utility>

#include "base/cast.hpp"
#include "base/error.hpp"
#include "base/status_board.hpp"
#include "sys/communicator_mpi.hpp"
#include "sys/mpi_check.hpp"
#include "sys/window_advice.hpp"

namespace persia::sys {

struct Window::Handle {
  MPI_Win window = MPI_WIN_NULL;
  std::span<std::byte> memory;
};

namespace {

MPI_Comm comm_of(const Communicator& comm) {
  return comm.handle().alone() ? MPI_COMM_SELF : comm.handle().comm;
}

}  // namespace

Window::Window(const Communicator& comm, std::int64_t num_bytes) : handle_(std::make_unique<Handle>()) {
  const status::Call call("MPI_Win_allocate");
  void* base = nullptr;
  const int code = MPI_Win_allocate(checked_cast<MPI_Aint>(num_bytes), 1, MPI_INFO_NULL, comm_of(comm), &base,
                                    &handle_->window);
  require(code == MPI_SUCCESS, "{}", window_advice(num_bytes, mpi_text(code)));
  handle_->memory = {static_cast<std::byte*>(base), checked_cast<std::size_t>(num_bytes)};
  check_mpi(MPI_Win_set_errhandler(handle_->window, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  if (num_bytes > 0) std::memset(base, 0, handle_->memory.size());
  check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, handle_->window), "MPI_Win_lock_all");
  sync();
  check_mpi(MPI_Barrier(comm_of(comm)), "MPI_Barrier");  // nobody writes before all zeros stand
}

Window::~Window() {
  if (handle_ == nullptr || handle_->window == MPI_WIN_NULL || !may_free_handles()) return;
  MPI_Win_unlock_all(handle_->window);
  MPI_Win_free(&handle_->window);
}

Window::Window(Window&&) noexcept = default;

Window& Window::operator=(Window&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

std::span<std::byte> Window::memory() const {
  return handle_->memory;
}

void Window::put(std::span<const std::byte> bytes, int target, std::int64_t offset_bytes) {
  const int count = checked_cast<int>(bytes.size());
  const status::Call call("MPI_Put to rank {} of the window", target);
  check_mpi(MPI_Put(bytes.data(), count, MPI_BYTE, target, offset_bytes, count, MPI_BYTE, handle_->window),
            "MPI_Put");
}

void Window::replace(const std::uint64_t& value, int target, std::int64_t offset_bytes) {
  const status::Call call("MPI_Accumulate to rank {} of the window", target);
  check_mpi(MPI_Accumulate(&value, 1, MPI_UINT64_T, target, offset_bytes, 1, MPI_UINT64_T, MPI_REPLACE,
                           handle_->window),
            "MPI_Accumulate");
}

void Window::flush(int target) {
  const status::Call call("MPI_Win_flush to rank {} of the window", target);
  check_mpi(MPI_Win_flush(target, handle_->window), "MPI_Win_flush");
}
void Window::flush_all() {
  const status::Call call("MPI_Win_flush_all");
  check_mpi(MPI_Win_flush_all(handle_->window), "MPI_Win_flush_all");
}

void Window::sync() {
  check_mpi(MPI_Win_sync(handle_->window), "MPI_Win_sync");
}

void Window::free() {
  if (handle_->window == MPI_WIN_NULL) return;
  handle_->memory = {};
  const status::Call call("MPI_Win_free");
  check_mpi(MPI_Win_unlock_all(handle_->window), "MPI_Win_unlock_all");
  check_mpi(MPI_Win_free(&handle_->window), "MPI_Win_free");
}

std::string Window::component() const {
  return component_of_mapping(handle_->memory.data());
}

}  // namespace persia::sys
