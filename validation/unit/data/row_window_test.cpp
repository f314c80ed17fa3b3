// Order, slices and positions: every row once, for any number of trainers, from any start.
#include "data/row_window.hpp"

#include <algorithm>
#include <set>

#include "fixtures.hpp"

namespace persia::data {
namespace {

using config::CategoryType;

std::string numbered_csv(int rows) {
  std::string text = "click,row\n";
  for (int i = 0; i < rows; ++i) text += std::to_string(i % 2) + "," + std::to_string(i) + "\n";
  return text;
}

Recipe numbered() {
  Recipe recipe = csv();
  recipe.category("row", CategoryType::integer);
  return recipe;
}

std::vector<std::int64_t> row_numbers(const std::vector<Batch>& batches) {
  std::vector<std::int64_t> numbers;
  for (const Batch& batch : batches)
    numbers.insert(numbers.end(), batch.row_numbers.begin(), batch.row_numbers.end());
  return numbers;
}

// All trainers' slices put together, batch by batch; checks that they agree on batches and rows.
std::vector<std::int64_t> together(const Recipe& recipe, SourceOptions options, std::int32_t trainers) {
  std::vector<std::vector<std::int64_t>> by_batch;
  std::vector<std::int64_t> global_rows;
  for (std::int32_t k = 0; k < trainers; ++k) {
    options.slice = {.index = k, .count = trainers};
    const std::vector<Batch> batches = read_epoch(recipe, options);
    by_batch.resize(batches.size());
    global_rows.resize(batches.size());
    for (std::size_t b = 0; b < batches.size(); ++b) {
      if (k == 0) global_rows[b] = batches[b].global_rows;
      EXPECT_EQ(batches[b].global_rows, global_rows[b]);
      EXPECT_EQ(batches[b].batch_in_epoch, options.start.batch_in_epoch + static_cast<std::int64_t>(b));
      for (std::size_t i = 0; i < batches[b].row_numbers.size(); ++i)
        EXPECT_EQ(batches[b].columns[0].ids[i].value(),
                  static_cast<std::uint64_t>(batches[b].row_numbers[i]));
      by_batch[b].insert(by_batch[b].end(), batches[b].row_numbers.begin(), batches[b].row_numbers.end());
    }
  }
  std::vector<std::int64_t> all;
  for (std::size_t b = 0; b < by_batch.size(); ++b) {
    EXPECT_EQ(static_cast<std::int64_t>(by_batch[b].size()), global_rows[b]);
    all.insert(all.end(), by_batch[b].begin(), by_batch[b].end());
  }
  return all;
}

TEST(RowOrder, GivesEveryRowOnceWhateverTheTrainersAndWindows) {
  const Folder folder;
  for (int rows = 1; rows <= 13; ++rows) {
    SourceOptions options;
    options.files = {folder.write("a", numbered_csv(rows))};
    options.batch_size = 4;
    for (const bool shuffle : {false, true})
      for (const std::int64_t window : {1, 3, 4, 5, 100}) {
        Recipe recipe = numbered();
        recipe.data.shuffle_rows = window;
        options.shuffle = shuffle;
        const std::vector<std::int64_t> alone = together(recipe, options, 1);
        for (const std::int32_t trainers : {2, 3, 4}) EXPECT_EQ(together(recipe, options, trainers), alone);
        std::set<std::int64_t> once(alone.begin(), alone.end());
        EXPECT_EQ(once.size(), static_cast<std::size_t>(rows));
        EXPECT_EQ(*once.rbegin(), rows - 1);
        EXPECT_EQ(alone.size(), static_cast<std::size_t>(rows));
        EXPECT_TRUE(shuffle || std::is_sorted(alone.begin(), alone.end()));
      }
  }
}

TEST(RowOrder, ContinuesAnywhereInTheOrderOfTheUninterruptedRun) {
  const Folder folder;
  SourceOptions options;
  options.files = {folder.write("a", numbered_csv(40)), folder.write("b", numbered_csv(24))};
  options.batch_size = 4;
  options.shuffle = true;
  Recipe recipe = csv();
  recipe.category("row", CategoryType::integer);
  for (std::int64_t epoch = 0; epoch < 2; ++epoch)
    for (const std::int64_t window : {7, 16, 64, 1000}) {
      recipe.data.shuffle_rows = window;
      options.start = {.epoch = epoch, .batch_in_epoch = 0};
      const std::vector<std::int64_t> whole = row_numbers(read_epoch(recipe, options));
      EXPECT_EQ(std::set<std::int64_t>(whole.begin(), whole.end()).size(), 64U);
      for (std::int64_t first = 0; first <= 16; ++first) {
        options.start.batch_in_epoch = first;
        const std::vector<std::int64_t> rest = row_numbers(read_epoch(recipe, options));
        EXPECT_TRUE(std::equal(rest.begin(), rest.end(), whole.begin() + 4 * first, whole.end()));
      }
    }
}

TEST(RowOrder, GivesEverySecondEpochAnotherOrder) {
  const Folder folder;
  SourceOptions options;
  options.files = {folder.write("a", numbered_csv(64))};
  options.batch_size = 64;
  options.shuffle = true;
  const auto first = row_numbers(read_epoch(numbered(), options));
  EXPECT_EQ(first, row_numbers(read_epoch(numbered(), options)));
  options.start.epoch = 1;
  EXPECT_NE(first, row_numbers(read_epoch(numbered(), options)));
  options.start.epoch = 0;
  options.seed = 2;
  EXPECT_NE(first, row_numbers(read_epoch(numbered(), options)));
}

TEST(RowOrder, SkipsBadRowsAndStillGivesAllTrainersTheSameBatches) {
  const Folder folder;
  Recipe recipe = numbered();
  recipe.data.on_bad_row = config::BadRow::skip;
  SourceOptions options;
  options.files = {folder.write("a", numbered_csv(9)), folder.write("b", "click,row\n2,1\n1,77\n1,x\n"),
                   folder.write("c", "click,row\n1\n")};
  options.batch_size = 2;
  std::int64_t rows = 0, skipped = 0, samples = 0;
  for (std::int32_t k = 0; k < 3; ++k) {
    options.slice = {.index = k, .count = 3};
    ReadCounts counts;
    const std::vector<Batch> batches = read_epoch(recipe, options, &counts);
    EXPECT_EQ(batches.size(), 7U);  // 13 rows
    for (const Batch& batch : batches) samples += batch.num_samples;
    rows += counts.rows;
    skipped += counts.skipped_rows;
  }
  EXPECT_EQ(rows, 10);
  EXPECT_EQ(samples, 10);
  EXPECT_EQ(skipped, 3);
}

}  // namespace
}  // namespace persia::data
