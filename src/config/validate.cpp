#include "config/validate.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/error.hpp"
#include "config/check_visitor.hpp"
#include "config/optimizers.hpp"
#include "config/schema.hpp"

namespace persia::config {

namespace {

// Opens every message: place and key.
std::string at(const Origins& origins, const std::string& path) {
  return origins.where(path) + ": " + path;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  return near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near);
}

void check_keys(RunFile run, const Origins& origins) {
  CheckVisitor visitor("", origins);
  describe(visitor, run);
}

void check_general(const RunFile& run, const Origins& origins) {
  constexpr std::array<std::string_view, 6> levels{"trace", "debug", "info", "warn", "error", "off"};
  require_user(std::ranges::find(levels, run.log_level) != levels.end(), "{} is '{}'; use {}",
               at(origins, "log_level"), run.log_level, join_names(levels));
  require_user(run.mail.ring_bytes % 8 == 0, "{} is {}, no multiple of 8; {} is the next",
               at(origins, "mail.ring_bytes"), run.mail.ring_bytes, (run.mail.ring_bytes / 8 + 1) * 8);
}

void check_reuse(const Training& training, const Origins& origins) {
  if (training.reuse_steps == 0 || training.mode == Mode::sync) return;
  require_user(!training.staleness.automatic,
               "{} needs a number for training.staleness, which it is a part of; auto is none",
               at(origins, "training.reuse_steps"));
  require_user(training.reuse_steps <= training.staleness.bound,
               "{} is {}, more than training.staleness, which is {}; raise that or lower this",
               at(origins, "training.reuse_steps"), training.reuse_steps, training.staleness.bound);
}

void check_files(const Data& data, const Origins& origins, Purpose purpose) {
  if (data.format == DataFormat::synthetic) return;
  require_user(purpose != Purpose::train || !data.train.empty(), "{} is empty; name the training files",
               at(origins, "data.train"));
}

void check_label(const Data& data, const Origins& origins, Purpose purpose) {
  const LabelColumn& label = data.label;
  require_user(label.name != "none" || purpose == Purpose::predict,
               "{} is none, but only `persia predict` takes rows without a label; name the label's column",
               at(origins, "data.label.name"));
  require_user(data.format == DataFormat::csv || label.name == "label" || label.name == "none",
               "{} is '{}', but format {} has its label in front; remove the key",
               at(origins, "data.label.name"), label.name, name_of(data.format));
  require_user(label.positive.empty() == label.negative.empty(),
               "{}: positive and negative go together; give both lists or none", at(origins, "data.label"));
  for (const std::string& text : label.positive)
    require_user(std::ranges::find(label.negative, text) == label.negative.end(),
                 "{}: '{}' is in positive and in negative", at(origins, "data.label"), text);
}

// Names of a list of columns: given, distinct.
template <class Column>
void check_names(const std::string& path, const std::vector<Column>& columns, const Origins& origins) {
  std::map<std::string, std::string> seen;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string here = fmt::format("{}[{}]", path, i);
    require_user(!columns[i].name.empty(), "{} has no name; write name: COLUMN", at(origins, here));
    const auto [other, fresh] = seen.emplace(columns[i].name, here);
    require_user(fresh, "{}: column '{}' is already {}; name it once", at(origins, here), columns[i].name,
                 other->second);
  }
}

void check_header(const Data& data, const Origins& origins) {
  if (data.header.empty()) return;
  std::set<std::string> names;
  for (const std::string& name : data.header)
    require_user(names.insert(name).second, "{} names '{}' twice", at(origins, "data.header"), name);
  const auto check = [&](const std::string& path, const std::string& name) {
    require_user(names.contains(name), "{}: column '{}' is not in data.header{}", at(origins, path), name,
                 did_you_mean(name, data.header));
  };
  for (std::size_t i = 0; i < data.dense.size(); ++i)
    check(fmt::format("data.dense[{}]", i), data.dense[i].name);
  for (std::size_t i = 0; i < data.categorical.size(); ++i)
    check(fmt::format("data.categorical[{}]", i), data.categorical[i].name);
  if (data.label.name != "none") check("data.label.name", data.label.name);
}

