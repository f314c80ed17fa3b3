#include "table/kernel_bodies.hpp"
#include "table/kernels.hpp"
#include "table/probe_bodies.hpp"
#include "table/rules.hpp"
#include "table/uniform_body.hpp"
#include "table/update_body.hpp"

namespace persia::table {

namespace {

std::size_t request(const RequestJob& job, std::size_t at, LookupBlock& block) {
  return Probe<PortableIsa>::request(job, at, block);
}
void guess(const InnerShard* shards, std::int32_t lookup_bytes, LookupBlock& block) {
  Probe<PortableIsa>::guess(shards, lookup_bytes, block);
}
void uniform(std::uint64_t key, float unit, std::int32_t dim, float* values) {
  Uniform<PortableIsa>::run(key, unit, dim, values);
}
template <class Value>
void gather(const GatherJob& job) {
  gather_rows<Value>(job);
}
template <class Value>
void store(const RowLayout& layout, const float* values, std::byte* row) {
  Store<Value>::run(layout, values, row);
}
template <class Rule, class Value>
std::uint32_t update(const UpdateJob& job) {
  return update_rows<Rule, Value>(job);
}

}  // namespace

std::vector<Kernels> kernel_versions(config::OptimizerType optimizer, config::Precision precision) {
  return visit_precision(precision, [&]<class Value>() {
    return visit_rule(optimizer, []<class Rule>() {
      return std::vector<Kernels>{
          {request, guess, uniform, gather<Value>, update<Rule, Value>, store<Value>}};
    });
  });
}

}  // namespace persia::table
