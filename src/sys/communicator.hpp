// Owner and view of an MPI communicator, and the collectives this program uses. No mpi.h here: the handle is
// kept behind a pointer so that only sys/ sees MPI.
//
// Every call checks MPI's code and throws Error with MPI's text. "Collective" = all ranks of the communicator
// call it. A Communicator with no MPI behind it (Communicator::self()) behaves like one rank, so
// single-process code needs no switch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace persia::sys {

// A collective under way. Move-only; the buffers given to start_x must live until test() or wait() said it is
// done.
class Request {
 public:
  struct Handle;
  Request();
  explicit Request(std::unique_ptr<Handle> handle);
  ~Request();  // waits if it is still under way
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  Request(Request&&) noexcept;
  Request& operator=(Request&&) noexcept;
  [[nodiscard]] bool test();  // true once done (and ever after); also true for an empty request
  void wait();

 private:
  std::unique_ptr<Handle> handle_;
};

class Communicator {
 public:
  struct Handle;  // defined in communicator_mpi.hpp, for sources of sys/

  // One rank, no MPI needed.
  [[nodiscard]] static Communicator self();
  // A duplicate of MPI_COMM_WORLD with errors returned. Only commands/ and roles/ call it. Collective.
  [[nodiscard]] static Communicator world();

  explicit Communicator(std::unique_ptr<Handle> handle);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  Communicator(Communicator&&) noexcept;
  Communicator& operator=(Communicator&&) noexcept;

  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;
  [[nodiscard]] const Handle& handle() const { return *handle_; }

  // Collective. Ranks with equal color form a new communicator, ordered by rank; color < 0: self().
  [[nodiscard]] Communicator split(int color) const;
  // Collective. Ranks of one host.
  [[nodiscard]] Communicator split_by_host() const;

  void barrier() const;                                                               // Collective
  void broadcast(std::span<std::byte> bytes, int root) const;                         // Collective
  [[nodiscard]] std::string broadcast_text(const std::string& text, int root) const;  // Collective
  [[nodiscard]] std::vector<std::string> gather_texts(
      const std::string& text) const;                        // Collective; all get all
  void sum(std::span<float> values) const;                   // Collective, in place
  void sum(std::span<double> values) const;                  // Collective, in place
  void sum(std::span<std::int64_t> values) const;            // Collective, in place
  [[nodiscard]] std::int64_t max(std::int64_t value) const;  // Collective
  [[nodiscard]] std::int64_t min(std::int64_t value) const;  // Collective
  // Collective, in place, without waiting: for the communication thread, which has mail to move meanwhile.
  [[nodiscard]] Request start_sum(std::span<float> values) const;
  [[nodiscard]] Request start_sum(std::span<double> values) const;
  [[nodiscard]] Request start_barrier() const;
  // Collective. All ranks' bytes, one after the other in rank order, on `root`; empty elsewhere. Above 2 GiB
  // is fine.
  [[nodiscard]] std::vector<std::byte> gather(std::span<const std::byte> bytes, int root) const;

 private:
  std::unique_ptr<Handle> handle_;
};

}  // namespace persia::sys
