// What the tests of train/ share: a folder of their own, a run over a small csv file, and the one compute
// thread of this program that runs Kokkos.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "config/reader.hpp"
#include "config/schema.hpp"
#include "table/table.hpp"
#include "train/batch_feed.hpp"
#include "train/compute_thread.hpp"

namespace persia::train {

// Kokkos starts once per process, so all tests that need it take turns on this thread
// (kokkos_environment.cpp).
ComputeThread& kokkos_thread();

// Removed with its content.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "persia-train-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// `count` rows: click 0 or 1 in turn, x = -2 .. 2 in turn, c = 0 .. 3 in turn.
inline std::string rows(int count) {
  std::string text = "click,x,c\n";
  for (int i = 0; i < count; ++i) text += fmt::format("{},{},{}\n", i % 2, i % 5 - 2, i % 4);
  return text;
}

// Logistic regression over one dense column and one table of width 2, all sgd, batches of 4 rows in file
// order.
struct Example {
  Folder folder;
  config::RunFile run;
  config::Schema schema;

  explicit Example(const std::string& data_text = rows(32), const std::vector<std::string>& overrides = {}) {
    folder.write("rows.csv", data_text);
    const std::string text = fmt::format(R"(
name: example
output: {0}/run
log_every_steps: 2
data:
  format: csv
  directory: {0}
  train: [rows.csv]
  label: {{name: click}}
  dense: [x]
  categorical: [{{name: c, type: integer}}]
  shuffle: false
embedding:
  dim: 2
  optimizer: {{type: sgd, learning_rate: 1.0}}
model: {{type: lr}}
training:
  batch_size: 4
  optimizer: {{type: sgd, learning_rate: 0.5}}
)",
                                         folder.path().string());
    run = config::parse_run_file(text, (folder.path() / "run.yaml").string(), overrides);
    schema = config::make_schema(run);
  }

  [[nodiscard]] FeedOptions feed_options(std::int64_t end_epoch = 1) const {
    FeedOptions options;
    options.source.files = {folder.path() / "rows.csv"};
    options.source.batch_size = run.training.batch_size;
    options.end_epoch = end_epoch;
    return options;
  }

  [[nodiscard]] std::vector<std::unique_ptr<table::Table>> tables() const {
    std::vector<std::unique_ptr<table::Table>> made;
    for (const config::TableSchema& one : schema.tables)
      made.push_back(table::make_table(one, {.seed = run.seed}));
    return made;
  }
};

// The feed's next batch, waited for; nullopt at its end.
inline std::optional<PreparedBatch> wait_for_batch(BatchFeed& feed) {
  while (true) {
    if (std::optional<PreparedBatch> batch = feed.try_next()) return batch;
    if (feed.finished()) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

// The message of the Expected that `action` throws.
template <class Expected = Error>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Expected& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace persia::train
