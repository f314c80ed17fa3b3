#include "config/overrides.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace persia::config {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Node with(const std::vector<std::string>& overrides) {
  Node root = parse_yaml("name: x\ntraining: {epochs: 1, optimizer: {type: adam, beta1: 0.8}}\nlist: [1]\n",
                         "f.yaml");
  apply_overrides(root, overrides);
  return root;
}

std::string override_refusal(const std::string& override_text) {
  try {
    (void)with({override_text});
  } catch (const UserError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Overrides, ReplaceWhatStoodThereAndNameThemselves) {
  const Node root = with({"training.epochs=5"});
  const Node* epochs = root.find("training")->find("epochs");
  EXPECT_EQ(epochs->text, "5");
  EXPECT_EQ(epochs->origin, "--set training.epochs=5");
  EXPECT_EQ(root.find("name")->origin, "f.yaml:1");
}

TEST(Overrides, MakeSectionsThatWereNotWritten) {
  const Node root = with({"a.b.c=[1, 2]"});
  EXPECT_EQ(root.find("a")->find("b")->find("c")->children.size(), 2U);
}

TEST(Overrides, ReplaceAWholeMap) {
  const Node root = with({"training.optimizer={type: sgd}"});
  const Node* optimizer = root.find("training")->find("optimizer");
  EXPECT_EQ(optimizer->find("type")->text, "sgd");
  EXPECT_EQ(optimizer->find("beta1"), nullptr);
}

TEST(Overrides, LastOneWins) {
  EXPECT_EQ(with({"name=a", "name=b"}).find("name")->text, "b");
}

TEST(Overrides, GiveAKeyItsDefaultBackWhenEmpty) {
  EXPECT_TRUE(with({"name="}).find("name")->unset);
  EXPECT_EQ(with({"name=\"\""}).find("name")->kind, Node::Kind::scalar);
  const Node root = with({"training=", "training.epochs=3"});
  EXPECT_EQ(root.find("training")->children.size(), 1U);
}

TEST(Overrides, KeepEqualSignsAndDotsOfTheValue) {
  EXPECT_EQ(with({"name=a=b.c"}).find("name")->text, "a=b.c");
}

TEST(Overrides, RefuseWhatTheyCannotAddress) {
  EXPECT_THAT(override_refusal("name"), AllOf(StartsWith("--set name:"), HasSubstr("no '='")));
  EXPECT_THAT(override_refusal("=5"), HasSubstr("a name is empty"));
  EXPECT_THAT(override_refusal("a..b=5"), HasSubstr("a name is empty"));
  EXPECT_THAT(override_refusal("a.=5"), HasSubstr("a name is empty"));
  EXPECT_THAT(override_refusal("name.x=5"), HasSubstr("'name' is a single value"));
  EXPECT_THAT(override_refusal("list.0=5"), HasSubstr("'list' is a list"));
  EXPECT_THAT(override_refusal("name=[1"), AllOf(StartsWith("--set name=[1:"), HasSubstr("bracket")));
}

}  // namespace
}  // namespace persia::config
