//===- runtime/zeros/zero_list.cpp - makes lists of nonzero elements ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/zeros/zero_list.h"
#include "runtime/zeros/number_bits.h"
#include "support/memory/pages.h"

#include <cstring>
#include <new>
#include <sys/mman.h>
#include <type_traits>

namespace specrt {
namespace {

/// The number of elements from which the share of zeros is estimated, to some percent.
constexpr unsigned Samples = 256;

/// The number of elements that are checked together.
constexpr int64_t Group = 8;

/// Reads and compares elements of one kind.
template <typename B, bool IsFloat> struct Element {
  using Bits = B;
  static Bits at(const std::byte *Where) {
    Bits Number;
    std::memcpy(&Number, Where, sizeof(Bits));
    return Number;
  }
  /// Returns zero for both zeros only.
  static Bits size(Bits Number) { return IsFloat ? static_cast<Bits>(Number << 1) : Number; }
  static Bits least(const specrt_zeros_walk &W) {
    if constexpr (IsFloat)
      return NumberBits<Bits>::least(W.min_exponent);
    return 0;
  }
};

/// Calls \p Do with the kind's Element.
template <typename F> auto withKind(uint32_t Kind, F Do) {
  switch (Kind) {
  case SPECRT_ZEROS_INT8:
    return Do(Element<uint8_t, false>());
  case SPECRT_ZEROS_INT16:
    return Do(Element<uint16_t, false>());
  case SPECRT_ZEROS_INT32:
    return Do(Element<uint32_t, false>());
  case SPECRT_ZEROS_INT64:
    return Do(Element<uint64_t, false>());
  case SPECRT_ZEROS_FLOAT:
    return Do(Element<uint32_t, true>());
  default:
    return Do(Element<uint64_t, true>());
  }
}

/// Writes a list row by row.
template <typename E> class Lister {
public:
  Lister(const specrt_zeros_walk &W, ZeroList &To, uint64_t Room)
      : To(To), Room(Room), Least(E::least(W)),
        Starts(reinterpret_cast<uint64_t *>(To.Starts.data())),
        Positions(reinterpret_cast<uint32_t *>(To.Positions.data())),
        Values(reinterpret_cast<typename E::Bits *>(To.Values.data())) {}

  bool add(const std::byte *At, int64_t Count, int64_t Step) {
    *Starts++ = Next;
    if (Next + static_cast<uint64_t>(Count) > Room)
      return addCarefully(At, Count, Step);
    int64_t I = 0;
    for (; I + Group <= Count; I += Group) {
      typename E::Bits Any = 0;
      for (int64_t J = 0; J < Group; ++J)
        Any |= E::size(E::at(At + (I + J) * Step));
      if (Any != 0)
        for (int64_t J = 0; J < Group; ++J)
          take(At, I + J, Step);
    }
    for (; I < Count; ++I)
      take(At, I, Step);
    return !HasTooSmall;
  }
  uint64_t finish() {
    *Starts = Next;
    return Next;
  }

private:
  [[gnu::always_inline]] void take(const std::byte *At, int64_t I, int64_t Step) {
    const typename E::Bits Number = E::at(At + I * Step), Size = E::size(Number);
    Positions[Next] = static_cast<uint32_t>(I);
    Values[Next] = Number;
    Next += Size != 0;
    HasTooSmall |= (Size != 0) & (Size < Least);
  }
  /// Adds elements if the room may be insufficient.
  bool addCarefully(const std::byte *At, int64_t Count, int64_t Step) {
    for (int64_t I = 0; I < Count; ++I) {
      if (Next == Room)
        return false;
      take(At, I, Step);
    }
    return !HasTooSmall;
  }

  ZeroList &To;
  const uint64_t Room;
  const typename E::Bits Least;
  uint64_t *Starts;
  uint32_t *Positions;
  typename E::Bits *Values;
  uint64_t Next = 0;
  bool HasTooSmall = false;
};

uint64_t mixed(uint64_t Hash, uint64_t Word) {
  Hash = (Hash ^ Word) * 0x9e3779b97f4a7c15;
  return Hash ^ (Hash >> 29);
}

/// Returns a hash of positions and values, eight bytes at a time.
uint64_t fingerprint(const ZeroList &Of, unsigned Bytes) {
  uint64_t Hash = Of.Listed;
  auto Add = [&](const std::byte *Data, size_t Size) {
    uint64_t Word = 0;
    for (size_t I = 0; I + 8 <= Size; I += 8) {
      std::memcpy(&Word, Data + I, 8);
      Hash = mixed(Hash, Word);
    }
  };
  Add(Of.Positions.data(), Of.Listed * 4);
  Add(Of.Values.data(), Of.Listed * Bytes);
  return Hash;
}

} // namespace

PagesOfOwn::~PagesOfOwn() {
  if (Data)
    munmap(Data, Size);
}

bool PagesOfOwn::reserve(size_t Bytes) {
  void *At = mmap(nullptr, wholePages(Bytes), PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (At == MAP_FAILED)
    return false;
  Data = static_cast<std::byte *>(At);
  Size = wholePages(Bytes);
  return true;
}

void PagesOfOwn::shrink(size_t Bytes) {
  const size_t Kept = std::max<size_t>(wholePages(Bytes), PageBytes);
  if (Kept >= Size)
    return;
  munmap(Data + Kept, Size - Kept);
  Size = Kept;
}

double sampledZeros(const specrt_zeros_walk &W, uint64_t Elements) {
  // The samples only have to be independent of the pattern.
  uint64_t State = 0x2545f4914f6cdd1d;
  auto Below = [&](int64_t Limit) {
    State ^= State << 13, State ^= State >> 7, State ^= State << 17;
    return static_cast<int64_t>(State % static_cast<uint64_t>(Limit));
  };
  const auto Wanted = static_cast<unsigned>(std::clamp<uint64_t>(Elements / 8, 8, Samples));
  return withKind(W.kind, [&](auto Kind) {
    unsigned Seen = 0, Zeros = 0;
    for (unsigned Try = 0; Try < 4 * Wanted && Seen < Wanted; ++Try) {
      std::array<int64_t, SPECRT_ZEROS_MAX_LOOPS> Counters{};
      const auto *At = static_cast<const std::byte *>(W.base);
      bool IsThere = true;
      for (uint32_t D = 0; D < W.num_loops && IsThere; ++D) {
        const int64_t Trips = tripsOf(W, D, Counters);
        IsThere = Trips > 0;
        Counters[D] = IsThere ? Below(Trips) : 0;
        At += Counters[D] * W.loops[D].step;
      }
      if (!IsThere)
        continue;
      ++Seen;
      Zeros += decltype(Kind)::size(decltype(Kind)::at(At)) == 0;
    }
    return Seen == 0 ? 0.0 : double(Zeros) / double(Seen);
  });
}

std::unique_ptr<ZeroList> listElements(const specrt_zeros_walk &W, const ElementHull &Hull,
                                       size_t MaxBytes) {
  std::unique_ptr<ZeroList> New(new (std::nothrow) ZeroList());
  const unsigned Bytes = elementBytes(W.kind);
  // The additional room is for samples that were slightly too favourable.
  const auto Room =
      static_cast<uint64_t>(double(Hull.Elements) * (1.05 - MinShareOfZeros)) + 2 * Group;
  if (Hull.Rows * 8 + Room * (4 + Bytes) > MaxBytes)
    return nullptr;
  if (!New || !New->Starts.reserve((Hull.Rows + 1) * 8) || !New->Positions.reserve(Room * 4 + 64) ||
      !New->Values.reserve(Room * Bytes + 64))
    return nullptr;
  const bool IsDone = withKind(W.kind, [&](auto Kind) {
    Lister<decltype(Kind)> To(W, *New, Room);
    if (!forEachRow(W, [&](const std::byte *At, int64_t Count, int64_t Step) {
          return To.add(At, Count, Step);
        }))
      return false;
    New->Listed = To.finish();
    return true;
  });
  if (!IsDone)
    return nullptr;
  New->Elements = Hull.Elements;
  New->Positions.shrink(New->Listed * 4);
  New->Values.shrink(New->Listed * Bytes);
  New->starts = reinterpret_cast<const uint64_t *>(New->Starts.data());
  New->positions = reinterpret_cast<const uint32_t *>(New->Positions.data());
  New->values = New->Values.data();
  New->Fingerprint = fingerprint(*New, Bytes);
  return New;
}

} // namespace specrt
