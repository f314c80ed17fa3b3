#include "base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <source_location>

namespace persia {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

TEST(Error, CarriesExitCodeOneAndUserErrorTwo) {
  EXPECT_EQ(Error("x").exit_code(), 1);
  const UserError user("x");
  const Error& seen_as_base = user;
  EXPECT_EQ(seen_as_base.exit_code(), 2);
}

TEST(Error, RemembersTheLineThatThrew) {
  const auto here = std::source_location::current();
  try {
    fail("disk {} is full", 3);
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "disk 3 is full");
    EXPECT_EQ(e.where().line(), here.line() + 2);
    EXPECT_THAT(e.where().file_name(), EndsWith("error_test.cpp"));
  }
}

TEST(Error, RequireThrowsTheKindItsNameSays) {
  EXPECT_NO_THROW(require(true, "never"));
  EXPECT_NO_THROW(require_user(true, "never {}", 1));
  EXPECT_THROW(require_user(false, "bad {}", 1), UserError);
  try {
    require(false, "bad {}", 1);
    FAIL() << "nothing thrown";
  } catch (const UserError&) {
    FAIL() << "not the user's fault";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "bad 1");
  }
  EXPECT_THROW(fail_user("x"), UserError);
}

TEST(Error, BrokenPromiseNamesTheFunctionThatBrokeIt) {
  EXPECT_NO_THROW(expects(true));
  try {
    expects(false, "n > 0");
    FAIL() << "nothing thrown";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("n > 0"));
    EXPECT_THAT(e.what(), HasSubstr("TestBody"));
  }
}

TEST(NearestName, FindsTheClosestAndKeepsTheFirstOfEqualOnes) {
  EXPECT_EQ(nearest_name("batchsize", {"epochs", "batch_size", "max_steps"}), "batch_size");
  EXPECT_EQ(nearest_name("hybird", {"sync", "hybrid", "async"}), "hybrid");
  EXPECT_EQ(nearest_name("sdg", {"sgd", "adam"}), "sgd");
  EXPECT_EQ(nearest_name("ab", {"abx", "aby"}), "abx");
}

TEST(NearestName, SaysNothingWhereNothingIsNear) {
  EXPECT_EQ(nearest_name("frequency", {"dim", "init"}), "");
  EXPECT_EQ(nearest_name("v", {"x", "y"}), "");
  EXPECT_EQ(nearest_name("", {"x"}), "");
  EXPECT_EQ(nearest_name("x", {}), "");
}

}  // namespace
}  // namespace persia
