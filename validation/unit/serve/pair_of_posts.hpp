// Mailboxes without MPI for tests of embed/ and serve/: what one end sends, the other receives, in order.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <utility>

#include "mail/post.hpp"

namespace persia::mail {

// One end's incoming messages; the other ends push into it.
using Inbox = std::deque<Message>;

class FakePost final : public Post {
 public:
  // `self` is how the peers name this end.
  explicit FakePost(std::int32_t self) : self_(self) {}
  void connect(std::int32_t peer, FakePost& other) { peers_[peer] = &other; }

  void send(Message message) override {
    FakePost& to = *peers_.at(message.peer.value());
    ++counts_.messages_sent;
    message.peer = PeerIndex(self_);
    to.inbox_.push_back(std::move(message));
  }
  bool progress() override { return !inbox_.empty(); }
  std::optional<Message> receive() override {
    if (inbox_.empty()) return std::nullopt;
    Message message = std::move(inbox_.front());
    inbox_.pop_front();
    return message;
  }
  [[nodiscard]] std::int64_t queued_bytes(PeerIndex) const override { return 0; }
  [[nodiscard]] const PostCounts& counts() const override { return counts_; }
  [[nodiscard]] std::string describe() const override { return "fake mailboxes"; }
  void close() override {}

 private:
  std::int32_t self_;
  std::map<std::int32_t, FakePost*> peers_;
  Inbox inbox_;
  PostCounts counts_;
};

}  // namespace persia::mail
