#include "config/writer.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "config/default_visitor.hpp"
#include "config/write_visitor.hpp"

namespace persia::config {

namespace {

Node tree_of(RunFile run) {
  WriteVisitor visitor;
  describe(visitor, run);
  return visitor.take();
}

// On one line: [a, b], {k: v, ...}, or the scalar.
std::string flow_text(const Node& node) {
  if (node.kind == Node::Kind::scalar) return node.text;
  const bool map = node.kind == Node::Kind::map;
  std::string text = map ? "{" : "[";
  for (const Node& child : node.children) {
    if (&child != &node.children.front()) text += ", ";
    if (map) text += string_text(child.key) + ": ";
    text += flow_text(child);
  }
  return text + (map ? "}" : "]");
}

bool holds_maps(const Node& node) {
  return std::ranges::any_of(node.children, [](const Node& c) { return c.kind == Node::Kind::map; });
}

// One line per child; children of sections that hold maps (columns, tables) get a line each.
void append_section(std::string& text, const Node& map, const std::string& indent) {
  for (const Node& child : map.children) {
    text += indent + string_text(child.key) + ":";
    const bool section = indent.empty() && child.kind == Node::Kind::map && !child.children.empty();
    if (section) {
      text += "\n";
      append_section(text, child, "  ");
    } else if (child.kind == Node::Kind::list && holds_maps(child)) {
      text += "\n";
      for (const Node& item : child.children) text += indent + "  - " + flow_text(item) + "\n";
    } else {
      text += " " + flow_text(child) + "\n";
    }
  }
}

void collect(std::map<std::string, std::string>& facts, const Node& node, const std::string& path) {
  if (node.kind != Node::Kind::map) {
    facts[path] = flow_text(node);
    return;
  }
  for (const Node& child : node.children)
    collect(facts, child, path.empty() ? child.key : path + "." + child.key);
}

}  // namespace

std::string resolved_text(const RunFile& run) {
  std::string text;
  append_section(text, tree_of(run), "");
  return text;
}

std::uint64_t run_file_hash(const RunFile& run) {
  return hash_bytes(resolved_text(run), 0);
}

std::map<std::string, std::string> facts_of(const RunFile& run) {
  std::map<std::string, std::string> facts;
  collect(facts, tree_of(run), "");
  return facts;
}

std::string default_text() {
  RunFile defaults;
  DefaultVisitor visitor("");
  describe(visitor, defaults);
  return visitor.take();
}

}  // namespace persia::config
