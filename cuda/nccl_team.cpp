// The trainers' all-reduce over NCCL (sys/device_team.hpp).
//
// The communicator is non-blocking: every call returns at once and its end is polled, so that an error that
// another thread of NCCL notices, or a peer that never comes, ends the wait. Device memory goes to NCCL only;
// MPI carries the id, from host memory.
#include <fmt/ranges.h>
#include <nccl.h>

#include <set>
#include <source_location>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "check.hpp"
#include "kokkos_stream.hpp"
#include "stream.hpp"
#include "sys/device_team.hpp"

namespace persia::sys {
namespace {

constexpr double farewell_seconds = 5;  // a destructor waits no longer for peers

std::string nccl_text(ncclResult_t code) {
  return fmt::format("{} ({})", ncclGetErrorString(code), ncclGetLastError(nullptr));
}

// The id of the team, made by its first member; all members throw if it could not be made. Collective.
ncclUniqueId share_id(const Communicator& trainers) {
  struct Offer {
    ncclResult_t code = ncclSuccess;
    ncclUniqueId id{};
  } offer;
  if (trainers.rank() == 0) offer.code = ncclGetUniqueId(&offer.id);
  trainers.broadcast(std::as_writable_bytes(std::span(&offer, 1)), 0);
  require(offer.code == ncclSuccess, "NCCL cannot make the id of the trainer team: {}",
          ncclGetErrorString(offer.code));
  return offer.id;
}

// NCCL allows one member per device; without this check it says so in words that name no rank. Collective.
void require_devices_of_their_own(const Communicator& trainers, int device) {
  cudaDeviceProp properties{};
  cuda::check(cudaGetDeviceProperties(&properties, device));
  const auto uuids = trainers.gather_texts(fmt::format("{:02x}", fmt::join(properties.uuid.bytes, "")));
  const auto distinct = std::set<std::string>(uuids.begin(), uuids.end()).size();
  require_user(
      distinct == uuids.size(),
      "{} trainers share {} GPUs; NCCL needs one for each. Start fewer trainers per host (roles.trainer) "
      "or make more GPUs visible to them",
      uuids.size(), distinct);
}

class NcclTeam final : public DeviceTeam {
 public:
  NcclTeam(const Communicator& trainers, double timeout_seconds) : timeout_seconds_(timeout_seconds) {
    cuda::check(cudaGetDevice(&device_));
    require_devices_of_their_own(trainers, device_);
    const ncclUniqueId id = share_id(trainers);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    check(ncclCommInitRankConfig(&team_, trainers.size(), id, trainers.rank(), &config), "start");
    wait_until([] { return true; }, "start");
  }

  ~NcclTeam() override {
    if (team_ == nullptr) return;
    const ncclResult_t code = ncclCommFinalize(team_);
    ncclResult_t state = code == ncclInProgress ? ncclInProgress : code;
    for (const Stopwatch watch; state == ncclInProgress && watch.seconds() < farewell_seconds;) {
      if (ncclCommGetAsyncError(team_, &state) != ncclSuccess) break;
      std::this_thread::yield();
    }
    const ncclResult_t freed = state == ncclSuccess ? ncclCommDestroy(team_) : ncclCommAbort(team_);
    if (state != ncclSuccess || freed != ncclSuccess)
      log::error("NCCL: the trainer team did not end in order: {}", ncclGetErrorString(state));
  }

  NcclTeam(const NcclTeam&) = delete;
  NcclTeam& operator=(const NcclTeam&) = delete;
  NcclTeam(NcclTeam&&) = delete;
  NcclTeam& operator=(NcclTeam&&) = delete;

  void sum(std::span<float> device_values) override {
    require(team_ != nullptr, "NCCL: the trainer team was given up after an earlier failure");
    cuda::check(
        cudaSetDevice(device_));  // the current device is a thread's own, and the maker was another thread
    inputs_ready_.record(cuda::kokkos_stream());
    stream_.start_after(inputs_ready_);
    check(ncclAllReduce(device_values.data(), device_values.data(), device_values.size(), ncclFloat, ncclSum,
                        team_, stream_.handle()),
          "all-reduce");
    wait_until([] { return true; }, "all-reduce");  // queued: only now the stream may be marked
    done_.record(stream_.handle());
    wait_until([this] { return done_.done(); }, "all-reduce");
  }

 private:
  // Waits until NCCL has nothing pending and `finished()` says so too.
  template <class Finished>
  void wait_until(const Finished& finished, std::string_view what,
                  std::source_location where = std::source_location::current()) {
    for (const Stopwatch watch; true; std::this_thread::yield()) {
      ncclResult_t state = ncclSuccess;
      check(ncclCommGetAsyncError(team_, &state), what, where);
      check(state, what, where);
      if (state == ncclSuccess && finished()) return;
      if (watch.seconds() > timeout_seconds_)
        give_up(fmt::format("no end after {} s; a trainer is stuck or lost", timeout_seconds_), what, where);
    }
  }

  void check(ncclResult_t code, std::string_view what,
             std::source_location where = std::source_location::current()) {
    if (code != ncclSuccess && code != ncclInProgress) give_up(nccl_text(code), what, where);
  }

  // Frees the communicator without waiting for anybody, which also ends its kernels here and elsewhere.
  [[noreturn]] void give_up(const std::string& reason, std::string_view what, std::source_location where) {
    if (team_ != nullptr) ncclCommAbort(std::exchange(team_, nullptr));
    throw Error(fmt::format("NCCL: {} of the trainer team failed: {}", what, reason), where);
  }

  ncclComm_t team_ = nullptr;
  int device_ = 0;
  double timeout_seconds_;
  cuda::Stream stream_;
  cuda::Event inputs_ready_, done_;
};

}  // namespace

std::unique_ptr<DeviceTeam> make_device_team(const Communicator& trainers, double timeout_seconds) {
  return std::make_unique<NcclTeam>(trainers, timeout_seconds);
}

}  // namespace persia::sys
