// A trainer without workers: its own reader thread, its own look-ups.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "embed/source.hpp"
#include "train/batch_feed.hpp"
#include "train/supply.hpp"

namespace persia::train {

class OwnSupply final : public Supply {
 public:
  using OpenFeed = std::function<std::shared_ptr<BatchFeed>(table::Purpose, const data::Position&)>;

  // `source` must outlive it.
  OwnSupply(embed::EmbeddingSource& source, OpenFeed open_feed);

  [[nodiscard]] std::unique_ptr<BatchPass> open(table::Purpose purpose, const data::Position& start) override;
  bool progress() override { return source_.progress(); }
  Flight* landed() override;
  void push(Flight& flight) override;
  [[nodiscard]] std::int32_t open_tokens() const override { return source_.open_tokens(); }
  [[nodiscard]] embed::WireBytes wire_bytes() const override { return source_.wire_bytes(); }
  [[nodiscard]] std::string describe() const override { return source_.describe(); }

 private:
  class Pass;

  embed::EmbeddingSource& source_;
  OpenFeed open_feed_;
  std::map<Token, Flight*> in_the_air_;
};

}  // namespace persia::train
