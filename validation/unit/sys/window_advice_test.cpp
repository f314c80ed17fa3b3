#include "sys/window_advice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace persia::sys {
namespace {

using testing::HasSubstr;

TEST(WindowAdvice, NamesSizeReasonSettingsAndRemedies) {
  setenv("OMPI_MCA_osc", "ucx", 1);
  unsetenv("OMPI_MCA_pml");
  const std::string text = window_advice(4096, "MPI_ERR_WIN: invalid window");
  unsetenv("OMPI_MCA_osc");
  EXPECT_THAT(text, HasSubstr("a window of 4096 bytes for the mailboxes: MPI_ERR_WIN: invalid window"));
  EXPECT_THAT(text, HasSubstr("OMPI_MCA_osc=ucx, OMPI_MCA_pml is not set, /dev/shm has"));
  EXPECT_THAT(text, HasSubstr("--mca osc sm"));
  EXPECT_THAT(text, HasSubstr("--mca pml ucx --mca osc ucx"));
  EXPECT_THAT(text, HasSubstr("mail.transport: two_sided"));
}

TEST(WindowAdvice, OrdinaryMemoryBelongsToNoComponent) {
  const int here = 0;
  EXPECT_EQ(component_of_mapping(&here), "other");
  EXPECT_EQ(component_of_mapping(nullptr), "other");
}

}  // namespace
}  // namespace persia::sys
