#include "config/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.hpp"

namespace persia::config {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* small = "data:\n  train: [a.tsv]\n";

RunFile read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_run_file(text, "/runs/f.yaml", overrides);
}

std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    (void)parse_run_file(text, "f.yaml", overrides);
  } catch (const UserError& e) {
    EXPECT_EQ(e.exit_code(), 2);
    return e.what();
  }
  return "accepted";
}

TEST(Reader, KeepsTheDefaultsOfWhatIsNotWritten) {
  const RunFile run = read(small);
  EXPECT_EQ(run.training.batch_size, 4096);
  EXPECT_EQ(run.embedding.optimizer.type, OptimizerType::rowwise_adagrad);
  EXPECT_EQ(run.source, "/runs/f.yaml");
}

TEST(Reader, NamesFileLineSectionAndNearestKeyOfAnUnknownOne) {
  EXPECT_EQ(refusal("name: x\ntraining:\n  batchsize: 64\n"),
            "f.yaml:3: unknown key 'batchsize' in training (did you mean 'batch_size'?)");
  EXPECT_THAT(refusal("zzzzzzzzzzz: 1\n"), HasSubstr("known are name, output"));
  EXPECT_THAT(refusal("data:\n  train: [a]\n  dense: []\nembedding:\n  optimizer: {lr: 1}\n"),
              HasSubstr("unknown key 'lr' in embedding.optimizer"));
  EXPECT_THAT(refusal("tables:\n  C1: {dimm: 8}\n"), HasSubstr("in tables.C1 (did you mean 'dim'?)"));
  EXPECT_THAT(refusal("data:\n  train: [a]\n  categorical:\n    - {name: C1, tabel: x}\n"),
              AllOf(StartsWith("f.yaml:4:"), HasSubstr("in data.categorical[0] (did you mean 'table'?)")));
}

TEST(Reader, NamesLineKeyAndKnownNamesOfAnUnknownName) {
  EXPECT_EQ(
      refusal("training:\n  mode: hybird\n"),
      "f.yaml:2: training.mode: 'hybird' is not known; use sync, hybrid or async (did you mean 'hybrid'?)");
}

TEST(Reader, NamesLineAndKeyOfAWrongType) {
  EXPECT_THAT(refusal("training: 5\n"),
              HasSubstr("training is a single value where a map of keys is wanted"));
  EXPECT_THAT(refusal("name: [a]\n"), HasSubstr("name is a list where a text is wanted"));
  EXPECT_THAT(refusal("data:\n  train: a.tsv\n"),
              HasSubstr("f.yaml:2: data.train is a single value where a list"));
  EXPECT_THAT(refusal("data: {shuffle: yes}\n"), HasSubstr("'yes' is neither true nor false"));
  EXPECT_THAT(refusal("training: {batch_size: \"64\"}\n"), HasSubstr("remove the quotes"));
  EXPECT_THAT(refusal("tables: [a]\n"), HasSubstr("a map of table names"));
  EXPECT_THAT(refusal("name:\n"), HasSubstr("name has no value"));
  EXPECT_THAT(refusal("model: {hidden: [64, x]}\n"), HasSubstr("model.hidden[1]: 'x' is no whole number"));
}

TEST(Reader, NeverGuessesACount) {
  for (const char* text : {"1_000", "010", "0x10", "1e3", "1.5", "-1", "yes", "~", "0"})
    EXPECT_THAT(refusal(std::string("name: x\ntraining:\n  batch_size: ") + text + "\n" + small),
                StartsWith("f.yaml:3: training.batch_size"))
        << text;
  EXPECT_EQ(read(std::string("training: {batch_size: 1000}\n") + small).training.batch_size, 1000);
}

TEST(Reader, ReadsEverySpellingOfANumberEqually) {
  for (const char* text : {"1e-3", "1E-3", ".001", "0.001"})
    EXPECT_EQ(read(std::string("training: {optimizer: {learning_rate: ") + text + "}}\n" + small)
                  .training.optimizer.learning_rate,
              0.001)
        << text;
}

