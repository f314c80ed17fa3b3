#include "commands/bench_service.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "commands/service_client.hpp"
#include "config/names.hpp"
#include "mail/post.hpp"
#include "roles/agree.hpp"
#include "serve/owner.hpp"
#include "table/table.hpp"

namespace persia::commands {

namespace {

constexpr std::array kTransports{config::Transport::rma, config::Transport::two_sided};
constexpr std::int32_t kPlans = 64;

struct Ranks {
  const sys::Communicator& world;
  sys::Communicator team;  // the owners, or the clients
  std::vector<int> owners, clients;

  [[nodiscard]] std::int32_t num_owners() const { return static_cast<std::int32_t>(owners.size()); }
  [[nodiscard]] std::int32_t num_clients() const { return static_cast<std::int32_t>(clients.size()); }
  [[nodiscard]] bool owns() const { return world.rank() < num_owners(); }
  [[nodiscard]] bool speaks() const { return !owns() && team.rank() == 0; }
};

// Collective over the world.
Ranks make_ranks(const sys::Communicator& world, std::int32_t num_owners) {
  roles::agree(world, [&] {
    require_user(
        world.size() > num_owners,
        "--owners {} leaves no client in a world of {}; start more ranks, as in `mpirun -n {} persia "
        "bench service`",
        num_owners, world.size(), num_owners + 2);
  });
  Ranks ranks{world, world.split(world.rank() < num_owners ? 0 : 1), {}, {}};
  ranks.owners.resize(static_cast<std::size_t>(num_owners));
  std::iota(ranks.owners.begin(), ranks.owners.end(), 0);
  ranks.clients.resize(static_cast<std::size_t>(world.size() - num_owners));
  std::iota(ranks.clients.begin(), ranks.clients.end(), num_owners);
  return ranks;
}

class Printer {
 public:
  Printer(const Ranks& ranks, bool json) : ranks_(ranks), json_(json) {}

  void round_trips(const std::string& name, std::int32_t num_ids, const RoundTrips& trips) const {
    if (json_)
      line({{"case", name},
            {"ids", num_ids},
            {"round_trips_per_s", trips.per_s},
            {"p50_us", trips.p50_us},
            {"p99_us", trips.p99_us}});
    else
      fmt::print("{:<44} {:>8.1f} us median {:>9.1f} us 99th percentile\n", name, trips.p50_us, trips.p99_us);
    std::fflush(stdout);
  }
  void rate(const std::string& name, double rows_per_s, const char* rival, double rival_rows_per_s,
            double ratio) const {
    if (json_)
      line({{"case", name},
            {"ids", kServiceIds},
            {"rows_per_s", rows_per_s},
            {std::string(rival) + "_rows_per_s", rival_rows_per_s},
            {"ratio", ratio}});
    else
      fmt::print("{:<44} {:>8.2f} M rows/s, {} {:.2f} M: {:.2f}\n", name, rows_per_s * 1e-6, rival,
                 rival_rows_per_s * 1e-6, ratio);
    std::fflush(stdout);
  }

 private:
  void line(nlohmann::json fields) const {
    fields["owners"] = ranks_.num_owners();
    fields["clients"] = ranks_.num_clients();
    fmt::print("{}\n", fields.dump());
  }

  const Ranks& ranks_;
  bool json_;
};

void serve(mail::Post& post, const config::Schema& schema, const Ranks& ranks) {
  std::vector<std::unique_ptr<table::Table>> tables;
  tables.push_back(table::make_table(schema.tables[0], {.num_owners = ranks.num_owners()}));
  const serve::OwnerOptions options{.mode = config::Mode::hybrid,
                                    .num_clients = ranks.num_clients(),
                                    .first_step = Step(0),
                                    .save = nullptr};
  (void)serve::serve_clients(post, tables, options);
}

// Of all clients together; the round trips are those of the first.
ServiceRates ask(mail::Post& post, const config::Schema& schema, const Ranks& ranks, const std::string& name,
                 const Printer& printer, double seconds) {
  embed::RemoteSource source(post, schema, ranks.num_owners(), embed::Audience::concerned_owners);
  ServiceClient client(source, schema);
  client.fill(ranks.num_owners(), ranks.team.rank(), ranks.num_clients());
  ranks.team.barrier();
  for (const std::int32_t num_ids : {1, 64, kServiceIds}) {
    const auto plans = service_plans(schema, ranks.num_owners(), num_ids, kPlans, 0);
    if (ranks.speaks())
      printer.round_trips(fmt::format("{} ids={} round trip", name, num_ids), num_ids,
                          client.round_trips(plans, seconds));
    ranks.team.barrier();
  }
  const auto plans = service_plans(schema, ranks.num_owners(), kServiceIds, kPlans,
                                   static_cast<std::uint64_t>(ranks.team.rank()));
  const ServiceRates own = client.rates(plans, seconds);
  std::array<double, 2> sums{own.lookup, own.train};
  ranks.team.sum(std::span<double>(sums));
  for (std::int32_t owner = 0; owner < ranks.num_owners(); ++owner)
    post.send({mail::PeerIndex(owner), wire::MessageKind::final, Token(0), {}});
  return {sums[0], sums[1]};
}

ServiceRates run_transport(config::Transport transport, const config::Schema& schema, const Ranks& ranks,
                           const std::string& name, const Printer& printer, double seconds) {
  config::Mail options;
  options.transport = transport;
  std::unique_ptr<mail::Post> post;
  roles::agree(ranks.world,
               [&] { post = mail::make_post(ranks.world, ranks.owners, ranks.clients, options); });
  ServiceRates rates;
  if (ranks.owns())
    serve(*post, schema, ranks);
  else
    rates = ask(*post, schema, ranks, name, printer, seconds);
  post->close();
  return rates;
}

void run_dim(std::int32_t dim, const Ranks& ranks, const Printer& printer, double seconds) {
  const config::Schema schema = service_schema(dim);
  ServiceRates direct;
  if (ranks.speaks())
    direct = direct_rates(schema, service_plans(schema, 1, kServiceIds, kPlans, 0), seconds);
  ranks.world.barrier();
  std::array<ServiceRates, kTransports.size()> rates;
  for (std::size_t t = 0; t < kTransports.size(); ++t) {
    const std::string name = fmt::format("service {} dim={}", config::name_of(kTransports[t]), dim);
    rates[t] = run_transport(kTransports[t], schema, ranks, name, printer, seconds);
    if (!ranks.speaks()) continue;
    const double owners = ranks.num_owners();
    printer.rate(name + " lookup", rates[t].lookup, "direct", direct.lookup,
                 rates[t].lookup / owners / direct.lookup);
    printer.rate(name + " lookup and update", rates[t].train, "direct", direct.train,
                 rates[t].train / owners / direct.train);
  }
  if (!ranks.speaks()) return;
  const std::string name = fmt::format("service dim={} one-sided over two-sided", dim);
  printer.rate(name + " lookup", rates[0].lookup, "two_sided", rates[1].lookup,
               rates[0].lookup / rates[1].lookup);
  printer.rate(name + " lookup and update", rates[0].train, "two_sided", rates[1].train,
               rates[0].train / rates[1].train);
}

}  // namespace

int bench_service(const BenchServiceOptions& options, Process& process) {
  const sys::Communicator world = process.world();
  const Ranks ranks = make_ranks(world, options.owners);
  const Printer printer(ranks, options.json);
  for (const std::int32_t dim : {16, 128}) run_dim(dim, ranks, printer, options.seconds);
  return 0;
}

}  // namespace persia::commands
