//===- runtime/guards.cpp - what a guard means ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/guards.h"
#include "profiler/polynomial.h"

#include <cstring>

namespace specrt {
namespace {

std::optional<uint64_t> addressOf(const specrt_base &Base, const specrt_region &Region,
                                  const uint64_t *Packed) {
  switch (Base.kind) {
  case SPECRT_BASE_ARGUMENT:
    if (Base.index >= Region.num_args)
      return std::nullopt;
    return Packed[Base.index];
  case SPECRT_BASE_SYMBOL:
    if (Base.index >= Region.num_symbols)
      return std::nullopt;
    return reinterpret_cast<uint64_t>(Region.symbols[Base.index].address);
  case SPECRT_BASE_LOADED: {
    if (Base.index >= Region.num_args)
      return std::nullopt;
    uint64_t Loaded;
    std::memcpy(&Loaded,
                reinterpret_cast<const void *>(Packed[Base.index] +
                                               static_cast<uint64_t>(int64_t{Base.offset})),
                sizeof(Loaded));
    return Loaded;
  }
  default:
    return std::nullopt;
  }
}

/// [Begin, End) in address arithmetic that wraps like the machine's.
struct Bytes {
  uint64_t Begin, End;
  bool Empty;
};

std::optional<Bytes> bytesOf(const specrt_range &Range, const specrt_region &Region,
                             const uint64_t *Packed) {
  std::optional<int64_t> Begin = evaluatePolynomial(Range.begin, Region, Packed);
  std::optional<int64_t> End = evaluatePolynomial(Range.end, Region, Packed);
  if (!Begin || !End)
    return std::nullopt;
  // An empty range is empty wherever its base is: do not even read the base.
  if (*End <= *Begin)
    return Bytes{0, 0, true};
  std::optional<uint64_t> Base = addressOf(Range.base, Region, Packed);
  if (!Base)
    return std::nullopt;
  return Bytes{*Base + static_cast<uint64_t>(*Begin), *Base + static_cast<uint64_t>(*End), false};
}

bool disjoint(const specrt_guard &Guard, const specrt_region &Region, const uint64_t *Packed) {
  std::optional<Bytes> A = bytesOf(Guard.a, Region, Packed);
  std::optional<Bytes> B = bytesOf(Guard.b, Region, Packed);
  if (!A || !B)
    return false;
  if (A->Empty || B->Empty)
    return true;
  // A range that wraps around the address space is not a real object: refuse it.
  if (A->End < A->Begin || B->End < B->Begin)
    return false;
  return A->Begin >= B->End || B->Begin >= A->End;
}

bool loadEquals(const specrt_guard &Guard, const specrt_region &Region, const uint64_t *Packed) {
  if (Guard.width != 1 && Guard.width != 2 && Guard.width != 4 && Guard.width != 8)
    return false;
  std::optional<int64_t> Offset = evaluatePolynomial(Guard.a.begin, Region, Packed);
  if (!Offset)
    return false;
  std::optional<uint64_t> Base = addressOf(Guard.a.base, Region, Packed);
  if (!Base)
    return false;
  uint64_t Loaded = 0; // little-endian targets only: the low bytes are the first in memory
  std::memcpy(&Loaded, reinterpret_cast<const void *>(*Base + static_cast<uint64_t>(*Offset)),
              Guard.width);
  return Loaded == Guard.value;
}

/// Of the calling thread, whose call it is.
bool hasDefaultFpEnvironment(const specrt_guard &Guard) {
  uint16_t X87 = SPECRT_X87_DEFAULT;
  if (Guard.low != 0)
    asm volatile("fnstcw %0" : "=m"(X87));
  uint64_t Changed = __builtin_ia32_stmxcsr() ^ SPECRT_MXCSR_DEFAULT;
  int64_t ChangedX87 = X87 ^ SPECRT_X87_DEFAULT;
  return (Changed & Guard.value & SPECRT_MXCSR_CONTROL) == 0 &&
         (ChangedX87 & Guard.low & SPECRT_X87_CONTROL) == 0;
}

} // namespace

std::optional<int64_t> evaluatePolynomial(const specrt_polynomial &P, const specrt_region &Region,
                                          const uint64_t *Packed) {
  return evaluate(P, Region.arg_kinds, Region.num_args, Packed);
}

bool holds(const specrt_guard &Guard, const specrt_region &Region, const uint64_t *Packed) {
  switch (Guard.kind) {
  case SPECRT_GUARD_EQUAL:
    return Guard.arg < Region.num_args && Packed[Guard.arg] == Guard.value;
  case SPECRT_GUARD_IN_RANGE: {
    if (Guard.arg >= Region.num_args)
      return false;
    int64_t Value = signedValue(Region.arg_kinds[Guard.arg], Packed[Guard.arg]);
    return Guard.low <= Value && Value <= Guard.high;
  }
  case SPECRT_GUARD_ALIGNED: {
    std::optional<uint64_t> Address = addressOf(Guard.a.base, Region, Packed);
    return Address && Guard.value != 0 && (*Address & (Guard.value - 1)) == 0;
  }
  case SPECRT_GUARD_DISJOINT:
    return disjoint(Guard, Region, Packed);
  case SPECRT_GUARD_LOAD_EQUAL:
    return loadEquals(Guard, Region, Packed);
  case SPECRT_GUARD_FP_ENVIRONMENT:
    return hasDefaultFpEnvironment(Guard);
  default:
    return false;
  }
}

} // namespace specrt
