#include "train/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/log.hpp"

namespace persia::train {

namespace {

// The affinity mask as "host:0 host:1"; one core where the system does not tell.
std::string allowed_cores(const std::string& host) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) CPU_SET(0, &set);
  std::string text;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set)) text += fmt::format("{}:{} ", host, core);
  return text;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

std::int32_t fair_share(const std::string& own, const std::vector<std::string>& all) {
  std::map<std::string, int> users;
  for (const std::string& text : all)
    for (const std::string& core : words_of(text)) ++users[core];
  double share = 1e-9;  // thirds and the like add up to whole cores
  for (const std::string& core : words_of(own)) share += 1.0 / std::max(1, users[core]);
  return std::max(1, static_cast<std::int32_t>(share));
}

std::int32_t choose_threads(std::int32_t wanted, const roles::Teams& teams) {
  const std::string own = allowed_cores(teams.ranks[static_cast<std::size_t>(teams.world.rank())].host);
  if (wanted == 0) return fair_share(own, teams.trainers.gather_texts(own));

  const auto cores = static_cast<std::int32_t>(words_of(own).size());
  const std::int64_t short_of_cores = wanted > cores ? 1 : 0;
  if (teams.trainers.max(short_of_cores) > 0 && teams.index_in_role == 0)
    log::warn(
        "trainers compute with {} threads but may use fewer cores (trainer 0: {}); start mpirun with "
        "--bind-to none, or set training.threads to what there is",
        wanted, cores);
  return wanted;
}

}  // namespace persia::train
