// From the text of a category to its 64-bit id, and back to text for people.
//
// string columns: XXH3-64 of the bytes as written (upper and lower case, leading zeros and spaces inside make
// different ids, in Criteo's hexadecimal fields too) with the table's salt as seed.
// integer columns: the number itself, two's complement, so that inspection prints the exact digits.
// A blank field is a value of its own in every table: kMissingId. No other field can get that id: a string
// whose hash equals it takes the next number, an integer equal to it is refused by the reader.
// Pure functions; the values are part of the checkpoint format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/strong.hpp"
#include "config/run_file.hpp"

namespace persia::data {

// An arbitrary word; -3335678366873096957 as a signed, 15111065706836454659 as an unsigned number.
inline constexpr FeatureId kMissingId{0xD1B54A32D192ED03ULL};

[[nodiscard]] FeatureId string_id(std::string_view text, std::uint64_t table_salt);

// "-7", "18446744073709551615", "#00c0ffee00c0ffee" (hash of a string), "(blank)".
[[nodiscard]] std::string feature_id_text(FeatureId id, config::CategoryType type);

}  // namespace persia::data
