#include "table/kernel_bodies.hpp"
#include "table/kernels.hpp"
#include "table/rules.hpp"

namespace persia::table {

namespace {

// One body compiled for three instruction sets: AVX-512, AVX2, and the baseline of the build.
template <class Body, class Result, class... Arguments>
struct Versions {
  [[gnu::target("arch=x86-64-v4")]] static Result v4(Arguments... arguments) {
    return Body::run(arguments...);
  }
  [[gnu::target("arch=x86-64-v3")]] static Result v3(Arguments... arguments) {
    return Body::run(arguments...);
  }
  static Result base(Arguments... arguments) { return Body::run(arguments...); }
};

template <class Body, class Result, class... Arguments>
auto best_version(Result (*)(Arguments...)) {
  using Choice = Versions<Body, Result, Arguments...>;
  if (__builtin_cpu_supports("x86-64-v4")) return &Choice::v4;
  if (__builtin_cpu_supports("x86-64-v3")) return &Choice::v3;
  return &Choice::base;
}

}  // namespace

Kernels choose_kernels(config::OptimizerType optimizer, config::Precision precision) {
  return visit_precision(precision, [&]<class Value>() {
    const UpdateFunction update = visit_rule(
        optimizer, []<class Rule>() { return best_version<Update<Rule, Value>>(UpdateFunction{}); });
    return Kernels{best_version<Gather<Value>>(GatherFunction{}), update,
                   best_version<Store<Value>>(StoreFunction{})};
  });
}

}  // namespace persia::table
