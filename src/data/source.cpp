#include "data/source.hpp"

#include "base/error.hpp"
#include "data/file_source.hpp"
#include "data/synthetic_source.hpp"

namespace persia::data {

std::unique_ptr<BatchSource> open_source(const config::Data& data, const config::Schema& schema,
                                         const SourceOptions& options) {
  expects(options.batch_size > 0, "the batch size is positive");
  expects(options.slice.count > 0 && options.slice.index >= 0 && options.slice.index < options.slice.count,
          "the slice is one of the trainers'");
  expects(!options.shuffle || (data.shuffle_rows > 0 && data.shuffle_rows < (std::int64_t{1} << 32)),
          "a shuffle window holds 1 to 2^32 - 1 rows");
  if (data.format == config::DataFormat::synthetic) return open_synthetic_source(data, schema, options);
  return open_file_source(data, schema, options);
}

}  // namespace persia::data
