// Parts of the result object and of the run log's last line. Pure functions.
#pragma once

#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "data/batch.hpp"

namespace persia::train {

// What was read, summed over the trainers.
[[nodiscard]] nlohmann::json to_json(const data::ReadCounts& counts);

// Rows, bytes and counters of all tables of all owners; memory_hit_rate only where training found rows.
// `statistics` is what Owners::statistics() gave.
[[nodiscard]] nlohmann::json table_totals(const nlohmann::json& statistics);

// The text of a failure. Pre: `failure` is not null.
[[nodiscard]] std::string message_of(const std::exception_ptr& failure);

}  // namespace persia::train
