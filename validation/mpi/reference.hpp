// Minibatch training in one process and in double precision, as the oracle of sync mode: the same data, run
// file and first values must give the same parameters and rows, whatever the number of ranks.
//
// Straightforward loops; tables are ordered maps; rows are made at first sight. Gradients are means over the
// global batch; each row's are summed over its uses and applied once per step. fp32 tables only: rounding of
// narrower ones is not modelled.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "base/strong.hpp"
#include "config/run_file.hpp"
#include "config/schema.hpp"
#include "data/batch.hpp"
#include "reference_network.hpp"
#include "reference_optimizer.hpp"

namespace persia::reference {

// The product's first values, which are pure functions: of the dense network (Network::parameters() at the
// start) and of a row.
using FirstRow = std::function<std::vector<float>(TableIndex, FeatureId)>;

struct Row {
  Values values;
  RowOptimizer optimizer;
};
using Table = std::map<FeatureId, Row>;

class Trainer {
 public:
  Trainer(const config::RunFile& run, const config::Schema& schema,
          const std::vector<float>& first_parameters, FirstRow first_row);

  // One step on one whole global batch (all trainers' samples, labels included). Returns the mean loss before
  // it.
  double step(const data::Batch& batch);

  [[nodiscard]] const Values& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<Table>& tables() const { return tables_; }  // by TableIndex

 private:
  using RowGradients = std::map<FeatureId, Values>;
  void add_row_gradients(const data::Batch& batch, std::size_t sample, const Values& d_embedded,
                         std::vector<RowGradients>& gradients) const;
  [[nodiscard]] Values pooled(const data::Batch& batch, std::size_t sample);

  config::Schema schema_;
  FirstRow first_row_;
  Network network_;
  Values parameters_;
  Optimizer optimizer_;
  std::vector<Table> tables_;
  std::int64_t step_ = 0;  // the next one
};

}  // namespace persia::reference