TEST(Reader, RefusesFilesThatAreNoRunFile) {
  EXPECT_THAT(refusal(""), HasSubstr("the run file is empty"));
  EXPECT_THAT(refusal("# nothing\n"), HasSubstr("the run file is empty"));
  EXPECT_THAT(refusal("- a\n- b\n"), HasSubstr("is a list, not a map"));
  EXPECT_THAT(refusal("hello\n"), HasSubstr("is a single value, not a map"));
  EXPECT_THROW((void)read_run_file("/nonexistent/f.yaml", {}), UserError);
}

TEST(Reader, TakesColumnsAsNamesOrMaps) {
  const RunFile run = read(
      "data:\n  format: csv\n  train: [a]\n  dense: [age, {name: pay, transform: standardise}]\n"
      "  categorical: [user, {name: tags, separator: '|', pooling: mean, type: unsigned}]\n");
  ASSERT_EQ(run.data.dense.size(), 2U);
  EXPECT_EQ(run.data.dense[0].name, "age");
  EXPECT_EQ(run.data.dense[1].transform, Transform::standardise);
  EXPECT_EQ(run.data.categorical[1].type, CategoryType::unsigned_integer);
  EXPECT_EQ(run.data.categorical[0].table, "user");
}

TEST(Reader, TakesTheLabelAsANameOrAMap) {
  const std::string text = "data:\n  format: csv\n  train: [a]\n  dense: [age]\n  label: bought\n";
  EXPECT_EQ(read(text).data.label.name, "bought");
  EXPECT_EQ(read(text, {"data.label=sold"}).data.label.name, "sold");
  EXPECT_EQ(read(text, {"data.label={name: sold}"}).data.label.name, "sold");
  EXPECT_THAT(refusal("data:\n  format: csv\n  train: [a]\n  dense: [age]\n  label: age\n"),
              StartsWith("f.yaml:5: data.label.name: the label 'age' is also an input"));
  EXPECT_THAT(refusal("data:\n  label: [a]\n"),
              HasSubstr("data.label is a list where a map of keys is wanted"));
}

TEST(Reader, FillsTablesFromEmbeddingInTheOrderOfUse) {
  const RunFile run = read(
      "data: {format: csv, train: [a], categorical: [u, v]}\n"
      "tables: {v: {dim: 4, optimizer: {type: adam}}}\nembedding: {dim: 8, optimizer: {learning_rate: "
      "0.5}}\n");
  ASSERT_EQ(run.tables.size(), 2U);
  EXPECT_EQ(run.tables[0].name, "u");
  EXPECT_EQ(run.tables[0].table.dim, 8);
  EXPECT_EQ(run.tables[1].table.dim, 4);
  EXPECT_EQ(run.tables[1].table.optimizer.type, OptimizerType::adam);
  EXPECT_EQ(run.tables[1].table.optimizer.learning_rate, 0.5);
}

TEST(Reader, AppliesOverridesAndNamesThemInErrors) {
  EXPECT_EQ(read(small, {"training.batch_size=64", "model.hidden=[8, 4]"}).model.hidden.size(), 2U);
  EXPECT_EQ(refusal(small, {"training.batchsize=64"}),
            "--set training.batchsize=64: unknown key 'batchsize' in training (did you mean 'batch_size'?)");
  EXPECT_THAT(refusal(small, {"training.batch_size=0"}), StartsWith("--set training.batch_size=0: "));
}

