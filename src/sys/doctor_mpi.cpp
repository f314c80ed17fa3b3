#include "sys/doctor_mpi.hpp"

#include <mpi.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "sys/communicator_mpi.hpp"
#include "sys/mpi_check.hpp"
#include "sys/mpi_session.hpp"
#include "sys/mpi_settings.hpp"

namespace persia::sys {

namespace {

// Open MPI's components publish keys of their own on a window.
std::string component_by_info(MPI_Win window) {
  MPI_Info info = MPI_INFO_NULL;
  check_mpi(MPI_Win_get_info(window, &info), "MPI_Win_get_info");
  const auto has = [&](const char* key) {
    int length = 0;
    int found = 0;
    check_mpi(MPI_Info_get_valuelen(info, key, &length, &found), "MPI_Info_get_valuelen");
    return found != 0;
  };
  const std::string component = has("blocking_fence") ? "sm" : has("no_locks") ? "rdma" : "";
  check_mpi(MPI_Info_free(&info), "MPI_Info_free");
  return component;
}

// Where a single candidate's library is loaded, it is that one. sm and rdma would have been told by info.
std::string component_by_library() {
  std::ifstream maps("/proc/self/maps");
  std::stringstream text;
  text << maps.rdbuf();
  std::vector<std::string> loaded;
  for (const char* name : {"ucx", "pt2pt", "portals4"})
    if (text.str().find(fmt::format("mca_osc_{}.so", name)) != std::string::npos) loaded.emplace_back(name);
  return loaded.size() == 1 ? loaded[0] : "";
}

std::string model_of(MPI_Win window) {
  void* value = nullptr;
  int found = 0;
  check_mpi(MPI_Win_get_attr(window, MPI_WIN_MODEL, static_cast<void*>(&value), &found), "MPI_Win_get_attr");
  if (found == 0) return "unknown";
  return *static_cast<int*>(value) == MPI_WIN_UNIFIED ? "unified" : "separate";
}

// Collective.
void examine_window(const Communicator& world, MpiFacts& facts) {
  constexpr MPI_Aint num_bytes = 4096;
  void* memory = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  const int code = MPI_Win_allocate(num_bytes, 1, MPI_INFO_NULL, world.handle().comm, &memory, &window);
  if (code != MPI_SUCCESS) facts.window_problem = mpi_text(code);
  if (world.min(code == MPI_SUCCESS ? 1 : 0) == 0) return;
  facts.component = component_by_info(window);
  if (facts.component.empty()) facts.component = component_by_library();
  facts.window_model = model_of(window);
  check_mpi(MPI_Win_free(&window), "MPI_Win_free");
}

// Collective. Each rank reads a word of the next rank on its host, as Open MPI's single-copy transport does.
std::string examine_copy(const Communicator& host) {
  if (host.size() == 1) return "";
  const std::uint64_t word = 0x5045525349414D50ULL;
  const std::vector<std::string> places =
      host.gather_texts(fmt::format("{} {}", ::getpid(), reinterpret_cast<std::uintptr_t>(&word)));
  std::istringstream next(places[static_cast<std::size_t>((host.rank() + 1) % host.size())]);
  pid_t pid = 0;
  std::uintptr_t address = 0;
  next >> pid >> address;
  std::uint64_t copy = 0;
  iovec local{&copy, sizeof copy};
  iovec remote{reinterpret_cast<void*>(address), sizeof copy};
  const ssize_t count = ::process_vm_readv(pid, &local, 1, &remote, 1, 0);
  const std::string problem =
      count == static_cast<ssize_t>(sizeof copy) && copy == word ? "" : std::strerror(errno);
  host.barrier();  // `word` must live until the neighbour has read it
  return problem;
}

}  // namespace

MpiFacts examine_mpi(const Communicator& world) {
  MpiFacts facts;
  facts.library = MpiSession::library();
  facts.thread_level = MpiSession::thread_level();
  facts.settings = mpi_settings();
  examine_window(world, facts);
  facts.copy_problem = examine_copy(world.split_by_host());
  return facts;
}

}  // namespace persia::sys
