// Which keys were written, and where: validation names the line, and refuses written keys that are not used.
#pragma once

#include <map>
#include <string>
#include <utility>

namespace persia::config {

class Origins {
 public:
  // `source`: the run file's name, for keys that have their default.
  explicit Origins(std::string source = "run file") : source_(std::move(source)) {}

  // `path`: "training.batch_size", "data.dense[0].name"; `origin`: "run.yaml:12", "--set
  // training.batch_size=5".
  void add(const std::string& path, const std::string& origin) {
    origins_[path] = origin;
    any_override_ = any_override_ || overridden(path);
  }
  // Whether the key, or any key, was written on the command line.
  [[nodiscard]] bool overridden(const std::string& path) const { return where(path).starts_with("--set "); }
  [[nodiscard]] bool any_override() const { return any_override_; }
  [[nodiscard]] bool written(const std::string& path) const { return origins_.contains(path); }
  // The key's origin, or that of what encloses it, or the run file's name. Messages open with it.
  [[nodiscard]] std::string where(std::string path) const {
    while (true) {
      if (const auto found = origins_.find(path); found != origins_.end()) return found->second;
      const auto cut = path.find_last_of(".[");
      if (cut == std::string::npos) return source_;
      path.resize(cut);
    }
  }

 private:
  std::string source_;
  std::map<std::string, std::string> origins_;
  bool any_override_ = false;
};

}  // namespace persia::config
