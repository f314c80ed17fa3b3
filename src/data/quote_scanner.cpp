#include "data/quote_scanner.hpp"

#include <algorithm>

namespace persia::data {

QuoteScanner::State QuoteScanner::step(char c) const {
  switch (state_) {
    case State::field_start:
      if (c == '"') return State::quoted;
      if (c == delimiter_ || (trims_ && c == ' ')) return State::field_start;
      return State::plain;
    case State::plain:
      return c == delimiter_ ? State::field_start : State::plain;
    case State::quoted:
      return c == '"' ? State::quote_in_quoted : State::quoted;
    case State::quote_in_quoted:
      if (c == '"') return State::quoted;
      [[fallthrough]];
    case State::closed:
      if (c == delimiter_) return State::field_start;
      return c == ' ' || c == '\r' ? State::closed : State::broken;
    case State::broken:
      break;
  }
  return State::broken;
}

// Jumps to the next character that can change the state.
void QuoteScanner::skip_ordinary(std::string_view record) {
  if (state_ != State::plain && state_ != State::quoted) return;
  position_ = std::min(record.find(state_ == State::plain ? delimiter_ : '"', position_), record.size());
}

QuoteScanner::State QuoteScanner::scan(std::string_view record) {
  while (true) {
    skip_ordinary(record);
    if (position_ >= record.size() || state_ == State::broken) return state_;
    const State before = state_;
    state_ = step(record[position_]);
    if (before == State::field_start && state_ == State::quoted) opened_at_ = position_;
    ++position_;
  }
}

}  // namespace persia::data
