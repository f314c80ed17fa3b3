// Point-to-point messages of bytes, started and finished separately. No mpi.h here.
//
// Messages of one pair of ranks arrive in the order they were sent. Errors: Error with MPI's text. Thread
// safety: the communication thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "sys/communicator.hpp"

namespace persia::sys {

// When a send counts as done: buffered, once `bytes` may be reused; received, once the receiver has begun to
// take it.
enum class SendMode { buffered, received };

// Pre: bytes.size() <= 1 GiB; they live until the request is done.
[[nodiscard]] Request start_send(const Communicator& comm, std::span<const std::byte> bytes, int to,
                                 SendMode mode);

// A message that has come and was taken out of the queue: start_receive() must follow.
class Arrival {
 public:
  struct Handle;
  explicit Arrival(std::unique_ptr<Handle> handle);
  ~Arrival();
  Arrival(const Arrival&) = delete;
  Arrival& operator=(const Arrival&) = delete;
  Arrival(Arrival&&) noexcept;
  Arrival& operator=(Arrival&&) noexcept;

  [[nodiscard]] int source() const;
  [[nodiscard]] std::int64_t num_bytes() const;
  // Pre: place.size() == num_bytes(); it lives until the request is done. Called once.
  [[nodiscard]] Request start_receive(std::span<std::byte> place);

 private:
  std::unique_ptr<Handle> handle_;
};

// The next message from anybody, if one is there.
[[nodiscard]] std::optional<Arrival> find_arrival(const Communicator& comm);

// Lets MPI move what is under way, of any kind: emulated one-sided transports advance in calls like this one
// only.
//
// Open MPI's test of a request drives all its transports; a probe drives that of messages, and the UCX
// one-sided component at every hundredth call only, which made a message over TCP take 50 ms. So this keeps a
// receive open that nothing is ever sent to.
class Progress {
 public:
  // `comm` carries no message of its own from a rank to itself with this tag, and outlives this.
  explicit Progress(const Communicator& comm);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  Progress(Progress&&) = delete;
  Progress& operator=(Progress&&) = delete;

  void make();
  void end();  // gives up what MPI holds

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace persia::sys
