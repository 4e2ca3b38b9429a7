//===- runtime/capture/described_call.cpp - what a call does by its region's descriptor ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/capture/described_call.h"
#include "guards/address.h"
#include "guards/polynomial.h"
#include "specrt/packed_region.h"
#include "support/memory/peek_memory.h"

#include <algorithm>

namespace specrt {
namespace {

/// Reads the accesses and then the loops of a descriptor, each once and in order.
class Description {
public:
  explicit Description(const specrt_region &Region) : Region(Region) {
    if (!(Region.flags & SPECRT_REGION_PACKED))
      return;
    At = Region.arg_kinds + Region.num_args;
    if (Region.flags & SPECRT_REGION_CALLS)
      skipNumbers(specrt_unpack_number(&At));
    // The entry symbol, the pipeline and the names of the arguments.
    for (uint32_t Texts = 2 + Region.num_args; Texts > 0; --Texts)
      specrt_unpack_text(&At);
  }

  specrt_access access(uint32_t Index) {
    return At ? specrt_unpack_access(&At) : Region.accesses[Index];
  }
  specrt_loop loop(uint32_t Index) { return At ? specrt_unpack_loop(&At) : Region.loops[Index]; }

  /// Skips all accesses without decoding them, because the first call of every region does this.
  void skipAccesses() {
    for (uint32_t I = 0; At && I < Region.num_accesses; ++I) {
      skipNumbers(3); // the base; signed numbers are encoded like unsigned ones
      skipPolynomial();
      skipPolynomial();
      skipNumbers(2);
    }
  }

private:
  void skipNumbers(uint64_t Count) {
    for (; Count > 0; --Count)
      specrt_unpack_number(&At);
  }
  void skipPolynomial() {
    for (uint64_t Terms = specrt_unpack_number(&At); Terms > 1; --Terms) {
      skipNumbers(1);
      skipNumbers(specrt_unpack_number(&At));
    }
  }

