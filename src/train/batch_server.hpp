// A worker's side of the conversation with trainers, and its look-ups at the owners.
//
// It only answers: a batch that is wanted is read (ahead of the want, by one reader thread per trainer),
// looked up, pooled and sent; gradients of pooled rows are spread over its rows and pushed. What it keeps is
// bounded by what trainers want. Rows of different batches may come in any order: in sync mode one trainer's
// next step waits at the owners for another's gradient, which must not stand behind it. How long it waits for
// whom, and who hears of it: worker_watch.hpp.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/schema.hpp"
#include "embed/remote_source.hpp"
#include "mail/post.hpp"
#include "train/batch_feed.hpp"
#include "train/worker_watch.hpp"
#include "wire/records.hpp"

namespace persia::train {

class BatchServer {
 public:
  // This worker's batches for one trainer.
  using OpenFeed = std::function<std::unique_ptr<BatchFeed>(table::Purpose, std::int32_t trainer)>;

  // `trainers` belongs to the owner side of a mail whose clients are the trainers. All must outlive it.
  // Owners that say nothing for `timeout_seconds` while rows or an update are due are stuck: Error.
  BatchServer(mail::Post& trainers, embed::RemoteSource& source, const config::Schema& schema,
              std::int32_t num_trainers, OpenFeed open_feed, double timeout_seconds);

  // Serves until every trainer said that it is done. Returns the highest exit code given (0: orderly end).
  int serve();

 private:
  struct Want {
    Token token;
    wire::WantHeader header;
  };
  struct Trainer {
    std::deque<Want> wants;
    std::unique_ptr<BatchFeed> training, evaluation;
    std::uint32_t evaluation_number = 0;
  };
  struct Unit {  // a batch whose rows are looked up, or whose gradients are awaited
    std::int32_t trainer = 0;
    Want want;
    PreparedBatch input;
    data::ReadCounts counts;
  };
  struct Pushed {
    std::int32_t trainer = 0;
    Token of_trainer, of_owners;
  };
  using UnitKey = std::pair<std::int32_t, Token>;  // trainer and its token

  WorkerSweep sweep();
  void look_out(const WorkerSweep& swept);
  void take(const mail::Message& message, WorkerSweep& swept);
  void take_want(const mail::Message& message);
  void report();
  void take_gradients(const mail::Message& message, WorkerSweep& swept);
  [[nodiscard]] std::string describe() const;  // for messages about a stuck job
  bool start_wanted(std::int32_t trainer);
  BatchFeed& feed_of(std::int32_t trainer, const wire::WantHeader& want);
  bool send_ready(WorkerSweep& swept);
  bool confirm_applied();
  void send(std::int32_t trainer, wire::MessageKind kind, Token token, std::vector<std::byte> body);

  mail::Post& post_;
  embed::RemoteSource& source_;
  const config::Schema& schema_;
  OpenFeed open_feed_;
  std::vector<Trainer> trainers_;
  std::map<Token, std::unique_ptr<Unit>> looking_up_;  // by the owners' token
  std::map<UnitKey, std::pair<Token, std::unique_ptr<Unit>>>
      out_;  // sent, in training: and the owners' token
  std::vector<Pushed> pushed_;
  WorkerWatch watch_;
  double timeout_seconds_;
  embed::WireBytes with_trainers_;  // bodies but for their headers
  std::int32_t finals_ = 0;
  int exit_code_ = 0;
};

}  // namespace persia::train
