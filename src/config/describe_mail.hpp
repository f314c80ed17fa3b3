// The keys of the mail between ranks; describe.hpp says what a visitor is.
#pragma once

#include "config/about.hpp"
#include "config/run_file.hpp"

namespace persia::config {

template <class Visitor>
void describe(Visitor& v, Mail& m) {
  v.field("transport", m.transport, {.help = "rma: one-sided rings; two_sided: sends and receives"});
  v.field("ring_bytes", m.ring_bytes,
          {.help = "of each ring between a trainer and an embedding rank; a multiple of 8",
           .range = between(4096, 1LL << 40)});
  v.field(
      "values", m.values,
      {.help = "of rows and gradients between ranks; fp16 has a factor for each message and table, int8 a "
               "scale for each row"});
  v.field(
      "residual_rows", m.residual_rows,
      {.help = "ids of each table for which a trainer keeps what rounding left of their gradients; 0 = none",
       .range = between(0, 1 << 26),
       .use = used_with("values", m.values, {MailValues::int8})});
  v.field("checksums", m.checksums, {.help = "of every record"});
  v.field("timeout_seconds", m.timeout_seconds, {.help = "longest wait for a peer", .range = above(0)});
  v.field("delay_ms", m.delay_ms,
          {.help = "every message is seen so much later, as over a network; to try things on one host",
           .range = between(0, 10'000)});
  v.field("delay_random_ms", m.delay_random_ms,
          {.help = "and up to so much more", .range = between(0, 10'000)});
}

}  // namespace persia::config
