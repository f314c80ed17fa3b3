#include <immintrin.h>

#include <limits>

#include "table/kernel_bodies.hpp"
#include "table/kernels.hpp"
#include "table/probe_bodies.hpp"
#include "table/rules.hpp"
#include "table/uniform_body.hpp"
#include "table/update_body.hpp"

namespace persia::table {

// fp16 by the processor's own conversions (F16C, part of x86-64-v3): the bits of Fp16, sooner. For functions
// compiled for x86-64-v3 and above only.
struct ConvertedFp16 : Fp16 {};

// The value as these versions handle it.
template <class Value>
using Converted = std::conditional_t<std::is_same_v<Value, Fp16>, ConvertedFp16, Value>;

// The builtins behind the intrinsics: those are functions of their own, which cannot be inlined into
// templates that are compiled for several instruction sets.
template <>
struct Eight<ConvertedFp16> {
  [[gnu::always_inline]] static Floats decode(const Halves& stored) {
    return __builtin_ia32_vcvtph2ps256(__builtin_bit_cast(Shorts, stored));
  }
  [[gnu::always_inline]] static Halves nearest(const Floats& values) {
    return converted<_MM_FROUND_TO_NEAREST_INT>(values, as_word(within(values, Fp16::kLargestValue)));
  }
  [[gnu::always_inline]] static Halves stochastic(const Floats& values, float limit, const Words& random) {
    const Words sign = as_word(values) & bits::kSign;
    const Floats size = at_most(as_float<Words>(as_word(values) ^ sign), limit);
    return converted<_MM_FROUND_TO_ZERO>(values, as_word(Fp16::with_noise<Words>(size, random)) | sign);
  }

 private:
  using Shorts [[gnu::vector_size(16)]] = short;