void check_separators(const Data& data, const Origins& origins) {
  const std::string& d = data.delimiter;
  const bool good = d.size() == 1 || (d.size() == 2 && d[1] == ' ' && d[0] != ' ');
  require_user(good && d.find_first_of("\"\r\n") == std::string::npos,
               "{} is '{}'; it is one character, which a space may follow", at(origins, "data.delimiter"), d);
  for (std::size_t i = 0; i < data.categorical.size(); ++i) {
    const std::string& s = data.categorical[i].separator;
    const std::string path = fmt::format("data.categorical[{}].separator", i);
    require_user(s.size() <= 1 && s.find_first_of("\"\r\n") == std::string::npos,
                 "{} is '{}'; it is one character", at(origins, path), s);
  }
}

void check_csv(const Data& data, const Origins& origins) {
  require_user(!data.dense.empty() || !data.categorical.empty(),
               "{}: neither dense nor categorical columns are named; format csv needs at least one",
               at(origins, "data"));
  check_header(data, origins);
  check_separators(data, origins);
  const auto is_label = [&](const auto& column) { return column.name == data.label.name; };
  require_user(std::ranges::none_of(data.dense, is_label) && std::ranges::none_of(data.categorical, is_label),
               "{}: the label '{}' is also an input, so the model would read the answer; remove it there",
               at(origins, "data.label.name"), data.label.name);
}

// criteo and synthetic: only C1 .. C26 may be listed.
void check_criteo(const RunFile& run, const Schema& schema, const Origins& origins) {
  std::vector<std::string> known;
  for (const ColumnSchema& column : schema.columns) known.push_back(column.column.name);
  const auto& listed = run.data.categorical;
  for (std::size_t i = 0; i < listed.size(); ++i)
    require_user(std::ranges::find(known, listed[i].name) != known.end(),
                 "{}: format {} has no column '{}'; it has C1 .. C26",
                 at(origins, fmt::format("data.categorical[{}]", i)), name_of(run.data.format),
                 listed[i].name);
}

void check_tables(const RunFile& run, const Schema& schema, const Origins& origins) {
  std::vector<std::string> used;
  for (const TableSchema& table : schema.tables) used.push_back(table.name);
  for (const NamedTable& table : run.tables)
    require_user(std::ranges::find(used, table.name) != used.end(),
                 "{} is used by no categorical column{}; remove it or name it as a column's table",
                 at(origins, "tables." + table.name), did_you_mean(table.name, used));
}

// The smallest number above 0 that a row can hold.
double least_value(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return 0;
    case Precision::fp16:
      return 0x1p-24;
    case Precision::bf16:
      return 0x1p-133;
    case Precision::int8:
      return 0x1p-120;
  }
  return 0;
}

void check_bound(const Table& table, const std::string& path, const Origins& origins) {
  const double least = least_value(table.precision);
  require_user(
      table.weight_bound == 0 || table.weight_bound >= least,
      "{} is {}, and the smallest number of {} is {:.2g}, so that every row would be 0; use a larger "
      "one, or 0 for no limit",
      at(origins, path + ".weight_bound"), table.weight_bound, name_of(table.precision), least);
}

void check_eviction(const Table& table, const std::string& path, const Origins& origins) {
  const Eviction& eviction = table.eviction;
  require_user(eviction.policy == EvictionPolicy::none || eviction.max_rows > 0 || eviction.max_bytes > 0,
               "{} is {}, but neither max_rows nor max_bytes says when the table is full; give one of them",
               at(origins, path + ".eviction.policy"), name_of(eviction.policy));
}

void check_ids(const RunFile& run, const Table& table, const std::string& path, const Origins& origins) {
  const Compose& compose = table.compose;
  const bool composed = compose.type != ComposeType::none;
  require_user(run.data.format != DataFormat::synthetic || (table.num_ids == 0 && !composed),
               "{}: format synthetic makes its own ids; num_ids and compose are for files",
               at(origins, path));
  require_user(!composed || compose.buckets > 0,
               "{} is {}, but compose.buckets does not say of how many rows",
               at(origins, path + ".compose.type"), name_of(compose.type));
  require_user(compose.type != ComposeType::quotient_remainder || table.num_ids > 0,
               "{} is quotient_remainder, which needs num_ids to know how many quotients there are",
               at(origins, path + ".compose.type"));
}

