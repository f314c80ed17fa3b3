// Owner of one-sided memory: a window of MPI_Win_allocate under one lock_all for its whole life, with errors
// returned. No mpi.h here.
//
// Puts are not ordered, not even towards one target: flush between a payload and the word that announces it.
// What is given to put() and replace() must live until a flush of that target. A word that others write is
// read with an acquire load after sync() (which orders nothing by itself on every transport), and never
// written here. Errors: Error with MPI's text. Thread safety: the communication thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sys/communicator.hpp"

namespace persia::sys {

class Window {
 public:
  // Collective over `comm`. Each rank chooses its own size; the memory starts as zeros. If MPI has no
  // one-sided component for this launch, the message of the Error names the setting and the remedy.
  Window(const Communicator& comm, std::int64_t num_bytes);
  // Frees, which is collective, so a Window lives in a nested scope. Does nothing while MPI is down or an
  // exception unwinds: the others may never come.
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  Window(Window&&) noexcept;
  Window& operator=(Window&&) noexcept;

  [[nodiscard]] std::span<std::byte> memory() const;  // this rank's part

  // Pre: bytes.size() <= 1 GiB; the place lies within the target's part.
  void put(std::span<const std::byte> bytes, int target, std::int64_t offset_bytes);
  // Writes one 8-byte aligned word; such writes of one rank to one word arrive in order.
  void replace(const std::uint64_t& value, int target, std::int64_t offset_bytes);
  void flush(int target);  // Post: everything given for `target` is in its memory
  void flush_all();
  void sync();  // makes what others wrote visible here; on most transports also lets MPI progress
  void free();  // Collective over `comm`

  // The one-sided component behind it as far as the process's memory map tells: "sm", "rdma", or "other".
  [[nodiscard]] std::string component() const;

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace persia::sys
