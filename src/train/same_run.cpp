#include "train/same_run.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "config/reader.hpp"
#include "config/writer.hpp"

namespace persia::train {

namespace {

using Facts = std::map<std::string, std::string>;

struct Difference {
  std::string key, before, now;
};

// The first key that `matters` and differs; a key that one side lacks is "absent" there.
std::optional<Difference> first_difference(const config::RunFile& run, const std::string& saved,
                                           bool (*matters)(std::string_view key)) {
  const Facts before = config::facts_of(
      config::parse_run_file(saved, "run file of the checkpoint", {}, config::Purpose::predict));
  const Facts now = config::facts_of(run);
  Facts all = before;
  all.insert(now.begin(), now.end());
  const auto value_in = [](const Facts& facts, const std::string& key) {
    const auto found = facts.find(key);
    return found == facts.end() ? std::string("absent") : found->second;
  };
  for (const auto& [key, unused] : all)
    if (matters(key) && value_in(before, key) != value_in(now, key))
      return Difference{key, value_in(before, key), value_in(now, key)};
  return std::nullopt;
}

bool starts_with_any(std::string_view key, std::initializer_list<std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return key.starts_with(prefix); });
}

bool has_any(std::string_view key, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return key.find(part) != key.npos; });
}

// A table that has grown too large may get a limit, and the other way round.
bool decides_training(std::string_view key) {
  return key != "data.directory" && !has_any(key, {".eviction."}) &&
         (key == "seed" || key == "training.batch_size" || key == "training.optimizer.type" ||
          starts_with_any(key, {"data.", "embedding.", "tables.", "model."}));
}

bool decides_inputs(std::string_view key) {
  return starts_with_any(key,
                         {"data.format", "data.dense", "data.categorical", "data.transform", "model."}) ||
         has_any(key, {".num_ids", ".compose."});
}

}  // namespace

void require_same_training(const config::RunFile& run, const std::string& saved,
                           const std::filesystem::path& checkpoint) {
  const std::optional<Difference> found = first_difference(run, saved, decides_training);
  require_user(
      !found,
      "cannot resume from {}: {} was {} and is {} now; give the old value, or start anew without --resume",
      checkpoint.string(), found ? found->key : "", found ? found->before : "", found ? found->now : "");
}

void require_same_inputs(const config::RunFile& run, const std::string& saved,
                         const std::filesystem::path& checkpoint) {
  const std::optional<Difference> found = first_difference(run, saved, decides_inputs);
  require_user(!found,
               "{} was trained with other inputs or another network: {} is {} in the checkpoint and {} in "
               "the run file; "
               "use the run file it was trained with (resolved.yaml in its output folder)",
               checkpoint.string(), found ? found->key : "", found ? found->before : "",
               found ? found->now : "");
}

}  // namespace persia::train
