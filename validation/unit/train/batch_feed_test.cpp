#include "train/batch_feed.hpp"

#include "fixtures.hpp"

namespace persia::train {
namespace {

TEST(BatchFeed, GivesEveryBatchOfEveryEpochInOrderWithItsPlan) {
  const Example example(rows(10));
  BatchFeed feed(example.run.data, example.schema, example.feed_options(2));
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
  std::vector<std::int32_t> sizes;
  while (const std::optional<PreparedBatch> next = wait_for_batch(feed)) {
    places.emplace_back(next->batch.epoch, next->batch.batch_in_epoch);
    sizes.push_back(next->batch.num_samples);
    EXPECT_EQ(next->plan.tables.at(0).ids.size(), std::min(4U, static_cast<unsigned>(sizes.back())));
    EXPECT_EQ(next->plan.row_of_entry.at(0).size(), static_cast<std::size_t>(sizes.back()));
  }
  EXPECT_EQ(places, (std::vector<std::pair<std::int64_t, std::int64_t>>{
                        {0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(sizes, (std::vector<std::int32_t>{4, 4, 2, 4, 4, 2}));
  EXPECT_TRUE(feed.finished());
}

TEST(BatchFeed, BeginsWhereItIsTold) {
  const Example example(rows(12));
  FeedOptions options = example.feed_options(2);
  options.source.start = {.epoch = 0, .batch_in_epoch = 2};
  BatchFeed feed(example.run.data, example.schema, options);
  const std::optional<PreparedBatch> first = wait_for_batch(feed);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->batch.batch_in_epoch, 2);
  EXPECT_EQ(first->batch.row_numbers, (std::vector<std::int64_t>{8, 9, 10, 11}));
  const std::optional<PreparedBatch> second = wait_for_batch(feed);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->batch.epoch, 1);
  EXPECT_EQ(second->batch.batch_in_epoch, 0);
}

TEST(BatchFeed, GivesEveryBatchToOneOfThoseThatTakeTurns) {
  const Example example(rows(10));
  std::vector<std::pair<std::int64_t, std::int64_t>> places[2];
  std::int64_t rows_read = 0;
  for (std::int64_t turn = 0; turn < 2; ++turn) {
    FeedOptions options = example.feed_options(3);
    options.turn = turn;
    options.turns = 2;
    BatchFeed feed(example.run.data, example.schema, options);
    while (const std::optional<PreparedBatch> next = wait_for_batch(feed))
      places[turn].emplace_back(next->batch.epoch, next->batch.batch_in_epoch);
    rows_read += feed.counts().rows;
  }
  using Places = std::vector<std::pair<std::int64_t, std::int64_t>>;
  EXPECT_EQ(places[0], (Places{{0, 0}, {0, 2}, {1, 1}, {2, 0}, {2, 2}}));
  EXPECT_EQ(places[1], (Places{{0, 1}, {1, 0}, {1, 2}, {2, 1}}));
  EXPECT_EQ(rows_read, 30) << "a batch that is passed over is not parsed";
}

TEST(BatchFeed, AnEndThatLiesBehindTheStartGivesNothing) {
  const Example example(rows(12));
  FeedOptions options = example.feed_options(1);
  options.source.start = {.epoch = 1, .batch_in_epoch = 0};
  BatchFeed feed(example.run.data, example.schema, options);
  EXPECT_FALSE(wait_for_batch(feed));
  EXPECT_EQ(feed.counts().rows, 0);
}

TEST(BatchFeed, GivesGoodBatchesFirstThenTheErrorEveryTime) {
  const Example example(rows(8) + "1,abc,2\n");
  BatchFeed feed(example.run.data, example.schema, example.feed_options());
  EXPECT_TRUE(wait_for_batch(feed));
  EXPECT_TRUE(wait_for_batch(feed));
  for (int attempt = 0; attempt < 2; ++attempt)
    EXPECT_THAT(message_of<UserError>([&] { (void)wait_for_batch(feed); }),
                ::testing::HasSubstr("rows.csv:10"));
  EXPECT_FALSE(feed.finished());
}

TEST(BatchFeed, CountsRowsOverEpochs) {
  const Example example("click,x,c\n0,1,1\n1,oops,2\n1,,3\n", {"data.on_bad_row=skip"});
  BatchFeed feed(example.run.data, example.schema, example.feed_options(3));
  while (wait_for_batch(feed)) continue;
  EXPECT_EQ(feed.counts().rows, 6);
  EXPECT_EQ(feed.counts().skipped_rows, 3);
  EXPECT_EQ(feed.counts().blank_dense, 3);
}

TEST(BatchFeed, EndsPromptlyWhileItsReaderWaitsForRoom) {
  const Example example(rows(400));
  FeedOptions options = example.feed_options(1000);
  options.batches_ahead = 1;
  BatchFeed feed(example.run.data, example.schema, options);
  EXPECT_TRUE(wait_for_batch(feed));
}

}  // namespace
}  // namespace persia::train
