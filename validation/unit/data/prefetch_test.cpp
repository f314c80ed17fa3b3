#include "data/prefetch.hpp"

#include <atomic>

#include "fixtures.hpp"

namespace persia::data {
namespace {

TEST(Prefetcher, GivesEverythingInOrderAndThenEnds) {
  int next = 0;
  Prefetcher<int> ahead(
      [&]() -> std::optional<int> { return next < 1000 ? std::optional(next++) : std::nullopt; }, 3);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(ahead.next(), i);
  EXPECT_EQ(ahead.next(), std::nullopt);
  EXPECT_TRUE(ahead.finished());
}

TEST(Prefetcher, HandsOnAFaultInItsPlace) {
  int next = 0;
  Prefetcher<int> ahead(
      [&]() -> std::optional<int> {
        if (next == 2) fail_user("row {} is bad", next);
        return next++;
      },
      8);
  EXPECT_EQ(ahead.next(), 0);
  EXPECT_EQ(ahead.next(), 1);
  EXPECT_THAT(user_error([&] { (void)ahead.next(); }), "row 2 is bad");
  EXPECT_FALSE(ahead.finished());
}

TEST(Prefetcher, StopsWhenNobodyWantsMore) {
  std::atomic<int> made = 0;
  {
    Prefetcher<int> ahead([&]() -> std::optional<int> { return ++made; }, 4);
    EXPECT_EQ(ahead.next(), 1);
  }
  EXPECT_LE(made, 7);
}

// A damaged file met by the reader thread comes out of next(), after the batches before it.
TEST(Prefetcher, CarriesDamageOfAFileToTheConsumer) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 20000; ++i) text += criteo_row("1", std::to_string(i), std::to_string(i)) + "\n";
  const std::string packed = gzip(text);
  SourceOptions options;
  options.files = {folder.write("a.gz", packed.substr(0, packed.size() * 6 / 10))};
  options.batch_size = 100;
  const Recipe recipe = criteo();
  const std::unique_ptr<BatchSource> source = open_source(recipe.data, recipe.schema, options);
  Prefetcher<Batch> ahead([&] { return source->next(); }, 2);
  int batches = 0;
  const std::string error = user_error([&] {
    while (ahead.next()) ++batches;
  });
  EXPECT_GT(batches, 10);
  EXPECT_THAT(error, testing::HasSubstr("a.gz ends early"));
}

}  // namespace
}  // namespace persia::data
