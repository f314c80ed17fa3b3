#include "data/record_format.hpp"

#include "fixtures.hpp"

namespace persia::data {
namespace {

RecordFormat separated_by(const std::string& delimiter) {
  config::Data data;
  data.format = config::DataFormat::csv;
  data.delimiter = delimiter;
  return record_format(data);
}

TEST(RecordFormat, RefusesDelimitersThatCannotSeparate) {
  EXPECT_EQ(separated_by(", ").delimiter, ',');
  EXPECT_EQ(separated_by("\t").delimiter, '\t');
  for (const char* bad : {"", ";;", "\"", "\n"})
    EXPECT_THAT(user_error([&] { (void)separated_by(bad); }), testing::HasSubstr("data.delimiter"));
}

}  // namespace
}  // namespace persia::data
