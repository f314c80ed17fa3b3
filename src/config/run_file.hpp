// The run file: everything one training is told, as plain structs with their defaults.
//
// A YAML key is the member's name: `training.batch_size` is RunFile::training.batch_size. Every struct is
// read strictly (unknown key -> UserError with file, line and nearest name) by reader.hpp, changed by
// `--set`, and written back whole, defaults included, by writer.hpp. Validation that needs several keys is in
// validate.hpp. Values, no behaviour; copied freely between threads.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace persia::config {

// --- roles ------------------------------------------------------------------------------------------------

// How many ranks of each kind. 0 trainers means "all ranks that are left". With one process and
// embedding = 0 or 1 everything runs in it, without windows.
struct Roles {
  std::int32_t embedding = 1;
  std::int32_t trainer = 0;
  std::int32_t worker = 0;
};

// --- data -------------------------------------------------------------------------------------------------

// criteo: label, 13 integers, 26 categories, tab separated. csv: named columns. synthetic: made in memory by
// the workload formulas of inputs/README.md, no files.
enum class DataFormat { criteo, csv, synthetic };

enum class Transform { none, log1p, standardise };  // log1p keeps the sign: sign(x) * log(1 + |x|)

struct DenseColumn {
  std::string name{};
  Transform transform = Transform::none;
};

enum class CategoryType { string, integer, unsigned_integer };  // YAML: string, integer, unsigned
enum class Pooling { sum, mean, sqrtn };
enum class Keep { first, last };

struct CategoricalColumn {
  std::string name{};
  std::string table{};                       // "" = a table of the column's own name
  CategoryType type = CategoryType::string;  // integer: 64 bit signed, never through floating point
  std::string separator{};                   // "" = one value; otherwise a multi-hot list such as "a|b"
  Pooling pooling = Pooling::sum;
  std::int32_t max_length = 0;  // 0 = no limit
  Keep keep = Keep::first;      // which end of a list that is too long stays
};

// The text of a label column that means 1 and 0. Both empty: the text must be 0 or 1 (or 0.0, 1.0).
struct LabelColumn {
  std::string name = "label";  // "none": rows without a label, for predict only
  std::vector<std::string> positive{};
  std::vector<std::string> negative{};
};

enum class BadRow { stop, skip };

struct Synthetic {              // format: synthetic
  std::int64_t rows = 1048576;  // samples of the pool, visited in a cycle
  std::int64_t shrink = 1;      // cardinalities divided by this, at least 3
};

struct Data {
  DataFormat format = DataFormat::criteo;
  std::vector<std::string> train{};  // paths or globs; relative ones are relative to `directory`
  std::vector<std::string> test{};
  std::string directory{};  // "" = folder of the run file; ${NAME} is replaced from the environment
  LabelColumn label{};
  std::vector<DenseColumn> dense{};  // criteo: left empty, set by `transform` below
  std::vector<CategoricalColumn> categorical{};
  Transform transform = Transform::log1p;  // criteo: of all 13 integers
  std::string delimiter = ",";             // csv
  std::vector<std::string> header{};       // csv: column names, for files without a header line
  std::string comment{};                   // csv: lines that start with this are skipped; "" = none
  bool shuffle = true;
  std::int64_t shuffle_rows = 262144;  // rows of the window within which rows are permuted
  BadRow on_bad_row = BadRow::stop;
  Synthetic synthetic{};
};

// --- optimizers, tables -----------------------------------------------------------------------------------

// One set of arguments and one formula for dense parameters and embedding rows; optimizers.hpp says which are
// for rows alone. Sources and details: table/optimizers/.
//
//   sgd              w -= lr g
//   momentum         m = momentum m + g;  w -= lr m
//   adagrad          a = accumulator_decay a + g g;  w -= lr g / (sqrt(a) + epsilon)
//   rowwise_adagrad  as adagrad, with one a = accumulator_decay a + mean(g g) per row
//   adam             m, v: decaying means of g and g g, corrected for their start;
//                    w -= lr m / (sqrt(v) + epsilon)
//   rowwise_adam     as adam, with one v per row, the decaying mean of mean(g g)
//   adamw            as adam, then w -= lr weight_decay w
//   ftrl             the w that is best for all gradients so far, pulled to 0 by l1 |w| + l2 w w / 2
//   lamb             u = m / (sqrt(v) + epsilon) + weight_decay w;  w -= lr (|w| / |u|) u, norms of the row
//
// Starts are corrected by the count of updates of that row (tables) or of all steps (dense). weight_decay of
// the others adds weight_decay * w to g first, which is L2 regularisation; ftrl has l2 instead. lr is
// learning_rate by the schedule: that of the step whose gradient g is.
enum class OptimizerType { sgd, momentum, adagrad, rowwise_adagrad, adam, rowwise_adam, adamw, ftrl, lamb };

