#include "check.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"

namespace persia::cuda {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

TEST(Check, SuccessIsSilent) {
  EXPECT_NO_THROW(check(cudaSuccess));
}

TEST(Check, FailureCarriesCudasTextAndTheCallersPlace) {
  try {
    check(cudaErrorInvalidValue);
    FAIL() << "no exception";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cudaErrorInvalidValue"));
    EXPECT_THAT(error.where().file_name(), EndsWith("check_test.cpp"));
  }
}

TEST(Check, CleaningUpNeverThrows) {
  EXPECT_NO_THROW(check_no_throw(cudaErrorInvalidValue));
}

}  // namespace
}  // namespace persia::cuda
