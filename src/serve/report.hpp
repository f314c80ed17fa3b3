// What tables report of themselves, as JSON: [{"table": ..., "rows": ..., ...}, ...]. Those that keep rows on
// disk report of that too. Shared by owners and single processes.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "table/table.hpp"

namespace persia::serve {

[[nodiscard]] nlohmann::json report_of(std::span<const std::unique_ptr<table::Table>> tables);

}  // namespace persia::serve
