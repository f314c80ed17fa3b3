#include <gtest/gtest.h>

#include "roles/agree.hpp"

namespace persia::roles {
namespace {

TEST(RequireEqual, OneRankAgreesWithItself) {
  EXPECT_NO_THROW(require_equal(sys::Communicator::self(), "the run file", {{"seed", "1"}}));
}

}  // namespace
}  // namespace persia::roles
