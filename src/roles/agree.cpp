#include "roles/agree.hpp"

#include <exception>
#include <limits>

#include "base/error.hpp"

namespace persia::roles {

namespace {

// A failure as one number whose minimum over ranks is the failure that speaks: those with a message of their
// own first, then the lowest rank. The exit code rides along.
constexpr std::int64_t kNoFailure = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kCodes = 256;

struct Outcome {
  std::exception_ptr error;
  int exit_code = 0;
  bool speaks = false;
};

Outcome run(const std::function<void()>& action) {
  try {
    action();
    return {};
  } catch (const StoppedElsewhere& stopped) {
    return {std::current_exception(), stopped.exit_code, false};
  } catch (const Error& error) {
    return {std::current_exception(), error.exit_code(), true};
  } catch (...) {
    return {std::current_exception(), 1, true};
  }
}

std::int64_t number_of(const Outcome& outcome, const sys::Communicator& comm) {
  if (outcome.error == nullptr) return kNoFailure;
  const std::int64_t place = comm.rank() + (outcome.speaks ? 0 : std::int64_t{comm.size()});
  return place * kCodes + (outcome.exit_code & 0xFF);
}

}  // namespace

void agree(const sys::Communicator& comm, const std::function<void()>& action) {
  const Outcome mine = run(action);
  const std::int64_t number = number_of(mine, comm);
  const std::int64_t first = comm.min(number);
  if (first == kNoFailure) return;
  if (number == first) std::rethrow_exception(mine.error);
  throw StoppedElsewhere{static_cast<int>(first % kCodes)};
}

}  // namespace persia::roles
