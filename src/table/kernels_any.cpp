#include "table/kernel_bodies.hpp"
#include "table/kernels.hpp"
#include "table/rules.hpp"

namespace persia::table {

namespace {

template <class Body, class Result, class... Arguments>
struct OneVersion {
  static Result run(Arguments... arguments) { return Body::run(arguments...); }
};

template <class Body, class Result, class... Arguments>
auto compiled(Result (*)(Arguments...)) {
  return &OneVersion<Body, Result, Arguments...>::run;
}

}  // namespace

Kernels choose_kernels(config::OptimizerType optimizer, config::Precision precision) {
  return visit_precision(precision, [&]<class Value>() {
    const UpdateFunction update =
        visit_rule(optimizer, []<class Rule>() { return compiled<Update<Rule, Value>>(UpdateFunction{}); });
    return Kernels{compiled<Gather<Value>>(GatherFunction{}), update,
                   compiled<Store<Value>>(StoreFunction{})};
  });
}

}  // namespace persia::table
