// Puts of one sweep: small records are copied side by side and leave as one put per run, large pieces leave
// from where they lie.
//
// Thread safety: the communication thread only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mail/outbox.hpp"
#include "sys/window.hpp"

namespace persia::mail {

class PutBatch {
 public:
  // `window` outlives this.
  explicit PutBatch(sys::Window& window);

  // Puts a record at `offset` of the target's window. Its piece must live until complete().
  void add(int target, std::int64_t offset, const OutgoingRecord& record);
  // Post: all records are in their targets' memory.
  void complete();
  [[nodiscard]] bool empty() const { return target_ < 0; }

 private:
  void stage(int target, std::int64_t offset, const OutgoingRecord& record, bool with_piece);
  void put_run();  // sends the staged bytes that no put covers yet
  void note_target(int target);

  sys::Window* window_;
  std::vector<std::byte> staging_;
  std::size_t run_begin_ = 0, run_end_ = 0;  // in staging_
  int run_target_ = -1;
  std::int64_t run_offset_ = 0;  // in the target's window
  int target_ = -1;              // the only target so far; -1 none
  bool many_targets_ = false;
};

}  // namespace persia::mail
