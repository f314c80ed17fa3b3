// The run file's keys: name, member, help, range and use of each, written once.
//
// Reader, validation, resolved file, default file and rank comparison are visitors of these functions. A
// visitor has
//   field(key, member, about)                 a bool, number, text, enum, or list of numbers or texts
//   group(key, help, body)                    a nested map; body(nested visitor) describes it
//   named_group(key, help, body)              a nested map, or a plain text that is its `name`
//   list(key, vector, about, body)            a list of maps; body(nested visitor, element)
//   tables(key, vector, defaults, about)      the map of table names
// Order is the order of the resolved file; every visit passes over all keys.
#pragma once

#include "config/about.hpp"
#include "config/describe_mail.hpp"
#include "config/describe_optimizer.hpp"
#include "config/optimizers.hpp"
#include "config/run_file.hpp"

namespace persia::config {

template <class Visitor>
void describe(Visitor& v, Roles& r) {
  v.field("embedding", r.embedding, {.help = "ranks that own embedding rows", .range = at_least(0)});
  v.field("worker", r.worker,
          {.help = "ranks that read, look rows up and pool them for trainers; 0 = trainers do it themselves",
           .range = at_least(0)});
  v.field("trainer", r.trainer, {.help = "ranks that train; 0 = all that are left", .range = at_least(0)});
}

template <class Visitor>
void describe(Visitor& v, DenseColumn& c) {
  v.field("name", c.name, {.help = "column of the file"});
  v.field("transform", c.transform,
          {.help = "log1p: sign(x) log(1 + |x|); standardise: mean 0, deviation 1 of the training rows"});
}

template <class Visitor>
void describe(Visitor& v, CategoricalColumn& c, DataFormat format) {
  const Use csv = used_with("data.format", format, {DataFormat::csv});
  const Use list = {!c.separator.empty(), "without a separator", "separator given"};
  const Use limited = {c.max_length > 0, "without max_length", "max_length given"};
  v.field("name", c.name, {.help = "column of the file"});
  v.field("table", c.table, {.help = "table of its rows; \"\" = one of the column's own name"});
  v.field("type", c.type, {.help = "integer and unsigned are 64 bit, exact", .use = csv});
  v.field("separator", c.separator, {.help = "between the values of a list; \"\" = one value", .use = csv});
  v.field("pooling", c.pooling, {.help = "how the rows of a list become one"});
  v.field("max_length", c.max_length,
          {.help = "longest list; 0 = no limit", .range = at_least(0), .use = both(csv, list)});
  v.field("keep", c.keep, {.help = "end of a too long list that stays", .use = both(csv, limited)});
}

template <class Visitor>
void describe(Visitor& v, LabelColumn& l, DataFormat format) {
  const Use csv = used_with("data.format", format, {DataFormat::csv});
  v.field("name", l.name, {.help = "column; none = rows without a label, to predict"});
  v.field("positive", l.positive, {.help = "texts that mean 1; [] = the text is 0 or 1", .use = csv});
  v.field("negative", l.negative, {.help = "texts that mean 0", .use = csv});
}

template <class Visitor>
void describe(Visitor& v, Synthetic& s, DataFormat format) {
  const Use synthetic = used_with("data.format", format, {DataFormat::synthetic});
  v.field("rows", s.rows, {.help = "samples, visited in a cycle", .range = at_least(1), .use = synthetic});
  v.field("shrink", s.shrink,
          {.help = "number of ids per column divided by this", .range = at_least(1), .use = synthetic});
}

template <class Visitor>
void describe(Visitor& v, Data& d) {
  const auto only = [&](std::initializer_list<DataFormat> formats) {
    return used_with("data.format", d.format, formats);
  };
  const Use csv = only({DataFormat::csv});
  const Use files = only({DataFormat::criteo, DataFormat::csv});
  const Use shuffled = {d.shuffle, "with data.shuffle false", "data.shuffle true"};
  v.field("format", d.format,
          {.help = "criteo: label, 13 numbers, 26 categories, tab separated; csv: named columns; synthetic: "
                   "made in memory"});
  v.field("train", d.train, {.help = "files or globs of training rows", .use = files, .path = true});
  v.field("test", d.test, {.help = "files or globs to evaluate on", .use = files, .path = true});
  v.field("directory", d.directory,
          {.help = "where relative files are; \"\" or relative: from the run file's folder",
           .use = files,
           .path = true});
  v.named_group("label", "what is to be predicted: a column's name or a map",
                [&](auto& g) { describe(g, d.label, d.format); });
  v.list("dense", d.dense, {.help = "numeric columns: names or maps", .use = csv},
         [](auto& e, DenseColumn& c) { describe(e, c); });
  v.list("categorical", d.categorical,
         {.help = "categorical columns: names or maps; criteo and synthetic have C1 .. C26"},
         [&](auto& e, CategoricalColumn& c) { describe(e, c, d.format); });
  v.field("transform", d.transform, {.help = "of the 13 numbers", .use = only({DataFormat::criteo})});
  v.field("delimiter", d.delimiter, {.help = "one character, a space may follow", .use = csv});
  v.field("header", d.header, {.help = "column names of files without a header line", .use = csv});
  v.field("comment", d.comment, {.help = "lines that start with this are passed over", .use = csv});
  v.field("shuffle", d.shuffle, {.help = "another order in every epoch, from the seed", .use = files});
  v.field("shuffle_rows", d.shuffle_rows,
          {.help = "rows permuted together", .range = at_least(1), .use = both(files, shuffled)});
  v.field("on_bad_row", d.on_bad_row, {.help = "skip counts malformed rows and goes on", .use = files});
  v.group("synthetic", "format synthetic", [&](auto& g) { describe(g, d.synthetic, d.format); });
}

template <class Visitor>
void describe(Visitor& v, Init& i) {
  const Use random =
      used_with("type", i.type, {InitType::uniform, InitType::normal, InitType::truncated_normal});
  v.field("type", i.type, {.help = "distribution of first values"});
  v.field("scale", i.scale,
          {.help = "uniform on (-scale, scale), or deviation",
           .range = at_least(0),
           .use = random,
           .fp32 = true});
  v.field("per_sqrt_dim", i.per_sqrt_dim, {.help = "divide scale by the root of dim", .use = random});
  v.field(
      "value", i.value,
      {.help = "every first value", .use = used_with("type", i.type, {InitType::constant}), .fp32 = true});
}

template <class Visitor>
void describe(Visitor& v, Compose& c) {
  using enum ComposeType;
  v.field("type", c.type, {.help = "what an id is: one row, or a sum of rows of a bounded table"});
  v.field("buckets", c.buckets,
          {.help = "rows of a part of the table",
           .range = between(0, 1e15),
           .use = used_with("type", c.type, {hash_stack, quotient_remainder})});
  v.field("rounds", c.rounds,
          {.help = "rows of an id", .range = between(1, 16), .use = used_with("type", c.type, {hash_stack})});
}

template <class Visitor>
void describe(Visitor& v, Admission& a) {
  v.field("policy", a.policy, {.help = "which new ids get a row; the others answer zeros and are counted"});
  v.field("probability", a.probability,
          {.help = "share of the ids, drawn once per id",
           .range = above_to(0, 1),
           .use = used_with("policy", a.policy, {AdmissionPolicy::probability})});
  v.field("sightings", a.sightings,
          {.help = "look-ups in training, the last of which makes the row; one per step and trainer",
           .range = between(2, 15),
           .use = used_with("policy", a.policy, {AdmissionPolicy::sightings})});
}

template <class Visitor>
void describe(Visitor& v, Eviction& e) {
  using enum EvictionPolicy;
  const Use limited = used_with("policy", e.policy, {lru, lfu, lowest_norm});
  const bool has_ttl = e.ttl_steps > 0 || e.ttl_seconds > 0;
  const Use evicts = {limited.used || has_ttl, "without policy and ttl", "policy, ttl_steps or ttl_seconds"};
  const Use forgets = {e.directory.empty(), "with directory, where rows are kept", "no directory"};
  v.field("policy", e.policy,
          {.help = "which rows go when the table is full: the longest unused, the least used, the shortest"});
  v.field("max_rows", e.max_rows,
          {.help = "rows of the whole table; 0 = what max_bytes hold",
           .range = between(0, 1e15),
           .use = limited});
  v.field("max_bytes", e.max_bytes,
          {.help = "memory of the whole table; 0 = what max_rows take",
           .range = between(0, 1e15),
           .use = limited});
  v.field("half_life_steps", e.half_life_steps,
          {.help = "steps in which a use comes to count half; 0 = uses never age",
           .range = at_least(0),
           .use = used_with("policy", e.policy, {lfu}),
           .fp32 = true});
  v.field(
      "ttl_steps", e.ttl_steps,
      {.help = "rows unused for more steps are gone; 0 = none, whatever the policy", .range = at_least(0)});
  v.field("ttl_seconds", e.ttl_seconds,
          {.help = "the same in seconds of this run; 0 = none", .range = between(0, 1e9)});
  v.field(
      "directory", e.directory,
      {.help =
           "rows that go are kept in a file there and come back; \"\" = forgotten; relative: from `output`",
       .use = both(limited, {!has_ttl, "with ttl, after which rows are forgotten", "no ttl"}),
       .path = true});
  v.field("journal", e.journal,
          {.help = "evicted-OWNER.jsonl in the output folder: ids, or rows with values and state",
           .use = both(evicts, forgets)});
}

template <class Visitor>
void describe(Visitor& v, Table& t) {
  v.field("dim", t.dim, {.help = "numbers per row", .range = between(1, 4096)});
  v.field("precision", t.precision,
          {.help = "of stored rows; all but fp32 are rounded stochastically, int8 has a scale for each row"});
  v.field("state_precision", t.state_precision,
          {.help = "of optimizer state that is as wide as the row; bf16 is rounded stochastically",
           .use = {has_element_states(t.optimizer.type),
                   fmt::format("with optimizer.type {}", name_of(t.optimizer.type)),
                   "optimizer.type " + optimizers_with(has_element_states)}});
  v.group("optimizer", "of the rows", [&](auto& g) { describe(g, t.optimizer); });
  v.field("clip_value", t.clip_value,
          {.help = "largest size of a gradient's number; 0 = no limit", .range = at_least(0), .fp32 = true});
  v.field("clip_norm", t.clip_norm,
          {.help = "largest Euclidean norm of a row's gradient, after clip_value; 0 = no limit",
           .range = at_least(0),
           .fp32 = true});
  v.field("weight_bound", t.weight_bound,
          {.help = "largest size of a row's number after an update; 0 = no limit",
           .range = at_least(0),
           .fp32 = true});
  v.group("init", "first value of a row", [&](auto& g) { describe(g, t.init); });
  v.field("num_ids", t.num_ids,
          {.help = "ids are below this, strings are hashed below it; 0 = any 64-bit number",
           .range = at_least(0)});
  v.field("on_bad_id", t.on_bad_id,
          {.help = "ids that are not: refused with their row, left out and counted, or hashed below num_ids",
           .use = {t.num_ids > 0, "without num_ids", "num_ids given"}});
  v.group("compose", "rows of an id", [&](auto& g) { describe(g, t.compose); });
  v.group("admission", "which ids get a row", [&](auto& g) { describe(g, t.admission); });
  v.group("eviction", "which rows make room", [&](auto& g) { describe(g, t.eviction); });
}

template <class Visitor>
void describe(Visitor& v, Model& m) {
  const Use dnn = used_with("model.type", m.type, {ModelType::dnn});
  const Use dlrm = used_with("model.type", m.type, {ModelType::dlrm});
  const Range width = between(1, 1048576);
  v.field("type", m.type, {.help = "lr: logistic regression; dnn: layers; dlrm: layers and dot products"});
  v.field("hidden", m.hidden, {.help = "widths of the hidden layers", .range = width, .use = dnn});
  v.field("bottom", m.bottom,
          {.help = "widths over the dense columns; a layer of the tables' dim follows",
           .range = width,
           .use = dlrm});
  v.field("top", m.top,
          {.help = "widths over the dot products; a layer of width 1 follows", .range = width, .use = dlrm});
}

[[nodiscard]] inline Use used_with_auto_staleness(const Staleness& staleness) {
  return {.used = staleness.automatic,
          .why_not = fmt::format("with training.staleness {}", staleness.bound),
          .when = "training.staleness auto"};
}

template <class Visitor>
void describe(Visitor& v, Training& t) {
  const Use loose = used_with("training.mode", t.mode, {Mode::hybrid, Mode::async});
  v.field("mode", t.mode, {.help = "sync: all in step; hybrid: rows asynchronous; async: dense network too"});
  v.field("staleness", t.staleness,
          {.help = "own updates that a lookup may miss, or auto: as many as keep the trainers busy",
           .range = between(0, 1000),
           .use = loose});
  const Use found = both(loose, used_with_auto_staleness(t.staleness));
  v.field("staleness_max", t.staleness_max,
          {.help = "the most that auto uses", .range = between(0, 1000), .use = found});
  v.field("staleness_margin", t.staleness_margin,
          {.help = "auto uses less when the training loss is higher by more than this than without staleness",
           .range = above(0),
           .use = found});
  v.field(
      "reuse_steps", t.reuse_steps,
      {.help = "batches in which a row that batch after batch looks up is used again; part of the staleness",
       .range = between(0, 1000),
       .use = loose});
  v.field("average_every", t.average_every,
          {.help = "steps between parameter averages",
           .range = at_least(1),
           .use = used_with("training.mode", t.mode, {Mode::async})});
  v.field("batch_size", t.batch_size,
          {.help = "samples of a step over all trainers; gradients are means over it", .range = at_least(1)});
  v.field("epochs", t.epochs, {.help = "passes over the training rows", .range = at_least(1)});
  v.field("max_steps", t.max_steps, {.help = "stop earlier; 0 = when the epochs end", .range = at_least(0)});
  v.group("optimizer", "of the dense network", [&](auto& g) { describe(g, t.optimizer); });
  v.field("evaluate_every_steps", t.evaluate_every_steps,
          {.help = "0 = at the end only", .range = at_least(0)});
  v.field("threads", t.threads,
          {.help = "compute threads of a trainer; 0 = its fair share of cores",
           .range = between(0, most_threads)});
  v.field("embedding_threads", t.embedding_threads,
          {.help = "threads of an embedding rank; 0 = its fair share of the cores that no trainer may use",
           .range = between(0, 16)});
}

template <class Visitor>
void describe(Visitor& v, Checkpoint& c) {
  v.field("directory", c.directory,
          {.help = "\"\" = output/checkpoints; relative: from `output`", .path = true});
  v.field("at_end", c.at_end, {.help = "save when training is done"});
  v.field("every_steps", c.every_steps, {.help = "0 = not in between", .range = at_least(0)});
  v.field("keep", c.keep, {.help = "newest checkpoints that stay", .range = at_least(1)});
}

template <class Visitor>
void describe(Visitor& v, RunFile& r) {
  v.field("name", r.name, {.help = "of the run; names its folder too"});
  v.field("output", r.output,
          {.help = "folder of log, resolved run file and checkpoints; \"\" = runs/NAME", .path = true});
  v.field("seed", r.seed, {.help = "of every random number"});
  v.field("log_level", r.log_level, {.help = "trace, debug, info, warn, error or off"});
  v.field("log_every_steps", r.log_every_steps, {.help = "steps of a log line", .range = at_least(1)});
  v.group("roles", "how many ranks of each kind", [&](auto& g) { describe(g, r.roles); });
  v.group("data", "what is read", [&](auto& g) { describe(g, r.data); });
  v.group("embedding", "every table, unless `tables` says otherwise",
          [&](auto& g) { describe(g, r.embedding); });
  v.tables("tables", r.tables, r.embedding, {.help = "table name: keys that differ from `embedding`"});
  v.group("model", "the dense network", [&](auto& g) { describe(g, r.model); });
  v.group("training", "how it is trained", [&](auto& g) { describe(g, r.training); });
  v.group("mail", "messages between ranks", [&](auto& g) { describe(g, r.mail); });
  v.group("checkpoint", "what is saved", [&](auto& g) { describe(g, r.checkpoint); });
}

}  // namespace persia::config
