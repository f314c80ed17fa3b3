#include "checkpoint/manifest.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "fixtures.hpp"

namespace persia::checkpoint {
namespace {

using ::testing::HasSubstr;

Manifest example() {
  return {.step = Step(12),
          .position = {.epoch = 3, .batch_in_epoch = 4},
          .statistics = {.mean = {0.1, -1e300}, .scale = {1.0, 1.0 / 3.0}},
          .created = "2026-01-02T03:04:05Z",
          .run_file = "name: \"größer\"\nseed: 1\n",
          .num_owners = 2,
          .files = {{"embedding-0000-of-0002.h5", 100, 0xFFFFFFFFFFFFFFFFULL, 7},
                    {"embedding-0001-of-0002.h5", 200, 1, 0},
                    {"dense.h5", 300, 2, 0}}};
}

TEST(Manifest, ReadsBackAsWritten) {
  const Manifest written = example();
  const Manifest read = parse_manifest(manifest_text(written), "m");
  EXPECT_EQ(read.step, written.step);
  EXPECT_EQ(read.position, written.position);
  EXPECT_EQ(read.statistics.mean, written.statistics.mean);
  EXPECT_EQ(read.statistics.scale, written.statistics.scale);
  EXPECT_EQ(read.created, written.created);
  EXPECT_EQ(read.run_file, written.run_file);
  EXPECT_EQ(read.num_owners, 2);
  ASSERT_EQ(read.files.size(), 3U);
  EXPECT_EQ(read.files[0].name, "embedding-0000-of-0002.h5");
  EXPECT_EQ(read.files[0].checksum, 0xFFFFFFFFFFFFFFFFULL);
  EXPECT_EQ(read.files[0].bytes, 100);
  EXPECT_EQ(read.files[0].rows, 7);
}

TEST(Manifest, AnyChangedCharacterIsSeen) {
  const std::string text = manifest_text(example());
  int unseen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' || text[i] == '\n') continue;  // layout is not covered
    std::string altered = text;
    altered[i] = altered[i] == '7' ? '8' : '7';
    unseen += user_error([&] { (void)parse_manifest(altered, "m"); }) == "no UserError";
  }
  EXPECT_EQ(unseen, 0);
}

TEST(Manifest, CutShortIsDamagedAtAnyLength) {
  const std::string text = manifest_text(example());
  for (std::size_t n = 0; n + 2 < text.size(); ++n)
    EXPECT_THROW((void)parse_manifest(text.substr(0, n), "m"), UserError) << n;
}

TEST(Manifest, SaysWhichFileAndWhatToDo) {
  const std::string message = user_error([] { (void)parse_manifest("{}", "runs/a/manifest.json"); });
  EXPECT_THAT(message, HasSubstr("runs/a/manifest.json"));
  EXPECT_THAT(message, HasSubstr("use another checkpoint"));
}

TEST(Manifest, OfANewerFormatIsRefused) {
  std::string text = manifest_text(example());
  const std::string key = "\"format_version\": 1";
  text.replace(text.find(key), key.size(), "\"format_version\": 2");
  EXPECT_THAT(user_error([&] { (void)parse_manifest(text, "m"); }), HasSubstr("format 2 is newer"));
}

}  // namespace
}  // namespace persia::checkpoint
