#include "data/generate.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "data/criteo_teacher.hpp"
#include "data/criteo_text.hpp"
#include "data/exact_auc.hpp"
#include "data/text_sink.hpp"

namespace persia::data {

namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 49;
constexpr std::int64_t kFirstTestRow = kMostRows;  // test rows do not depend on train_rows
constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

struct FileFigures {
  double auc = 0;
  double positives = 0;
};

FileFigures write_file(const CriteoTeacher& teacher, const GenerateOptions& options, const std::string& name,
                       std::int64_t first_row, std::int64_t rows) {
  TextSink sink(options.folder / (name + (options.gzip ? ".tsv.gz" : ".tsv")), options.gzip);
  std::vector<float> positives, negatives;
  std::string text;
  for (std::int64_t i = 0; i < rows; ++i) {
    const CriteoRow row = teacher.draw(first_row + i);
    (row.positive ? positives : negatives).push_back(static_cast<float>(row.logit));
    append_row(row, teacher, options.seed, text);
    if (text.size() < kBlockBytes) continue;
    sink.write(text);
    text.clear();
  }
  sink.write(text);
  sink.close();
  const double share = static_cast<double>(positives.size()) / static_cast<double>(rows);
  return {.auc = exact_auc(positives, negatives), .positives = share};
}

// JSON has no "not a number": null where a file holds one class only.
std::string json_number(double value) {
  return std::isfinite(value) ? fmt::format("{:.8f}", value) : "null";
}

std::string describe(const GenerateOptions& options, const GenerateResult& result) {
  return fmt::format(
      "{{\n  \"format\": \"criteo\",\n  \"seed\": {},\n  \"train_rows\": {},\n  \"test_rows\": {},\n"
      "  \"cardinality\": {},\n  \"zipf\": {},\n  \"blank\": {},\n  \"positives\": {},\n"
      "  \"train_auc\": {},\n  \"test_auc\": {}\n}}\n",
      options.seed, options.train_rows, options.test_rows, options.cardinality, options.zipf, options.blank,
      json_number(result.positives), json_number(result.train_auc), json_number(result.test_auc));
}

}  // namespace

GenerateResult generate_criteo(const GenerateOptions& options) {
  for (const std::int64_t rows : {options.train_rows, options.test_rows})
    require_user(rows >= 1 && rows <= kMostRows, "{} training and {} test rows; give 1 to {} of each",
                 options.train_rows, options.test_rows, kMostRows);
  const CriteoTeacher teacher(options);
  require_writable_folder(options.folder, "generated files");
  const FileFigures train = write_file(teacher, options, "train", 0, options.train_rows);
  const FileFigures test = write_file(teacher, options, "test", kFirstTestRow, options.test_rows);
  const GenerateResult result{.test_auc = test.auc, .train_auc = train.auc, .positives = train.positives};
  write_file_atomically(options.folder / "teacher.json", describe(options, result));
  return result;
}

}  // namespace persia::data
