#include "roles/agree.hpp"

#include <exception>
#include <limits>

#include "base/error.hpp"
#include "base/status_board.hpp"

namespace persia::roles {

namespace {

// A failure as one number whose minimum over ranks is the failure that speaks: those with a message of their
// own first, then the lowest rank. The exit code rides along.
constexpr std::int64_t kNoFailure = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kCodes = 256;

struct Outcome {
  std::exception_ptr error;  // what this rank has to say
  int exit_code = 0;
  bool failed = false;
};

Outcome run(const std::function<void()>& action) {
  try {
    action();
    return {};
  } catch (const StoppedTogether& stopped) {
    return {stopped.own, stopped.exit_code, true};
  } catch (const StuckError&) {
    throw;
  } catch (const Error& error) {
    return {std::current_exception(), error.exit_code(), true};
  } catch (...) {
    return {std::current_exception(), 1, true};
  }
}

std::int64_t number_of(const Outcome& outcome, const sys::Communicator& comm) {
  if (!outcome.failed) return kNoFailure;
  const std::int64_t place = comm.rank() + (outcome.error ? 0 : std::int64_t{comm.size()});
  return place * kCodes + (outcome.exit_code & 0xFF);
}

}  // namespace

void agree(const sys::Communicator& comm, const std::function<void()>& action) {
  const Outcome mine = run(action);
  const std::int64_t number = number_of(mine, comm);
  const status::Phase waiting("waiting for what the other ranks come to", 0, status::Waits::for_the_slow);
  const std::int64_t first = comm.min(number);
  if (first == kNoFailure) return;
  throw StoppedTogether{static_cast<int>(first % kCodes), number == first ? mine.error : nullptr};
}

}  // namespace persia::roles
