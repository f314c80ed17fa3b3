#include "config/environment.hpp"

#include <unistd.h>

#include <cstdlib>

#include "base/error.hpp"

namespace persia::config {

std::map<std::string, std::string> shared_environment() {
  std::map<std::string, std::string> result;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || !text.starts_with("PERSIA_")) continue;
    const std::string_view name = text.substr(0, equals);
    if (name != role_variable.name) result.emplace(name, text.substr(equals + 1));
  }
  return result;
}

std::string replace_environment(const std::string& text, const std::string& where) {
  std::string result;
  std::size_t at = 0;
  while (true) {
    const std::size_t begin = text.find("${", at);
    result.append(text, at, begin - at);
    if (begin == std::string::npos) return result;
    const std::size_t end = text.find('}', begin);
    require_user(end != std::string::npos, "{}: '{}' opens ${{ without a closing brace", where, text);
    const std::string name = text.substr(begin + 2, end - begin - 2);
    const char* value = name.empty() ? nullptr : std::getenv(name.c_str());
    require_user(value != nullptr && *value != '\0',
                 "{}: '{}' needs the environment variable {}, which is not set; set it on every rank", where,
                 text, name.empty() ? "between the braces" : name);
    require_user(std::string_view(value).find("${") == std::string_view::npos,
                 "{}: the environment variable {} holds '${{' itself; give it a plain path", where, name);
    result += value;
    at = end + 1;
  }
}

}  // namespace persia::config
