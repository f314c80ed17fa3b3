#include "sys/doctor_host.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace persia::sys {
namespace {

TEST(DoctorHost, SeesWhatThisMachineGrants) {
  const HostFacts facts = examine_host();
  EXPECT_FALSE(facts.host.empty());
  EXPECT_GE(facts.cores_online, 1);
  EXPECT_GE(facts.cores_allowed, 1);
  EXPECT_LE(facts.cores_allowed, facts.cores_online);
  EXPECT_GE(facts.cores_quota, 0);
  EXPECT_LE(facts.shm_free_bytes, facts.shm_total_bytes);
  EXPECT_GE(facts.memlock_bytes, -1);
}

TEST(DoctorHost, CountsTheCoresOfTheAffinityMask) {
  std::int64_t seen = 0;
  std::thread bound([&] {  // the mask is a thread's own
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &set);
    ASSERT_EQ(::sched_setaffinity(0, sizeof set, &set), 0);
    seen = examine_host().cores_allowed;
  });
  bound.join();
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace persia::sys
