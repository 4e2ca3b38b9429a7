//===- runtime/capture/described_call.cpp - what a descriptor says of a call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/capture/described_call.h"
#include "guards/address.h"
#include "guards/polynomial.h"
#include "specrt/packed_region.h"
#include "support/peek_memory.h"

#include <algorithm>

namespace specrt {
namespace {

/// Reads accesses, then loops, one by one, whether they are packed or not.
class Description {
public:
  explicit Description(const specrt_region &Region) : Region(Region) {
    if (!(Region.flags & SPECRT_REGION_PACKED))
      return;
    At = Region.arg_kinds + Region.num_args;
    if (Region.flags & SPECRT_REGION_CALLS)
      for (uint64_t Calls = specrt_unpack_number(&At); Calls > 0; --Calls)
        specrt_unpack_number(&At);
    // The entry symbol, the pipeline and the names of the arguments.
    for (uint32_t Texts = 2 + Region.num_args; Texts > 0; --Texts)
      specrt_unpack_text(&At);
  }

  specrt_access access(uint32_t Index) {
    return At ? specrt_unpack_access(&At) : Region.accesses[Index];
  }
  /// Goes on behind the accesses.
  void skipAccesses() {
    for (uint32_t I = 0; At && I < Region.num_accesses; ++I) {
      skipNumbers(3); // of the base; a signed number looks like any other
      skipPolynomial();
      skipPolynomial();
      skipNumbers(2);
    }
  }
  specrt_loop loop(uint32_t Index) { return At ? specrt_unpack_loop(&At) : Region.loops[Index]; }

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
  const uint8_t *At = nullptr; ///< null: nothing is packed
};

/// A loaded base is read where that waits for nobody.
std::optional<uint64_t> peekAddress(const specrt_base &Base, const specrt_region &Region,
                                    const uint64_t *Packed) {
  if (!isLoaded(Base))
    return addressOf(Base, Region, Packed);
  const std::optional<uint64_t> Holder = peekAddress(holderOf(Base), Region, Packed);
  return Holder ? peekMemory(*Holder + static_cast<uint64_t>(cellOf(Base)), sizeof(uint64_t))
                : std::nullopt;
}

/// The nest writes a value that lives on behind it into a place of its own.
bool mayBeResult(const specrt_access &Access) {
  constexpr int64_t LargestValue = 16;
  const std::optional<int64_t> Begin = constantOf(Access.range.begin),
                               End = constantOf(Access.range.end);
  return Access.flags == SPECRT_ACCESS_WRITE && Access.range.base.kind == SPECRT_BASE_ARGUMENT &&
         Begin && *Begin == 0 && End && *End <= LargestValue;
}

/// Sorts the segments and joins those that overlap.
void join(Footprint &Of) {
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

double iterationsOf(const specrt_region &Region, const uint64_t *Packed) {
  constexpr uint32_t MaxDepth = 16;
  Description Text(Region);
  Text.skipAccesses();
  std::array<double, MaxDepth + 1> Product{1}; // of the loops around, and of the last one
  uint32_t Depth = 0;
  double Sum = 0;
  for (uint32_t I = 0; I < Region.num_loops; ++I) {
    const specrt_loop Loop = Text.loop(I);
    const std::optional<int64_t> Count = evaluate(Loop.trip_count, Region, Packed);
    if (!Count || Loop.depth == 0 || Loop.depth > MaxDepth || Loop.depth > Depth + 1)
      return 0;
    if (Loop.depth <= Depth) // there was no loop within the last one
      Sum += Product[Depth];
    Depth = Loop.depth;
    Product[Depth] = Product[Depth - 1] * static_cast<double>(std::max<int64_t>(*Count, 0));
  }
  return Depth == 0 ? 0 : Sum + Product[Depth];
}

std::optional<AccessedBytes> accessedBytes(const specrt_region &Region, const uint64_t *Packed) {
  AccessedBytes Sum;
  Description Text(Region);
  for (uint32_t I = 0; I < Region.num_accesses; ++I) {
    const specrt_access Access = Text.access(I);
    const std::optional<int64_t> Begin = evaluate(Access.range.begin, Region, Packed),
                                 End = evaluate(Access.range.end, Region, Packed);
    if (!Begin || !End)
      return std::nullopt;
    const auto Bytes = static_cast<uint64_t>(std::max<int64_t>(*End - *Begin, 0));
    Sum.All += Bytes;
    if (Access.flags & SPECRT_ACCESS_WRITE)
      Sum.Written += Bytes;
  }
  return Sum;
}

std::optional<Footprint> footprintOf(const specrt_region &Region, const uint64_t *Packed) {
  Footprint Found;
  Description Text(Region);
  if (Region.num_accesses > Found.Segments.size())
    return std::nullopt;
  for (uint32_t I = 0; I < Region.num_accesses; ++I) {
    const specrt_access Access = Text.access(I);
    const std::optional<int64_t> Begin = evaluate(Access.range.begin, Region, Packed),
                                 End = evaluate(Access.range.end, Region, Packed);
    if (!Begin || !End)
      return std::nullopt;
    if (*End <= *Begin)
      continue;
    const std::optional<uint64_t> Base = peekAddress(Access.range.base, Region, Packed);
    if (!Base)
      return std::nullopt;
    CapturedSegment &New = Found.Segments[Found.Count++];
    New = {.Begin = *Base + static_cast<uint64_t>(*Begin),
           .End = *Base + static_cast<uint64_t>(*End),
           .Bytes = 0,
           .Hashes = 0,
           .IsWritten = (Access.flags & SPECRT_ACCESS_WRITE) != 0,
           .MayBeResult = mayBeResult(Access)};
    if (New.End <= New.Begin)
      return std::nullopt;
  }
  join(Found);
  for (uint32_t I = 0; I < Found.Count; ++I) {
    Found.Bytes.All += Found.Segments[I].size();
    if (Found.Segments[I].IsWritten)
      Found.Bytes.Written += Found.Segments[I].size();
  }
  return Found;
}

} // namespace specrt
