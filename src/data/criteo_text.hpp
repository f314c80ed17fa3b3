// A generated row as a line of Criteo's format: label, 13 integers, 26 categories of 8 hexadecimal digits,
// tab separated, blanks left empty.
#pragma once

#include <cstdint>
#include <string>

#include "data/criteo_teacher.hpp"

namespace persia::data {

// Different ids of all columns give different texts. A bijection on 32-bit words for each seed.
[[nodiscard]] std::uint32_t category_word(std::uint64_t seed, std::uint32_t global_id);

void append_row(const CriteoRow& row, const CriteoTeacher& teacher, std::uint64_t seed, std::string& text);

}  // namespace persia::data
