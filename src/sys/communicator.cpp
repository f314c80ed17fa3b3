#include "sys/communicator.hpp"

#include <utility>

#include "base/cast.hpp"
#include "base/error.hpp"
#include "base/status_board.hpp"
#include "sys/communicator_mpi.hpp"
#include "sys/mpi_check.hpp"
#include "sys/mpi_session.hpp"

namespace persia::sys {

Communicator::Handle::Handle(MPI_Comm owned) : comm(owned) {
  if (alone()) return;
  check_mpi(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(comm, &size), "MPI_Comm_size");
}

Communicator::Handle::~Handle() {
  if (!alone() && may_free_handles()) MPI_Comm_free(&comm);
}

Communicator::Communicator(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
Communicator::~Communicator() = default;
Communicator::Communicator(Communicator&&) noexcept = default;
Communicator& Communicator::operator=(Communicator&&) noexcept = default;

Communicator Communicator::self() {
  return Communicator(std::make_unique<Handle>(MPI_COMM_NULL));
}

Communicator Communicator::world() {
  require(MpiSession::active(), "the world communicator was asked for while MPI does not run");
  MPI_Comm comm = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &comm), "MPI_Comm_dup");
  return Communicator(std::make_unique<Handle>(comm));
}

int Communicator::rank() const {
  return handle_->rank;
}
int Communicator::size() const {
  return handle_->size;
}

Communicator Communicator::split(int color) const {
  if (handle_->alone()) return self();
  MPI_Comm comm = MPI_COMM_NULL;
  const status::Call call("MPI_Comm_split");
  check_mpi(MPI_Comm_split(handle_->comm, color < 0 ? MPI_UNDEFINED : color, rank(), &comm),
            "MPI_Comm_split");
  return Communicator(std::make_unique<Handle>(comm));
}

Communicator Communicator::split_by_host() const {
  if (handle_->alone()) return self();
  MPI_Comm comm = MPI_COMM_NULL;
  const status::Call call("MPI_Comm_split_type");
  check_mpi(MPI_Comm_split_type(handle_->comm, MPI_COMM_TYPE_SHARED, rank(), MPI_INFO_NULL, &comm),
            "MPI_Comm_split_type");
  return Communicator(std::make_unique<Handle>(comm));
}

void Communicator::barrier() const {
  if (handle_->alone()) return;
  const status::Call call("MPI_Barrier");
  check_mpi(MPI_Barrier(handle_->comm), "MPI_Barrier");
}

Request Communicator::start_barrier() const {
  if (handle_->alone()) return {};
  auto request = std::make_unique<Request::Handle>();
  request->parts.push_back(MPI_REQUEST_NULL);
  check_mpi(MPI_Ibarrier(handle_->comm, &request->parts.back()), "MPI_Ibarrier");
  return Request(std::move(request));
}

}  // namespace persia::sys
