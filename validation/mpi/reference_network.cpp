#include "reference_network.hpp"

#include <algorithm>

#include "base/error.hpp"

// A kind without its case does not compile.
#pragma GCC diagnostic error "-Wswitch"

namespace persia::reference {
namespace {

// Returns the input followed by every layer's output.
std::vector<Values> run(const std::vector<Layer>& layers, const Values& parameters, Values input) {
  std::vector<Values> values{std::move(input)};
  for (const Layer& layer : layers) {
    Values out(layer.out);
    for (std::size_t o = 0; o < layer.out; ++o) {
      double sum = parameters[layer.offset + layer.out * layer.in + o];
      for (std::size_t i = 0; i < layer.in; ++i)
        sum += parameters[layer.offset + o * layer.in + i] * values.back()[i];
      out[o] = layer.relu ? std::max(sum, 0.0) : sum;
    }
    values.push_back(std::move(out));
  }
  return values;
}

// Adds to `gradients` and returns the gradient of the input.
Values run_back(const std::vector<Layer>& layers, const Values& parameters, const std::vector<Values>& values,
                Values d_out, Values& gradients) {
  for (std::size_t l = layers.size(); l-- > 0;) {
    const Layer& layer = layers[l];
    Values d_in(layer.in, 0.0);
    for (std::size_t o = 0; o < layer.out; ++o) {
      if (layer.relu && values[l + 1][o] <= 0) continue;
      gradients[layer.offset + layer.out * layer.in + o] += d_out[o];
      for (std::size_t i = 0; i < layer.in; ++i) {
        gradients[layer.offset + o * layer.in + i] += d_out[o] * values[l][i];
        d_in[i] += d_out[o] * parameters[layer.offset + o * layer.in + i];
      }
    }
    d_out = std::move(d_in);
  }
  return d_out;
}

double dot(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The bottom output, if there is one, and all pairs (i, j < i).
Values interact(const std::vector<Values>& vectors, bool has_bottom) {
  Values out;
  if (has_bottom) out = vectors.front();
  for (std::size_t i = 0; i < vectors.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) out.push_back(dot(vectors[i], vectors[j]));
  return out;
}

std::vector<Values> interact_back(const std::vector<Values>& vectors, bool has_bottom, const Values& d_out) {
  const std::size_t dim = vectors.front().size();
  std::vector<Values> d_vectors(vectors.size(), Values(dim, 0.0));
  std::size_t at = 0;
  if (has_bottom)
    for (; at < dim; ++at) d_vectors[0][at] = d_out[at];
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j, ++at) {
      for (std::size_t d = 0; d < dim; ++d) {
        d_vectors[i][d] += d_out[at] * vectors[j][d];
        d_vectors[j][d] += d_out[at] * vectors[i][d];
      }
    }
  }
  return d_vectors;
}

}  // namespace

std::vector<Layer> Network::chain(std::size_t in, const std::vector<std::int32_t>& hidden, std::size_t out,
                                  bool relu_last) {
  std::vector<Layer> layers;
  const auto add = [&](std::size_t width, bool relu) {
    layers.push_back({in, width, relu, num_parameters_});
    num_parameters_ += width * in + width;
    in = width;
  };
  for (const std::int32_t width : hidden) add(static_cast<std::size_t>(width), true);
  add(out, relu_last);
  return layers;
}

Network::Network(const config::Model& model, const config::Schema& schema)
    : type_(model.type),
      num_dense_(schema.dense.size()),
      embedded_width_(static_cast<std::size_t>(schema.embedded_width)) {
  switch (type_) {
    case config::ModelType::lr:
      top_ = chain(num_dense_, {}, 1, false);
      return;
    case config::ModelType::dnn:
      top_ = chain(embedded_width_ + num_dense_, model.hidden, 1, false);
      return;
    case config::ModelType::dlrm: {
      dim_ = static_cast<std::size_t>(schema.columns.front().dim);
      if (num_dense_ > 0) bottom_ = chain(num_dense_, model.bottom, dim_, true);
      const std::size_t vectors = embedded_width_ / dim_ + (bottom_.empty() ? 0 : 1);
      top_ = chain(vectors * (vectors - 1) / 2 + (bottom_.empty() ? 0 : dim_), model.top, 1, false);
      return;
    }
  }
  fail("model number {} has no layers in reference_network.cpp", static_cast<int>(type_));
}

Trace Network::forward(const Values& parameters, const Values& dense, const Values& embedded) const {
  switch (type_) {
    case config::ModelType::lr:
      return forward_lr(parameters, dense, embedded);
    case config::ModelType::dnn:
      return forward_dnn(parameters, dense, embedded);
    case config::ModelType::dlrm:
      return forward_dlrm(parameters, dense, embedded);
  }
  fail("model number {} has no way forth in reference_network.cpp", static_cast<int>(type_));
}

Values Network::backward(const Values& parameters, const Trace& trace, double d_logit,
                         Values& gradients) const {
  Values d_input = run_back(top_, parameters, trace.top, {d_logit}, gradients);
  switch (type_) {
    case config::ModelType::lr:
      return Values(embedded_width_, d_logit);
    case config::ModelType::dnn:
      d_input.resize(embedded_width_);
      return d_input;
    case config::ModelType::dlrm:
      return backward_dlrm(parameters, trace, d_input, gradients);
  }
  fail("model number {} has no way back in reference_network.cpp", static_cast<int>(type_));
}

Trace Network::forward_lr(const Values& parameters, const Values& dense, const Values& embedded) const {
  Trace trace;
  trace.top = run(top_, parameters, dense);
  trace.logit = trace.top.back()[0];
  for (const double value : embedded) trace.logit += value;
  return trace;
}

Trace Network::forward_dnn(const Values& parameters, const Values& dense, const Values& embedded) const {
  Values input = embedded;
  input.insert(input.end(), dense.begin(), dense.end());
  Trace trace;
  trace.top = run(top_, parameters, std::move(input));
  trace.logit = trace.top.back()[0];
  return trace;
}

Trace Network::forward_dlrm(const Values& parameters, const Values& dense, const Values& embedded) const {
  Trace trace;
  if (!bottom_.empty()) {
    trace.bottom = run(bottom_, parameters, dense);
    trace.vectors.push_back(trace.bottom.back());
  }
  for (std::size_t begin = 0; begin < embedded_width_; begin += dim_)
    trace.vectors.emplace_back(embedded.begin() + static_cast<std::ptrdiff_t>(begin),
                               embedded.begin() + static_cast<std::ptrdiff_t>(begin + dim_));
  trace.top = run(top_, parameters, interact(trace.vectors, !bottom_.empty()));
  trace.logit = trace.top.back()[0];
  return trace;
}

Values Network::backward_dlrm(const Values& parameters, const Trace& trace, const Values& d_top_input,
                              Values& gradients) const {
  std::vector<Values> d_vectors = interact_back(trace.vectors, !bottom_.empty(), d_top_input);
  Values d_embedded;
  for (std::size_t v = bottom_.empty() ? 0 : 1; v < d_vectors.size(); ++v)
    d_embedded.insert(d_embedded.end(), d_vectors[v].begin(), d_vectors[v].end());
  if (!bottom_.empty())
    static_cast<void>(run_back(bottom_, parameters, trace.bottom, d_vectors[0], gradients));
  return d_embedded;
}

}  // namespace persia::reference
