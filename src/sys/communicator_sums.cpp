// Reductions of Communicator.
#include "base/cast.hpp"
#include "base/status_board.hpp"
#include "sys/chunks.hpp"
#include "sys/communicator_mpi.hpp"
#include "sys/mpi_check.hpp"

namespace persia::sys {

namespace {

template <class T>
void sum_in_place(const Communicator::Handle& handle, MPI_Datatype type, std::span<T> values) {
  if (handle.alone()) return;
  for_each_chunk(values, [&](std::span<T> part) {
    const status::Call call("MPI_Allreduce");
    check_mpi(
        MPI_Allreduce(MPI_IN_PLACE, part.data(), checked_cast<int>(part.size()), type, MPI_SUM, handle.comm),
        "MPI_Allreduce");
  });
}

template <class T>
Request start_sum_in_place(const Communicator::Handle& handle, MPI_Datatype type, std::span<T> values) {
  if (handle.alone()) return {};
  auto request = std::make_unique<Request::Handle>();
  for_each_chunk(values, [&](std::span<T> part) {
    request->parts.push_back(MPI_REQUEST_NULL);
    check_mpi(MPI_Iallreduce(MPI_IN_PLACE, part.data(), checked_cast<int>(part.size()), type, MPI_SUM,
                             handle.comm, &request->parts.back()),
              "MPI_Iallreduce");
  });
  return Request(std::move(request));
}

std::int64_t reduce_one(const Communicator::Handle& handle, MPI_Op operation, std::int64_t value) {
  if (handle.alone()) return value;
  const status::Call call("MPI_Allreduce");
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, operation, handle.comm), "MPI_Allreduce");
  return value;
}

}  // namespace

void Communicator::sum(std::span<float> values) const {
  sum_in_place(*handle_, MPI_FLOAT, values);
}
void Communicator::sum(std::span<double> values) const {
  sum_in_place(*handle_, MPI_DOUBLE, values);
}
void Communicator::sum(std::span<std::int64_t> values) const {
  sum_in_place(*handle_, MPI_INT64_T, values);
}

std::int64_t Communicator::max(std::int64_t value) const {
  return reduce_one(*handle_, MPI_MAX, value);
}
std::int64_t Communicator::min(std::int64_t value) const {
  return reduce_one(*handle_, MPI_MIN, value);
}

Request Communicator::start_sum(std::span<float> values) const {
  return start_sum_in_place(*handle_, MPI_FLOAT, values);
}
Request Communicator::start_sum(std::span<double> values) const {
  return start_sum_in_place(*handle_, MPI_DOUBLE, values);
}

}  // namespace persia::sys
