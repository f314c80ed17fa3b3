#include "config/overrides.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace persia::config {

namespace {

Node& child_of(Node& map, std::string_view key, const std::string& origin) {
  require_user(map.kind == Node::Kind::map, "{}: '{}' is {}, so it has no key '{}'; replace it as a whole",
               origin, map.key, kind_text(map), key);
  const auto found = std::ranges::find(map.children, key, &Node::key);
  if (found != map.children.end()) return *found;
  map.children.push_back({.kind = Node::Kind::map, .key = std::string(key), .origin = origin});
  return map.children.back();
}

void apply(Node& root, const std::string& override_text) {
  const std::string origin = "--set " + override_text;
  const auto equals = override_text.find('=');
  require_user(equals != std::string::npos, "{}: no '='; write --set section.key=value", origin);
  const std::string path = override_text.substr(0, equals);
  const std::string value = override_text.substr(equals + 1);
  Node* node = &root;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    require_user(end > begin, "{}: a name is empty; write --set section.key=value", origin);
    if (node->unset) *node = {.kind = Node::Kind::map, .key = node->key, .origin = origin};
    node = &child_of(*node, std::string_view(path).substr(begin, end - begin), origin);
    begin = end + 1;
  }
  Node replacement = parse_yaml_value(value, origin);
  replacement.key = node->key;
  replacement.unset = value.empty();
  *node = std::move(replacement);
}

}  // namespace

void apply_overrides(Node& root, const std::vector<std::string>& overrides) {
  for (const std::string& text : overrides) apply(root, text);
}

}  // namespace persia::config
