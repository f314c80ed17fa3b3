#include "serve/report.hpp"

#include "base/clock.hpp"

namespace persia::serve {

nlohmann::json report_of(const Load& load, const mail::PostCounts& counts) {
  return {{"lookups", load.lookups},
          {"lookup_rows", load.lookup_rows},
          {"update_rows", load.update_rows},
          {"bytes_received", counts.bytes_received},
          {"bytes_sent", counts.bytes_sent},
          {"busy_seconds", load.busy_seconds},
          {"seconds", load.first_message == 0 ? 0.0 : now_seconds() - load.first_message}};
}

nlohmann::json report_of(std::span<const std::unique_ptr<table::Table>> tables) {
  nlohmann::json report = nlohmann::json::array();
  for (const std::unique_ptr<table::Table>& one : tables) {
    const table::TableStatistics statistics = one->statistics();
    report.push_back({{"table", one->schema().name},
                      {"rows", statistics.rows},
                      {"resident_bytes", statistics.resident_bytes},
                      {"unseen", statistics.unseen},
                      {"not_admitted", statistics.not_admitted},
                      {"evicted", statistics.evicted},
                      {"non_finite_gradients", statistics.non_finite}});
    if (!one->schema().table.eviction.directory.empty())
      report.back().update({{"disk_rows", statistics.disk_rows},
                            {"disk_bytes", statistics.disk_bytes},
                            {"found_in_memory", statistics.found_in_memory},
                            {"found_on_disk", statistics.found_on_disk}});
  }
  return report;
}

}  // namespace persia::serve
