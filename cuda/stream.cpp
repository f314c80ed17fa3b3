#include "stream.hpp"

#include "base/error.hpp"
#include "check.hpp"

namespace persia::cuda {

void DestroyStream::operator()(cudaStream_t stream) const noexcept {
  check_no_throw(cudaStreamDestroy(stream));
}
void DestroyEvent::operator()(cudaEvent_t event) const noexcept {
  check_no_throw(cudaEventDestroy(event));
}
void FreePinned::operator()(void* memory) const noexcept {
  check_no_throw(cudaFreeHost(memory));
}

Event::Event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  handle_.reset(event);
}

void Event::record(cudaStream_t stream) {
  check(cudaEventRecord(handle(), stream));
}

bool Event::done() const {
  const cudaError_t code = cudaEventQuery(handle());
  if (code == cudaErrorNotReady) return false;
  check(code);
  return true;
}

void Event::wait() const {
  check(cudaEventSynchronize(handle()));
}

Stream::Stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  handle_.reset(stream);
}

void Stream::start_after(const Event& event) {
  check(cudaStreamWaitEvent(handle(), event.handle(), 0));
}

void Stream::wait() const {
  check(cudaStreamSynchronize(handle()));
}

PinnedBuffer::PinnedBuffer(std::size_t num_bytes) : num_bytes_(num_bytes) {
  void* memory = nullptr;
  const cudaError_t code = cudaMallocHost(&memory, num_bytes);
  require(code == cudaSuccess,
          "{} bytes of page-locked host memory cannot be had: {}. Raise the limit of locked memory (ulimit "
          "-l) or "
          "run fewer ranks on this host",
          num_bytes, cudaGetErrorString(code));
  memory_.reset(memory);
}

}  // namespace persia::cuda
