#include "train/owners.hpp"

#include <array>

#include "fixtures.hpp"

namespace persia::train {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

// One table with three rows.
struct OwnersTest : ::testing::Test {
  Example example;
  std::vector<std::unique_ptr<table::Table>> tables = example.tables();
  OwnersTest() {
    const std::array<FeatureId, 3> ids{FeatureId(1), FeatureId(2), FeatureId(3)};
    std::array<float, 6> values{};
    std::array<table::Row, 3> found{};
    tables[0]->lookup(ids, table::Purpose::train, values, found, {});
  }
  [[nodiscard]] std::string request(const std::filesystem::path& folder) const {
    return json{{"directory", folder.string()}, {"step", 7}}.dump();
  }
};

TEST_F(OwnersTest, AnAnswerToSaveDescribesTheFileThatWasWritten) {
  const json answer =
      json::parse(answer_save(request(example.folder.path()), OwnerIndex(0), 1, tables, [] {}));
  ASSERT_FALSE(answer.contains("error")) << answer;
  EXPECT_EQ(answer.at("rows"), 3);
  const std::filesystem::path file = example.folder.path() / answer.at("name").get<std::string>();
  EXPECT_EQ(std::filesystem::file_size(file), answer.at("bytes").get<std::uintmax_t>());
}

TEST_F(OwnersTest, AFolderThatThisRankDoesNotSeeIsAnErrorInTheAnswer) {
  const std::filesystem::path absent = example.folder.path() / "absent";
  const json answer = json::parse(answer_save(request(absent), OwnerIndex(0), 1, tables, [] {}));
  EXPECT_EQ(answer.at("error"),
            "folder " + absent.string() +
                " is not seen here; checkpoint.directory must lie on a file system that all "
                "ranks share");
}

TEST_F(OwnersTest, ARequestThatCannotBeReadIsAnErrorInTheAnswer) {
  for (const std::string& text :
       {std::string("nonsense"), std::string("{}"), std::string("{\"directory\":\"\xff\"}"), std::string()})
    EXPECT_TRUE(json::parse(answer_save(text, OwnerIndex(0), 1, tables, [] {})).contains("error")) << text;
}

TEST_F(OwnersTest, LocalOwnersSaveTheTablesOfThisProcessAndReportThem) {
  const std::unique_ptr<Owners> owners = make_local_owners(tables, [] {});
  const std::vector<checkpoint::FileEntry> entries = owners->save(example.folder.path(), Step(7));
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].rows, 3);
  EXPECT_TRUE(std::filesystem::exists(example.folder.path() / entries[0].name));
  const json statistics = owners->statistics();
  ASSERT_EQ(statistics.size(), 1U) << "one owner";
  EXPECT_EQ(statistics[0].at("tables").at(0).at("rows"), 3);
  EXPECT_EQ(statistics[0].at("tables").at(0).at("table"), "c");
  owners->finish(0);
}

TEST_F(OwnersTest, ALocalSaveThatFailsThrows) {
  const std::unique_ptr<Owners> owners = make_local_owners(tables, [] {});
  EXPECT_THROW((void)owners->save(example.folder.path() / "absent", Step(7)), Error);
}

}  // namespace
}  // namespace persia::train
