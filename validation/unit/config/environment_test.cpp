#include "config/environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.hpp"

namespace persia::config {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string environment_refusal(const std::string& text) {
  try {
    (void)replace_environment(text, "f.yaml:3: output");
  } catch (const UserError& e) {
    return e.what();
  }
  return "accepted";
}

class Environment : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("PERSIA_TEST_A", "/data", 1);
    ::setenv("PERSIA_TEST_EMPTY", "", 1);
    ::setenv("PERSIA_TEST_ODD", "${PERSIA_TEST_A}", 1);
    ::unsetenv("PERSIA_TEST_NONE");
  }
  void TearDown() override {
    for (const char* name : {"PERSIA_TEST_A", "PERSIA_TEST_EMPTY", "PERSIA_TEST_ODD", "PERSIA_ROLE"})
      ::unsetenv(name);
  }
};

TEST_F(Environment, IsPutInPlaceOfEveryName) {
  EXPECT_EQ(replace_environment("${PERSIA_TEST_A}/x${PERSIA_TEST_A}", "w"), "/data/x/data");
  EXPECT_EQ(replace_environment("plain $PERSIA_TEST_A", "w"), "plain $PERSIA_TEST_A");
  EXPECT_EQ(replace_environment("", "w"), "");
}

TEST_F(Environment, RefusesUnsetEmptyAndRecursiveVariablesByName) {
  EXPECT_THAT(environment_refusal("${PERSIA_TEST_NONE}/x"),
              AllOf(StartsWith("f.yaml:3: output"), HasSubstr("PERSIA_TEST_NONE"), HasSubstr("not set")));
  EXPECT_THAT(environment_refusal("${PERSIA_TEST_EMPTY}"), HasSubstr("PERSIA_TEST_EMPTY"));
  EXPECT_THAT(environment_refusal("${PERSIA_TEST_ODD}"), HasSubstr("PERSIA_TEST_ODD"));
  EXPECT_THAT(environment_refusal("${}"), HasSubstr("between the braces"));
  EXPECT_THAT(environment_refusal("a${PERSIA_TEST_A"), HasSubstr("closing brace"));
}

TEST_F(Environment, SharesEveryVariableOfTheProgramButTheRole) {
  ::setenv("PERSIA_ROLE", "trainer", 1);
  const auto shared = shared_environment();
  EXPECT_EQ(shared.at("PERSIA_TEST_A"), "/data");
  EXPECT_FALSE(shared.contains("PERSIA_ROLE"));
  EXPECT_FALSE(shared.contains("PATH"));
}

}  // namespace
}  // namespace persia::config
