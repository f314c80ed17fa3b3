// Decompression of gzip members on top of another stream (contract in byte_stream.hpp).
#pragma once

#include <memory>

#include "data/byte_stream.hpp"

namespace persia::data {

[[nodiscard]] std::unique_ptr<ByteStream> make_gzip_stream(std::unique_ptr<ByteStream> compressed);

}  // namespace persia::data
