#include "mail/put_batch.hpp"

#include <cstring>

#include "base/error.hpp"

namespace persia::mail {

namespace {

// Pieces up to this size are copied next to their header: one put instead of two.
constexpr std::size_t kCopiedPieceBytes = 4096;
constexpr std::size_t kStagingBytes = 256 * 1024;

std::size_t padded(std::size_t bytes) {
  return (bytes + 7) & ~std::size_t{7};
}

}  // namespace

PutBatch::PutBatch(sys::Window& window) : window_(&window), staging_(kStagingBytes) {}

void PutBatch::add(int target, std::int64_t offset, const OutgoingRecord& record) {
  note_target(target);
  const bool copied = record.piece.size() <= kCopiedPieceBytes;
  stage(target, offset, record, copied);
  if (copied) return;
  put_run();
  window_->put(record.piece, target, offset + static_cast<std::int64_t>(sizeof record.header));
}

void PutBatch::stage(int target, std::int64_t offset, const OutgoingRecord& record, bool with_piece) {
  const std::size_t piece_bytes = with_piece ? record.piece.size() : 0;
  const std::size_t bytes = sizeof record.header + padded(piece_bytes);
  if (run_end_ + bytes > staging_.size()) {
    put_run();
    window_->flush_all();  // staged bytes have left: their room is free again
    run_begin_ = run_end_ = 0;
  }
  const bool continues =
      target == run_target_ && offset == run_offset_ + static_cast<std::int64_t>(run_end_ - run_begin_);
  if (!continues) {
    put_run();
    run_target_ = target;
    run_offset_ = offset;
  }
  std::byte* place = staging_.data() + run_end_;
  std::memcpy(place, &record.header, sizeof record.header);
  if (piece_bytes > 0) std::memcpy(place + sizeof record.header, record.piece.data(), piece_bytes);
  run_end_ += bytes;
}

void PutBatch::put_run() {
  if (run_end_ > run_begin_)
    window_->put(std::span(staging_).subspan(run_begin_, run_end_ - run_begin_), run_target_, run_offset_);
  run_begin_ = run_end_;
  run_target_ = -1;
}

void PutBatch::note_target(int target) {
  many_targets_ = many_targets_ || (target_ >= 0 && target_ != target);
  target_ = target;
}

void PutBatch::complete() {
  if (empty()) return;
  put_run();
  if (many_targets_)
    window_->flush_all();
  else
    window_->flush(target_);
  run_begin_ = run_end_ = 0;
  target_ = -1;
  many_targets_ = false;
}

}  // namespace persia::mail
