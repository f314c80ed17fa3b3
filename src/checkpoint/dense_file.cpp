// save_dense, load_dense: parameters and optimizer state of the dense network in dense.h5.
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "checkpoint/checkpoint.hpp"
#include "checkpoint/file_entry.hpp"
#include "checkpoint/names.hpp"
#include "checkpoint/tables_file.hpp"
#include "model/memory.hpp"
#include "sys/hdf5.hpp"

namespace persia::checkpoint {

namespace {

std::vector<float> host_copy(std::span<const float> values) {
  std::vector<float> copy(values.size());
  model::copy_to_host(values, copy);
  return copy;
}

void write_array(sys::Hdf5Group& group, const std::string& name, const std::vector<std::int64_t>& shape,
                 std::span<const float> values) {
  group.create_dataset(link_name(name), sys::Hdf5Type::float32, shape).write_rows(0, std::as_bytes(values));
}

void write_parameters(sys::Hdf5Group& group, model::Network& network) {
  const std::vector<float> values = host_copy(network.parameters());
  for (const model::ParameterBlock& block : network.blocks())
    write_array(group, block.name, block.shape,
                std::span(values).subspan(static_cast<std::size_t>(block.offset),
                                          static_cast<std::size_t>(block.size)));
}

void write_optimizer(sys::Hdf5Group& group, model::DenseOptimizer& optimizer) {
  group.write_integer("steps", optimizer.steps());
  for (const model::DenseOptimizer::State& state : optimizer.state())
    write_array(group, state.name, {static_cast<std::int64_t>(state.values.size())}, host_copy(state.values));
}

template <class Things>
std::vector<std::string> link_names(const Things& things) {
  std::vector<std::string> names;
  for (const auto& thing : things) names.push_back(link_name(thing.name));
  std::sort(names.begin(), names.end());
  return names;
}

void require_same_names(const sys::Hdf5Group& group, const std::vector<std::string>& wanted, const char* what,
                        const char* key) {
  require_user(group.children() == wanted,
               "the checkpoint's {} is [{}], the run file's is [{}]; {} must be as it was when it was saved",
               what, fmt::join(group.children(), ", "), fmt::join(wanted, ", "), key);
}

// Shape: values has as many elements as `shape`.
void read_array(const sys::Hdf5Group& group, const std::string& name, const std::vector<std::int64_t>& shape,
                std::span<float> values) {
  const sys::Hdf5Dataset dataset = group.open_dataset(link_name(name));
  require_user(dataset.shape() == shape && dataset.type() == sys::Hdf5Type::float32,
               "{} has shape [{}] in the checkpoint, [{}] in the run file; they must be equal", name,
               fmt::join(dataset.shape(), ", "), fmt::join(shape, ", "));
  dataset.read_rows(0, std::as_writable_bytes(values));
}

void read_parameters(const sys::Hdf5Group& group, model::Network& network) {
  require_same_names(group, link_names(network.blocks()), "network", "model");
  std::vector<float> values(network.parameters().size());
  for (const model::ParameterBlock& block : network.blocks())
    read_array(group, block.name, block.shape,
               std::span(values).subspan(static_cast<std::size_t>(block.offset),
                                         static_cast<std::size_t>(block.size)));
  model::copy_from_host(values, network.parameters());
}

void read_optimizer(const sys::Hdf5Group& group, model::DenseOptimizer& optimizer) {
  const std::vector<model::DenseOptimizer::State> states = optimizer.state();
  require_same_names(group, link_names(states), "dense optimizer's state", "training.optimizer.type");
  for (const model::DenseOptimizer::State& state : states) {
    std::vector<float> values(state.values.size());
    read_array(group, state.name, {static_cast<std::int64_t>(values.size())}, values);
    model::copy_from_host(values, state.values);
  }
  optimizer.set_steps(group.read_integer("steps"));
}

}  // namespace

FileEntry save_dense(const std::filesystem::path& step_folder, Step step, model::Network& network,
                     model::DenseOptimizer& optimizer) {
  const std::filesystem::path path = step_folder / dense_file;
  {
    sys::Hdf5File file = sys::Hdf5File::create(path);
    sys::Hdf5Group root = file.root();
    write_root_attributes(root, "dense", step);
    sys::Hdf5Group parameters = root.create_group("parameters");
    write_parameters(parameters, network);
    sys::Hdf5Group states = root.create_group("optimizer");
    write_optimizer(states, optimizer);
    file.close();
  }
  sync_path(path);
  return measure_file(path, 0);
}

void load_dense(const std::filesystem::path& step_folder, model::Network& network,
                model::DenseOptimizer* optimizer) {
  sys::Hdf5File file = sys::Hdf5File::open(step_folder / dense_file);
  read_parameters(file.root().open_group("parameters"), network);
  if (optimizer != nullptr) read_optimizer(file.root().open_group("optimizer"), *optimizer);
}

}  // namespace persia::checkpoint
