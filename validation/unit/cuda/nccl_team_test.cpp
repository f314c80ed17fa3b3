#include <numeric>

#include "base/error.hpp"
#include "gpu_test.hpp"
#include "kokkos_stream.hpp"
#include "sys/communicator.hpp"
#include "sys/device_team.hpp"

namespace persia::sys {
namespace {

constexpr double timeout_seconds = 60;

using NcclTeamTest = cuda::GpuTest;

TEST_F(NcclTeamTest, TheSumOverATeamOfOneIsTheArrayItself) {
  std::vector<float> values(1000003);
  std::iota(values.begin(), values.end(), -5.0F);
  const cuda::DeviceArray<float> device(values);
  const auto team = make_device_team(Communicator::self(), timeout_seconds);
  ASSERT_NE(team, nullptr);
  team->sum(device.span());
  team->sum(device.span().first(0));
  team->sum(device.span().subspan(3, 100));
  EXPECT_EQ(device.values(), values);
}

TEST_F(NcclTeamTest, TheSumStartsAfterWorkOfKokkossStream) {
  const std::size_t size = std::size_t{64} << 20;
  const cuda::DeviceArray<float> device(std::vector<float>(size, 1.0F));
  const auto team = make_device_team(Communicator::self(), timeout_seconds);
  for (int round = 0; round < 20; ++round)
    cuda::check(cudaMemsetAsync(device.data(), 0, size * sizeof(float), cuda::kokkos_stream()));
  team->sum(device.span());
  EXPECT_EQ(device.values(), std::vector<float>(size, 0.0F));
}

}  // namespace
}  // namespace persia::sys
