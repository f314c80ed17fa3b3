#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "checkpoint/checkpoint.hpp"
#include "checkpoint/names.hpp"
#include "checkpoint/state_columns.hpp"
#include "checkpoint/tables_file.hpp"
#include "config/names.hpp"
#include "roles/teams.hpp"
#include "sys/hdf5.hpp"

namespace persia::checkpoint {

namespace {

struct Me {
  OwnerIndex owner;
  std::int32_t num_owners;
};

// One block of rows as read, compacted to those that are wanted. Memory is taken for the first one, and used
// again.
struct Rows {
  std::vector<FeatureId> ids;
  std::vector<std::byte> values;
  std::vector<float> state;
};

void require_equal(const std::string& table, const char* what, const std::string& stored,
                   const std::string& wanted) {
  require_user(stored == wanted,
               "table {} has {} {} in the checkpoint, {} in the run file; they must be equal", table, what,
               stored, wanted);
}

void require_same_shape(const sys::Hdf5Group& group, const table::Table& table) {
  const config::TableSchema& schema = table.schema();
  require_equal(schema.name, "dim", std::to_string(group.read_integer("dim")),
                std::to_string(schema.table.dim));
  require_equal(schema.name, "precision", group.read_text("precision"),
                std::string(config::name_of(schema.table.precision)));
  require_equal(schema.name, "optimizer", group.read_text("optimizer"),
                std::string(config::name_of(schema.table.optimizer.type)));
  require_equal(schema.name, "salt", std::to_string(group.read_unsigned("salt")),
                std::to_string(schema.salt));
}

bool is_mine(std::uint64_t place, Me me) {
  return roles::owner_of(place, me.num_owners) == me.owner;
}

void load_sightings(const sys::Hdf5Group& group, table::Table& table, Me me) {
  if (!group.has("sightings")) return;
  const sys::Hdf5Dataset stored = group.open_dataset("sightings");
  std::vector<std::uint64_t> words(static_cast<std::size_t>(stored.rows()));
  stored.read_rows(0, std::as_writable_bytes(std::span(words)));
  std::erase_if(words, [&](std::uint64_t word) { return !is_mine(word, me); });
  table.insert_sightings(words);
}

// Keeps the elements of `width` bytes whose numbers are in `chosen` (ascending).
void keep_rows(std::span<std::byte> bytes, std::size_t width, const std::vector<std::size_t>& chosen) {
  for (std::size_t i = 0; i < chosen.size(); ++i)
    std::memmove(bytes.data() + i * width, bytes.data() + chosen[i] * width, width);
}

// Takes no more memory than that, where resize() alone might take twice as much.
template <class T>
void set_size(std::vector<T>& numbers, std::int64_t size) {
  numbers.reserve(static_cast<std::size_t>(size));
  numbers.resize(static_cast<std::size_t>(size));
}

class TableReader {
 public:
  TableReader(const sys::Hdf5Group& group, table::Table& table, Me me, Step step)
      : table_(table),
        me_(me),
        ids_(group.open_dataset("ids")),
        values_(group.open_dataset("values")),
        state_(group.open_dataset("state")),
        columns_(table.schema().name, group.read_text("state_names"), state_.row_bytes() / std::int64_t{4},
                 table::state_names(table.schema().table), step) {
    const std::string& name = table.schema().name;
    require_user(values_.row_bytes() == table.value_bytes() && values_.rows() == ids_.rows() &&
                     state_.rows() == ids_.rows() && columns_.width() == table.state_floats(),
                 "table {} has arrays of unequal or unexpected shape in the checkpoint", name);
  }

  // Returns the rows inserted.
  std::int64_t read_all() {
    const std::int64_t most = rows_per_block(ids_.row_bytes() + values_.row_bytes() + state_.row_bytes());
    std::int64_t loaded = 0;
    for (std::int64_t first = 0; first < ids_.rows(); first += most)
      loaded += read_block(first, std::min(most, ids_.rows() - first));
    return loaded;
  }

 private:
  std::int64_t read_block(std::int64_t first, std::int64_t count) {
    set_size(rows_.ids, count);
    ids_.read_rows(first, std::as_writable_bytes(std::span(rows_.ids)));
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < rows_.ids.size(); ++i)
      if (mine(rows_.ids[i])) chosen.push_back(i);
    if (chosen.empty()) return 0;  // values and state are not even read
    set_size(rows_.values, count * values_.row_bytes());
    set_size(rows_.state, count * state_.row_bytes() / std::int64_t{4});
    values_.read_rows(first, rows_.values);
    state_.read_rows(first, std::as_writable_bytes(std::span(rows_.state)));
    rows_.state = columns_.convert(std::move(rows_.state), count);
    insert(chosen);
    return static_cast<std::int64_t>(chosen.size());
  }

  void insert(const std::vector<std::size_t>& chosen) {
    const auto value_bytes = static_cast<std::size_t>(table_.value_bytes());
    const auto state_floats = static_cast<std::size_t>(table_.state_floats());
    const std::size_t n = chosen.size();
    if (n < rows_.ids.size()) {
      keep_rows(std::as_writable_bytes(std::span(rows_.ids)), sizeof(FeatureId), chosen);
      keep_rows(rows_.values, value_bytes, chosen);
      keep_rows(std::as_writable_bytes(std::span(rows_.state)), state_floats * sizeof(float), chosen);
    }
    table_.insert_block({std::span(rows_.ids).first(n), std::span(rows_.values).first(n * value_bytes),
                         std::span(rows_.state).first(n * state_floats)});
  }

  [[nodiscard]] bool mine(FeatureId id) const { return is_mine(place_hash(id, table_.schema().salt), me_); }

  table::Table& table_;
  Me me_;
  sys::Hdf5Dataset ids_, values_, state_;
  StateColumns columns_;
  Rows rows_;
};

std::int64_t load_file(const std::filesystem::path& path, Me me, Step step,
                       std::span<const std::unique_ptr<table::Table>> tables) {
  sys::Hdf5File file = sys::Hdf5File::open(path);
  const sys::Hdf5Group stored = file.root().open_group("tables");
  require_user(stored.children().size() == tables.size(), "{} holds {} tables, the run file has {}",
               path.string(), stored.children().size(), tables.size());
  std::int64_t rows = 0;
  for (const auto& table : tables) {
    const std::string& name = table->schema().name;
    require_user(stored.has(link_name(name)), "table {} of the run file is not in {}", name, path.string());
    const sys::Hdf5Group group = stored.open_group(link_name(name));
    require_same_shape(group, *table);
    rows += TableReader(group, *table, me, step).read_all();
    load_sightings(group, *table, me);
  }
  return rows;
}

}  // namespace

std::int64_t load_tables(const std::filesystem::path& step_folder, const Manifest& manifest, OwnerIndex owner,
                         std::int32_t num_owners, std::span<const std::unique_ptr<table::Table>> tables) {
  std::int64_t rows = 0;
  for (std::int32_t writer = 0; writer < manifest.num_owners; ++writer) {
    if (!ranges_overlap(OwnerIndex(writer), manifest.num_owners, owner, num_owners)) continue;
    rows += load_file(step_folder / tables_file(OwnerIndex(writer), manifest.num_owners), {owner, num_owners},
                      manifest.step, tables);
  }
  return rows;
}

}  // namespace persia::checkpoint
