// main() of every MPI test program: MPI around GoogleTest, one verdict for all ranks.
//
// Rank 0 prints as usual, the others only their failures. Every rank returns 1 if any check failed on any
// rank or if no test ran; tests run in the order of the source. A test must make the same collective calls on
// all ranks, so it uses EXPECT before a collective, never ASSERT.
#include <gtest/gtest.h>

#include <cstdio>

#include "base/error.hpp"
#include "sys/communicator.hpp"
#include "sys/mpi_session.hpp"

namespace {

class FailurePrinter final : public testing::EmptyTestEventListener {
 public:
  explicit FailurePrinter(int rank) : rank_(rank) {}

 private:
  void OnTestStart(const testing::TestInfo& info) override {
    name_ = fmt::format("{}.{}", info.test_suite_name(), info.name());
  }
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    const std::string text = fmt::format("[rank {}] {} failed at {}:{}\n{}\n", rank_, name_,
                                         result.file_name() == nullptr ? "?" : result.file_name(),
                                         result.line_number(), result.message());
    std::fputs(text.c_str(), stderr);
  }

  int rank_;
  std::string name_;
};

int verdict(const persia::sys::Communicator& world, bool passed_here) {
  const std::int64_t failed_ranks = [&] {
    std::int64_t failed = passed_here ? 0 : 1;
    world.sum(std::span(&failed, 1));
    return failed;
  }();
  const std::int64_t ran = world.min(testing::UnitTest::GetInstance()->test_to_run_count());
  if (world.rank() == 0 && failed_ranks > 0)
    fmt::print(stderr, "{} of {} ranks saw failures\n", failed_ranks, world.size());
  if (world.rank() == 0 && ran == 0) fmt::print(stderr, "no test ran, which counts as a failure\n");
  return failed_ranks > 0 || ran == 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::GTEST_FLAG(shuffle) = false;
  persia::sys::MpiSession session(&argc, &argv);
  const persia::sys::Communicator world = persia::sys::Communicator::world();
  if (world.rank() != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter(world.rank()));  // owned by GoogleTest from here
  }
  const bool passed = RUN_ALL_TESTS() == 0;
  return verdict(world, passed);
}
