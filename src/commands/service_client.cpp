#include "commands/service_client.hpp"

#include <algorithm>
#include <numeric>

#include "base/clock.hpp"
#include "base/hash.hpp"
#include "commands/processor_clock.hpp"
#include "mail/post.hpp"
#include "table/table.hpp"

namespace persia::commands {

namespace {

constexpr std::size_t kUnderWay = 4;  // requests of a client, as training.staleness gives by default

embed::LookupPlan plan_of(std::vector<FeatureId> ids, const config::Schema& schema, std::int32_t owners) {
  data::Batch batch;
  batch.num_samples = static_cast<std::int32_t>(ids.size());
  data::IdColumn& column = batch.columns.emplace_back();
  column.offsets.resize(ids.size() + 1);
  std::iota(column.offsets.begin(), column.offsets.end(), 0);
  column.ids = std::move(ids);
  return embed::make_plan(batch, schema, owners);
}

// Runs step(k) for k = 0, 1, ... until the time is up; rows per second of `rows` a step.
template <class Watch, class Run>
double rate_of(double seconds, std::int64_t rows, const Run& step) {
  const Watch watch;
  std::size_t steps = 0;
  while (watch.seconds() < seconds) step(steps++);
  return static_cast<double>(steps) * static_cast<double>(rows) / watch.seconds();
}

}  // namespace

config::Schema service_schema(std::int32_t dim) {
  config::Schema schema;
  config::TableSchema& table = schema.tables.emplace_back();
  table.name = "service";
  table.salt = hash_bytes(table.name, 0);
  table.table.dim = dim;
  schema.columns.push_back({.column = {}, .table = TableIndex(0), .dim = dim, .embedded_begin = 0});
  schema.embedded_width = dim;
  return schema;
}

// The odd factor makes a permutation of the ids, a power of two many.
std::vector<embed::LookupPlan> service_plans(const config::Schema& schema, std::int32_t owners,
                                             std::int32_t num_ids, std::int32_t count, std::uint64_t stream) {
  std::vector<embed::LookupPlan> plans;
  for (std::int32_t p = 0; p < count; ++p) {
    const std::uint64_t begin = mix64(stream * 1000 + static_cast<std::uint64_t>(p));
    std::vector<FeatureId> ids;
    for (std::int32_t i = 0; i < num_ids; ++i)
      ids.emplace_back((begin + static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15ULL) %
                       static_cast<std::uint64_t>(kServiceRows));
    plans.push_back(plan_of(std::move(ids), schema, owners));
  }
  return plans;
}

embed::ReadyRows ServiceClient::wait_for_rows() {
  mail::Backoff backoff;
  while (true) {
    if (std::optional<embed::ReadyRows> ready = source_.ready()) return std::move(*ready);
    if (source_.progress())
      backoff.reset();
    else
      backoff.wait();
  }
}

void ServiceClient::wait_for_updates() {
  mail::Backoff backoff;
  while (source_.open_tokens() > 0) {
    if (source_.progress())
      backoff.reset();
    else
      backoff.wait();
  }
}

// `count` look-ups for training, plan after plan, each followed by its gradients.
void ServiceClient::train(const std::vector<embed::LookupPlan>& plans, std::size_t count) {
  const auto plan = [&](std::size_t k) -> const embed::LookupPlan& { return plans[k % plans.size()]; };
  std::size_t started = 0;
  for (std::size_t done = 0; done < count; ++done) {
    while (started < count && static_cast<std::size_t>(source_.open_tokens()) < kUnderWay)
      (void)source_.start_lookup(plan(started++), Step(0), table::Purpose::train);
    embed::ReadyRows ready = wait_for_rows();
    source_.push(ready.token, plan(done), Step(0), std::move(ready.rows));
    while (started < count && static_cast<std::size_t>(source_.open_tokens()) >= kUnderWay)
      (void)source_.progress();
  }
  wait_for_updates();
}

void ServiceClient::fill(std::int32_t owners, std::int32_t part, std::int32_t num_parts) {
  std::vector<embed::LookupPlan> plans;
  for (std::int64_t begin = kServiceIds * static_cast<std::int64_t>(part); begin < kServiceRows;
       begin += kServiceIds * static_cast<std::int64_t>(num_parts)) {
    std::vector<FeatureId> ids;
    for (std::int64_t id = begin; id < begin + kServiceIds; ++id)
      ids.emplace_back(static_cast<std::uint64_t>(id));
    plans.push_back(plan_of(std::move(ids), schema_, owners));
  }
  train(plans, plans.size());
}

RoundTrips ServiceClient::round_trips(const std::vector<embed::LookupPlan>& plans, double seconds) {
  std::vector<double> times;
  const double rate = rate_of<Stopwatch>(seconds, 1, [&](std::size_t k) {
    const Stopwatch trip;
    (void)source_.start_lookup(plans[k % plans.size()], Step(0), table::Purpose::evaluate);
    (void)wait_for_rows();
    times.push_back(trip.seconds() * 1e6);
  });
  std::ranges::sort(times);
  const auto at = [&](double share) {
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  };
  return {at(0.5), at(0.99), rate};
}

ServiceRates ServiceClient::rates(const std::vector<embed::LookupPlan>& plans, double seconds) {
  const double lookup = lookup_rate(plans, seconds);
  return {lookup, train_rate(plans, seconds)};
}

double ServiceClient::lookup_rate(const std::vector<embed::LookupPlan>& plans, double seconds) {
  const auto start = [&](std::size_t k) {
    (void)source_.start_lookup(plans[k % plans.size()], Step(0), table::Purpose::evaluate);
  };
  for (std::size_t k = 0; k < kUnderWay; ++k) start(k);
  const double rate = rate_of<Stopwatch>(seconds, kServiceIds, [&](std::size_t k) {
    (void)wait_for_rows();
    start(k + kUnderWay);
  });
  for (std::size_t k = 0; k < kUnderWay; ++k) (void)wait_for_rows();
  return rate;
}

double ServiceClient::train_rate(const std::vector<embed::LookupPlan>& plans, double seconds) {
  const std::size_t piece = 8 * kUnderWay;
  return rate_of<Stopwatch>(seconds, kServiceIds * static_cast<std::int64_t>(piece),
                            [&](std::size_t) { train(plans, piece); });
}

ServiceRates direct_rates(const config::Schema& schema, const std::vector<embed::LookupPlan>& plans,
                          double seconds) {
  const auto table = table::make_table(schema.tables[0], {});
  const std::size_t width =
      static_cast<std::size_t>(kServiceIds) * static_cast<std::size_t>(schema.tables[0].table.dim);
  std::vector<float> values(width);
  std::vector<table::Row> rows(kServiceIds);
  const auto lookup = [&](std::span<const FeatureId> ids, table::Purpose purpose) {
    table->lookup(ids, purpose, values, rows, {});
  };
  std::vector<FeatureId> ids(kServiceIds);
  for (std::int64_t id = 0; id < kServiceRows; ++id) {
    ids[static_cast<std::size_t>(id % kServiceIds)] = FeatureId(static_cast<std::uint64_t>(id));
    if ((id + 1) % kServiceIds == 0) lookup(ids, table::Purpose::train);
  }
  const auto ids_of = [&](std::size_t k) {
    return std::span<const FeatureId>(plans[k % plans.size()].tables[0].ids);
  };
  ServiceRates rates;
  rates.lookup = rate_of<ProcessorStopwatch>(
      seconds, kServiceIds, [&](std::size_t k) { lookup(ids_of(k), table::Purpose::evaluate); });
  rates.train = rate_of<ProcessorStopwatch>(seconds, kServiceIds, [&](std::size_t k) {
    lookup(ids_of(k), table::Purpose::train);
    table->update(rows, values, Step(0));
  });
  return rates;
}

}  // namespace persia::commands
