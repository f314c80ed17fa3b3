// Broadcasts and gathers of Communicator.
#include <numeric>

#include "base/cast.hpp"
#include "base/status_board.hpp"
#include "sys/chunks.hpp"
#include "sys/communicator_mpi.hpp"
#include "sys/mpi_check.hpp"

namespace persia::sys {

void Communicator::broadcast(std::span<std::byte> bytes, int root) const {
  if (handle_->alone()) return;
  for_each_chunk(bytes, [&](std::span<std::byte> part) {
    const status::Call call("MPI_Bcast");
    check_mpi(MPI_Bcast(part.data(), checked_cast<int>(part.size()), MPI_BYTE, root, handle_->comm),
              "MPI_Bcast");
  });
}

std::string Communicator::broadcast_text(const std::string& text, int root) const {
  if (handle_->alone()) return text;
  auto bytes = checked_cast<std::int64_t>(text.size());
  broadcast(std::as_writable_bytes(std::span(&bytes, 1)), root);
  std::string result = rank() == root ? text : std::string(checked_cast<std::size_t>(bytes), '\0');
  broadcast(std::as_writable_bytes(std::span(result)), root);
  return result;
}

std::vector<std::string> Communicator::gather_texts(const std::string& text) const {
  if (handle_->alone()) return {text};
  const int mine = checked_cast<int>(text.size());
  const auto ranks = static_cast<std::size_t>(size());
  std::vector<int> sizes(ranks);
  const status::Call call("MPI_Allgather");
  check_mpi(MPI_Allgather(&mine, 1, MPI_INT, sizes.data(), 1, MPI_INT, handle_->comm), "MPI_Allgather");
  std::vector<int> begins(ranks);
  std::int64_t total = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    begins[r] = checked_cast<int>(total);
    total += sizes[r];
  }
  std::string all(checked_cast<std::size_t>(checked_cast<int>(total)), '\0');
  check_mpi(MPI_Allgatherv(text.data(), mine, MPI_CHAR, all.data(), sizes.data(), begins.data(), MPI_CHAR,
                           handle_->comm),
            "MPI_Allgatherv");
  std::vector<std::string> texts(ranks);
  for (std::size_t r = 0; r < ranks; ++r)
    texts[r] = all.substr(static_cast<std::size_t>(begins[r]), static_cast<std::size_t>(sizes[r]));
  return texts;
}

namespace {

void gather_sizes(const Communicator::Handle& handle, std::int64_t mine, std::span<std::int64_t> sizes,
                  int root) {
  const status::Call call("MPI_Gather");
  check_mpi(MPI_Gather(&mine, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, root, handle.comm), "MPI_Gather");
}

// Point to point, because MPI_Gatherv counts its displacements in int as well.
void receive_part(const Communicator::Handle& handle, int source, std::span<std::byte> place) {
  for_each_chunk(place, [&](std::span<std::byte> part) {
    const status::Call call("MPI_Recv");
    check_mpi(MPI_Recv(part.data(), checked_cast<int>(part.size()), MPI_BYTE, source,
                       static_cast<int>(Tag::gather), handle.comm, MPI_STATUS_IGNORE),
              "MPI_Recv");
  });
}

void send_part(const Communicator::Handle& handle, int root, std::span<const std::byte> bytes) {
  for_each_chunk(bytes, [&](std::span<const std::byte> part) {
    const status::Call call("MPI_Send");
    check_mpi(MPI_Send(part.data(), checked_cast<int>(part.size()), MPI_BYTE, root,
                       static_cast<int>(Tag::gather), handle.comm),
              "MPI_Send");
  });
}

}  // namespace

std::vector<std::byte> Communicator::gather(std::span<const std::byte> bytes, int root) const {
  if (handle_->alone()) return {bytes.begin(), bytes.end()};
  const auto mine = checked_cast<std::int64_t>(bytes.size());
  std::vector<std::int64_t> sizes(rank() == root ? static_cast<std::size_t>(size()) : 0);
  gather_sizes(*handle_, mine, sizes, root);
  if (rank() != root) {
    send_part(*handle_, root, bytes);
    return {};
  }
  std::vector<std::byte> all(
      checked_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})));
  std::span<std::byte> rest(all);
  for (int source = 0; source < size(); ++source) {
    const auto part = rest.first(static_cast<std::size_t>(sizes[static_cast<std::size_t>(source)]));
    rest = rest.subspan(part.size());
    if (source == root)
      std::ranges::copy(bytes, part.begin());
    else
      receive_part(*handle_, source, part);
  }
  return all;
}

}  // namespace persia::sys
