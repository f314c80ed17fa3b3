#include "data/printable.hpp"

#include <gtest/gtest.h>

namespace persia::data {
namespace {

TEST(Printable, LeavesWellFormedTextAlone) {
  for (const char* text : {"", "plain, 'text' \\x",
                           "Gr\xC3\xBC\xC3\x9F"
                           "e",
                           "\xE4\xBD\xA0\xE5\xA5\xBD", "\xF0\x9F\x98\x80"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable(std::string_view("a\0b\x1B[2J\t\x7F", 9)), "a\\x00b\\x1b[2J\\x09\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            "\\xc2\\x9b2J");
}

TEST(Printable, EscapesBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("\xFF\xFE"
                      "a"),
            "\\xff\\xfea");
  EXPECT_EQ(printable("caf\xE9"), "caf\\xe9");              // cut off
  EXPECT_EQ(printable("\xC0\xAF"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // surrogate
  EXPECT_EQ(printable("\x80\xC3\xBC"), "\\x80\xC3\xBC");
}

}  // namespace
}  // namespace persia::data
