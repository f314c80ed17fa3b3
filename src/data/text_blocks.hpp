// Texts kept in large blocks that do not move: pointers into them stay good until clear().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace persia::data {

class TextBlocks {
 public:
  // A copy of `text`. Cost: a memcpy; memory is asked for once per MiB and kept for later.
  const char* append(std::string_view text) {
    while (used_ == blocks_.size() || blocks_[used_].bytes - filled_ < text.size()) {
      if (used_ < blocks_.size()) ++used_;
      filled_ = 0;
      if (used_ == blocks_.size()) add_block(text.size());
    }
    char* const place = blocks_[used_].data.get() + filled_;
    std::memcpy(place, text.data(), text.size());
    filled_ += text.size();
    return place;
  }

  // Forgets the texts, keeps the memory.
  void clear() { used_ = filled_ = 0; }

 private:
  struct Block {
    std::unique_ptr<char[]> data;
    std::size_t bytes = 0;
  };

  void add_block(std::size_t wanted_bytes) {
    const std::size_t bytes = std::max(wanted_bytes, std::size_t{1} << 20);
    blocks_.push_back({.data = std::make_unique_for_overwrite<char[]>(bytes), .bytes = bytes});
  }

  std::vector<Block> blocks_;
  std::size_t used_ = 0;    // block being filled
  std::size_t filled_ = 0;  // bytes of it
};

}  // namespace persia::data
