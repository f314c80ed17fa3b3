// The keys of an optimizer and of its learning-rate schedule; describe.hpp says what a visitor is.
#pragma once

#include <initializer_list>

#include "config/about.hpp"
#include "config/run_file.hpp"

namespace persia::config {

template <class Visitor>
void describe(Visitor& v, Schedule& s) {
  using enum ScheduleType;
  const auto only = [&](std::initializer_list<ScheduleType> types) {
    return used_with("schedule.type", s.type, types);
  };
  const Use falls = only({polynomial, cosine});
  v.field("type", s.type, {.help = "course of the rate after the warm-up"});
  v.field("warm_up_steps", s.warm_up_steps,
          {.help = "steps in which the rate rises evenly to learning_rate, with any type; 0 = none",
           .range = at_least(0)});
  v.field("every_steps", s.every_steps,
          {.help = "steps after which the rate is multiplied by factor, again and again; must be given",
           .range = at_least(0),
           .use = only({step})});
  v.field("factor", s.factor,
          {.help = "of the rate, every every_steps", .range = above_to(0, 1), .use = only({step})});
  v.field(
      "decay_steps", s.decay_steps,
      {.help = "steps in which the rate falls to end; must be given", .range = at_least(0), .use = falls});
  v.field("power", s.power,
          {.help = "of the share of decay_steps that is left; 1 = linear",
           .range = above(0),
           .use = only({polynomial})});
  v.field("end", s.end,
          {.help = "share of learning_rate that is left after decay_steps, for good",
           .range = between(0, 1),
           .use = falls});
}

template <class Visitor>
void describe_accumulator(Visitor& v, Optimizer& o) {
  using enum OptimizerType;
  const Use adagrads = used_with("type", o.type, {adagrad, rowwise_adagrad});
  v.field("initial_accumulator", o.initial_accumulator,
          {.help = "first sum of squares", .range = at_least(0), .use = adagrads, .fp32 = true});
  v.field("accumulator_decay", o.accumulator_decay,
          {.help = "times the sum of squares, before a square is added; 1 = none is forgotten",
           .range = above_to(0, 1),
           .use = adagrads,
           .fp32 = true});
}

template <class Visitor>
void describe_means(Visitor& v, Optimizer& o) {
  using enum OptimizerType;
  const Use adams = used_with("type", o.type, {adam, rowwise_adam, adamw, lamb});
  v.field("beta1", o.beta1,
          {.help = "decay of the mean", .range = from_to_below(0, 1), .use = adams, .fp32 = true});
  v.field("beta2", o.beta2,
          {.help = "decay of the mean square", .range = from_to_below(0, 1), .use = adams, .fp32 = true});
}

template <class Visitor>
void describe_ftrl(Visitor& v, Optimizer& o) {
  const Use ftrl = used_with("type", o.type, {OptimizerType::ftrl});
  v.field(
      "beta", o.beta,
      {.help = "added to the root of the sum of squares", .range = at_least(0), .use = ftrl, .fp32 = true});
  v.field("l1", o.l1,
          {.help = "times |w|, added to the loss: small w become 0",
           .range = at_least(0),
           .use = ftrl,
           .fp32 = true});
  v.field("l2", o.l2,
          {.help = "times w w / 2, added to the loss", .range = at_least(0), .use = ftrl, .fp32 = true});
}

template <class Visitor>
void describe(Visitor& v, Optimizer& o) {
  using enum OptimizerType;
  const auto only = [&](std::initializer_list<OptimizerType> types) {
    return used_with("type", o.type, types);
  };
  v.field("type", o.type,
          {.help = "formula of the update; those after adam, and rowwise_adagrad, are for rows alone"});
  v.field("learning_rate", o.learning_rate, {.help = "step size", .range = at_least(0), .fp32 = true});
  v.field("momentum", o.momentum,
          {.help = "share of the last step",
           .range = from_to_below(0, 1),
           .use = only({momentum}),
           .fp32 = true});
  describe_accumulator(v, o);
  v.field("epsilon", o.epsilon,
          {.help = "added to the root",
           .range = above(0),
           .use = only({adagrad, rowwise_adagrad, adam, rowwise_adam, adamw, lamb}),
           .fp32 = true});
  describe_means(v, o);
  describe_ftrl(v, o);
  v.field("weight_decay", o.weight_decay,
          {.help = "times w, added to the gradient (L2); of adamw and lamb to the step instead (decoupled)",
           .range = at_least(0),
           .use = only({sgd, momentum, adagrad, rowwise_adagrad, adam, rowwise_adam, adamw, lamb}),
           .fp32 = true});
  v.group("schedule", "of the learning rate over the steps", [&](auto& g) { describe(g, o.schedule); });
}

}  // namespace persia::config
