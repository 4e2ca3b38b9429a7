//===- runtime/zeros/element_walk.cpp - visits the elements that a version accesses ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/zeros/element_walk.h"
#include "arch/x86_64/processor_features.h"
#include "runtime/zeros/number_bits.h"

#include <cstring>

namespace specrt {
namespace {

/// Determined once, because guards of calls use it.
const ProcessorFeatures Processor = processorFeatures();

/// The number of elements that are checked without a branch.
constexpr int64_t Block = 512;

/// Returns whether a number is not finite, or too small. Vectorised for each processor.
template <typename Bits>
[[gnu::always_inline]] inline bool isAnyUnfit(const std::byte *At, int64_t Count, int64_t Step,
                                              Bits Least) {
  Bits Found = 0;
  for (int64_t I = 0; I < Count; ++I) {
    Bits Number;
    std::memcpy(&Number, At + I * Step, sizeof(Bits));
    const Bits Size = Number << 1;
    Found |=
        static_cast<Bits>((Size >= NumberBits<Bits>::Infinity) | ((Size != 0) & (Size < Least)));
  }
  return Found != 0;
}

/// Returns whether there is a -0, a signalling NaN, or a number that counts as 0 where denormals
/// do.
template <typename Bits>
[[gnu::always_inline]] inline bool isAnyTouchy(const std::byte *At, int64_t Count, int64_t Step,
                                               Bits) {
  Bits Found = 0;
  for (int64_t I = 0; I < Count; ++I) {
    Bits Number;
    std::memcpy(&Number, At + I * Step, sizeof(Bits));
    const Bits Size = Number << 1;
    Found |= static_cast<Bits>(
        (Number == NumberBits<Bits>::Sign) | ((Size != 0) & (Size < NumberBits<Bits>::Normal)) |
        ((Size > NumberBits<Bits>::Infinity) & ((Number & NumberBits<Bits>::Quiet) == 0)));
  }
  return Found != 0;
}

template <typename Bits>
using Question = bool(const std::byte *At, int64_t Count, int64_t Step, Bits Least);

template <typename Bits, Question<Bits> *General>
[[gnu::target("avx512f,avx512vl,avx512dq")]] bool askAvx512(const std::byte *At, int64_t Count,
                                                            Bits Least) {
  return General(At, Count, sizeof(Bits), Least);
}

template <typename Bits, Question<Bits> *General>
[[gnu::target("avx2")]] bool askAvx2(const std::byte *At, int64_t Count, Bits Least) {
  return General(At, Count, sizeof(Bits), Least);
}

template <typename Bits, Question<Bits> *General>
bool ask(const std::byte *At, int64_t Count, int64_t Step, Bits Least) {
  if (Step != int64_t{sizeof(Bits)})
    return General(At, Count, Step, Least);
  if (Processor.Avx512)
    return askAvx512<Bits, General>(At, Count, Least);
  if (Processor.Avx2)
    return askAvx2<Bits, General>(At, Count, Least);
  return General(At, Count, sizeof(Bits), Least);
}

template <typename Bits> bool doFit(const specrt_zeros_walk &W, uint32_t Demand) {
  const Bits Least = NumberBits<Bits>::least(W.min_exponent);
  return forEachRow(W, [&](const std::byte *At, int64_t Count, int64_t Step) {
    for (int64_t I = 0; I < Count; I += Block) {
      const int64_t Some = std::min(Block, Count - I);
      const std::byte *Here = At + I * Step;
      if (Demand == SPECRT_ZEROS_FINITE ? ask<Bits, isAnyUnfit<Bits>>(Here, Some, Step, Least)
                                        : ask<Bits, isAnyTouchy<Bits>>(Here, Some, Step, Least))
        return false;
    }
    return true;
  });
}

} // namespace

ElementHull hullOf(const specrt_zeros_walk &W) {
  const std::byte *Low = nullptr, *High = nullptr;
  ElementHull Hull;
  forEachRow(W, [&](const std::byte *At, int64_t Count, int64_t Step) {
    ++Hull.Rows;
    Hull.Elements += static_cast<uint64_t>(Count);
    if (Count == 0)
      return true;
    const std::byte *First = Step < 0 ? At + (Count - 1) * Step : At;
    const std::byte *End = (Step < 0 ? At : At + (Count - 1) * Step) + elementBytes(W.kind);
    Low = Low ? std::min(Low, First) : First;
    High = High ? std::max(High, End) : End;
    return true;
  });
  Hull.Begin = Low;
  Hull.Bytes = static_cast<size_t>(High - Low);
  return Hull;
}

bool fits(const specrt_zeros_walk &W, uint32_t Demand) {
  return W.kind == SPECRT_ZEROS_DOUBLE  ? doFit<uint64_t>(W, Demand)
         : W.kind == SPECRT_ZEROS_FLOAT ? doFit<uint32_t>(W, Demand)
                                        : true;
}

} // namespace specrt
