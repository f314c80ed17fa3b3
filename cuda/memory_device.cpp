// model/memory.hpp on device memory, through page-locked staging in Kokkos's stream: a copy sees all kernels
// launched before it.
#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.hpp"
#include "check.hpp"
#include "kokkos_stream.hpp"
#include "model/memory.hpp"
#include "stream.hpp"

namespace persia::model {
namespace {

constexpr std::size_t piece_bytes = std::size_t{4} << 20;
constexpr std::size_t piece_floats = piece_bytes / sizeof(float);

// Two pieces take turns: while the device moves one, the host fills or empties the other.
struct Piece {
  cuda::PinnedBuffer buffer{piece_bytes};
  cuda::Event moved;
  [[nodiscard]] float* data() const { return reinterpret_cast<float*>(buffer.bytes().data()); }
};

// Of the calling thread, so that it needs no lock and goes while CUDA is still there.
std::array<Piece, 2>& staging() {
  thread_local std::array<Piece, 2> pieces;
  return pieces;
}

void move(void* to, const void* from, std::size_t num_floats, Piece& piece) {
  cuda::check(
      cudaMemcpyAsync(to, from, num_floats * sizeof(float), cudaMemcpyDefault, cuda::kokkos_stream()));
  piece.moved.record(cuda::kokkos_stream());
}

}  // namespace

void copy_to_host(std::span<const float> from, std::span<float> to) {
  expects(from.size() == to.size(), "copies have equal sizes");
  std::size_t begun = 0;
  std::size_t done = 0;
  const auto size_at = [&](std::size_t at) { return std::min(piece_floats, from.size() - at); };
  const auto piece_at = [](std::size_t at) -> Piece& { return staging()[at / piece_floats % 2]; };
  while (done < from.size()) {
    for (; begun < from.size() && begun < done + 2 * piece_floats; begun += size_at(begun))
      move(piece_at(begun).data(), from.data() + begun, size_at(begun), piece_at(begun));
    piece_at(done).moved.wait();
    std::memcpy(to.data() + done, piece_at(done).data(), size_at(done) * sizeof(float));
    done += size_at(done);
  }
}

void copy_from_host(std::span<const float> from, std::span<float> to) {
  expects(from.size() == to.size(), "copies have equal sizes");
  for (std::size_t at = 0; at < from.size(); at += piece_floats) {
    const std::size_t size = std::min(piece_floats, from.size() - at);
    Piece& piece = staging()[at / piece_floats % 2];
    piece.moved.wait();
    std::memcpy(piece.data(), from.data() + at, size * sizeof(float));
    move(to.data() + at, piece.data(), size, piece);
  }
  for (Piece& piece : staging()) piece.moved.wait();
}

}  // namespace persia::model
