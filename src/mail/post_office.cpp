#include "mail/post_office.hpp"

#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/observed_time.hpp"
#include "base/status_board.hpp"

namespace persia::mail {

PostOffice::PostOffice(std::unique_ptr<sys::Communicator> comm, Peers peers, std::unique_ptr<Carrier> carrier,
                       const config::Mail& options)
    : comm_(std::move(comm)),
      carrier_(std::move(carrier)),
      traffic_(std::move(peers), options.checksums),
      timeout_seconds_(options.timeout_seconds) {}

void PostOffice::send(Message message) {
  const auto peer = static_cast<std::size_t>(message.peer.value());
  expects(peer < traffic_.size(), "mail goes to a peer that was named when the post was made");
  ++traffic_.counts().messages_sent;
  traffic_.counts().bytes_sent += static_cast<std::int64_t>(message.body.size());
  traffic_.out(peer).push(std::move(message));
}

bool PostOffice::progress() {
  const bool received = carrier_->receive(traffic_);
  const bool sent = carrier_->send(traffic_);
  if (!received && !sent) check_deadline();
  return received || sent;
}

void PostOffice::check_deadline() const {
  if (traffic_.longest_wait_seconds() <= timeout_seconds_) return;
  fail_stuck(
      "a peer has taken no mail for {} s (mail.timeout_seconds); it hangs, was lost, or is slower than "
      "that:\n{}",
      timeout_seconds_, describe());
}

std::optional<Message> PostOffice::receive() {
  if (traffic_.inbox().empty()) return std::nullopt;
  std::optional<Message> message(std::move(traffic_.inbox().front()));
  traffic_.inbox().pop_front();
  return message;
}

std::int64_t PostOffice::queued_bytes(PeerIndex peer) const {
  return traffic_.out(static_cast<std::size_t>(peer.value())).queued_bytes();
}

std::string PostOffice::describe() const {
  std::string text;
  for (std::size_t i = 0; i < traffic_.size(); ++i)
    text += fmt::format("{}{}: {}, queued {} bytes", i == 0 ? "" : "\n", traffic_.peers().name_out(i),
                        carrier_->describe(i), traffic_.out(i).queued_bytes());
  return text;
}

template <class Done>
void PostOffice::progress_until(Done done, std::string_view what) {
  Backoff backoff;
  status::SweepReport report;
  ObservedTime still;
  while (!done()) {
    const bool moved = progress();
    still.look(now_seconds(), !moved);
    report.sweep(moved,
                 [&] { status::tell(fmt::format("{}\n{}", what, describe()), status::Waits::for_others); });
    if (still.seconds() > timeout_seconds_)
      fail_stuck("closing the mail: {} for {} s (mail.timeout_seconds); some rank hangs or was lost:\n{}",
                 what, timeout_seconds_, describe());
    if (moved)
      backoff.reset();
    else
      backoff.wait();
  }
}

void PostOffice::close() {
  const status::Phase phase("closing the mail");
  for (std::size_t i = 0; i < traffic_.size(); ++i) traffic_.out(i).push_final();
  progress_until([&] { return traffic_.all_sent() && carrier_->idle(); }, "peers take nothing");
  progress_until([&] { return traffic_.all_finished(); }, "peers do not say that they are done");
  sys::Request barrier = comm_->start_barrier();
  progress_until([&] { return barrier.test(); }, "not all ranks close their mail");
  carrier_->free();
}

}  // namespace persia::mail
