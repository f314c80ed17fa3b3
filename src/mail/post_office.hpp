// The Post of every transport: queues, joining, deadlines and closing are the same; a Carrier moves records.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "mail/carrier.hpp"
#include "mail/post.hpp"
#include "mail/traffic.hpp"
#include "sys/communicator.hpp"

namespace persia::mail {

class PostOffice final : public Post {
 public:
  // `comm` is this post's own; it stays where it is, because the carrier refers to it.
  PostOffice(std::unique_ptr<sys::Communicator> comm, Peers peers, std::unique_ptr<Carrier> carrier,
             const config::Mail& options);

  void send(Message message) override;
  [[nodiscard]] std::vector<std::byte> spare_body(std::size_t num_bytes) override {
    return traffic_.spare().take(num_bytes);
  }
  bool land(PeerIndex peer, Token token, Landing landing) override {
    traffic_.land(static_cast<std::size_t>(peer.value()), token, std::move(landing));
    return true;
  }
  void forget_landings() override { traffic_.forget_landings(); }
  bool progress() override;
  std::optional<Message> receive() override;
  [[nodiscard]] std::int64_t queued_bytes(PeerIndex peer) const override;
  [[nodiscard]] const PostCounts& counts() const override { return traffic_.counts(); }
  [[nodiscard]] std::string describe() const override;
  void close() override;

 private:
  void check_deadline() const;
  // Progresses until done() is true. Error once nothing has moved for the time limit.
  template <class Done>
  void progress_until(Done done, std::string_view what);

  std::unique_ptr<sys::Communicator> comm_;
  std::unique_ptr<Carrier> carrier_;
  Traffic traffic_;
  double timeout_seconds_;
};

}  // namespace persia::mail
