#include <memory>

#include "base/log.hpp"
#include "fixtures.hpp"

namespace persia::train {
namespace {

std::unique_ptr<ComputeThread> shared;

class KokkosEnvironment final : public ::testing::Environment {
 public:
  void SetUp() override {
    set_log_level("error");  // the tests bring about what is warned of
    shared = std::make_unique<ComputeThread>(1, -1);
  }
  void TearDown() override {
    shared->finish([] {});
    shared.reset();
  }
};

const ::testing::Environment* const environment = ::testing::AddGlobalTestEnvironment(new KokkosEnvironment);

}  // namespace

ComputeThread& kokkos_thread() {
  return *shared;
}

}  // namespace persia::train
