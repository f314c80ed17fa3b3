#include "mail/late_post.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/clock.hpp"
#include "base/random.hpp"

namespace persia::mail {

LatePost::LatePost(std::unique_ptr<Post> post, double delay_seconds, double random_seconds,
                   std::uint64_t seed)
    : post_(std::move(post)), delay_seconds_(delay_seconds), random_seconds_(random_seconds), seed_(seed) {}

bool LatePost::progress() {
  const bool moved = post_->progress();
  while (std::optional<Message> message = post_->receive()) hold(std::move(*message));
  return moved;
}

void LatePost::hold(Message message) {
  std::deque<Held>& before = held_[message.peer];
  const double random = random_uniform(seed_, 0, num_messages_++) * random_seconds_;
  const double due = now_seconds() + delay_seconds_ + random;
  before.push_back(
      {.due = before.empty() ? due : std::max(due, before.back().due), .message = std::move(message)});
}

std::optional<Message> LatePost::receive() {
  const double now = now_seconds();
  for (auto& [peer, messages] : held_) {
    if (messages.empty() || messages.front().due > now) continue;
    std::optional<Message> message(std::move(messages.front().message));
    messages.pop_front();
    return message;
  }
  return std::nullopt;
}

std::string LatePost::describe() const {
  std::size_t count = 0;
  for (const auto& [peer, messages] : held_) count += messages.size();
  return fmt::format("{}\n{} messages held back by mail.delay_ms", post_->describe(), count);
}

}  // namespace persia::mail
