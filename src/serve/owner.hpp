// The life of an embedding rank while training: takes messages from clients, runs them on its tables,
// answers.
//
// hybrid, async: gradients are applied as they come. sync: through a StepGate, and lookups of a step wait for
// it. Single-threaded over one Post. Called by train/embedding_program.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/strong.hpp"
#include "config/run_file.hpp"
#include "mail/post.hpp"
#include "table/table.hpp"

namespace persia::serve {

struct OwnerOptions {
  config::Mode mode = config::Mode::hybrid;
  std::int32_t num_clients = 1;
  std::int32_t num_trainers = 1;  // whose gradients make a step of sync mode
  Step first_step;
  // Writes this owner's part of a checkpoint: gets the body of `save`, returns the body of `saved`. Never
  // throws.
  std::function<std::string(const std::string&)> save;
};

// Serves until every client sent `final`. Returns the highest exit code that a client gave (0: orderly end).
// Throws Error if the protocol is broken or memory ends.
int serve_clients(mail::Post& post, std::span<const std::unique_ptr<table::Table>> tables,
                  const OwnerOptions& options);

}  // namespace persia::serve
