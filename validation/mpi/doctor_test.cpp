#include "sys/doctor_mpi.hpp"

#include <gtest/gtest.h>

#include "sys/mpi_settings.hpp"

namespace persia::sys {
namespace {

TEST(DoctorMpi, TellsWhatStandsBehindAWindow) {
  const Communicator world = Communicator::world();
  const MpiFacts facts = examine_mpi(world);
  EXPECT_FALSE(facts.library.empty());
  EXPECT_FALSE(facts.thread_level.empty());
  EXPECT_EQ(facts.window_problem, "");
  EXPECT_NE(facts.component, "");
  EXPECT_EQ(facts.window_model, "unified");
}

TEST(DoctorMpi, SaysTheSameOnEveryRank) {
  const Communicator world = Communicator::world();
  const std::string component = examine_mpi(world).component;
  for (const std::string& other : world.gather_texts(component)) EXPECT_EQ(other, component);
}

TEST(DoctorMpi, CanBeAskedAgain) {
  const Communicator world = Communicator::world();
  EXPECT_EQ(examine_mpi(world).component, examine_mpi(world).component);
}

TEST(MpiSettings, HoldTheComponentsThatMayBeChosen) {
  const auto settings = mpi_settings();
  EXPECT_TRUE(settings.contains("osc"));
  EXPECT_TRUE(settings.contains("pml"));
  EXPECT_FALSE(settings.contains("some_other_variable"));
}

}  // namespace
}  // namespace persia::sys
