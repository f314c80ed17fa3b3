// What rows and gradients have on the wire under `mail.values`.
#pragma once

#include "config/run_file.hpp"
#include "wire/values.hpp"

namespace persia::embed {

[[nodiscard]] wire::ValueFormat format_of(config::MailValues values);
// Of pooled rows and their gradients. With int8 they take 16 bits: a pooled row is of many tables, and no
// scale fits them all.
[[nodiscard]] wire::ValueFormat pooled_format_of(config::MailValues values);

}  // namespace persia::embed
