// Move-only owners of CUDA handles: a stream, an event, page-locked host memory.
//
// They belong to the device that was current in the thread that made them. Errors: Error with CUDA's text.
// Thread safety: one thread at a time per object. Callers: cuda/ only.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace persia::cuda {

struct DestroyStream {
  void operator()(cudaStream_t stream) const noexcept;
};
struct DestroyEvent {
  void operator()(cudaEvent_t event) const noexcept;
};
struct FreePinned {
  void operator()(void* memory) const noexcept;
};

// A mark in a stream; without timing, which would cost a synchronisation.
class Event {
 public:
  Event();
  void record(cudaStream_t stream);
  // True once everything before the mark is done (also if nothing was ever recorded).
  [[nodiscard]] bool done() const;
  void wait() const;
  [[nodiscard]] cudaEvent_t handle() const { return handle_.get(); }

 private:
  std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, DestroyEvent> handle_;
};

// Work given to it runs in order and beside the work of other streams, the legacy default stream included.
class Stream {
 public:
  Stream();
  // Work given from now on starts after the event's mark.
  void start_after(const Event& event);
  void wait() const;
  [[nodiscard]] cudaStream_t handle() const { return handle_.get(); }

 private:
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStream> handle_;
};

// Host memory that the device copies from and to without a detour, in which a copy really is asynchronous.
class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::size_t num_bytes);
  [[nodiscard]] std::span<std::byte> bytes() const {
    return {static_cast<std::byte*>(memory_.get()), num_bytes_};
  }

 private:
  std::size_t num_bytes_ = 0;
  std::unique_ptr<void, FreePinned> memory_;
};

}  // namespace persia::cuda
