#include "config/node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"

namespace persia::config {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string yaml_refusal(const std::string& text) {
  try {
    (void)parse_yaml(text, "f.yaml");
  } catch (const UserError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Node, KnowsTheLineOfEveryKeyAndItem) {
  const Node root = parse_yaml("a: 1\nb:\n  c: [x,\n    y]\n", "f.yaml");
  ASSERT_NE(root.find("b"), nullptr);
  EXPECT_EQ(root.find("a")->origin, "f.yaml:1");
  EXPECT_EQ(root.find("b")->origin, "f.yaml:2");
  const Node* c = root.find("b")->find("c");
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->origin, "f.yaml:3");
  ASSERT_EQ(c->children.size(), 2U);
  EXPECT_EQ(c->children[1].origin, "f.yaml:4");
  EXPECT_EQ(c->children[1].text, "y");
  EXPECT_EQ(root.find("z"), nullptr);
}

TEST(Node, TellsQuotedFromPlainAndNothingFromEmptyText) {
  const Node root = parse_yaml("a: '1'\nb: 1\nc: ~\nd:\ne: ''\n", "f.yaml");
  EXPECT_TRUE(root.find("a")->quoted);
  EXPECT_FALSE(root.find("b")->quoted);
  EXPECT_EQ(root.find("c")->kind, Node::Kind::null);
  EXPECT_EQ(root.find("d")->kind, Node::Kind::null);
  EXPECT_EQ(root.find("e")->kind, Node::Kind::scalar);
}

TEST(Node, ReadsTheSameWithWindowsLineEndsAndByteOrderMark) {
  const Node root = parse_yaml(
      "\xEF\xBB\xBF"
      "a: 1\r\nb: x\r\n",
      "f.yaml");
  EXPECT_EQ(root.find("a")->text, "1");
  EXPECT_EQ(root.find("b")->text, "x");
}

TEST(Node, GivesNothingForEmptyTextAndComments) {
  EXPECT_EQ(parse_yaml("", "f.yaml").kind, Node::Kind::null);
  EXPECT_EQ(parse_yaml("# only a comment\n", "f.yaml").kind, Node::Kind::null);
}

TEST(Node, RefusesKeysGivenTwiceNamingBothLines) {
  EXPECT_THAT(yaml_refusal("a: 1\nb: 2\na: 3\n"),
              AllOf(StartsWith("f.yaml:3:"), HasSubstr("'a'"), HasSubstr("f.yaml:1")));
}

TEST(Node, RefusesAliasesAnchorsMergesAndTags) {
  EXPECT_THAT(yaml_refusal("a: &x 1\nb: *x\n"), AllOf(StartsWith("f.yaml:1:"), HasSubstr("anchors")));
  EXPECT_THAT(yaml_refusal("a: {<<: {b: 1}}\n"), HasSubstr("merge keys"));
  EXPECT_THAT(yaml_refusal("a: 1\nb: !!str 5\n"), AllOf(StartsWith("f.yaml:2:"), HasSubstr("tags")));
}

TEST(Node, RefusesASecondDocument) {
  EXPECT_THAT(yaml_refusal("a: 1\n---\nb: 2\n"), HasSubstr("second document"));
}

TEST(Node, RefusesBrokenYamlWithItsLine) {
  EXPECT_THAT(yaml_refusal("a: 1\nb: [1, 2\n"), HasSubstr("no valid YAML"));
  EXPECT_THAT(yaml_refusal("a: 1\n  b: 2\n"), StartsWith("f.yaml:2:"));
  EXPECT_THAT(yaml_refusal("a: 'open\n"), HasSubstr("no valid YAML"));
  EXPECT_THAT(yaml_refusal("a: \"open\nb: 5\n\n"), HasSubstr("no valid YAML"));
}

TEST(Node, RefusesMapsAndNothingAsKeys) {
  EXPECT_THAT(yaml_refusal("? {a: 1}\n: 2\n"), HasSubstr("where a key is wanted"));
  EXPECT_THAT(yaml_refusal("~: 2\n"), HasSubstr("a key is empty"));
}

TEST(Node, RefusesBinaryBytesThatTheParserWouldTakeForTheEnd) {
  EXPECT_THAT(yaml_refusal("a: 1\nb: \x04\nc: 3\n"), AllOf(StartsWith("f.yaml:2:"), HasSubstr("0x04")));
  EXPECT_THAT(yaml_refusal(std::string("\x89HDF\r\n\x1a\n\0\0", 10)), HasSubstr("is no text"));
}

TEST(Node, RefusesHugeNestingQuickly) {
  EXPECT_THAT(yaml_refusal(std::string(100000, '[')), HasSubstr("is a bracket left open?"));
  EXPECT_THAT(yaml_refusal(std::string(100000, '{')), ::testing::Not("accepted"));
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_THAT(yaml_refusal(deep), HasSubstr("nested"));
}

TEST(Node, NamesTheOverrideAsPlaceOfItsValue) {
  const Node value = parse_yaml_value("[a, b]", "--set x=[a, b]");
  ASSERT_EQ(value.children.size(), 2U);
  EXPECT_EQ(value.children[0].origin, "--set x=[a, b]");
}

}  // namespace
}  // namespace persia::config
