// A dense network in its own memory: what network.hpp promises, without the way from and to the host.
//
// Real: float for training, double for gradient checks. Making one plans its parameter blocks and allocates
// nothing. To add one: src/README.md lists the places. Thread safety: the compute thread alone.
#pragma once

#include <vector>

#include "model/matrix.hpp"
#include "model/parameters.hpp"
#include "model/summary.hpp"

namespace persia::model {

// Either matrix may have no columns; both have the same rows.
template <class Real>
struct ModelInput {
  MatrixView<const Real> dense;     // (n, num_dense)
  MatrixView<const Real> embedded;  // (n, embedded_width)
};

template <class Real>
class Model {
 public:
  virtual ~Model() = default;
  // Shape: logits (n, 1).
  virtual void forward(const Parameters<Real>& parameters, const ModelInput<Real>& input,
                       MatrixView<Real> logits) = 0;
  // After forward of the same input. Overwrites all of parameters.gradients (sums over samples) and
  // d_embedded (n, embedded_width).
  virtual void backward(Parameters<Real>& parameters, const ModelInput<Real>& input,
                        MatrixView<Real> d_logits, MatrixView<Real> d_embedded) = 0;
  [[nodiscard]] virtual const ParameterPlan& plan() const = 0;
  [[nodiscard]] virtual std::vector<LayerSummary> layers() const = 0;
};

}  // namespace persia::model