// What a step's rate is, as a share of `learning_rate`. learning_rate.hpp has the formulas.
enum class ScheduleType { constant, step, polynomial, cosine };

struct Schedule {
  ScheduleType type = ScheduleType::constant;
  std::int64_t warm_up_steps = 0;  // first steps, in which the rate rises evenly; then the type begins
  std::int64_t every_steps = 0;    // step
  double factor = 0.1;             // step
  std::int64_t decay_steps = 0;    // polynomial, cosine
  double power = 1.0;              // polynomial
  double end = 0.0;                // polynomial, cosine
};

struct Optimizer {
  OptimizerType type = OptimizerType::sgd;
  double learning_rate = 0.01;
  double momentum = 0.9;             // momentum
  double initial_accumulator = 0.0;  // adagrad, rowwise_adagrad
  double accumulator_decay = 1.0;    // adagrad, rowwise_adagrad
  double epsilon = 1e-8;             // all that divide by a root but ftrl
  double beta1 = 0.9;                // adam, rowwise_adam, adamw, lamb
  double beta2 = 0.999;              // adam, rowwise_adam, adamw, lamb
  double beta = 1.0;                 // ftrl
  double l1 = 0.0;                   // ftrl
  double l2 = 0.0;                   // ftrl
  double weight_decay = 0.0;         // all but ftrl
  Schedule schedule{};
};

enum class Precision { fp32, fp16, bf16, int8 };
enum class StatePrecision { fp32, bf16 };
enum class InitType { uniform, normal, truncated_normal, constant, zero };

struct Init {
  InitType type = InitType::uniform;
  double scale = 0.01;        // uniform on (-scale, scale), or standard deviation
  bool per_sqrt_dim = false;  // scale is divided by the root of the table's dim
  double value = 0;           // of constant
};

// Which rows go when new ones come and the table is full. ttl_steps and ttl_seconds work with any policy, or
// alone.
enum class EvictionPolicy { none, lru, lfu, lowest_norm };
enum class EvictionJournal { none, ids, rows };

struct Eviction {
  EvictionPolicy policy = EvictionPolicy::none;
  std::int64_t max_rows = 0;     // of the whole table, shared out evenly; 0 = as many as max_bytes hold
  std::int64_t max_bytes = 0;    // of the whole table, index and all; 0 = as many as max_rows take
  double half_life_steps = 0;    // lfu: steps in which a use counts half; 0 = uses never age
  std::int64_t ttl_steps = 0;    // a row not used for more steps is gone; 0 = kept for ever
  std::int64_t ttl_seconds = 0;  // a row not used for longer is gone; 0 = kept for ever
  // Folder of a file that rows which go are kept in until they are looked up again; "" = they are forgotten.
  // ${NAME} is replaced from the environment.
  std::string directory{};
  EvictionJournal journal = EvictionJournal::none;  // evicted-OWNER.jsonl in the output folder
};

// An id of an integer column at num_ids or above: refused with its row; left out of its list and counted, so
// that it adds zeros; or hashed below num_ids.
enum class BadId { error, count, hash };

// A table of bounded size for any number of ids: each id is the sum of several rows.
//
//   hash_stack          one row of each of `rounds` parts with `buckets` rows, chosen by `rounds` hashes
//   quotient_remainder  row id mod buckets, and row id / buckets of another part (Shi, Mudigere, Naumov,
//   Yang,
//                       "Compositional embeddings using complementary partitions", KDD 2020, sum)
enum class ComposeType { none, hash_stack, quotient_remainder };

struct Compose {
  ComposeType type = ComposeType::none;
  std::int64_t buckets = 0;
  std::int32_t rounds = 2;  // hash_stack
};

// Which ids get a row. The others answer zeros, are counted, and are asked again at their next look-up.
enum class AdmissionPolicy { always, probability, sightings };

struct Admission {
  AdmissionPolicy policy = AdmissionPolicy::always;
  double probability = 0.1;    // decided once per id
  std::int32_t sightings = 2;  // training look-ups of an id, the one that gets its row included
};

