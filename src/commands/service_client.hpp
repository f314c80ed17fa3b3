// What one client of `persia bench service` does: requests by mail, or the same batches on a table of its
// own.
//
// Batches of distinct ids, planned ahead, again and again in the same order. Collective calls are those of
// all clients. Caller: bench_service.
#pragma once

#include <cstdint>
#include <vector>

#include "config/schema.hpp"
#include "embed/plan.hpp"
#include "embed/remote_source.hpp"

namespace persia::commands {

inline constexpr std::int64_t kServiceRows = std::int64_t{1} << 20;  // of the table, ids 0 and on
inline constexpr std::int32_t kServiceIds = 4096;                    // of a large request

// One table, one column.
[[nodiscard]] config::Schema service_schema(std::int32_t dim);

// `count` plans of `num_ids` distinct ids each; other ones for each `stream`.
[[nodiscard]] std::vector<embed::LookupPlan> service_plans(const config::Schema& schema, std::int32_t owners,
                                                           std::int32_t num_ids, std::int32_t count,
                                                           std::uint64_t stream);

struct RoundTrips {
  double p50_us = 0;
  double p99_us = 0;
  double per_s = 0;
};

struct ServiceRates {  // rows per second
  double lookup = 0;
  double train = 0;  // look-up and update
};

class ServiceClient {
 public:
  // Both outlive it.
  ServiceClient(embed::RemoteSource& source, const config::Schema& schema)
      : source_(source), schema_(schema) {}

  // Looks its part of all ids up for the first time.
  void fill(std::int32_t owners, std::int32_t part, std::int32_t num_parts);
  [[nodiscard]] RoundTrips round_trips(const std::vector<embed::LookupPlan>& plans, double seconds);
  [[nodiscard]] ServiceRates rates(const std::vector<embed::LookupPlan>& plans, double seconds);

 private:
  double lookup_rate(const std::vector<embed::LookupPlan>& plans, double seconds);
  double train_rate(const std::vector<embed::LookupPlan>& plans, double seconds);
  embed::ReadyRows wait_for_rows();
  void wait_for_updates();
  void train(const std::vector<embed::LookupPlan>& plans, std::size_t count);

  embed::RemoteSource& source_;
  const config::Schema& schema_;
};

// The same on a table of this process, by one thread.
[[nodiscard]] ServiceRates direct_rates(const config::Schema& schema,
                                        const std::vector<embed::LookupPlan>& plans, double seconds);

}  // namespace persia::commands
