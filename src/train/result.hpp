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

// Of each owner that is a rank: {"owner", "rows_per_s" (looked up and updated), "bytes_per_s" (both ways),
// "busy_share" of the serving thread, "lookup_rows", "update_rows"}. Rates: since its first message.
[[nodiscard]] nlohmann::json loads_of(const nlohmann::json& statistics);
// Of those rates: {"mean", "most", "most_over_mean"} each. Pre: `loads` is not empty.
[[nodiscard]] nlohmann::json load_spread(const nlohmann::json& loads);

// Updates of other trainers between a row's look-up and its update, of sampled rows: {"mean", "max",
// "histogram"}; null where none were measured.
[[nodiscard]] nlohmann::json others_updates(const nlohmann::json& statistics);

// Mean over the workers of the shares of their time: {"read", "lookup_wait", "pool", "send", "idle"}. Pre:
// `reports`, of Supply::worker_reports(), is not empty.
[[nodiscard]] nlohmann::json worker_shares(const nlohmann::json& reports);

// The text of a failure. Pre: `failure` is not null.
[[nodiscard]] std::string message_of(const std::exception_ptr& failure);

}  // namespace persia::train