  // `rounded` in fp16, the NaN where the values are.
  template <int kRounding>
  [[gnu::always_inline]] static Halves converted(const Floats& values, const Words& rounded) {
    const Words nan = as_word(Floats{} + std::numeric_limits<float>::quiet_NaN());
    const Words result = values == values ? rounded : nan;
    return __builtin_bit_cast(Halves, __builtin_ia32_vcvtps2ph256(as_float<Words>(result), kRounding));
  }
};

// One compare and one mask; hashes are worth vectors from AVX2 on.
struct Sse2Isa : PortableIsa {
  [[gnu::always_inline]] static std::uint32_t matches(const Chunk& chunk, std::uint8_t tag) {
    using Tags [[gnu::vector_size(16)]] = char;
    Tags tags;
    std::memcpy(&tags, &chunk, sizeof tags);
    const Tags equal = tags == static_cast<char>(tag);
    return static_cast<std::uint32_t>(__builtin_ia32_pmovmskb128(equal)) & ((1U << kChunkEntries) - 1);
  }
};
struct VectorIsa : Sse2Isa {
  [[gnu::always_inline]] static void hash(const FeatureId* ids, std::uint64_t salt, std::uint64_t* places) {
    using Hashes [[gnu::vector_size(64)]] = std::uint64_t;
    Hashes x;
    std::memcpy(&x, ids, sizeof x);
    x = mix_words<Hashes>(x ^ salt);
    std::memcpy(places, &x, sizeof x);
  }
};

namespace {

// The bodies compiled for one instruction set each: those that all tables have in common, those of a
// precision, and that of an optimizer and a precision. __builtin_cpu_supports() wants literals.
struct Avx512Common {
  [[gnu::target("arch=x86-64-v4")]] static void uniform(std::uint64_t key, float unit, std::int32_t dim,
                                                        float* values) {
    Uniform<VectorIsa>::run(key, unit, dim, values);
  }
  [[gnu::target("arch=x86-64-v4")]] static std::size_t request(const RequestJob& job, std::size_t at,
                                                               LookupBlock& block) {
    return Probe<VectorIsa>::request(job, at, block);
  }
  [[gnu::target("arch=x86-64-v4")]] static void guess(const InnerShard* shards, std::int32_t lookup_bytes,
                                                      LookupBlock& block) {
    Probe<VectorIsa>::guess(shards, lookup_bytes, block);
  }
};
template <class Value>
struct Avx512Values : Avx512Common {
  [[gnu::target("arch=x86-64-v4")]] static void gather(const GatherJob& job) { gather_rows<Value>(job); }
  [[gnu::target("arch=x86-64-v4")]] static void store(const RowLayout& layout, const float* values,
                                                      std::byte* row) {
    Store<Value>::run(layout, values, row);
  }
};
template <class Rule, class Value>
struct Avx512 : Avx512Values<Value> {
  [[gnu::target("arch=x86-64-v4")]] static std::uint32_t update(const UpdateJob& job) {
    return update_rows<Rule, Value>(job);
  }
  static bool runs_here() { return __builtin_cpu_supports("x86-64-v4") != 0; }
};

struct Avx2Common {
  [[gnu::target("arch=x86-64-v3")]] static void uniform(std::uint64_t key, float unit, std::int32_t dim,
                                                        float* values) {
    Uniform<VectorIsa>::run(key, unit, dim, values);
  }
  [[gnu::target("arch=x86-64-v3")]] static std::size_t request(const RequestJob& job, std::size_t at,
                                                               LookupBlock& block) {
    return Probe<VectorIsa>::request(job, at, block);
  }
  [[gnu::target("arch=x86-64-v3")]] static void guess(const InnerShard* shards, std::int32_t lookup_bytes,
                                                      LookupBlock& block) {
    Probe<VectorIsa>::guess(shards, lookup_bytes, block);
  }
};
template <class Value>
struct Avx2Values : Avx2Common {
  [[gnu::target("arch=x86-64-v3")]] static void gather(const GatherJob& job) { gather_rows<Value>(job); }
  [[gnu::target("arch=x86-64-v3")]] static void store(const RowLayout& layout, const float* values,
                                                      std::byte* row) {
    Store<Value>::run(layout, values, row);
  }
};
template <class Rule, class Value>
struct Avx2 : Avx2Values<Value> {
  [[gnu::target("arch=x86-64-v3")]] static std::uint32_t update(const UpdateJob& job) {
    return update_rows<Rule, Value>(job);
  }
  static bool runs_here() { return __builtin_cpu_supports("x86-64-v3") != 0; }
};

struct BaselineCommon {
  static void uniform(std::uint64_t key, float unit, std::int32_t dim, float* values) {
    Uniform<Sse2Isa>::run(key, unit, dim, values);
  }
  static std::size_t request(const RequestJob& job, std::size_t at, LookupBlock& block) {
    return Probe<Sse2Isa>::request(job, at, block);
  }
  static void guess(const InnerShard* shards, std::int32_t lookup_bytes, LookupBlock& block) {
    Probe<Sse2Isa>::guess(shards, lookup_bytes, block);
  }
};
template <class Value>
struct BaselineValues : BaselineCommon {
  static void gather(const GatherJob& job) { gather_rows<Value>(job); }
  static void store(const RowLayout& layout, const float* values, std::byte* row) {
    Store<Value>::run(layout, values, row);
  }
};
template <class Rule, class Value>
struct Baseline : BaselineValues<Value> {
  static std::uint32_t update(const UpdateJob& job) { return update_rows<Rule, Value>(job); }
  static bool runs_here() { return true; }
};

template <class Version>
void add_version(std::vector<Kernels>& versions) {
  if (Version::runs_here())
    versions.push_back({Version::request, Version::guess, Version::uniform, Version::gather, Version::update,
                        Version::store});
}

}  // namespace

std::vector<Kernels> kernel_versions(config::OptimizerType optimizer, config::Precision precision) {
  std::vector<Kernels> versions;
  visit_precision(precision, [&]<class Value>() {
    visit_rule(optimizer, [&]<class Rule>() {
      add_version<Avx512<Rule, Converted<Value>>>(versions);
      add_version<Avx2<Rule, Converted<Value>>>(versions);
      add_version<Baseline<Rule, Value>>(versions);
    });
  });
  return versions;
}

}  // namespace persia::table
