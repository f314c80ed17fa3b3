#include "config/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/reader.hpp"

namespace persia::config {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* golden = R"(name: "two words"
output: "runs/two words"
seed: 18446744073709551615
log_level: info
log_every_steps: 50
roles:
  embedding: 1
  worker: 0
  trainer: 0
data:
  format: csv
  train: ["a *.csv"]
  test: []
  directory: /d
  label: {name: income, positive: [">50K"], negative: ["<=50K"]}
  dense:
    - {name: age, transform: standardise}
  categorical:
    - {name: sex, table: sex, type: string, separator: "", pooling: sum}
    - {name: tags, table: t, type: integer, separator: "|", pooling: mean, max_length: 5, keep: last}
  delimiter: ", "
  header: []
  comment: "|"
  shuffle: true
  shuffle_rows: 262144
  on_bad_row: stop
embedding:
  dim: 16
  precision: fp32
  optimizer: {type: rowwise_adagrad, learning_rate: 0.02, initial_accumulator: 0, accumulator_decay: 1, epsilon: 1e-08, weight_decay: 0, schedule: {type: constant, warm_up_steps: 0}}
  clip_value: 0
  clip_norm: 0
  weight_bound: 0
  init: {type: uniform, scale: 0.01, per_sqrt_dim: false}
  num_ids: 0
  compose: {type: none}
  admission: {policy: always}
  eviction: {policy: none, ttl_steps: 0, ttl_seconds: 0}
tables:
  sex: {dim: 16, precision: fp32, optimizer: {type: rowwise_adagrad, learning_rate: 0.02, initial_accumulator: 0, accumulator_decay: 1, epsilon: 1e-08, weight_decay: 0, schedule: {type: constant, warm_up_steps: 0}}, clip_value: 0, clip_norm: 0, weight_bound: 0, init: {type: uniform, scale: 0.01, per_sqrt_dim: false}, num_ids: 0, compose: {type: none}, admission: {policy: always}, eviction: {policy: none, ttl_steps: 0, ttl_seconds: 0}}
  t: {dim: 8, precision: bf16, state_precision: fp32, optimizer: {type: ftrl, learning_rate: 0.3333333333333333, beta: 1, l1: 0.5, l2: 0, schedule: {type: step, warm_up_steps: 10, every_steps: 100, factor: 0.1}}, clip_value: 0, clip_norm: 2, weight_bound: 0, init: {type: zero}, num_ids: 0, compose: {type: none}, admission: {policy: always}, eviction: {policy: none, ttl_steps: 0, ttl_seconds: 0}}
model:
  type: dnn
  hidden: [256, 128]
training:
  mode: sync
  batch_size: 4096
  epochs: 1
  max_steps: 0
  optimizer: {type: adam, learning_rate: 0.001, epsilon: 1e-08, beta1: 0.9, beta2: 0.999, weight_decay: 0, schedule: {type: constant, warm_up_steps: 0}}
  evaluate_every_steps: 0
  threads: 0
  embedding_threads: 0
mail:
  transport: rma
  ring_bytes: 1048576
  values: fp32
  checksums: true
  timeout_seconds: 600
  delay_ms: 0
  delay_random_ms: 0
checkpoint:
  directory: ""
  at_end: true
  every_steps: 0
  keep: 2
)";

RunFile run_file_of(const std::string& text) {
  return parse_run_file(text, "f.yaml", {});
}

TEST(Writer, WritesEveryUsedKeyInFixedOrder) {
  const RunFile run = run_file_of(
      "training: {mode: sync}\nname: two words\nseed: 18446744073709551615\n"
      "tables: {t: {dim: 8, precision: bf16, clip_norm: 2, optimizer: {type: ftrl, learning_rate: "
      "0.3333333333333333, l1: "
      "0.5, schedule: {type: step, warm_up_steps: 10, every_steps: 100}}, "
      "init: {type: zero}}}\n"
      "data:\n  format: csv\n  directory: /d\n  train: [a *.csv]\n  comment: '|'\n  delimiter: ', '\n"
      "  label: {name: income, positive: ['>50K'], negative: [<=50K]}\n"
      "  dense: [{name: age, transform: standardise}]\n"
      "  categorical: [sex, {name: tags, table: t, type: integer, separator: '|', pooling: mean, max_length: "
      "5, keep: last}]\n");
  EXPECT_EQ(resolved_text(run), golden);
}