TEST(Reader, TakesANumberOrAutoForTheStaleness) {
  EXPECT_EQ(read(small, {"training.staleness=7"}).training.staleness.bound, 7);
  EXPECT_FALSE(read(small, {"training.staleness=7"}).training.staleness.automatic);
  EXPECT_TRUE(read(small, {"training.staleness=auto"}).training.staleness.automatic);
  EXPECT_TRUE(read(small, {"training.staleness=\"auto\""}).training.staleness.automatic);
  EXPECT_THAT(refusal(small, {"training.staleness=some"}),
              HasSubstr("training.staleness: 'some' is no whole number"));
  EXPECT_THAT(refusal(small, {"training.staleness=1001"}),
              HasSubstr("training.staleness is 1001; it must be"));
  EXPECT_THAT(
      refusal(small, {"training.staleness_max=8"}),
      HasSubstr("training.staleness_max is not used with training.staleness 4 (it is for training.mode "
                "hybrid or async, training.staleness auto)"));
  EXPECT_EQ(read(small, {"training.staleness=auto", "training.staleness_max=8"}).training.staleness_max, 8);
}

TEST(Reader, TakesAnEmptyOverrideForNotWritten) {
  const std::string text = std::string("training: {staleness: 2}\n") + small;
  EXPECT_THAT(refusal(text, {"training.mode=sync"}), HasSubstr("training.staleness is not used"));
  EXPECT_EQ(read(text, {"training.mode=sync", "training.staleness="}).training.mode, Mode::sync);
  EXPECT_THAT(refusal(small, {"training.stalenes="}), HasSubstr("unknown key 'stalenes'"));
}

TEST(Reader, OffersToTakeBackAKeyThatAnOverrideMadeUseless) {
  const std::string text = std::string("training:\n  staleness: 2\n") + small;
  EXPECT_EQ(
      refusal(text, {"training.mode=sync"}),
      "f.yaml:2: training.staleness is not used with training.mode sync (it is for training.mode hybrid or "
      "async); remove it, or give it its default back with --set training.staleness=");
  EXPECT_THAT(refusal(small, {"training.mode=sync", "training.staleness=2"}), EndsWith("; remove it"));
  EXPECT_THAT(refusal("training: {mode: sync, staleness: 2}\n" + std::string(small)),
              EndsWith("; remove it"));
}

TEST(Reader, ReplacesEnvironmentInPathsOnly) {
  ::setenv("PERSIA_TEST_DIR", "/data", 1);
  const RunFile run = read(
      "name: ${PERSIA_TEST_DIR}\noutput: ${PERSIA_TEST_DIR}/out\ncheckpoint: {directory: "
      "'${PERSIA_TEST_DIR}/c'}\n"
      "data: {directory: '${PERSIA_TEST_DIR}/d', train: ['${PERSIA_TEST_DIR}/x'], test: "
      "['${PERSIA_TEST_DIR}/y']}\n");
  ::unsetenv("PERSIA_TEST_DIR");
  EXPECT_EQ(run.name, "${PERSIA_TEST_DIR}");
  EXPECT_EQ(run.output, "/data/out");
  EXPECT_EQ(run.checkpoint.directory, "/data/c");
  EXPECT_EQ(run.data.directory, "/data/d");
  EXPECT_THAT(run.data.train, ElementsAre("/data/x"));
  EXPECT_THAT(run.data.test, ElementsAre("/data/y"));
  EXPECT_THAT(refusal("name: x\noutput: ${PERSIA_TEST_DIR}/out\n"),
              AllOf(StartsWith("f.yaml:2: output: "), HasSubstr("PERSIA_TEST_DIR"), HasSubstr("not set")));
}

TEST(Reader, StartsRelativeDataFromTheFolderOfTheRunFile) {
  EXPECT_EQ(read(small).data.directory, "/runs");
  EXPECT_EQ(read("data: {train: [a], directory: d/}\n").data.directory, "/runs/d");
  EXPECT_EQ(parse_run_file(small, "f.yaml", {}).data.directory, std::filesystem::current_path().string());
  EXPECT_EQ(read("data: {train: [a], directory: ../d}\n").data.directory, "/d");
  EXPECT_EQ(read("data: {train: [a], directory: /x/y}\n").data.directory, "/x/y");
}

}  // namespace
}  // namespace persia::config
