#include "embed/lookup_message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wire/records.hpp"

namespace persia::embed {
namespace {

using ::testing::ElementsAre;

std::vector<int> bytes_of(const std::vector<OwnerPart>& parts) {
  std::vector<int> numbers;
  for (const std::byte byte :
       write_lookup(parts, {}, Step(3), table::Purpose::evaluate, wire::ValueFormat::int8))
    numbers.push_back(static_cast<int>(byte));
  return numbers;
}

TEST(LookupMessage, HasTheBytesOfVersion2) {
  const std::vector<FeatureId> near{FeatureId(5), FeatureId(6)}, far{FeatureId(0x0807060504030201)};
  EXPECT_THAT(bytes_of({{.ids = near, .block = {2, 1}}, {.ids = far, .block = {1, 1}}}),
              ElementsAre(3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 3, 0, 2, 0, 0, 0,  // step, purpose, values, tables
                          2, 0, 0, 0, 1, 0, 0, 0,                          // ids
                          2, 0, 0, 0, 8, 0, 0, 0,                          // their bytes
                          5, 1, 0, 0, 0, 0, 0, 0,                          // packed
                          1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(LookupMessage, WithoutTablesIsAHeader) {
  EXPECT_EQ(bytes_of({}).size(), sizeof(wire::LookupHeader));
}

}  // namespace
}  // namespace persia::embed
