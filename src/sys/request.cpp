#include "base/cast.hpp"
#include "base/status_board.hpp"
#include "sys/communicator_mpi.hpp"
#include "sys/mpi_check.hpp"

namespace persia::sys {

Request::Request() = default;
Request::Request(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
Request::Request(Request&&) noexcept = default;

Request& Request::operator=(Request&& other) noexcept {
  Request old(std::move(*this));  // waits for what stood here, as the destructor does
  handle_ = std::move(other.handle_);
  return *this;
}

Request::~Request() {
  if (handle_ == nullptr || !may_free_handles()) return;
  const status::Call call("MPI_Waitall");
  MPI_Waitall(static_cast<int>(handle_->parts.size()), handle_->parts.data(), MPI_STATUSES_IGNORE);
}

bool Request::test() {
  if (handle_ == nullptr) return true;
  int done = 0;
  check_mpi(MPI_Testall(checked_cast<int>(handle_->parts.size()), handle_->parts.data(), &done,
                        MPI_STATUSES_IGNORE),
            "MPI_Testall");
  if (done != 0) handle_.reset();
  return done != 0;
}

void Request::wait() {
  if (handle_ == nullptr) return;
  const status::Call call("MPI_Waitall");
  check_mpi(MPI_Waitall(checked_cast<int>(handle_->parts.size()), handle_->parts.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
  handle_.reset();
}

}  // namespace persia::sys
