// How fast rows become batches on one core, as JSON lines: {"case", "mb_per_s", "rows_per_s", "ratio"}.
//
// ratio: over counting the same bytes' newlines with memchr in the same run, the least any reader must do.
// Rates are per second of processor time, the best of five passes over files in the page cache.
// Usage: reader_bench [rows]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>

#include "base/error.hpp"
#include "base/file.hpp"
#include "config/schema.hpp"
#include "data/generate.hpp"
#include "data/record_reader.hpp"
#include "data/source.hpp"

namespace {

using namespace persia;

struct Work {
  double bytes = 0;
  double rows = 0;
};

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double best_seconds(const std::function<void()>& pass) {
  double best = 1e30;
  for (int i = 0; i < 5; ++i) {
    const double start = processor_seconds();
    pass();
    best = std::min(best, processor_seconds() - start);
  }
  return best;
}

// Prints one line and returns MB/s.
double report(const std::string& name, Work work, double limit_mb_per_s, const std::function<void()>& pass) {
  const double seconds = best_seconds(pass);
  const double mb_per_s = work.bytes / 1e6 / seconds;
  fmt::print("{{\"case\": \"{}\", \"mb_per_s\": {:.1f}, \"rows_per_s\": {:.0f}, \"ratio\": {:.4f}}}\n", name,
             mb_per_s, work.rows / seconds, limit_mb_per_s > 0 ? mb_per_s / limit_mb_per_s : 1.0);
  return mb_per_s;
}

std::int64_t count_lines(const std::string& text) {
  std::int64_t lines = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while ((at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)))) !=
         nullptr) {
    ++lines;
    if (++at == end) break;
  }
  return lines;
}

void read_everything(const config::RunFile& run, const data::SourceOptions& options) {
  const config::Schema schema = config::make_schema(run);
  const auto source = data::open_source(run.data, schema, options);
  while (source->next()) {
  }
}

void read_records(const std::filesystem::path& path) {
  data::RecordReader reader(path, {});
  while (reader.next()) {
  }
}

void measure(const std::filesystem::path& folder, std::int64_t rows) {
  data::GenerateOptions generate{.folder = folder, .train_rows = rows, .test_rows = 1};
  (void)data::generate_criteo(generate);
  generate.gzip = true;
  (void)data::generate_criteo(generate);
  const std::string text = read_text_file(folder / "train.tsv");
  const Work work{.bytes = static_cast<double>(text.size()), .rows = static_cast<double>(rows)};

  std::int64_t lines = 0;
  const double limit = report("memchr", work, 0, [&] { lines += count_lines(text); });
  require(lines == 5 * rows, "counted {} lines of {}", lines, 5 * rows);
  report("records", work, limit, [&] { read_records(folder / "train.tsv"); });

  config::RunFile run;
  data::SourceOptions options;
  options.files = {folder / "train.tsv"};
  report("criteo", work, limit, [&] { read_everything(run, options); });
  options.shuffle = true;
  report("criteo_shuffled", work, limit, [&] { read_everything(run, options); });
  options.slice = {.index = 0, .count = 8};
  report("criteo_shuffled_slice_of_8", work, limit, [&] { read_everything(run, options); });
  options.slice = {};
  options.files = {folder / "train.tsv.gz"};
  report("criteo_gzip_shuffled", work, limit, [&] { read_everything(run, options); });

  run.data.format = config::DataFormat::synthetic;
  run.data.synthetic.rows = rows;
  const Work made{.bytes = static_cast<double>(rows) * (26 * 8 + 13 * 4 + 4), .rows = work.rows};
  report("synthetic", made, limit, [&] { read_everything(run, options); });
}

}  // namespace

int main(int argc, char** argv) {
  std::string name = (std::filesystem::temp_directory_path() / "persia-bench-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(name.data());
  measure(folder, argc > 1 ? std::atoll(argv[1]) : 300000);
  std::filesystem::remove_all(folder);
}
