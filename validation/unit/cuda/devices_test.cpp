#include <gmock/gmock.h>

#include "base/error.hpp"
#include "gpu_test.hpp"
#include "sys/communicator.hpp"
#include "sys/device_team.hpp"

namespace persia::sys {
namespace {

TEST(Devices, WithoutAGpuTheListIsEmptyAndTheChoiceAUserErrorWithARemedy) {
  if (cuda::gpu_is_seen()) GTEST_SKIP() << "a GPU is seen";
  EXPECT_TRUE(describe_devices().empty());
  try {
    static_cast<void>(choose_device(Communicator::self()));
    FAIL() << "no exception";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("PERSIA_CUDA=OFF"));
  }
}

using DevicesTest = cuda::GpuTest;

TEST_F(DevicesTest, TheOnlyTrainerOfAHostTakesTheFirstDevice) {
  EXPECT_EQ(choose_device(Communicator::self()), 0);
  ASSERT_FALSE(describe_devices().empty());
  EXPECT_THAT(describe_devices().front(),
              testing::ContainsRegex("^0: .+, [0-9]+ GiB, compute [0-9]+\\.[0-9]+$"));
}

}  // namespace
}  // namespace persia::sys
