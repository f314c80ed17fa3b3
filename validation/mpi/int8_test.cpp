// Rows and gradients as int8 between an owner and its trainers, over windows: training arrives where fp32
// does, and does not without error feedback.
// World: rank 0 owns, ranks 1 and 2 train in sync mode.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "embed/remote_source.hpp"
#include "roles/agree.hpp"
#include "serve/owner.hpp"
#include "sys/communicator.hpp"

namespace persia {
namespace {

constexpr std::int32_t kDim = 12;
constexpr std::int64_t kSteps = 600;

config::Schema one_table() {
  config::Schema schema;
  config::Table table;
  table.dim = kDim;
  table.optimizer = {.type = config::OptimizerType::sgd, .learning_rate = 0.01};
  table.init = {.type = config::InitType::zero};
  schema.tables.push_back({.name = "a", .table = table, .salt = 17});
  schema.columns.push_back({.column = {}, .table = TableIndex(0), .dim = kDim, .embedded_begin = 0});
  schema.embedded_width = kDim;
  return schema;
}

// A sample for each of 40 ids of a trainer; the two have 20 of them in common.
embed::LookupPlan plan_of(const config::Schema& schema, int trainer) {
  data::Batch batch;
  batch.columns.emplace_back().offsets = {0};
  for (std::uint64_t id = 0; id < 40; ++id) {
    batch.columns[0].ids.emplace_back(id + 20 * static_cast<std::uint64_t>(trainer));
    batch.columns[0].offsets.push_back(++batch.num_samples);
  }
  return embed::make_plan(batch, schema, 1);
}

// Where training takes a row: half of the values to 0.25, the others to -0.25, but the first, which is pulled
// to and fro.
float target_of(std::size_t place) {
  return place % 2 == 0 ? 0.25F : -0.25F;
}

// Values of the plan's rows. Training ones open a token that a push must close.
embed::ReadyRows rows_of(embed::RemoteSource& source, const embed::LookupPlan& plan, Step step,
                         table::Purpose purpose) {
  (void)source.start_lookup(plan, step, purpose);
  mail::Backoff backoff;
  while (true) {
    if (std::optional<embed::ReadyRows> ready = source.ready()) return std::move(*ready);
    if (source.progress())
      backoff.reset();
    else
      backoff.wait();
  }
}

// Gradients of half the squared distance from the targets, beside one that is 400 times as large.
void train(mail::Post& post, const config::Schema& schema, const embed::LookupPlan& plan, int trainer,
           const config::Mail& mail) {
  embed::RemoteSource source(post, schema, 1, embed::Audience::all_owners, trainer, mail);
  for (std::int64_t step = 0; step < kSteps; ++step) {
    embed::ReadyRows ready = rows_of(source, plan, Step(step), table::Purpose::train);
    for (std::size_t i = 0; i < ready.rows.size(); ++i)
      if (i % kDim == 0)
        ready.rows[i] = step % 2 == 0 ? 100.0F : -100.0F;
      else
        ready.rows[i] -= target_of(i % kDim);
    source.push(ready.token, plan, Step(step), std::move(ready.rows));
  }
  mail::Backoff backoff;
  while (source.open_tokens() > 0)
    if (!source.progress()) backoff.wait();
}

// The largest distance from a target after training. Collective over the world.
double distance_after(const config::Mail& mail) {
  const sys::Communicator world = sys::Communicator::world();
  const config::Schema schema = one_table();
  std::unique_ptr<mail::Post> post;
  roles::agree(world, [&] { post = mail::make_post(world, {0}, {1, 2}, mail); });
  double distance = 0;
  if (world.rank() == 0) {
    std::vector<std::unique_ptr<table::Table>> tables;
    tables.push_back(table::make_table(schema.tables[0], {}));
    (void)serve::serve_clients(*post, tables,
                               {.mode = config::Mode::sync,
                                .num_clients = 2,
                                .num_trainers = 2,
                                .first_step = Step(0),
                                .save = nullptr});
  } else {
    const int trainer = world.rank() - 1;
    const embed::LookupPlan plan = plan_of(schema, trainer);
    train(*post, schema, plan, trainer, mail);
    embed::RemoteSource exact(*post, schema, 1, embed::Audience::all_owners, trainer);
    const std::vector<float> rows = rows_of(exact, plan, Step(kSteps), table::Purpose::evaluate).rows;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (i % kDim > 0) distance = std::max(distance, std::abs(double{rows[i] - target_of(i % kDim)}));
    post->send({mail::PeerIndex(0), wire::MessageKind::final, Token(0), {}});
  }
  post->close();
  return static_cast<double>(world.max(static_cast<std::int64_t>(distance * 1e6))) * 1e-6;
}

TEST(Int8, TrainsRowsWhereFp32DoesThroughGradientsBelowHalfAQuantum) {
  const double fp32 = distance_after({.values = config::MailValues::fp32});
  const double int8 = distance_after({.values = config::MailValues::int8});
  const double without_feedback = distance_after({.values = config::MailValues::int8, .residual_rows = 0});
  EXPECT_LT(fp32, 0.001);
  EXPECT_LT(int8, 0.01);
  EXPECT_GT(without_feedback, 0.24);
}

}  // namespace
}  // namespace persia
