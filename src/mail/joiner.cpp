#include "mail/joiner.hpp"

#include <utility>

#include "base/error.hpp"

namespace persia::mail {

Joiner::Joiner(PeerIndex peer, std::string name, bool checksums)
    : checksums_(checksums), name_(std::move(name)) {
  open_.peer = peer;
}

void Joiner::must_be(std::string_view field, std::uint64_t value, std::uint64_t expected,
                     std::int64_t offset) const {
  require(value == expected,
          "{}: the record at offset {} has {} {:#x} where {:#x} is expected; the window or the transport is "
          "damaged, "
          "or the ranks run different versions",
          name_, offset, field, value, expected);
}

void Joiner::verify(const wire::RecordHeader& header, std::span<const std::byte> piece,
                    std::int64_t offset) const {
  must_be("magic", header.magic, wire::kRecordMagic, offset);
  must_be("version", header.version, wire::kWireVersion, offset);
  must_be("sequence", header.sequence, sequence_, offset);
  if (checksums_) must_be("checksum", header.checksum, wire::record_checksum(header, piece), offset);
  require(!finished_, "{}: the record at offset {} follows the final one", name_, offset);
}

void Joiner::check_continues(const wire::RecordHeader& header, std::int64_t offset) const {
  must_be("kind", static_cast<std::uint64_t>(header.kind), static_cast<std::uint64_t>(open_.kind), offset);
  must_be("token", header.token, open_.token.value(), offset);
  must_be("message length", header.message_bytes, open_bytes_, offset);
}

void Joiner::open(const wire::RecordHeader& header) {
  is_open_ = true;
  open_.kind = header.kind;
  open_.token = Token(header.token);
  open_bytes_ = header.message_bytes;
  joined_bytes_ = 0;
  forgotten_ = false;
  if (header.kind == wire::MessageKind::rows)
    if (const auto found = landings_.find(open_.token); found != landings_.end()) {
      if (found->second.size() == open_bytes_) landing_ = std::move(found->second);
      landings_.erase(found);
    }
  if (!landing_) open_.body.reserve(open_bytes_);
}

void Joiner::append(std::span<const std::byte> piece) {
  joined_bytes_ += piece.size();
  if (landing_)
    landing_->write(piece);
  else if (!forgotten_)
    open_.body.insert(open_.body.end(), piece.begin(), piece.end());
}

void Joiner::forget_landings() {
  landings_.clear();
  forgotten_ = landing_.has_value();
  landing_.reset();
}

std::optional<Message> Joiner::accept(const wire::RecordHeader& header, std::span<const std::byte> piece,
                                      std::int64_t offset) {
  verify(header, piece, offset);
  ++sequence_;
  if (!is_open_) open(header);
  check_continues(header, offset);
  const bool last = (header.flags & (wire::kLastRecord | wire::kFinalRecord)) != 0;
  const std::uint64_t joined = joined_bytes_ + piece.size();
  require(last ? joined == open_bytes_ : joined < open_bytes_,
          "{}: the record at offset {} brings a message of {} bytes to {}; the window or the transport is "
          "damaged",
          name_, offset, open_bytes_, joined);
  append(piece);
  if (!last) return std::nullopt;
  is_open_ = false;
  finished_ = (header.flags & wire::kFinalRecord) != 0;
  if (finished_) return std::nullopt;
  const bool landed = std::exchange(landing_, std::nullopt).has_value();
  return Message{open_.peer, open_.kind, open_.token, std::exchange(open_.body, {}), landed};
}

}  // namespace persia::mail
