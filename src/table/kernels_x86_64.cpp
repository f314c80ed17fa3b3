#include "table/kernel_bodies.hpp"
#include "table/kernels.hpp"
#include "table/rules.hpp"
#include "table/update_body.hpp"

namespace persia::table {

namespace {

// The bodies compiled for one instruction set each. __builtin_cpu_supports() wants literals.
template <class Rule, class Value>
struct Avx512 {
  [[gnu::target("arch=x86-64-v4")]] static void gather(const GatherJob& job) { Gather<Value>::run(job); }
  [[gnu::target("arch=x86-64-v4")]] static std::uint32_t update(const UpdateJob& job) {
    return Update<Rule, Value>::run(job);
  }
  [[gnu::target("arch=x86-64-v4")]] static void store(const RowLayout& layout, const float* values,
                                                      std::byte* row) {
    Store<Value>::run(layout, values, row);
  }
  static bool runs_here() { return __builtin_cpu_supports("x86-64-v4") != 0; }
};

template <class Rule, class Value>
struct Avx2 {
  [[gnu::target("arch=x86-64-v3")]] static void gather(const GatherJob& job) { Gather<Value>::run(job); }
  [[gnu::target("arch=x86-64-v3")]] static std::uint32_t update(const UpdateJob& job) {
    return Update<Rule, Value>::run(job);
  }
  [[gnu::target("arch=x86-64-v3")]] static void store(const RowLayout& layout, const float* values,
                                                      std::byte* row) {
    Store<Value>::run(layout, values, row);
  }
  static bool runs_here() { return __builtin_cpu_supports("x86-64-v3") != 0; }
};

template <class Rule, class Value>
struct Baseline {
  static void gather(const GatherJob& job) { Gather<Value>::run(job); }
  static std::uint32_t update(const UpdateJob& job) { return Update<Rule, Value>::run(job); }
  static void store(const RowLayout& layout, const float* values, std::byte* row) {
    Store<Value>::run(layout, values, row);
  }
  static bool runs_here() { return true; }
};

template <class Version>
void add_version(std::vector<Kernels>& versions) {
  if (Version::runs_here()) versions.push_back({Version::gather, Version::update, Version::store});
}

}  // namespace

std::vector<Kernels> kernel_versions(config::OptimizerType optimizer, config::Precision precision) {
  std::vector<Kernels> versions;
  visit_precision(precision, [&]<class Value>() {
    visit_rule(optimizer, [&]<class Rule>() {
      add_version<Avx512<Rule, Value>>(versions);
      add_version<Avx2<Rule, Value>>(versions);
      add_version<Baseline<Rule, Value>>(versions);
    });
  });
  return versions;
}

}  // namespace persia::table
