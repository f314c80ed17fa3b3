// A trainer whose batches come from worker ranks: it asks each worker in turn and computes what is ready.
//
// In hybrid and async training whatever comes first is computed first; in sync mode and evaluations batches
// keep the order of the data. A worker that waits says so now and then (worker_watch.hpp), which counts as
// movement.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "config/run_file.hpp"
#include "config/schema.hpp"
#include "mail/post.hpp"
#include "train/supply.hpp"

namespace persia::train {

class WorkerSupply final : public Supply {
 public:
  // `post` belongs to a client of `num_workers` workers and must outlive it, as `schema` must. `trainer` is
  // this trainer's index. Pooled rows and their gradients travel in `format`.
  WorkerSupply(mail::Post& post, const config::Schema& schema, config::Mode mode, std::int32_t trainer,
               std::int32_t num_workers, wire::ValueFormat format = wire::ValueFormat::fp32);
  ~WorkerSupply() override;
  WorkerSupply(const WorkerSupply&) = delete;
  WorkerSupply& operator=(const WorkerSupply&) = delete;
  WorkerSupply(WorkerSupply&&) = delete;
  WorkerSupply& operator=(WorkerSupply&&) = delete;

  // One training, from the start point that workers know too: `start` is not sent.
  [[nodiscard]] std::unique_ptr<BatchPass> open(table::Purpose purpose, const data::Position& start) override;
  bool progress() override;
  Flight* landed() override;
  void push(Flight& flight) override;
  [[nodiscard]] std::int32_t open_tokens() const override;
  [[nodiscard]] nlohmann::json worker_reports(double timeout_seconds) override;
  [[nodiscard]] std::string describe() const override;
  // Last: nothing more will be wanted. `exit_code` 0 at an orderly end.
  void finish(int exit_code);

 private:
  class Pass;
  struct Wanted {
    Token token;
    std::int32_t worker = 0;
    Flight* flight = nullptr;
    Pass* pass = nullptr;
    bool in_order = true;
    bool here = false;
  };

  void want(Flight& flight, Pass& pass);
  void take(const mail::Message& message);
  Wanted& wanted(const mail::Message& message);
  void send_to_all(wire::MessageKind kind, Token token);
  void pass_on(const mail::Message& patience);

  mail::Post& post_;
  const config::Schema& schema_;
  config::Mode mode_;
  std::int32_t trainer_;
  std::int32_t num_workers_;
  wire::ValueFormat format_;
  std::uint64_t next_token_ = 1;
  std::uint32_t next_evaluation_ = 1;
  std::deque<Wanted> wanted_;           // in the order asked
  std::map<Token, std::int32_t> open_;  // training tokens, with their workers
  nlohmann::json reports_ = nlohmann::json::array();
};

}  // namespace persia::train
