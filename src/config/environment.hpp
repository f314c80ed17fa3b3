// Every environment variable of this program, and ${NAME} in paths of the run file.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

namespace persia::config {

struct EnvironmentVariable {
  const char* name;
  std::string_view meaning;
};

inline constexpr EnvironmentVariable role_variable{
    "PERSIA_ROLE", "embedding or trainer: the role of this rank, instead of counts in the run file"};
inline constexpr EnvironmentVariable progress_variable{
    "PERSIA_PROGRESS", "1 forces the progress line, 0 forbids it; otherwise it needs a terminal"};
inline constexpr EnvironmentVariable data_directory_variable{
    "PERSIA_DATA_DIR", "where the run files of inputs/ look for real data sets"};

inline constexpr std::array environment_variables{role_variable, progress_variable, data_directory_variable};

// Every PERSIA_ variable set in this process but the role, which alone may differ between ranks.
[[nodiscard]] std::map<std::string, std::string> shared_environment();

// `text` with each ${NAME} replaced. UserError, opening with `where`, for a variable that is unset or empty,
// or holds "${" itself, and for braces that do not close. A plain $NAME stays.
[[nodiscard]] std::string replace_environment(const std::string& text, const std::string& where);

}  // namespace persia::config
