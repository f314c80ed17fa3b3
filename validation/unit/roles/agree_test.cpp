#include "roles/agree.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace persia::roles {
namespace {

TEST(Agree, RunsTheAction) {
  bool ran = false;
  agree(sys::Communicator::self(), [&] { ran = true; });
  EXPECT_TRUE(ran);
}

TEST(Agree, PassesAFailureOnWithItsCode) {
  try {
    agree(sys::Communicator::self(), [] { fail_user("no such file"); });
    FAIL() << "nothing was thrown";
  } catch (const StoppedTogether& stopped) {
    EXPECT_EQ(stopped.exit_code, 2);
    EXPECT_THROW(std::rethrow_exception(stopped.own), UserError);
  }
}

TEST(Agree, LetsAWaitThatMetItsDeadlineThroughSinceOthersWillNotCome) {
  EXPECT_THROW(agree(sys::Communicator::self(), [] { fail_stuck("nothing moved"); }), StuckError);
}

}  // namespace
}  // namespace persia::roles