// A mean over rows is no mean over ids that are sums of rows.
void check_pooling(const Schema& schema, const Origins& origins) {
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const ColumnSchema& column = schema.columns[c];
    const TableSchema& table = schema.tables[static_cast<std::size_t>(column.table.value())];
    require_user(table.table.compose.type == ComposeType::none || column.column.pooling == Pooling::sum,
                 "{}: table '{}' composes ids of several rows, which goes with pooling sum only, and column "
                 "'{}' has pooling {}",
                 at(origins, "data.categorical"), table.name, column.column.name,
                 name_of(column.column.pooling));
  }
}

// `path`: of the optimizer.
void check_schedule(const Schedule& schedule, const std::string& path, const Origins& origins) {
  const auto want = [&](bool given, const char* key, const char* what) {
    require_user(given, "{} is {}, but {} does not say {}; give it, at least 1",
                 at(origins, path + ".schedule.type"), name_of(schedule.type), key, what);
  };
  if (schedule.type == ScheduleType::step)
    want(schedule.every_steps > 0, "every_steps", "how many steps keep one rate");
  if (schedule.type == ScheduleType::polynomial || schedule.type == ScheduleType::cosine)
    want(schedule.decay_steps > 0, "decay_steps", "in how many steps the rate falls");
}

void check_each_table(const RunFile& run, const Origins& origins) {
  const auto check = [&](const Table& table, const std::string& path) {
    check_bound(table, path, origins);
    check_eviction(table, path, origins);
    check_ids(run, table, path, origins);
    check_schedule(table.optimizer.schedule, path + ".optimizer", origins);
  };
  check(run.embedding, "embedding");
  for (const NamedTable& named : run.tables) check(named.table, "tables." + named.name);
}

void check_dlrm(const Schema& schema, const Origins& origins) {
  const std::string key = at(origins, "model.type");
  require_user(!schema.dense.empty(),
               "{} dlrm needs dense columns for its bottom network, and there is none; use dnn or lr", key);
  require_user(!schema.columns.empty(),
               "{} dlrm needs categorical columns for its dot products, and there is none; use dnn or lr",
               key);
  for (const ColumnSchema& column : schema.columns)
    require_user(column.dim == schema.columns[0].dim,
                 "{} dlrm multiplies rows of all tables, so their dims must be equal: {} has {}, {} has {}",
                 key, schema.columns[0].column.table, schema.columns[0].dim, column.column.table, column.dim);
}

void check_model(const RunFile& run, const Schema& schema, const Origins& origins) {
  if (run.model.type == ModelType::dlrm) check_dlrm(schema, origins);
  require_user(run.model.type != ModelType::dnn || !run.model.hidden.empty(),
               "{} is empty; name a width, or use model.type lr", at(origins, "model.hidden"));
}

void check_training(const RunFile& run, const Origins& origins) {
  const OptimizerType optimizer = run.training.optimizer.type;
  require_user(has_dense_form(optimizer), "{}: {}", origins.where("training.optimizer.type"),
               no_dense_form_message(optimizer));
  check_schedule(run.training.optimizer.schedule, "training.optimizer", origins);
  const bool evaluates = run.data.format == DataFormat::synthetic || !run.data.test.empty();
  require_user(run.training.evaluate_every_steps == 0 || evaluates,
               "{} is {}, but data.test names no files to evaluate on",
               at(origins, "training.evaluate_every_steps"), run.training.evaluate_every_steps);
}

}  // namespace

void validate(const RunFile& run, const Origins& origins, Purpose purpose) {
  check_keys(run, origins);
  check_general(run, origins);
  check_reuse(run.training, origins);
  check_files(run.data, origins, purpose);
  check_label(run.data, origins, purpose);
  check_names("data.dense", run.data.dense, origins);
  check_names("data.categorical", run.data.categorical, origins);
  const Schema schema = make_schema(run);
  if (run.data.format == DataFormat::csv)
    check_csv(run.data, origins);
  else
    check_criteo(run, schema, origins);
  check_tables(run, schema, origins);
  check_each_table(run, origins);
  check_pooling(schema, origins);
  check_model(run, schema, origins);
  check_training(run, origins);
}

}  // namespace persia::config
