#include <numeric>

#include "gpu_test.hpp"
#include "kokkos_stream.hpp"
#include "model/memory.hpp"

namespace persia::model {
namespace {

using MemoryDeviceTest = cuda::GpuTest;

// Sizes around the two staging pieces of 1,048,576 floats each.
TEST_F(MemoryDeviceTest, ArraysOfEverySizeComeBackUnchanged) {
  for (const std::size_t size : {0UL, 1UL, 1048575UL, 1048576UL, 1048577UL, 2097152UL, 5000001UL}) {
    std::vector<float> values(size);
    std::iota(values.begin(), values.end(), 0.25F);
    const cuda::DeviceArray<float> device(std::vector<float>(size, -1.0F));
    copy_from_host(values, device.span());
    EXPECT_EQ(device.values(), values) << size;
    std::vector<float> back(size);
    copy_to_host(device.span(), back);
    EXPECT_EQ(back, values) << size;
  }
}

TEST_F(MemoryDeviceTest, ACopySeesTheWorkOfKokkossStreamBeforeIt) {
  const std::size_t size = std::size_t{64} << 20;
  const cuda::DeviceArray<float> device(std::vector<float>(size, 1.0F));
  for (int round = 0; round < 20; ++round)
    cuda::check(cudaMemsetAsync(device.data(), 0, size * sizeof(float), cuda::kokkos_stream()));
  std::vector<float> host(size, 2.0F);
  copy_to_host(device.span(), host);
  EXPECT_EQ(host, std::vector<float>(size, 0.0F));
}

}  // namespace
}  // namespace persia::model
