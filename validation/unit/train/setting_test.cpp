#include "train/setting.hpp"

#include "base/clock.hpp"
#include "config/writer.hpp"
#include "fixtures.hpp"
#include "roles/agree.hpp"

namespace persia::train {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string test_is_train = "data.test=[rows.csv]";

// The same run with other values, over the same data.
config::RunFile changed(const Example& example, const std::vector<std::string>& overrides) {
  return config::parse_run_file(config::resolved_text(example.run), "run.yaml", overrides);
}

// A complete checkpoint of step 7 by the example's run.
std::filesystem::path save(const Example& example) {
  const std::filesystem::path folder =
      checkpoint::begin_save(example.folder.path() / "run" / "checkpoints", Step(7));
  const auto tables = example.tables();
  checkpoint::Manifest manifest{
      .step = Step(7),
      .position = {.epoch = 1, .batch_in_epoch = 2},
      .statistics = {.mean = {0.25}, .scale = {2}},
      .created = utc_timestamp(),
      .run_file = config::resolved_text(example.run),
      .num_owners = 1,
      .files = {checkpoint::save_tables(folder, OwnerIndex(0), 1, Step(7), tables)}};
  return checkpoint::finish_save(folder, manifest, 2);
}

Setting setting_of(const config::RunFile& run, const JobOptions& options) {
  Setting setting = begin_setting(run, options, sys::Communicator::self());
  complete_setting(setting);
  return setting;
}

// The user error with which a job stops before it starts.
std::string refusal(const config::RunFile& run, const JobOptions& options) {
  try {
    std::unique_ptr<observe::Watcher> watcher;
    (void)run_job(run, options, sys::Communicator::self(), watcher);
  } catch (const roles::StoppedTogether& stopped) {
    EXPECT_EQ(stopped.exit_code, 2);
    return message_of<UserError>([&] { std::rethrow_exception(stopped.own); });
  }
  return "accepted";
}

TEST(Setting, ATrainingStartsAnewUnlessItIsToResume) {
  const Example example;
  save(example);
  const Setting setting = setting_of(example.run, {});
  EXPECT_FALSE(setting.start);
  EXPECT_EQ(setting.first_step(), Step(0));
  EXPECT_EQ(setting.train_files, std::vector{example.folder.path() / "rows.csv"});
  EXPECT_EQ(setting.survey.rows, 32);
  EXPECT_TRUE(setting.leads());
}

TEST(Setting, AResumedTrainingBeginsAtTheNewestCheckpointWithItsStatistics) {
  const Example example;
  const std::filesystem::path folder = save(example);
  const config::RunFile longer = changed(example, {"training.epochs=9", "checkpoint.keep=5"});
  const Setting setting = setting_of(longer, {.resume = true});
  ASSERT_TRUE(setting.start);
  EXPECT_EQ(setting.start->folder, folder);
  EXPECT_EQ(setting.first_step(), Step(7));
  EXPECT_EQ(setting.start->manifest.position, (data::Position{.epoch = 1, .batch_in_epoch = 2}));
  EXPECT_EQ(setting.survey.statistics.mean, std::vector<double>{0.25});
}

TEST(Setting, AResumeWithoutACheckpointStartsAnew) {
  const Example example;
  EXPECT_FALSE(setting_of(example.run, {.resume = true}).start);
}

TEST(Setting, AResumeThatWouldTrainSomethingElseIsRefusedNamingTheKey) {
  const Example example;
  const std::filesystem::path folder = save(example);
  const auto refused = [&](const std::string& override, const std::string& text) {
    EXPECT_EQ(refusal(changed(example, {override}), {.resume = true}),
              "cannot resume from " + folder.string() + ": " + text +
                  "; give the old value, or start anew without --resume")
        << override;
  };
  refused("training.batch_size=8", "training.batch_size was 4 and is 8 now");
  refused("seed=2", "seed was 1 and is 2 now");
  refused("data.on_bad_row=skip", "data.on_bad_row was stop and is skip now");
}

TEST(Setting, ADamagedCheckpointStopsAResume) {
  const Example example;
  const std::filesystem::path folder = save(example);
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".h5") std::filesystem::resize_file(entry.path(), 100);
  EXPECT_THAT(refusal(example.run, {.resume = true}), HasSubstr("embedding-0000-of-0001.h5"));
  std::filesystem::remove(folder / "manifest.json");
  EXPECT_THAT(refusal(example.run, {.resume = true}), HasSubstr(folder.parent_path().string()));
}

TEST(Setting, EvaluationAndPredictionNeedACheckpointAndTestData) {
  const Example example;
  EXPECT_THAT(refusal(example.run, {.task = Task::evaluate}),
              AllOf(HasSubstr("there is no "), HasSubstr("--checkpoint")));
  save(example);
  EXPECT_EQ(refusal(example.run, {.task = Task::evaluate}),
            "data.test names no file; that is what eval reads");
  EXPECT_EQ(refusal(example.run, {.task = Task::predict}),
            "data.test names no file; that is what predict reads");

  const config::RunFile with_test = changed(example, {test_is_train});
  const Setting setting = setting_of(with_test, {.task = Task::evaluate});
  ASSERT_TRUE(setting.start);
  EXPECT_EQ(setting.survey.statistics.scale, std::vector<double>{2});
  EXPECT_TRUE(setting.train_files.empty());
  EXPECT_EQ(setting.test_files.size(), 1U);
}

TEST(Setting, CheckpointsLieUnderTheOutputUnlessTheFolderIsAbsolute) {
  const Example example;
  EXPECT_EQ(setting_of(example.run, {}).checkpoint_folder(), example.folder.path() / "run" / "checkpoints");
  const config::RunFile relative = changed(example, {"checkpoint.directory=saved"});
  EXPECT_EQ(setting_of(relative, {}).checkpoint_folder(), example.folder.path() / "run" / "saved");
  const config::RunFile absolute = changed(example, {"checkpoint.directory=/elsewhere"});
  EXPECT_EQ(setting_of(absolute, {}).checkpoint_folder(), "/elsewhere");
}

TEST(Setting, AnEvaluationWithOtherInputsIsRefusedNamingTheKey) {
  const Example example;
  save(example);
  const auto refused = [&](const std::vector<std::string>& overrides, const std::string& text) {
    std::vector<std::string> all = overrides;
    all.push_back(test_is_train);
    for (const Task task : {Task::evaluate, Task::predict})
      EXPECT_THAT(refusal(changed(example, all), {.task = task, .output = example.folder.path() / "p.csv"}),
                  HasSubstr(text));
  };
  refused({"data.dense=[{name: x, transform: log1p}]"}, "data.dense");
  refused({"data.categorical=[{name: c, type: string}]"}, "data.categorical");
  refused({"model.type=dnn", "model.hidden=[3]"}, "model.");
  // What is only about the files and their reading may differ.
  const config::RunFile run =
      changed(example, {test_is_train, "data.on_bad_row=skip", "seed=9", "data.shuffle=false"});
  EXPECT_TRUE(setting_of(run, {.task = Task::evaluate}).start);
}

TEST(Setting, OutputsThatCannotBeWrittenAreRefusedBeforeTheFirstStep) {
  const Example example;
  EXPECT_THAT(refusal(changed(example, {"output=/proc/none"}), {}), HasSubstr("(output)"));
  EXPECT_THAT(refusal(changed(example, {"checkpoint.directory=/proc/none"}), {}),
              HasSubstr("(checkpoint.directory)"));
}

}  // namespace
}  // namespace persia::train
