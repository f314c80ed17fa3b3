#include <glob.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "config/environment.hpp"
#include "data/source.hpp"

namespace persia::data {

namespace {

namespace fs = std::filesystem;

// The result of glob(3), freed in any case.
class Matches {
 public:
  explicit Matches(const std::string& pattern)
      : code_(::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found_)) {
    require_user(code_ == 0 || code_ == GLOB_NOMATCH, "cannot look for files matching {}", pattern);
  }
  ~Matches() { ::globfree(&found_); }
  Matches(const Matches&) = delete;
  Matches& operator=(const Matches&) = delete;

  // By bytes, whatever the locale says.
  [[nodiscard]] std::vector<fs::path> sorted() const {
    std::vector<fs::path> paths(found_.gl_pathv, found_.gl_pathv + found_.gl_pathc);
    std::sort(paths.begin(), paths.end(),
              [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
    return paths;
  }

 private:
  glob_t found_{};
  int code_;
};

void check_file(const fs::path& path) {
  require_user(!fs::is_directory(path), "{} is a directory; name its files, for example {}/*.csv",
               path.string(), path.string());
  require_user(!fs::is_regular_file(path) || fs::file_size(path) > 0, "{} is empty", path.string());
}

}  // namespace

std::vector<fs::path> expand_files(const config::Data& data, const std::vector<std::string>& patterns,
                                   const fs::path& run_file_folder) {
  const fs::path folder = run_file_folder / config::replace_environment(data.directory, "data.directory");
  std::vector<fs::path> files;
  std::set<fs::path> seen;
  for (const std::string& pattern : patterns) {
    const fs::path wanted = folder / config::replace_environment(pattern, "data files");
    const bool literal = fs::exists(wanted);  // a name with brackets in it is a name if it is there
    const std::vector<fs::path> found = literal ? std::vector{wanted} : Matches(wanted.string()).sorted();
    require_user(!found.empty(), "no file matches {}", wanted.string());
    for (const fs::path& path : found) {
      check_file(path);
      require_user(seen.insert(fs::canonical(path)).second,
                   "{} is named twice; its rows would count double, so name it once", path.string());
      files.push_back(path.lexically_normal());
    }
  }
  return files;
}

}  // namespace persia::data
