#include "checkpoint/manifest.hpp"

#include <charconv>
#include <nlohmann/json.hpp>

#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "checkpoint/names.hpp"

namespace persia::checkpoint {

namespace {

using nlohmann::json;

constexpr const char* format_name = "persia-checkpoint";
constexpr std::int64_t format_version = 1;

// 64-bit checksums as text: JSON numbers keep 53 bits in many readers.
std::string hex(std::uint64_t value) {
  return fmt::format("{:016x}", value);
}

std::uint64_t from_hex(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value, 16);
  require_user(parsed.ec == std::errc() && parsed.ptr == end, "'{}' is no checksum", text);
  return value;
}

std::string checksum_of(const json& object) {
  const std::string text = object.dump();
  return hex(checksum64(std::as_bytes(std::span(text))));
}

json to_json(const FileEntry& entry) {
  return {
      {"name", entry.name}, {"bytes", entry.bytes}, {"checksum", hex(entry.checksum)}, {"rows", entry.rows}};
}

FileEntry file_from_json(const json& object) {
  FileEntry entry{.name = object.at("name"),
                  .bytes = object.at("bytes"),
                  .checksum = from_hex(object.at("checksum")),
                  .rows = object.at("rows")};
  require_user(std::filesystem::path(entry.name).filename() == entry.name, "'{}' is no file name",
               entry.name);
  return entry;
}

Manifest from_json(const json& object) {
  Manifest manifest{.step = Step(object.at("step").get<std::int64_t>()),
                    .position = {.epoch = object.at("position").at("epoch"),
                                 .batch_in_epoch = object.at("position").at("batch_in_epoch")},
                    .statistics = {.mean = object.at("dense_statistics").at("mean"),
                                   .scale = object.at("dense_statistics").at("scale")},
                    .created = object.at("created"),
                    .run_file = object.at("run_file"),
                    .num_owners = object.at("num_owners"),
                    .files = {}};
  require_user(manifest.num_owners > 0, "num_owners is {}", manifest.num_owners);
  for (const json& file : object.at("files")) manifest.files.push_back(file_from_json(file));
  return manifest;
}

// Pre: `object` is of this format. Post: its own checksum is removed.
void check_and_strip(json& object) {
  require_user(object.is_object() && object.value("format", "") == format_name, "it is no manifest");
  const std::int64_t version = object.at("format_version");
  require_user(version <= format_version, "format {} is newer than this program, which knows {}", version,
               format_version);
  const std::string expected = object.at("checksum");
  object.erase("checksum");
  require_user(checksum_of(object) == expected, "its checksum is {}, {} expected: it was altered",
               checksum_of(object), expected);
}

}  // namespace

std::string manifest_text(const Manifest& manifest) {
  json files = json::array();
  for (const FileEntry& entry : manifest.files) files.push_back(to_json(entry));
  json object = {
      {"format", format_name},
      {"format_version", format_version},
      {"step", manifest.step.value()},
      {"position",
       {{"epoch", manifest.position.epoch}, {"batch_in_epoch", manifest.position.batch_in_epoch}}},
      {"dense_statistics", {{"mean", manifest.statistics.mean}, {"scale", manifest.statistics.scale}}},
      {"created", manifest.created},
      {"run_file", manifest.run_file},
      {"num_owners", manifest.num_owners},
      {"checksum_algorithm", "xxh3-64"},
      {"files", files}};
  object["checksum"] = checksum_of(object);
  return object.dump(2) + "\n";
}

Manifest parse_manifest(const std::string& text, const std::filesystem::path& path) {
  try {
    json object = json::parse(text);
    check_and_strip(object);
    return from_json(object);
  } catch (const json::parse_error& error) {
    fail_user("{} is damaged: it breaks off or is no JSON at byte {}; use another checkpoint", path.string(),
              error.byte);
  } catch (const json::exception& error) {
    fail_user("{} is damaged: {}; use another checkpoint", path.string(), error.what());
  } catch (const UserError& error) {
    fail_user("{} cannot be used: {}; use another checkpoint", path.string(), error.what());
  }
}

Manifest read_manifest(const std::filesystem::path& step_folder) {
  const std::filesystem::path path = step_folder / manifest_file;
  std::error_code error;
  require_user(std::filesystem::exists(path, error), "{} is no complete checkpoint: it has no {}",
               step_folder.string(), manifest_file);
  return parse_manifest(read_text_file(path), path);
}

}  // namespace persia::checkpoint
