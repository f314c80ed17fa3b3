#include "config/validate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "config/reader.hpp"

namespace persia::config {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// "accepted", or the message.
std::string verdict(const std::string& text, const std::vector<std::string>& overrides = {},
                    Purpose purpose = Purpose::train) {
  try {
    (void)parse_run_file(text, "f.yaml", overrides, purpose);
  } catch (const UserError& e) {
    return e.what();
  }
  return "accepted";
}

constexpr const char* criteo = "data: {train: [a]}\n";
constexpr const char* csv =
    "data: {format: csv, train: [a], dense: [x, y], categorical: [u, v], label: {name: click}}\n";

std::string criteo_with(const std::string& override_text) {
  return verdict(criteo, {override_text});
}
std::string csv_with(const std::vector<std::string>& overrides) {
  return verdict(csv, overrides);
}

TEST(Validate, AcceptsTheSmallestFiles) {
  EXPECT_EQ(verdict(criteo), "accepted");
  EXPECT_EQ(verdict(csv), "accepted");
  EXPECT_EQ(verdict("data: {format: synthetic}\n"), "accepted");
}

TEST(Validate, RefusesNumbersOutOfRangeSayingTheRange) {
  EXPECT_THAT(verdict("training:\n  batch_size: -1\n"),
              AllOf(StartsWith("f.yaml:2: training.batch_size is -1"), HasSubstr("at least 1")));
  for (const char* text :
       {"training.epochs=0", "training.staleness=-1", "embedding.dim=0", "checkpoint.keep=0",
        "mail.ring_bytes=4088", "mail.timeout_seconds=0", "training.optimizer.beta1=1",
        "training.optimizer.epsilon=0", "training.optimizer.learning_rate=-0.1", "model.hidden=[0]",
        "roles.embedding=-1", "data.shuffle_rows=0", "log_every_steps=0", "training.threads=513"})
    EXPECT_THAT(criteo_with(text), HasSubstr("it must be")) << text;
  EXPECT_THAT(criteo_with("mail.ring_bytes=4100"), HasSubstr("multiple of 8; 4104 is the next"));
  EXPECT_THAT(criteo_with("log_level=loud"), HasSubstr("trace, debug"));
}

TEST(Validate, NamesTheOptimizersWhoseStateIsAsWideAsTheRow) {
  EXPECT_THAT(
      verdict("data: {train: [a]}\nembedding:\n  optimizer: {type: sgd}\n  state_precision: bf16\n"),
      HasSubstr("embedding.state_precision is not used with optimizer.type sgd (it is for optimizer.type "
                "momentum, adagrad, adam, rowwise_adam, adamw, ftrl or lamb)"));
}

TEST(Validate, RefusesNumbersThatTheTrainingCannotHold) {
  EXPECT_THAT(verdict("data: {train: [a]}\nembedding:\n  init: {scale: 1e300}\n"),
              StartsWith("f.yaml:3: embedding.init.scale is 1e+300, which is infinite in fp32"));
  EXPECT_THAT(criteo_with("training.optimizer.epsilon=1e-60"),
              AllOf(StartsWith("--set training.optimizer.epsilon=1e-60: training.optimizer.epsilon is 1e-60"),
                    HasSubstr("which is 0 in fp32"), HasSubstr("from 1.4e-45 to 3.4e+38")));
  for (const char* text :
       {"embedding.optimizer.epsilon=1e-60", "training.optimizer.learning_rate=1e39",
        "embedding.optimizer.learning_rate=1e-50", "embedding.optimizer.initial_accumulator=1e300",
        "training.optimizer.weight_decay=1e-100", "training.optimizer.beta1=1e-46",
        "training.optimizer.beta2=1e-46", "training.optimizer={type: momentum, momentum: 1e-46}",
        "tables={C1: {init: {type: normal, scale: 1e40}}}"})
    EXPECT_THAT(criteo_with(text), HasSubstr("in fp32")) << text;
  for (const char* text : {"training.optimizer.learning_rate=0", "training.optimizer.epsilon=1e-40",
                           "embedding.init.scale=1e38", "mail.timeout_seconds=1e300"})
    EXPECT_EQ(criteo_with(text), "accepted");
}

TEST(Validate, RefusesABoundThatLeavesOnlyZeros) {
  EXPECT_THAT(verdict(criteo, {"embedding.precision=fp16", "embedding.weight_bound=1e-8"}),
              HasSubstr("embedding.weight_bound is 1e-08, and the smallest number of fp16 is 6e-08"));
  EXPECT_THAT(criteo_with("tables={C1: {precision: bf16, weight_bound: 1e-41}}"),
              HasSubstr("tables.C1.weight_bound is 1e-41, and the smallest number of bf16"));
  EXPECT_EQ(verdict(criteo, {"embedding.precision=fp16", "embedding.weight_bound=1e-7"}), "accepted");
  EXPECT_EQ(criteo_with("embedding.weight_bound=1e-8"), "accepted");
}

TEST(Validate, RowsAreUsedAgainWithinTheStaleness) {
  EXPECT_EQ(criteo_with("training.reuse_steps=4"), "accepted");
  EXPECT_THAT(criteo_with("training.reuse_steps=5"),
              HasSubstr("training.reuse_steps is 5, more than training.staleness, which is 4"));
  EXPECT_THAT(verdict(criteo, {"training.reuse_steps=1", "training.staleness=auto"}),
              HasSubstr("auto is none"));
}

TEST(Validate, RefusesWrittenKeysThatAreNotUsed) {
  EXPECT_EQ(
      verdict("data:\n  format: synthetic\n  train: [a.txt]\n"),
      "f.yaml:3: data.train is not used with data.format synthetic (it is for data.format criteo or csv); "
      "remove it");
  EXPECT_THAT(verdict("data: {train: [a]}\nmodel:\n  type: lr\n  hidden: [64]\n"),
              StartsWith("f.yaml:4: model.hidden is not used with model.type lr"));
  EXPECT_THAT(verdict("data: {train: [a]}\ntraining:\n  mode: sync\n  staleness: 4\n"),
              StartsWith("f.yaml:4: training.staleness is not used with training.mode sync"));
  for (const char* text :
       {"data.delimiter=;", "data.header=[a]", "data.comment=x", "data.dense=[I1]", "data.synthetic.rows=5",
        "data.label.positive=[a]", "training.average_every=2", "training.optimizer.momentum=0.5",
        "training.optimizer.initial_accumulator=0.1", "embedding.optimizer.beta1=0.5", "model.bottom=[64]",
        "data.categorical=[{name: C1, separator: x}]", "tables={C1: {optimizer: {type: sgd, epsilon: 1}}}",
        "embedding.init={type: zero, scale: 1}"})
    EXPECT_THAT(criteo_with(text), HasSubstr("is not used with")) << text;
  EXPECT_THAT(verdict(criteo, {"data.shuffle=false", "data.shuffle_rows=5"}),
              HasSubstr("is not used with data.shuffle"));
  EXPECT_THAT(csv_with({"data.transform=none"}), HasSubstr("is not used with data.format csv"));
  EXPECT_THAT(csv_with({"data.categorical=[{name: u, max_length: 3}]"}),
              HasSubstr("is not used without a separator"));
  EXPECT_THAT(csv_with({"data.categorical=[{name: u, separator: \"|\", keep: last}]"}),
              HasSubstr("is not used without max_length"));
}

TEST(Validate, WantsTrainingFilesToTrainOnly) {
  EXPECT_THAT(verdict("name: x\n"), HasSubstr("data.train is empty"));
  EXPECT_EQ(verdict("name: x\n", {}, Purpose::evaluate), "accepted");
}

TEST(Validate, TakesRowsWithoutLabelForPredictOnly) {
  const std::string text = "data: {train: [a], label: {name: none}}\n";
  EXPECT_THAT(verdict(text), HasSubstr("only `persia predict`"));
  EXPECT_THAT(verdict(text, {}, Purpose::evaluate), HasSubstr("only `persia predict`"));
  EXPECT_EQ(verdict(text, {}, Purpose::predict), "accepted");
}

TEST(Validate, ChecksTheLabel) {
  EXPECT_THAT(criteo_with("data.label.name=click"), HasSubstr("has its label in front"));
  EXPECT_THAT(csv_with({"data.label.positive=[a]"}), HasSubstr("go together"));
  EXPECT_THAT(csv_with({"data.label={name: c, positive: [a, b], negative: [b]}"}),
              HasSubstr("'b' is in positive"));
  EXPECT_THAT(csv_with({"data.label.name=x"}), HasSubstr("read the answer"));
  EXPECT_THAT(csv_with({"data.label.name=u"}), HasSubstr("read the answer"));
}

TEST(Validate, RefusesColumnsThatAreDuplicateNamelessOrMissing) {
  EXPECT_THAT(csv_with({"data.dense=[x, x]"}), HasSubstr("column 'x' is already data.dense[0]"));
  EXPECT_THAT(csv_with({"data.categorical=[u, {name: u, table: t}]"}),
              HasSubstr("already data.categorical[0]"));
  EXPECT_THAT(csv_with({"data.categorical=[{table: t}]"}), HasSubstr("has no name"));
  EXPECT_THAT(csv_with({"data.header=[x, y, u, vv, click]"}),
              HasSubstr("'v' is not in data.header (did you mean 'vv'?)"));
  EXPECT_THAT(csv_with({"data.header=[x, y, u, v]"}), HasSubstr("'click' is not in data.header"));
  EXPECT_THAT(csv_with({"data.header=[x, y, u, v, click, x]"}), HasSubstr("names 'x' twice"));
  EXPECT_THAT(csv_with({"data.dense=[]", "data.categorical=[]"}), HasSubstr("neither dense nor categorical"));
  EXPECT_THAT(criteo_with("data.categorical=[C27]"), HasSubstr("has no column 'C27'"));
}

TEST(Validate, TakesOneCharacterThatASpaceMayFollowAsDelimiter) {
  EXPECT_EQ(csv_with({"data.delimiter=\", \""}), "accepted");
  EXPECT_EQ(csv_with({"data.delimiter=\"\\t\""}), "accepted");
  for (const char* text : {"data.delimiter=\"\"", "data.delimiter=\",,\"", "data.delimiter=\"\\n\"",
                           "data.delimiter='\"'", "data.categorical=[{name: u, separator: \"||\"}]"})
    EXPECT_THAT(csv_with({text}), HasSubstr("one character")) << text;
}

TEST(Validate, RefusesTablesThatNoColumnUses) {
  EXPECT_THAT(csv_with({"tables={w: {dim: 4}}"}), HasSubstr("tables.w is used by no categorical column"));
  EXPECT_THAT(csv_with({"data.categorical=[{name: u, table: users}]", "tables={user: {dim: 4}}"}),
              HasSubstr("did you mean 'users'?"));
  EXPECT_EQ(csv_with({"data.categorical=[{name: u, table: users}]", "tables={users: {dim: 4}}"}), "accepted");
}

TEST(Validate, SaysWhatADlrmNeeds) {
  EXPECT_EQ(csv_with({"model.type=dlrm"}), "accepted");
  EXPECT_THAT(csv_with({"model.type=dlrm", "data.dense=[]"}), HasSubstr("needs dense columns"));
  EXPECT_THAT(csv_with({"model.type=dlrm", "data.categorical=[]"}), HasSubstr("needs categorical columns"));
  EXPECT_THAT(csv_with({"model.type=dlrm", "tables={v: {dim: 4}}"}), HasSubstr("u has 16, v has 4"));
  for (const char* type : {"model.type=lr", "model.type=dnn"}) {
    EXPECT_EQ(csv_with({type, "data.dense=[]"}), "accepted");
    EXPECT_EQ(csv_with({type, "data.categorical=[]"}), "accepted");
  }
}

TEST(Validate, WantsTheStepsOfASchedule) {
  EXPECT_EQ(verdict("data: {train: [a]}\ntraining:\n  optimizer:\n    schedule: {type: cosine}\n"),
            "f.yaml:4: training.optimizer.schedule.type is cosine, but decay_steps does not say in how many "
            "steps the rate falls; give it, at least 1");
  EXPECT_THAT(criteo_with("embedding.optimizer.schedule={type: polynomial, power: 2}"),
              HasSubstr("embedding.optimizer.schedule.type is polynomial, but decay_steps"));
  EXPECT_THAT(
      criteo_with("tables={C1: {optimizer: {schedule: {type: step}}}}"),
      HasSubstr("tables.C1.optimizer.schedule.type is step, but every_steps does not say how many steps "
                "keep one rate"));
  for (const char* text : {"{warm_up_steps: 5}", "{type: step, every_steps: 1, factor: 1}",
                           "{type: cosine, decay_steps: 9, end: 1}",
                           "{type: polynomial, decay_steps: 9, power: 0.5, end: 0, warm_up_steps: 9}"})
    EXPECT_EQ(criteo_with(std::string("training.optimizer.schedule=") + text), "accepted") << text;
}

TEST(Validate, RefusesWhatAScheduleCannotBe) {
  for (const char* text :
       {"{warm_up_steps: -1}", "{type: step, every_steps: -1}", "{type: step, every_steps: 5, factor: 0}",
        "{type: step, every_steps: 5, factor: 1.5}", "{type: cosine, decay_steps: -5}",
        "{type: cosine, decay_steps: 5, end: 2}", "{type: polynomial, decay_steps: 5, power: 0}"})
    EXPECT_THAT(criteo_with(std::string("training.optimizer.schedule=") + text), HasSubstr("it must be"))
        << text;
  for (const char* text :
       {"{decay_steps: 5}", "{type: step, every_steps: 5, end: 0.5}",
        "{type: cosine, decay_steps: 5, power: 2}", "{type: polynomial, decay_steps: 5, factor: 0.5}"})
    EXPECT_THAT(criteo_with(std::string("embedding.optimizer.schedule=") + text),
                HasSubstr("is not used with schedule.type"))
        << text;
  EXPECT_THAT(criteo_with("training.optimizer.schedule={type: cosin}"), HasSubstr("did you mean 'cosine'?"));
}

TEST(Validate, ChecksTrainingAgainstTheRest) {
  for (const char* type : {"rowwise_adagrad", "rowwise_adam", "adamw", "ftrl", "lamb"})
    EXPECT_THAT(
        criteo_with(fmt::format("training.optimizer={{type: {}}}", type)),
        AllOf(
            HasSubstr(fmt::format("training.optimizer.type is {}", type)),
            HasSubstr("for embedding rows alone; for the dense network use sgd, momentum, adagrad or adam")));
  EXPECT_THAT(criteo_with("model.hidden=[]"), HasSubstr("use model.type lr"));
  EXPECT_THAT(criteo_with("training.evaluate_every_steps=5"), HasSubstr("data.test names no files"));
  EXPECT_EQ(verdict(criteo, {"training.evaluate_every_steps=5", "data.test=[b]"}), "accepted");
}

}  // namespace
}  // namespace persia::config
