#include "train/setting.hpp"

#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/status_board.hpp"
#include "config/environment.hpp"
#include "config/writer.hpp"
#include "data/source.hpp"
#include "roles/agree.hpp"
#include "train/same_run.hpp"

namespace persia::train {

namespace {

namespace fs = std::filesystem;

void agree_on_input(const config::RunFile& run, const sys::Communicator& world) {
  roles::agree(world, [&] {
    roles::require_equal(world, "run file", config::facts_of(run));
    roles::require_equal(world, "environment", config::shared_environment());
  });
}

std::optional<StartPoint> find_start(const Setting& setting) {
  const JobOptions& options = setting.options;
  if (options.task == Task::train && !options.resume) return std::nullopt;
  const fs::path place =
      options.checkpoint.empty() ? setting.checkpoint_folder() : fs::path(options.checkpoint);
  std::string folder;
  roles::agree(setting.teams.world, [&] {
    if (setting.teams.world.rank() != 0) return;
    const std::optional<fs::path> found = checkpoint::find_newest(place);
    if (found) folder = fs::absolute(*found).string();
    require_user(found || options.task == Task::train, "{} {}; {}",
                 fs::exists(place) ? "no complete checkpoint in" : "there is no", place.string(),
                 options.checkpoint.empty()
                     ? "train first, or name one with --checkpoint"
                     : "give --checkpoint a step folder or the folder that holds them");
    require_user(
        found || !holds_checkpoints(place),
        "none of the checkpoints in {} can be used (see the warnings above); repair or remove them, or train "
        "without --resume",
        place.string());
  });
  folder = setting.teams.world.broadcast_text(folder, 0);
  if (folder.empty()) {
    if (setting.leads()) log::info("no checkpoint in {} to resume from; starting anew", place.string());
    return std::nullopt;
  }
  StartPoint start{.folder = folder, .manifest = {}};
  roles::agree(setting.teams.world, [&] {
    start.manifest = checkpoint::read_manifest(start.folder);
    if (setting.teams.world.rank() == 0) checkpoint::verify(start.folder, start.manifest);
    const auto require_same = options.task == Task::train ? require_same_training : require_same_inputs;
    require_same(setting.run, start.manifest.run_file, start.folder);
  });
  return start;
}

std::map<std::string, std::string> file_facts(const std::vector<fs::path>& files) {
  std::map<std::string, std::string> facts;
  facts["number of files"] = std::to_string(files.size());
  for (const fs::path& file : files) {
    std::error_code failed;
    const auto bytes = fs::file_size(file, failed);
    require_user(!failed,
                 "{} is no ordinary file: {}; data are read more than once, so pipes cannot be taken",
                 file.string(), failed.message());
    facts[file.string()] = fmt::format("{} bytes", bytes);
  }
  return facts;
}

void find_files(Setting& setting) {
  const roles::Teams& teams = setting.teams;
  const fs::path folder = fs::path(setting.run.source).parent_path();
  const config::Data& data = setting.run.data;
  const bool trains = setting.options.task == Task::train;
  std::map<std::string, std::string> train_facts, test_facts;
  roles::agree(teams.world, [&] {
    if (teams.role == roles::Role::embedding || data.format == config::DataFormat::synthetic) return;
    require_user(!trains || !data.train.empty(), "data.train names no file");
    require_user(trains || !data.test.empty(), "data.test names no file; that is what {} reads",
                 setting.options.task == Task::evaluate ? "eval" : "predict");
    if (trains) setting.train_files = data::expand_files(data, data.train, folder);
    setting.test_files = data::expand_files(data, data.test, folder);
    train_facts = file_facts(setting.train_files);
    test_facts = file_facts(setting.test_files);
  });
  roles::agree(teams.world, [&] {
    if (teams.role == roles::Role::embedding) return;
    roles::require_equal(teams.readers, "training files", train_facts);
    roles::require_equal(teams.readers, "test files", test_facts);
  });
}

nlohmann::json to_json(const data::Survey& survey) {
  return {{"rows", survey.rows},
          {"complete", survey.complete},
          {"mean", survey.statistics.mean},
          {"scale", survey.statistics.scale}};
}

// Trainer 0 looks at the data and tells the others what it saw.
void survey_data(Setting& setting) {
  const roles::Teams& teams = setting.teams;
  std::string text;
  roles::agree(teams.world, [&] {
    if (!setting.leads()) return;
    const data::Survey seen = data::survey(setting.run.data, setting.schema, setting.train_files);
    for (const std::string& warning : seen.warnings) log::warn("{}", warning);
    text = to_json(seen).dump();
  });
  if (teams.role == roles::Role::embedding) return;
  const nlohmann::json seen = nlohmann::json::parse(
      teams.readers.broadcast_text(text, teams.rank_among_readers(teams.trainer_ranks.front())));
  setting.survey.rows = seen.at("rows");
  setting.survey.complete = seen.at("complete");
  setting.survey.statistics.mean = seen.at("mean").get<std::vector<double>>();
  setting.survey.statistics.scale = seen.at("scale").get<std::vector<double>>();
}

}  // namespace

bool holds_checkpoints(const fs::path& folder) {
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("step-") && name.find('.') == std::string::npos) return true;
  }
  return false;
}

fs::path Setting::checkpoint_folder() const {
  const fs::path named = run.checkpoint.directory;
  const fs::path folder = named.empty() ? fs::path("checkpoints") : named;
  return fs::absolute(folder.is_absolute() ? folder : fs::path(run.output) / folder);
}

Setting begin_setting(const config::RunFile& run, const JobOptions& options, const sys::Communicator& world) {
  agree_on_input(run, world);
  std::optional<roles::Teams> teams;
  roles::agree(world, [&] { teams.emplace(roles::make_teams(world.split(0), run.roles)); });
  roles::agree(world, [&] {
    require_user(
        run.training.reuse_steps == 0 || teams->num_workers == 0,
        "training.reuse_steps is {}, but worker ranks look up for several trainers at once and keep no "
        "rows; remove it, or start without workers",
        run.training.reuse_steps);
  });
  Setting setting{.run = run,
                  .options = options,
                  .schema = config::make_schema(run),
                  .teams = std::move(*teams),
                  .start = {},
                  .train_files = {},
                  .test_files = {},
                  .survey = {}};
  set_log_speaker(setting.teams.world.size() == 1 ? "" : setting.teams.describe_self());
  return setting;
}

void complete_setting(Setting& setting) {
  const status::Phase phase("looking at checkpoints and data");
  setting.start = find_start(setting);
  find_files(setting);
  if (setting.options.task == Task::train)
    survey_data(setting);
  else
    setting.survey.statistics = setting.start->manifest.statistics;
  // A resumed training transforms as it began, even if files were added since.
  if (setting.start) setting.survey.statistics = setting.start->manifest.statistics;
}

}  // namespace persia::train
