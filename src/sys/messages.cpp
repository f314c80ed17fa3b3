#include "sys/messages.hpp"

#include <utility>

#include "base/cast.hpp"
#include "base/error.hpp"
#include "sys/communicator_mpi.hpp"
#include "sys/mpi_check.hpp"

namespace persia::sys {

namespace {

constexpr int kTag = static_cast<int>(Tag::mail);

Request request_of(MPI_Request started) {
  auto handle = std::make_unique<Request::Handle>();
  handle->parts.push_back(started);
  return Request(std::move(handle));
}

}  // namespace

struct Arrival::Handle {
  MPI_Message message = MPI_MESSAGE_NULL;
  int source = 0;
  int num_bytes = 0;
};

Arrival::Arrival(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
Arrival::~Arrival() = default;
Arrival::Arrival(Arrival&&) noexcept = default;
Arrival& Arrival::operator=(Arrival&&) noexcept = default;

int Arrival::source() const {
  return handle_->source;
}
std::int64_t Arrival::num_bytes() const {
  return handle_->num_bytes;
}

Request Arrival::start_receive(std::span<std::byte> place) {
  expects(std::cmp_equal(place.size(), handle_->num_bytes), "a message is received whole");
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Imrecv(place.data(), handle_->num_bytes, MPI_BYTE, &handle_->message, &request),
            "MPI_Imrecv");
  return request_of(request);
}

Request start_send(const Communicator& comm, std::span<const std::byte> bytes, int to, SendMode mode) {
  MPI_Request request = MPI_REQUEST_NULL;
  const auto start = mode == SendMode::received ? &MPI_Issend : &MPI_Isend;
  check_mpi(
      start(bytes.data(), checked_cast<int>(bytes.size()), MPI_BYTE, to, kTag, comm.handle().comm, &request),
      "MPI_Isend");
  return request_of(request);
}

std::optional<Arrival> find_arrival(const Communicator& comm) {
  int found = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  check_mpi(MPI_Improbe(MPI_ANY_SOURCE, kTag, comm.handle().comm, &found, &message, &status), "MPI_Improbe");
  if (found == 0) return std::nullopt;
  int num_bytes = 0;
  check_mpi(MPI_Get_count(&status, MPI_BYTE, &num_bytes), "MPI_Get_count");
  return Arrival(std::make_unique<Arrival::Handle>(Arrival::Handle{message, status.MPI_SOURCE, num_bytes}));
}

struct Progress::Handle {
  MPI_Request never = MPI_REQUEST_NULL;
};

Progress::Progress(const Communicator& comm) : handle_(std::make_unique<Handle>()) {
  if (comm.handle().alone()) return;
  check_mpi(MPI_Irecv(nullptr, 0, MPI_BYTE, comm.rank(), static_cast<int>(Tag::never), comm.handle().comm,
                      &handle_->never),
            "MPI_Irecv");
}

Progress::~Progress() {
  if (handle_->never != MPI_REQUEST_NULL && may_free_handles()) end();
}

void Progress::make() {
  if (handle_->never == MPI_REQUEST_NULL) return;
  int done = 0;
  check_mpi(MPI_Test(&handle_->never, &done, MPI_STATUS_IGNORE), "MPI_Test");
}

void Progress::end() {
  if (handle_->never == MPI_REQUEST_NULL) return;
  check_mpi(MPI_Cancel(&handle_->never), "MPI_Cancel");
  check_mpi(MPI_Wait(&handle_->never, MPI_STATUS_IGNORE), "MPI_Wait");
}

}  // namespace persia::sys
