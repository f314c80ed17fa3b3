#include "sys/doctor_hdf5.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace persia::sys {
namespace {

TEST(DoctorHdf5, TellsTheVersionOfTheLibrary) {
  EXPECT_TRUE(std::regex_match(hdf5_version(), std::regex(R"(\d+\.\d+\.\d+)"))) << hdf5_version();
}

}  // namespace
}  // namespace persia::sys
