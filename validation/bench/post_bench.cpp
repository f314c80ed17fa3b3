// Speed of mail between two ranks: round trips of small messages and throughput of large ones, both
// transports in turns within the same run. Prints one JSON object per line; `ratio` is one-sided over
// two-sided.
//
//   mpirun -n 2 post_bench
//
// Rank 0 owns, rank 1 is the client and holds the clock. Each figure is that of the best of many short
// windows: other work on the machine only ever slows one down.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "mail/post.hpp"
#include "sys/communicator.hpp"
#include "sys/mpi_session.hpp"

namespace persia {
namespace {

constexpr int kTurns = 3;
constexpr mail::PeerIndex kPeer(0);

mail::Message message(std::size_t num_bytes) {
  return {kPeer, wire::MessageKind::rows, Token(0), std::vector<std::byte>(num_bytes, std::byte{1})};
}

mail::Message wait_for(mail::Post& post) {
  mail::Backoff backoff;
  for (;;) {
    if (auto received = post.receive()) return std::move(*received);
    if (post.progress())
      backoff.reset();
    else
      backoff.wait();
  }
}

void drain(mail::Post& post) {
  while (post.queued_bytes(kPeer) > 0) post.progress();
}

// One window: messages go back and forth whole, so the body is made once.
void ping_pong(mail::Post& post, bool starts, std::size_t num_bytes, int trips) {
  mail::Message ball = message(num_bytes);
  for (int trip = 0; trip < trips; ++trip) {
    if (starts) post.send(std::move(ball));
    ball = wait_for(post);
    ball.peer = kPeer;
    if (!starts) post.send(std::move(ball));
  }
  drain(post);
}

// One window: the client sends, the owner answers the last one.
void stream(mail::Post& post, bool starts, std::size_t num_bytes, int count) {
  if (starts) {
    for (int n = 0; n < count; ++n) {
      post.send(message(num_bytes));
      while (post.queued_bytes(kPeer) > static_cast<std::int64_t>(2 * num_bytes)) post.progress();
    }
    wait_for(post);
  } else {
    for (int n = 0; n < count; ++n) wait_for(post);
    post.send(message(0));
    drain(post);
  }
}

struct Case {
  std::string name;
  std::string unit;
  double per_window;  // units of one window
  void (*window)(mail::Post&, bool starts, std::size_t num_bytes, int count);
  std::size_t num_bytes;
  int count;    // messages of a window
  int windows;  // of a turn
};

enum class Checksums { on, off };

// The best rate of one turn over one transport, on a post of its own.
double turn(const sys::Communicator& world, const Case& what, Checksums checksums,
            config::Transport transport) {
  config::Mail options;
  options.transport = transport;
  options.checksums = checksums == Checksums::on;
  const auto post = mail::make_post(world, {0}, {1}, options);
  double best = 0;
  for (int n = 0; n < what.windows; ++n) {
    const Stopwatch watch;
    what.window(*post, world.rank() == 1, what.num_bytes, what.count);
    best = std::max(best, what.per_window / watch.seconds());
  }
  post->close();
  return best;
}

void run(const sys::Communicator& world, const Case& what, Checksums checksums) {
  double rma = 0;
  double two_sided = 0;
  for (int n = 0; n < kTurns; ++n) {
    rma = std::max(rma, turn(world, what, checksums, config::Transport::rma));
    two_sided = std::max(two_sided, turn(world, what, checksums, config::Transport::two_sided));
  }
  if (world.rank() != 1) return;
  const std::string name = what.name + (checksums == Checksums::on ? "" : "_without_checksums");
  fmt::print("{{\"case\": \"{}_rma\", \"{}\": {:.4g}, \"ratio\": {:.3f}}}\n", name, what.unit, rma,
             rma / two_sided);
  fmt::print("{{\"case\": \"{}_two_sided\", \"{}\": {:.4g}}}\n", name, what.unit, two_sided);
  std::fflush(stdout);
}

int run_all(int* argc, char*** argv) {
  sys::MpiSession session(argc, argv);
  const sys::Communicator world = sys::Communicator::world();
  require_user(world.size() == 2, "post_bench measures two ranks; start it with `mpirun -n 2`");
  std::vector<Case> cases = {{"ping_pong_64B", "round_trips_per_s", 100, ping_pong, 64, 100, 300},
                             {"ping_pong_64KiB", "round_trips_per_s", 20, ping_pong, 65536, 20, 200},
                             {"stream_1MiB", "GB_per_s", 16 * 1.048576e-3, stream, 1 << 20, 16, 50}};
  // The rows of 64 and of 4096 ids of dim 16 and 128, in fp32.
  for (const std::size_t kib : {4U, 32U, 256U, 2048U})
    cases.push_back({fmt::format("ping_pong_{}KiB", kib), "round_trips_per_s", 10, ping_pong, kib * 1024, 10,
                     kib < 256 ? 1000 : 100});
  for (const Case& what : cases) {
    run(world, what, Checksums::on);
    run(world, what, Checksums::off);
  }
  return 0;
}

}  // namespace
}  // namespace persia

int main(int argc, char** argv) {
  try {
    return persia::run_all(&argc, &argv);
  } catch (const persia::Error& error) {
    fmt::print(stderr, "post_bench: {}\n", error.what());
    persia::sys::MpiSession::abort(error.exit_code());
  }
}
