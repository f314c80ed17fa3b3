// Verifies the records of one sender and joins them into messages. Both transports believe nothing that did
// not pass here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "mail/landing.hpp"
#include "mail/post.hpp"
#include "wire/records.hpp"

namespace persia::mail {

class Joiner {
 public:
  // `name`: the stream, for messages: "requests from rank 3".
  Joiner(PeerIndex peer, std::string name, bool checksums);

  // The message that this record completes. Error naming stream, offset and both values unless magic,
  // version, sequence, checksum and lengths are right. `offset`: where the header stood, for that message.
  std::optional<Message> accept(const wire::RecordHeader& header, std::span<const std::byte> piece,
                                std::int64_t offset);
  // See Post::land().
  void land(Token token, Landing landing) { landings_.insert_or_assign(token, std::move(landing)); }
  void forget_landings();
  // The sender's final record has come.
  [[nodiscard]] bool finished() const { return finished_; }

 private:
  void verify(const wire::RecordHeader& header, std::span<const std::byte> piece, std::int64_t offset) const;
  void check_continues(const wire::RecordHeader& header, std::int64_t offset) const;
  void must_be(std::string_view field, std::uint64_t value, std::uint64_t expected,
               std::int64_t offset) const;

  // Begins the message of this record.
  void open(const wire::RecordHeader& header);
  void append(std::span<const std::byte> piece);

  Message open_;  // the message under way
  std::uint64_t joined_bytes_ = 0;
  std::optional<Landing> landing_;  // of it
  bool forgotten_ = false;          // its landing is gone: what comes is thrown away
  std::map<Token, Landing> landings_;
  std::uint64_t open_bytes_ = 0;  // of its whole body
  bool is_open_ = false;
  bool finished_ = false;
  bool checksums_;
  std::uint64_t sequence_ = 0;
  std::string name_;
};

}  // namespace persia::mail
