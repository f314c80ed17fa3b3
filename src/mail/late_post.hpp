// A Post whose messages are seen later than they come: a network between the ranks, for tests and
// measurements on one host (mail.delay_ms, mail.delay_random_ms).
//
// Every message is held back by the delay, and by a random part of the other; the order of one sender's
// messages stays. Rings, credit and bandwidth are those of the host.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mail/post.hpp"

namespace persia::mail {

class LatePost final : public Post {
 public:
  // `seed`: of the random part; another one for each rank.
  LatePost(std::unique_ptr<Post> post, double delay_seconds, double random_seconds, std::uint64_t seed);

  void send(Message message) override { post_->send(std::move(message)); }
  [[nodiscard]] std::vector<std::byte> spare_body(std::size_t num_bytes) override {
    return post_->spare_body(num_bytes);
  }
  bool land(PeerIndex peer, Token token, Landing landing) override {
    return post_->land(peer, token, std::move(landing));
  }
  void forget_landings() override { post_->forget_landings(); }
  bool progress() override;
  std::optional<Message> receive() override;
  [[nodiscard]] std::int64_t queued_bytes(PeerIndex peer) const override { return post_->queued_bytes(peer); }
  [[nodiscard]] const PostCounts& counts() const override { return post_->counts(); }
  [[nodiscard]] std::string describe() const override;
  void close() override { post_->close(); }

 private:
  struct Held {
    double due = 0;  // now_seconds()
    Message message;
  };

  void hold(Message message);

  std::unique_ptr<Post> post_;
  double delay_seconds_;
  double random_seconds_;
  std::uint64_t seed_;
  std::uint64_t num_messages_ = 0;              // so far
  std::map<PeerIndex, std::deque<Held>> held_;  // by sender, in the order they came
};

}  // namespace persia::mail