TEST(Writer, WritesWhatReadsBackToTheSameText) {
  EXPECT_EQ(resolved_text(run_file_of(golden)), golden);
  for (const char* text :
       {"data: {train: [a], directory: /d}\n", "data: {format: synthetic}\nmodel: {type: dlrm}\n",
        "data: {train: [a], directory: /d, shuffle: false}\ntraining: {mode: async, optimizer: {type: "
        "momentum}}\n",
        "data: {train: [a], directory: /d, categorical: [{name: C3, table: C1}]}\nmodel: {type: lr}\n",
        "data: {train: [a], directory: /d}\nname: \"a\\\"b\\\\c\\t{[,#: é\"\n"}) {
    const std::string once = resolved_text(run_file_of(text));
    EXPECT_EQ(resolved_text(run_file_of(once)), once) << text;
  }
}

TEST(Writer, WritesAPlainLabelAsAMap) {
  EXPECT_THAT(resolved_text(run_file_of("data: {format: csv, train: [a], dense: [x], label: bought}\n")),
              HasSubstr("  label: {name: bought, positive: [], negative: []}\n"));
}

TEST(Writer, WritesEveryArgumentOfAnOptimizerAndNoneOfAnother) {
  const std::string text =
      resolved_text(run_file_of("data: {train: [a]}\ntraining: {optimizer: {type: adagrad}}\n"));
  EXPECT_THAT(text, HasSubstr("optimizer: {type: adagrad, learning_rate: 0.001, initial_accumulator: 0, "
                              "accumulator_decay: 1, epsilon: 1e-08, weight_decay: 0, schedule: {type: "
                              "constant, warm_up_steps: 0}}"));
}

TEST(Writer, HashesWhatIsUsed) {
  const RunFile run = run_file_of(golden);
  RunFile other = run;
  other.training.average_every = 99;  // not used in sync mode
  EXPECT_EQ(run_file_hash(run), run_file_hash(other));
  other.training.batch_size = 1;
  EXPECT_NE(run_file_hash(run), run_file_hash(other));
}

TEST(Writer, WritesAutoAndWhatGoesWithIt) {
  RunFile run = run_file_of(golden);
  run.training.mode = Mode::hybrid;
  EXPECT_FALSE(facts_of(run).contains("training.staleness_max"));
  run.training.staleness.automatic = true;
  EXPECT_EQ(facts_of(run).at("training.staleness"), "auto");
  EXPECT_EQ(facts_of(run).at("training.staleness_margin"), "0.001");
}

TEST(Writer, GivesFactsByKey) {
  const auto facts = facts_of(run_file_of(golden));
  EXPECT_EQ(facts.at("training.batch_size"), "4096");
  EXPECT_EQ(facts.at("tables.t.optimizer.type"), "ftrl");
  EXPECT_EQ(facts.at("name"), "\"two words\"");
  EXPECT_EQ(facts.at("model.hidden"), "[256, 128]");
  EXPECT_EQ(facts.at("data.dense"), "[{name: age, transform: standardise}]");
  EXPECT_FALSE(facts.contains("training.staleness"));
}

TEST(Writer, ShowsADefaultFileThatReadsAsTheDefaults) {
  const RunFile run = parse_run_file(default_text(), "/f.yaml", {"data.train=[a]"});
  EXPECT_EQ(resolved_text(run), resolved_text(parse_run_file("data: {train: [a]}\n", "/f.yaml", {})));
  EXPECT_THAT(default_text(), HasSubstr("# average_every: 16"));
  EXPECT_THAT(default_text(), HasSubstr("sync, hybrid or async"));
  EXPECT_THAT(default_text(), Not(HasSubstr("\t")));
}

}  // namespace
}  // namespace persia::config
