#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "checkpoint/folders.hpp"
#include "fixtures.hpp"

namespace persia::checkpoint {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class SaveFolder : public CheckpointTest {
 protected:
  fs::path save(std::int64_t step, std::int32_t keep = 2,
                const std::string& created = "2026-01-02T03:04:05Z") {
    return save_all(folder_, step, std::vector<Tables>(1), keep, created);
  }
  fs::path place(std::int64_t step) { return folder_ / folder_name(Step(step)); }
  std::set<std::string> names() {
    std::set<std::string> result;
    for (const auto& entry : fs::directory_iterator(folder_)) result.insert(entry.path().filename().string());
    return result;
  }
};

TEST_F(SaveFolder, IsCompleteUnderItsFinalName) {
  EXPECT_EQ(save(7), place(7));
  EXPECT_EQ(names(), (std::set<std::string>{"LATEST", "step-000000000007"}));
  EXPECT_EQ(read_text_file(folder_ / "LATEST"), "step-000000000007\n");
  EXPECT_EQ(read_manifest(place(7)).step, Step(7));
  EXPECT_EQ(find_newest(folder_), place(7));
}

TEST_F(SaveFolder, MakesItsDirectory) {
  EXPECT_TRUE(fs::exists(save_all(folder_ / "a" / "b", 1, std::vector<Tables>(1))));
}

TEST_F(SaveFolder, KeepsTheNewestOnes) {
  for (const std::int64_t step : {1, 2, 3, 4}) save(step, 2);
  EXPECT_EQ(names(), (std::set<std::string>{"LATEST", "step-000000000003", "step-000000000004"}));
  save(5, 1);
  EXPECT_EQ(names(), (std::set<std::string>{"LATEST", "step-000000000005"}));
}

TEST_F(SaveFolder, ReplacesASaveOfTheSameStep) {
  save(1, 2, "2026-01-01T00:00:00Z");
  save(1, 2, "2026-01-02T00:00:00Z");
  EXPECT_EQ(read_manifest(place(1)).created, "2026-01-02T00:00:00Z");
  EXPECT_EQ(names(), (std::set<std::string>{"LATEST", "step-000000000001"}));
}

TEST_F(SaveFolder, RemovesWhatDeadSavesLeft) {
  save(1);
  std::ofstream(begin_save(folder_, Step(2)) / "dense.h5") << "half";
  fs::create_directory(folder_ / "mine.tmp");
  const fs::path next = begin_save(folder_, Step(3));
  EXPECT_EQ(names(),
            (std::set<std::string>{"LATEST", "mine.tmp", "step-000000000001", "step-000000000003.tmp"}));
  EXPECT_TRUE(fs::is_empty(next));
}

TEST_F(SaveFolder, PutsBackWhatASaveDiedReplacing) {
  save(1);
  fs::rename(place(1), with_suffix(place(1), ".old"));
  EXPECT_EQ(find_newest(folder_), with_suffix(place(1), ".old"));
  (void)begin_save(folder_, Step(2));
  EXPECT_EQ(find_newest(folder_), place(1));
}

TEST_F(SaveFolder, IsNotFoundBeforeItIsFinished) {
  const fs::path folder = begin_save(folder_, Step(1));
  (void)save_tables(folder, OwnerIndex(0), 1, Step(1), Tables());
  EXPECT_FALSE(find_newest(folder_));
  EXPECT_FALSE(find_newest(folder_ / "absent"));
}

TEST_F(SaveFolder, IsRefusedWhenAFileIsNotThereAsWritten) {
  const fs::path folder = begin_save(folder_, Step(1));
  Manifest manifest;
  manifest.step = Step(1);
  manifest.num_owners = 1;
  manifest.files = {save_tables(folder, OwnerIndex(0), 1, Step(1), Tables())};
  fs::resize_file(folder / manifest.files[0].name, 10);
  EXPECT_THROW((void)finish_save(folder, manifest, 1), Error);
  EXPECT_FALSE(find_newest(folder_));
}

TEST_F(SaveFolder, CutOffBeforeLatestIsTheNewest) {
  save(1);
  const std::string latest = read_text_file(folder_ / "LATEST");
  save(2);
  write_file_atomically(folder_ / "LATEST", latest);
  EXPECT_EQ(find_newest(folder_), place(2));
  fs::remove(folder_ / "LATEST");
  EXPECT_EQ(find_newest(folder_), place(2));
}

TEST_F(SaveFolder, OfATrainingStartedAgainIsNewerThanLaterStepsOfTheFirst) {
  save(10, 3, "2026-01-01T00:00:00Z");
  save(7, 3, "2026-01-02T00:00:00Z");
  EXPECT_EQ(find_newest(folder_), place(7));
  save(8, 2, "2026-01-03T00:00:00Z");  // the oldest goes, not the smallest
  EXPECT_EQ(names(), (std::set<std::string>{"LATEST", "step-000000000007", "step-000000000008"}));
}

TEST_F(SaveFolder, WithADamagedManifestIsLeftOut) {
  save(1);
  save(2);
  fs::resize_file(place(2) / "manifest.json", 50);
  EXPECT_EQ(find_newest(folder_), place(1));
  EXPECT_EQ(find_newest(place(2)), place(2));  // named directly
  EXPECT_THAT(user_error([&] { (void)read_manifest(place(2)); }), HasSubstr(place(2).string()));
}

std::vector<std::string> names_of(const std::vector<DamagedFolder>& folders) {
  std::vector<std::string> names;
  for (const DamagedFolder& folder : folders) names.push_back(folder.path.filename().string());
  return names;
}

TEST_F(SaveFolder, WithoutItsManifestIsLeftOutWithAWarning) {
  save(1);
  save(2);
  fs::remove(place(2) / "manifest.json");
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(find_newest(folder_), place(1));
  EXPECT_THAT(
      ::testing::internal::GetCapturedStdout(),
      testing::AllOf(HasSubstr("left out: " + place(2).string()), HasSubstr("it has no manifest.json")));
  fs::remove_all(place(1));
  EXPECT_THAT(user_error([&] { (void)find_newest(folder_); }), HasSubstr("it has no manifest.json"));
  for (const char* file : {"dense.h5", "embedding-0000-of-0001.h5"}) fs::remove(place(2) / file);
  EXPECT_FALSE(find_newest(folder_)) << "an empty folder is nobody's checkpoint";
}

TEST_F(SaveFolder, DamagedAfterTheNewestGoodOneIsToldFromOlderOnes) {
  for (const std::int64_t step : {1, 2, 3}) save(step, 3);
  const CompleteFolder second{place(2), Step(2), ""};
  EXPECT_TRUE(damaged_since(second).empty());
  fs::resize_file(place(1) / "manifest.json", 50);
  fs::resize_file(place(3) / "manifest.json", 50);
  EXPECT_THAT(names_of(damaged_since(second)), testing::ElementsAre("step-000000000003"));
  EXPECT_THAT(names_of(damaged_folders(folder_)),
              testing::ElementsAre("step-000000000001", "step-000000000003"));
  write_file_atomically(folder_ / "LATEST", "step-000000000001\n");
  EXPECT_THAT(names_of(damaged_since(second)),
              testing::ElementsAre("step-000000000001", "step-000000000003"));
}

TEST_F(SaveFolder, AmongDamagedOnesOnlyIsAnErrorNotAFreshStart) {
  save(1);
  fs::resize_file(place(1) / "manifest.json", 50);
  EXPECT_THAT(user_error([&] { (void)find_newest(folder_); }), HasSubstr("manifest.json"));
}

TEST_F(SaveFolder, NamedDirectlyWithoutAManifestIsAnError) {
  const fs::path folder = folder_ / "step-000000000001";
  fs::create_directory(folder);
  ASSERT_EQ(find_newest(folder), folder);
  EXPECT_THAT(user_error([&] { (void)read_manifest(folder); }), HasSubstr("no complete checkpoint"));
}

TEST_F(SaveFolder, ThatCannotBeMadeIsAnErrorWithThePath) {
  std::ofstream(folder_ / "file") << "x";
  try {
    (void)begin_save(folder_ / "file", Step(1));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr((folder_ / "file").string()));
  }
}

}  // namespace
}  // namespace persia::checkpoint
