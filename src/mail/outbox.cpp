#include "mail/outbox.hpp"

#include <utility>

#include "base/cast.hpp"
#include "base/error.hpp"

namespace persia::mail {

namespace {

std::int64_t size_of(const std::vector<std::byte>& body) {
  return static_cast<std::int64_t>(body.size());
}

}  // namespace

void Outbox::push(Message message) {
  expects(!closed_, "nothing is sent after close()");
  queued_bytes_ += size_of(message.body) + wire::kRecordHeaderBytes;
  queue_.push_back({std::move(message), wire::kLastRecord});
}

void Outbox::push_final() {
  push({});
  queue_.back().last_flags = wire::kFinalRecord;
  closed_ = true;
}

std::int64_t Outbox::left_bytes() const {
  return size_of(queue_[current_].message.body) - taken_bytes_;
}

OutgoingRecord Outbox::take(std::int64_t piece_bytes) {
  const Item& item = queue_[current_];
  const std::int64_t left = left_bytes();
  expects(piece_bytes <= left && (piece_bytes > 0 || left == 0), "a record carries a part of its message");
  OutgoingRecord record;
  record.piece = std::span(item.message.body)
                     .subspan(static_cast<std::size_t>(taken_bytes_), static_cast<std::size_t>(piece_bytes));
  record.header.kind = item.message.kind;
  record.header.flags = piece_bytes == left ? item.last_flags : std::uint16_t{0};
  record.header.sequence = sequence_++;
  record.header.token = item.message.token.value();
  record.header.piece_bytes = checked_cast<std::uint32_t>(piece_bytes);
  record.header.message_bytes = item.message.body.size();
  if (checksums_) record.header.checksum = wire::record_checksum(record.header, record.piece);
  queued_bytes_ -= piece_bytes;
  taken_bytes_ += piece_bytes;
  if (piece_bytes == left) {
    queued_bytes_ -= wire::kRecordHeaderBytes;
    taken_bytes_ = 0;
    ++current_;
  }
  return record;
}

void Outbox::release(SpareBodies& spare) {
  for (std::size_t i = 0; i < current_; ++i) spare.give(std::move(queue_[i].message.body));
  queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(current_));
  current_ = 0;
}

}  // namespace persia::mail
