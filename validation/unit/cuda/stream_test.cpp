#include "stream.hpp"

#include <algorithm>
#include <type_traits>

#include "gpu_test.hpp"

namespace persia::cuda {
namespace {

static_assert(!std::is_copy_constructible_v<Stream> && std::is_nothrow_move_constructible_v<Stream>);
static_assert(!std::is_copy_constructible_v<Event> && std::is_nothrow_move_constructible_v<Event>);
static_assert(!std::is_copy_constructible_v<PinnedBuffer> &&
              std::is_nothrow_move_constructible_v<PinnedBuffer>);

using StreamTest = GpuTest;

constexpr std::size_t num_bytes = std::size_t{64} << 20;

bool all_are(const PinnedBuffer& buffer, int value) {
  return std::ranges::all_of(buffer.bytes(), [&](std::byte byte) { return byte == std::byte(value); });
}

TEST_F(StreamTest, WorkOfOneStreamRunsInOrder) {
  const DeviceArray<char> device{std::vector<char>(num_bytes)};
  const PinnedBuffer host(num_bytes);
  const Stream stream;
  for (int round = 1; round <= 20; ++round)
    check(cudaMemsetAsync(device.data(), round, num_bytes, stream.handle()));
  check(cudaMemcpyAsync(host.bytes().data(), device.data(), num_bytes, cudaMemcpyDeviceToHost,
                        stream.handle()));
  stream.wait();
  EXPECT_TRUE(all_are(host, 20));
}

TEST_F(StreamTest, AnotherStreamStartsAfterTheEvent) {
  const DeviceArray<char> device{std::vector<char>(num_bytes)};
  const PinnedBuffer host(num_bytes);
  const Stream writer;
  Stream reader;
  Event written;
  for (int round = 1; round <= 50; ++round)
    check(cudaMemsetAsync(device.data(), round, num_bytes, writer.handle()));
  written.record(writer.handle());
  reader.start_after(written);
  check(cudaMemcpyAsync(host.bytes().data(), device.data(), num_bytes, cudaMemcpyDeviceToHost,
                        reader.handle()));
  reader.wait();
  EXPECT_TRUE(written.done());
  EXPECT_TRUE(all_are(host, 50));
}

TEST_F(StreamTest, AnEventNeverRecordedIsDone) {
  const Event event;
  EXPECT_TRUE(event.done());
  event.wait();
}

TEST_F(StreamTest, PinnedMemoryIsPageLocked) {
  const PinnedBuffer buffer(4096);
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, buffer.bytes().data()));
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  EXPECT_EQ(buffer.bytes().size(), 4096U);
}

}  // namespace
}  // namespace persia::cuda
