// Seeded Criteo-format files with a planted teacher: `persia generate criteo`.
//
// Label = 1 with probability sigmoid(teacher logit): a logistic part (one effect per id and per dense column)
// plus pairwise interactions of some columns. Ids are Zipf distributed. The teacher's own AUC on the written
// rows is the best that any model can reach (up to luck).
#pragma once

#include <cstdint>
#include <filesystem>

namespace persia::data {

struct GenerateOptions {
  std::filesystem::path folder;  // gets train.tsv, test.tsv (or .tsv.gz) and teacher.json
  std::int64_t train_rows = 1000000;
  std::int64_t test_rows = 100000;
  std::uint64_t seed = 1;
  std::int64_t cardinality = 10000;  // of the largest column; the others are smaller by fixed factors
  double zipf = 1.05;
  double blank = 0.05;  // share of blank fields
  bool gzip = false;
};

struct GenerateResult {
  double test_auc = 0;  // of the teacher's probabilities on the test rows
  double train_auc = 0;
  double positives = 0;  // share, training rows
};

[[nodiscard]] GenerateResult generate_criteo(const GenerateOptions& options);

}  // namespace persia::data
