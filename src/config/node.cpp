#include "config/node.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <utility>

#include "base/error.hpp"

namespace persia::config {

namespace {

constexpr std::size_t max_depth = 16;  // run files need 6

using PlaceOf = std::function<std::string(int line)>;  // line from 0, -1 unknown

// Builds the tree from the parser's events. `open_` holds the containers under construction, outermost first.
class Builder final : public YAML::EventHandler {
 public:
  explicit Builder(PlaceOf place) : place_(std::move(place)) {}
  Node take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    add({.origin = place_(mark.line)});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    fail_user("{}: aliases (*name) are not supported; write the value out", place_(mark.line));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    add({.kind = Node::Kind::scalar, .origin = place_(mark.line), .text = value, .quoted = tag == "!"});
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Node::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Node::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node node;
    bool has_key = false;  // map: the next value belongs to `key`
    std::string key{};
    std::string key_origin{};
  };

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
    require_user(anchor == 0, "{}: anchors (&name) are not supported; write the value out",
                 place_(mark.line));
  }
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    require_user(tag.empty() || tag == "?" || tag == "!", "{}: tags ({}) are not supported; remove it",
                 place_(mark.line), tag);
  }
  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    require_user(open_.size() < max_depth, "{}: nested more than {} deep; this is no run file",
                 place_(mark.line), max_depth);
    require_user(!wants_key(), "{}: a map or list stands where a key is wanted; is a bracket left open?",
                 place_(mark.line));
    open_.push_back({.node = {.kind = kind, .origin = place_(mark.line)}});
  }
  void close() {
    Node done = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(done));
  }
  [[nodiscard]] bool wants_key() const {
    return !open_.empty() && open_.back().node.kind == Node::Kind::map && !open_.back().has_key;
  }
  void add(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (wants_key()) {
      take_key(parent, node);
      return;
    }
    if (parent.has_key) {
      node.key = std::exchange(parent.key, {});
      node.origin = std::exchange(parent.key_origin, {});
      parent.has_key = false;
    }
    parent.node.children.push_back(std::move(node));
  }
  static void take_key(Open& parent, const Node& node) {
    require_user(node.kind == Node::Kind::scalar && !node.text.empty(), "{}: a key is empty", node.origin);
    require_user(node.text != "<<" || node.quoted,
                 "{}: merge keys (<<) are not supported; write the keys out", node.origin);
    const Node* twice = parent.node.find(node.text);
    require_user(twice == nullptr, "{}: key '{}' was already given at {}; keep one of them", node.origin,
                 node.text, twice ? twice->origin : "");
    parent.has_key = true;
    parent.key = node.text;
    parent.key_origin = node.origin;
  }

  PlaceOf place_;
  std::vector<Open> open_;
  Node root_;
};

// The parser takes some control characters for the end of the text, and would drop what follows.
void require_text(const std::string& text, const PlaceOf& place) {
  const auto odd = std::ranges::find_if(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7F;
  });
  if (odd == text.end()) return;
  fail_user("{}: byte 0x{:02x} is no text; this is no YAML file",
            place(static_cast<int>(std::count(text.begin(), odd, '\n'))), static_cast<unsigned char>(*odd));
}

Node parse(const std::string& text, const PlaceOf& place) {
  require_text(text, place);
  try {
    // An open quote at the end is noticed only where no white space follows.
    const std::size_t end = text.find_last_not_of(" \t\r\n") + 1;
    std::istringstream stream(text.substr(0, end));
    YAML::Parser parser(stream);
    Builder first(place);
    if (!parser.HandleNextDocument(first)) return {.origin = place(0)};
    Builder second(place);
    require_user(!parser.HandleNextDocument(second), "{}: holds a second document ('---'); one is wanted",
                 place(-1));
    return first.take();
  } catch (const YAML::Exception& e) {
    fail_user("{}: no valid YAML: {}", place(e.mark.line), e.msg);
  }
}

}  // namespace

const Node* Node::find(std::string_view wanted) const {
  const auto found = std::ranges::find(children, wanted, &Node::key);
  return found == children.end() ? nullptr : &*found;
}

Node parse_yaml(const std::string& text, const std::string& name) {
  return parse(text, [&](int line) { return line < 0 ? name : fmt::format("{}:{}", name, line + 1); });
}

Node parse_yaml_value(const std::string& text, const std::string& origin) {
  return parse(text, [&](int) { return origin; });
}

std::string_view kind_text(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::scalar:
      return "a single value";
    case Node::Kind::list:
      return "a list";
    case Node::Kind::map:
      return "a map";
  }
  return "";
}

}  // namespace persia::config
