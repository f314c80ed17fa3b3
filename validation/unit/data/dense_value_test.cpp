#include "data/dense_value.hpp"

#include "fixtures.hpp"

namespace persia::data {
namespace {

using config::Transform;

float transformed(const DenseReader& reader, std::string_view text) {
  return reader.transform(std::get<Number>(reader.read(text)));
}

TEST(DenseReader, LogarithmsKeepTheSignAndAreFinite) {
  const DenseReader reader(Transform::log1p, true, 0, 1);
  EXPECT_FLOAT_EQ(transformed(reader, "-3"), -1.3862944F);
  EXPECT_FLOAT_EQ(transformed(reader, "-2"), -1.0986123F);
  EXPECT_FLOAT_EQ(transformed(reader, "-1"), -0.6931472F);
  EXPECT_EQ(transformed(reader, "0"), 0.0F);
  EXPECT_FLOAT_EQ(transformed(reader, "1"), 0.6931472F);
  EXPECT_FLOAT_EQ(transformed(reader, "5"), 1.7917595F);
  EXPECT_FLOAT_EQ(transformed(reader, "1023"), 6.9314718F);
  EXPECT_FLOAT_EQ(transformed(reader, "1024"), 6.9324479F);
  EXPECT_FLOAT_EQ(transformed(reader, "-2147483648"), -21.4875626F);
  EXPECT_FLOAT_EQ(transformed(reader, "2147483647"), 21.4875626F);
  EXPECT_FLOAT_EQ(transformed(reader, "-9223372036854775808"), -43.668274F);
}

TEST(DenseReader, RefusesWhatA32BitFloatDoesNotHold) {
  for (const Transform transform : {Transform::none, Transform::log1p, Transform::standardise}) {
    const DenseReader reader(transform, false, 0, 1);
    for (const char* bad : {"1e39", "-1e39", "inf", "nan", "1e999", "abc"})
      EXPECT_TRUE(std::holds_alternative<std::string>(reader.read(bad))) << bad;
  }
}

TEST(DenseReader, WantsWholeNumbersInCriteoColumns) {
  const DenseReader reader(Transform::log1p, true, 0, 1);
  for (const char* bad : {"1.5", "1e3", "68fd1e64", "9223372036854775808"})
    EXPECT_TRUE(std::holds_alternative<std::string>(reader.read(bad))) << bad;
}

TEST(DenseReader, StandardisesWholeNumbersBeforeRoundingThem) {
  const DenseReader seconds(Transform::standardise, false, 1700000050.25, 0.5);
  EXPECT_EQ(transformed(seconds, "1700000100"), 24.875F);
  EXPECT_EQ(transformed(seconds, "1700000001"), -24.625F);
  const DenseReader nanoseconds(Transform::standardise, false, 1.7e18, 1.0);
  EXPECT_EQ(transformed(nanoseconds, "1700000000000000001"), 1.0F);
  EXPECT_EQ(transformed(nanoseconds, "1700000000000000002"), 2.0F);
  EXPECT_EQ(transformed(nanoseconds, "1699999999999999997"), -3.0F);
  const DenseReader extreme(Transform::standardise, false, -9e18, 1.0);
  EXPECT_FLOAT_EQ(transformed(extreme, "9000000000000000000"), 1.8e19F);
}

}  // namespace
}  // namespace persia::data
