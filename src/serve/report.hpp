// What an owner reports, as JSON: {"tables": [{"table": ..., "rows": ..., ...}, ...], "load": {...},
// "others_updates": [...]}. Tables that keep rows on disk report of that too. A single process has tables
// alone; overlap_meter.hpp says what the last one is and an owner has where several trainers update as they
// come.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "mail/post.hpp"
#include "serve/load.hpp"
#include "table/table.hpp"

namespace persia::serve {

// Rows, messages and bytes, and `seconds` since the first message.
[[nodiscard]] nlohmann::json report_of(const Load& load, const mail::PostCounts& counts);
[[nodiscard]] nlohmann::json report_of(std::span<const std::unique_ptr<table::Table>> tables);

}  // namespace persia::serve
