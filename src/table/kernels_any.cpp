#include "table/kernel_bodies.hpp"
#include "table/kernels.hpp"
#include "table/rules.hpp"
#include "table/update_body.hpp"

namespace persia::table {

namespace {

template <class Value>
void gather(const GatherJob& job) {
  Gather<Value>::run(job);
}
template <class Value>
void store(const RowLayout& layout, const float* values, std::byte* row) {
  Store<Value>::run(layout, values, row);
}
template <class Rule, class Value>
std::uint32_t update(const UpdateJob& job) {
  return Update<Rule, Value>::run(job);
}

}  // namespace

std::vector<Kernels> kernel_versions(config::OptimizerType optimizer, config::Precision precision) {
  return visit_precision(precision, [&]<class Value>() {
    return visit_rule(optimizer, []<class Rule>() {
      return std::vector<Kernels>{{gather<Value>, update<Rule, Value>, store<Value>}};
    });
  });
}

}  // namespace persia::table
