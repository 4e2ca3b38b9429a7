//===- guards/disjoint.cpp - two ranges share no byte ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/disjoint.h"
#include "guards/words.h"

#include <algorithm>
#include <cerrno>

namespace specrt {

namespace {

/// [Begin, End) in address arithmetic that wraps like the machine's.
struct Bytes {
  uint64_t Begin, End;
  bool Empty;
};

bool isErrno(const specrt_base &Base) { return Base.kind == SPECRT_BASE_ERRNO; }

const char *problemOf(const RangeView &Range, const specrt_region &Region) {
  for (const PolynomialView &P : {Range.Begin, Range.End})
    if (const char *Problem = specrt::problemOf(P, Region))
      return Problem;
  return isErrno(Range.Base) ? nullptr : specrt::problemOf(Range.Base, Region);
}

std::optional<Bytes> bytesOf(const RangeView &Range, const specrt_region &Region,
                             const uint64_t *Packed) {
  std::optional<int64_t> Begin = evaluate(Range.Begin, Region, Packed);
  std::optional<int64_t> End = evaluate(Range.End, Region, Packed);
  if (!Begin || !End)
    return std::nullopt;
  // An empty range must not read its base, which may point anywhere.
  if (*End <= *Begin)
    return Bytes{0, 0, true};
  std::optional<uint64_t> Base = isErrno(Range.Base) ? reinterpret_cast<uint64_t>(&errno)
                                                     : addressOf(Range.Base, Region, Packed);
  if (!Base)
    return std::nullopt;
  return Bytes{*Base + static_cast<uint64_t>(*Begin), *Base + static_cast<uint64_t>(*End), false};
}

} // namespace

RangeView DisjointGuard::range(unsigned Number) const {
  const auto *Terms = reinterpret_cast<const specrt_term *>(this + 1);
  PolynomialView Bounds[4];
  for (unsigned I = 0; I < 4; ++I) {
    Bounds[I] = PolynomialView(Terms, NumTerms[I]);
    Terms += Bounds[I].stored();
  }
  return {Base[Number], Bounds[2 * Number], Bounds[2 * Number + 1]};
}

uint32_t DisjointGuard::trailingBytes() const {
  uint32_t Terms = 0;
  for (uint32_t Count : NumTerms)
    Terms += PolynomialView(nullptr, Count).stored();
  return Terms * static_cast<uint32_t>(sizeof(specrt_term));
}

const char *DisjointGuard::problem(const specrt_region &Region) const {
  const char *Problem = problemOf(range(0), Region);
  return Problem ? Problem : problemOf(range(1), Region);
}

bool DisjointGuard::holds(const specrt_region &Region, const uint64_t *Packed) const {
  std::optional<Bytes> A = bytesOf(range(0), Region, Packed);
  std::optional<Bytes> B = bytesOf(range(1), Region, Packed);
  if (!A || !B)
    return false;
  if (A->Empty || B->Empty)
    return true;
  // A range that wraps around the address space is no real object.
  if (A->End < A->Begin || B->End < B->Begin)
    return false;
  return A->Begin >= B->End || B->Begin >= A->End;
}

std::string DisjointGuard::describe(const specrt_region &Region) const {
  return specrt::describe(range(0), Region) + " and " + specrt::describe(range(1), Region) +
         " do not overlap";
}

double DisjointGuard::costNs() const {
  double Ns = 0.3;
  for (unsigned Number : {0u, 1u}) {
    const RangeView Range = range(Number);
    Ns += specrt::costNs(Range.Base) + specrt::costNs(Range.Begin) + specrt::costNs(Range.End);
  }
  return Ns;
}

bool DisjointGuard::isCalled() const {
  return std::any_of(std::begin(Base), std::end(Base), isErrno);
}

Presumes DisjointGuard::presumes() const {
  bool Loads = isLoaded(Base[0]) || isLoaded(Base[1]);
  return Loads ? Presumes::MemoryContent : Presumes::Nothing;
}

void appendDisjoint(GuardList &Guards, const RangeView &A, const RangeView &B) {
  Guards.append(DisjointGuard(A, B), {A.Begin, A.End, B.Begin, B.End});
}

} // namespace specrt
