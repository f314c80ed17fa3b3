#include "embed/value_format.hpp"

namespace persia::embed {

wire::ValueFormat format_of(config::MailValues values) {
  switch (values) {
    case config::MailValues::fp32:
      return wire::ValueFormat::fp32;
    case config::MailValues::fp16:
      return wire::ValueFormat::fp16;
    case config::MailValues::bf16:
      return wire::ValueFormat::bf16;
    case config::MailValues::int8:
      return wire::ValueFormat::int8;
  }
  return wire::ValueFormat::fp32;
}

wire::ValueFormat pooled_format_of(config::MailValues values) {
  return values == config::MailValues::int8 ? wire::ValueFormat::fp16 : format_of(values);
}

}  // namespace persia::embed