struct Table {
  std::int32_t dim = 16;
  Precision precision = Precision::fp32;
  StatePrecision state_precision = StatePrecision::fp32;  // of optimizer state that is dim wide
  Optimizer optimizer = {.type = OptimizerType::rowwise_adagrad, .learning_rate = 0.02};
  double clip_value = 0.0;    // 0 = none; each number of a row's gradient
  double clip_norm = 0.0;     // 0 = none; then the row's gradient as a whole, before weight_decay
  double weight_bound = 0.0;  // 0 = none; each number of a row, after every update
  Init init{};
  std::int64_t num_ids = 0;  // ids are 0 to num_ids - 1, strings are hashed to them; 0 = any 64-bit number
  BadId on_bad_id = BadId::error;
  Compose compose{};
  Admission admission{};
  Eviction eviction{};
};

struct NamedTable {
  std::string name{};
  Table table{};
};

// --- model ------------------------------------------------------------------------------------------------

enum class ModelType { lr, dnn, dlrm };

struct Model {
  ModelType type = ModelType::dnn;
  std::vector<std::int32_t> hidden = {256, 128};      // dnn
  std::vector<std::int32_t> bottom = {512, 256, 64};  // dlrm; a last layer of the tables' dim is added
  std::vector<std::int32_t> top = {512, 256};         // dlrm; a last layer of width 1 is added
};

// --- training ---------------------------------------------------------------------------------------------

// Kokkos' OpenMP back end has a pool of so many threads and writes beyond it with more.
inline constexpr std::int32_t most_threads = 512;

enum class Mode { sync, hybrid, async };

// A number, or `auto`: the trainers find it themselves.
struct Staleness {
  std::int32_t bound = 4;
  bool automatic = false;
};

struct Training {
  Mode mode = Mode::hybrid;
  Staleness staleness{};            // hybrid, async: own updates that a lookup may miss
  std::int32_t staleness_max = 16;  // staleness auto: it is never more
  // staleness auto: it is lowered when the training loss is higher by more than this than in short stretches
  // without staleness
  double staleness_margin = 0.001;
  // hybrid, async: batches for which a row that is looked up again is used again; part of the staleness
  std::int32_t reuse_steps = 0;
  std::int32_t average_every = 16;  // async: steps between parameter averages
  std::int32_t batch_size = 4096;   // global: over all trainers; gradients are means over it
  std::int32_t epochs = 1;
  std::int64_t max_steps = 0;  // 0 = as many as the epochs have
  Optimizer optimizer = {.type = OptimizerType::adam, .learning_rate = 0.001};  // of the dense network
  std::int64_t evaluate_every_steps = 0;                                        // 0 = at the end only
  std::int32_t threads =
      0;  // compute threads of a trainer; 0 = the cores this process may use, shared fairly
  // Of an embedding rank, or of the tables of a single process. 0 = its cores that no trainer may use, shared
  // fairly; one at least; one in a single process.
  std::int32_t embedding_threads = 0;
};

// --- the rest ---------------------------------------------------------------------------------------------

enum class Transport { rma, two_sided };
enum class MailValues { fp32, fp16, bf16, int8 };

struct Mail {
  Transport transport = Transport::rma;
  std::int64_t ring_bytes = 1048576;     // of each of the two rings between a client and an owner
  MailValues values = MailValues::fp32;  // of rows and gradients on their way
  // int8: ids of a table for which a client keeps what rounding leaves of their gradients, for their next
  // ones
  std::int64_t residual_rows = 32768;
  bool checksums = true;
  double timeout_seconds = 600;  // of one wait for a peer; then the job ends with a message
  double delay_ms = 0;           // every message is seen so much later: a network simulated on one host
  double delay_random_ms = 0;    // and up to so much more
};

struct Checkpoint {
  std::string directory{};  // "" = output/checkpoints; relative ones are relative to `output`
  bool at_end = true;
  std::int64_t every_steps = 0;  // 0 = only at the end
  std::int32_t keep = 2;         // newest complete ones that stay
};

struct RunFile {
  std::string name = "run";
  std::string output{};  // folder of the log, the resolved run file and the checkpoints; "" = runs/NAME
  std::uint64_t seed = 1;
  std::string log_level = "info";
  std::int64_t log_every_steps = 50;
  Roles roles{};
  Data data{};
  Table embedding{};  // defaults of every table
  std::vector<NamedTable>
      tables{};  // YAML: map of name -> what differs from `embedding`; resolved: all tables
  Model model{};
  Training training{};
  Mail mail{};
  Checkpoint checkpoint{};
  std::string source{};  // path of the file it was read from; not a key
};

}  // namespace persia::config
