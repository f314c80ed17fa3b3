// A disk that fills up while a checkpoint is written: one error with the file's name, and the checkpoint
// before it stays good.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "fixtures.hpp"

namespace persia::checkpoint {
namespace {

class FullDisk : public CheckpointTest {};

// Exit code 1 if the save failed with an Error that names a file below `folder`.
int save_with_limit(const std::filesystem::path& folder, const std::vector<Tables>& owners,
                    rlim_t limit_bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{limit_bytes, RLIM_INFINITY};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  try {
    save_all(folder, 2, owners, 1);
  } catch (const UserError&) {
    return 2;
  } catch (const Error& error) {
    return std::string(error.what()).find(folder.string()) != std::string::npos ? 1 : 3;
  }
  return 0;
}

TEST_F(FullDisk, LeavesTheCheckpointBefore) {
  std::vector<Tables> owners(1);
  owners[0] = make_tables({schema_of("t", config::Precision::fp32, config::OptimizerType::adagrad, 16)});
  std::vector<std::uint64_t> ids(5000);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = mix64(i);
  train_rows(*owners[0][0], ids, 0, 1);
  save_all(folder_, 1, owners, 1);
  for (const rlim_t limit : {0UL, 500UL, 3000UL, 50000UL, 300000UL, 600000UL}) {
    const pid_t child = ::fork();
    if (child == 0) std::exit(save_with_limit(folder_, owners, limit));
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << limit << ": status " << status;
    const std::optional<std::filesystem::path> newest = find_newest(folder_);
    ASSERT_TRUE(newest);
    const Manifest manifest = read_manifest(*newest);
    EXPECT_EQ(manifest.step, Step(1));
    verify(*newest, manifest);
  }
}

}  // namespace
}  // namespace persia::checkpoint
