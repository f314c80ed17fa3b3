#include "config/names.hpp"

#include <gtest/gtest.h>

namespace persia::config {
namespace {

TEST(Names, GiveEachEnumeratorItsYamlName) {
  EXPECT_EQ(name_of(DataFormat::synthetic), "synthetic");
  EXPECT_EQ(name_of(Transform::standardise), "standardise");
  EXPECT_EQ(name_of(CategoryType::unsigned_integer), "unsigned");
  EXPECT_EQ(name_of(Pooling::sqrtn), "sqrtn");
  EXPECT_EQ(name_of(Keep::last), "last");
  EXPECT_EQ(name_of(BadRow::skip), "skip");
  EXPECT_EQ(name_of(OptimizerType::rowwise_adagrad), "rowwise_adagrad");
  EXPECT_EQ(name_of(OptimizerType::lamb), "lamb");
  EXPECT_EQ(name_of(Precision::bf16), "bf16");
  EXPECT_EQ(name_of(InitType::zero), "zero");
  EXPECT_EQ(name_of(ModelType::dlrm), "dlrm");
  EXPECT_EQ(name_of(Mode::async), "async");
  EXPECT_EQ(name_of(Transport::two_sided), "two_sided");
}

TEST(Names, AreListedByUnderlyingValue) {
  EXPECT_EQ(names_of(Mode{}).size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(names_of(Mode{})[i], name_of(static_cast<Mode>(i)));
  EXPECT_EQ(name_of(static_cast<Mode>(3)), "");
}

TEST(Names, JoinAsASentence) {
  EXPECT_EQ(join_names(names_of(Mode::sync)), "sync, hybrid or async");
  EXPECT_EQ(join_names(names_of(Keep::first)), "first or last");
  EXPECT_EQ(join_names({}), "");
}

}  // namespace
}  // namespace persia::config
