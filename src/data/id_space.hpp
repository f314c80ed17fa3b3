// Which rows of a table an id of a column stands for: itself, or what table.num_ids and table.compose make of
// it.
//
// Rows are numbers from 0 on where ids are bounded: below num_ids; or below rounds * buckets (hash_stack), or
// buckets + num_ids / buckets (quotient_remainder). A blank keeps its own row, kMissingId. Pure functions of
// (table, id); their values are part of the checkpoint format. Thread safe.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/schema.hpp"

namespace persia::data {

class IdSpace {
 public:
  explicit IdSpace(const config::TableSchema& table);

  enum class Fate { good, hashed, left_out, refused };
  [[nodiscard]] bool has_limit() const { return num_ids_ > 0; }
  // A number of an integer column; hashed ones are changed.
  [[nodiscard]] Fate admit(FeatureId& id) const;
  // One that is not below num_ids, or the hash of one that has no 64 bits. Pre: has_limit().
  [[nodiscard]] Fate beyond(FeatureId& id) const;
  // The hash of a text.
  [[nodiscard]] FeatureId bounded(FeatureId hash) const;

  // Replaces each of the ids from `begin` on by its rows.
  void compose(std::vector<FeatureId>& ids, std::size_t begin) const;

  // "outside 0 to 99 (num_ids of table 'user'); ..."
  [[nodiscard]] std::string refusal() const;

 private:
  void append_rows(FeatureId id, std::vector<FeatureId>& rows) const;

  std::string name_;
  std::uint64_t salt_;
  std::uint64_t num_ids_;
  config::BadId on_bad_id_;
  config::Compose compose_;
};

}  // namespace persia::data