  const specrt_region &Region;
  const uint8_t *At = nullptr; ///< null if nothing is packed
};

/// Calls Visit(Access, Begin, End) for the range of each access that is not empty, in bytes
/// relative to its base. Returns false when a range is unknown or Visit returns false.
template <class F> bool forEachRange(const specrt_region &Region, const uint64_t *Packed, F Visit) {
  Description Text(Region);
  for (uint32_t I = 0; I < Region.num_accesses; ++I) {
    const specrt_access Access = Text.access(I);
    const std::optional<int64_t> Begin = evaluate(Access.range.begin, Region, Packed),
                                 End = evaluate(Access.range.end, Region, Packed);
    if (!Begin || !End)
      return false;
    if (*End > *Begin && !Visit(Access, *Begin, *End))
      return false;
  }
  return true;
}

/// Returns the base's address. Reads pointers only from pages that are in memory.
std::optional<uint64_t> peekAddress(const specrt_base &Base, const specrt_region &Region,
                                    const uint64_t *Packed) {
  if (!isLoaded(Base))
    return addressOf(Base, Region, Packed);
  const std::optional<uint64_t> Holder = peekAddress(holderOf(Base), Region, Packed);
  return Holder ? peekMemory(*Holder + static_cast<uint64_t>(cellOf(Base)), sizeof(uint64_t))
                : std::nullopt;
}

/// Returns whether the access has the form of one to the place of a live-out value: a write of one
/// scalar through an argument.
bool mayBeResult(const specrt_access &Access) {
  constexpr int64_t LargestScalar = 16; // long double
  const std::optional<int64_t> Begin = constantOf(Access.range.begin),
                               End = constantOf(Access.range.end);
  return Access.flags == SPECRT_ACCESS_WRITE && Access.range.base.kind == SPECRT_BASE_ARGUMENT &&
         Begin && *Begin == 0 && End && *End <= LargestScalar;
}

/// Sorts the segments and merges those that overlap.
void mergeSegments(CallFootprint &Of) {
  const auto First = Of.Segments.begin();
  std::sort(First, First + Of.Count,
            [](const CapturedSegment &A, const CapturedSegment &B) { return A.Begin < B.Begin; });
  uint32_t Count = 0;
  for (uint32_t I = 0; I < Of.Count; ++I) {
    const CapturedSegment &Next = Of.Segments[I];
    if (Count == 0 || Next.Begin >= Of.Segments[Count - 1].End) {
      Of.Segments[Count++] = Next;
      continue;
    }
    CapturedSegment &Last = Of.Segments[Count - 1];
    Last.End = std::max(Last.End, Next.End);
    Last.IsWritten |= Next.IsWritten;
    Last.MayBeResult = false;
  }
  Of.Count = Count;
}

} // namespace

double workOf(const specrt_region &Region, const uint64_t *Packed) {
  constexpr uint32_t MaxDepth = 16; // more than any source has
  Description Text(Region);
  Text.skipAccesses();
  // The loops around the current position, outermost first, and the work within each so far.
  std::array<double, MaxDepth + 1> Trips{}, Inside{};
  uint32_t Depth = 0;
  const auto LeaveTo = [&](uint32_t NewDepth) {
    for (; Depth > NewDepth; --Depth) {
      Inside[Depth - 1] += Trips[Depth] * std::max(Inside[Depth], 1.0);
      Inside[Depth] = 0;
    }
  };
  for (uint32_t I = 0; I < Region.num_loops; ++I) { // in pre-order
    const specrt_loop Loop = Text.loop(I);
    const std::optional<int64_t> Count = evaluate(Loop.trip_count, Region, Packed);
    if (!Count || Loop.depth == 0 || Loop.depth > MaxDepth || Loop.depth > Depth + 1)
      return 0;
    LeaveTo(Loop.depth - 1);
    Depth = Loop.depth;
    Trips[Depth] = static_cast<double>(std::max<int64_t>(*Count, 0));
  }
  LeaveTo(0);
  return Inside[0];
}

uint64_t ticksPerWork(const specrt_region &Region, const uint64_t *Packed, uint64_t Ticks) {
  constexpr double Fixed = 1 << 20; // iterations; any number would do
  const double Work = workOf(Region, Packed);
  return Work > 0 ? static_cast<uint64_t>(static_cast<double>(Ticks) * (Fixed / Work)) : Ticks;
}

std::optional<AccessedBytes> accessedBytes(const specrt_region &Region, const uint64_t *Packed) {
  AccessedBytes Sum;
  const bool IsKnown =
      forEachRange(Region, Packed, [&](const specrt_access &Access, int64_t Begin, int64_t End) {
        const auto Bytes = static_cast<uint64_t>(End - Begin);
        Sum.All += Bytes;
        if (Access.flags & SPECRT_ACCESS_WRITE)
          Sum.Written += Bytes;
        return true;
      });
  return IsKnown ? std::optional(Sum) : std::nullopt;
}

std::optional<CallFootprint> footprintOf(const specrt_region &Region, const uint64_t *Packed) {
  CallFootprint Found;
  const bool IsKnown =
      forEachRange(Region, Packed, [&](const specrt_access &Access, int64_t Begin, int64_t End) {
        const std::optional<uint64_t> Base = peekAddress(Access.range.base, Region, Packed);
        if (!Base || Found.Count == Found.Segments.size())
          return false;
        CapturedSegment &New = Found.Segments[Found.Count++];
        New = {.Begin = *Base + static_cast<uint64_t>(Begin),
               .End = *Base + static_cast<uint64_t>(End),
               .Bytes = 0,
               .Hashes = 0,
               .IsWritten = (Access.flags & SPECRT_ACCESS_WRITE) != 0,
               .MayBeResult = mayBeResult(Access)};
        return New.End > New.Begin; // false where the range wraps around the address space
      });
  if (!IsKnown)
    return std::nullopt;
  mergeSegments(Found);
  for (uint32_t I = 0; I < Found.Count; ++I) {
    Found.Bytes.All += Found.Segments[I].size();
    if (Found.Segments[I].IsWritten)
      Found.Bytes.Written += Found.Segments[I].size();
  }
  return Found;
}

} // namespace specrt
