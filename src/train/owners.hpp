// A trainer's conversation with the owners beside lookups and gradients: checkpoints, statistics, the end.
//
// Two forms: tables of this process, or embedding ranks by mail. Only the communication thread calls it, with
// no lookup open.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "base/strong.hpp"
#include "checkpoint/checkpoint.hpp"
#include "embed/remote_source.hpp"
#include "mail/post.hpp"
#include "table/table.hpp"
#include "train/pipeline.hpp"

namespace persia::train {

class Owners {
 public:
  virtual ~Owners() = default;
  // Trainer 0 only. Every owner writes its file into `folder`; Error with all their messages if one could
  // not.
  virtual std::vector<checkpoint::FileEntry> save(const std::filesystem::path& folder, Step step) = 0;
  // Trainer 0 only. One report (serve/report.hpp) per owner.
  virtual nlohmann::json statistics() = 0;
  // Every trainer, last: nothing more will come. `exit_code` 0 at an orderly end.
  virtual void finish(int exit_code) = 0;
};

// `before_save` may throw, and then nothing is saved.
[[nodiscard]] std::unique_ptr<Owners> make_local_owners(std::span<const std::unique_ptr<table::Table>> tables,
                                                        std::function<void()> before_save);
[[nodiscard]] std::unique_ptr<Owners> make_remote_owners(mail::Post& post, embed::RemoteSource& source,
                                                         std::int32_t num_owners, double timeout_seconds);

// The embedding rank's side of save(): the body of a `save` message to the body of `saved`. Never throws.
[[nodiscard]] std::string answer_save(const std::string& request, OwnerIndex owner, std::int32_t num_owners,
                                      std::span<const std::unique_ptr<table::Table>> tables,
                                      const std::function<void()>& before_save);

}  // namespace persia::train
