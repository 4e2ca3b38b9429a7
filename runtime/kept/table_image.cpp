//===- runtime/kept/table_image.cpp - a table of rows as bytes ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/kept/table_image.h"
#include "runtime/base/reasons.h"
#include "runtime/watch/mappings.h"

#include <optional>
#include <type_traits>

namespace specrt {
namespace {

/// What a table says beside lists.
struct Facts {
  uint64_t NumParts;
  RowCounts Counts;
  uint32_t IsWorthIt;
  uint32_t Problem; ///< the number of a reason, or NumReasons
  uint32_t IsParallel, IsShared;
  uint32_t NumCounters; ///< where it is
};

class Writer {
public:
  template <typename T> void one(const T &Value) {
    static_assert(std::is_trivially_copyable_v<T>);
    Bytes.append(reinterpret_cast<const char *>(&Value), sizeof(T));
  }
  template <typename List> void list(const List &Values) {
    static_assert(std::is_trivially_copyable_v<typename List::value_type>);
    one(static_cast<uint64_t>(Values.size()));
    if (!Values.empty())
      Bytes.append(reinterpret_cast<const char *>(Values.data()),
                   Values.size() * sizeof(Values[0]));
  }
  std::string take() { return std::move(Bytes); }

private:
  std::string Bytes;
};

/// What is not there is empty, and nothing is good any more.
class Reader {
public:
  explicit Reader(std::string_view Bytes) : Left(Bytes) {}

  template <typename T> void one(T &Value) {
    if (Left.size() < sizeof(T)) {
      IsGood = false;
      return;
    }
    Left.copy(reinterpret_cast<char *>(&Value), sizeof(T));
    Left.remove_prefix(sizeof(T));
  }
  template <typename List> void list(List &Values) {
    uint64_t Count = 0;
    one(Count);
    constexpr size_t Each = sizeof(typename List::value_type);
    if (!IsGood || Count > Left.size() / Each) {
      IsGood = false;
      return;
    }
    Values.resize(Count);
    if (Count > 0)
      Left.copy(reinterpret_cast<char *>(Values.data()), Count * Each);
    Left.remove_prefix(Count * Each);
  }
  bool isGood() const { return IsGood; }
  bool isAtEnd() const { return IsGood && Left.empty(); }

private:
  std::string_view Left;
  bool IsGood = true;
};

uint32_t numberOf(const char *Problem) {
  for (unsigned I = 0; I < NumReasons; ++I)
    if (Problem == words(static_cast<Reason>(I)))
      return I;
  return NumReasons;
}

/// Where the origins of a segment are, by its class number (specrt/rows.h).
struct OriginsOf {
  const std::byte *Begin;
  size_t Bytes;
};

bool isTimes(const specrt_rows_site &Site, uint32_t Number, uint32_t From, uint32_t To) {
  return Number >= uint64_t{From} * Site.num_classes && Number < uint64_t{To} * Site.num_classes;
}

bool hasPattern(const specrt_rows_site &Site, const specrt_rows_segment &Segment) {
  return isTimes(Site, Segment.class_number, 5, 7);
}

template <typename List> OriginsOf originsIn(const List &Of) {
  return {reinterpret_cast<const std::byte *>(Of.data()), Of.size() * sizeof(Of[0])};
}

OriginsOf originsOf(const specrt_rows_site &Site, const RowTable &T,
                    const specrt_rows_segment &Segment) {
  const uint32_t Number = Segment.class_number;
  const bool IsListed = Number == SPECRT_ROWS_LISTED_REST || isTimes(Site, Number, 1, 2);
  if (IsListed && Site.may_wait == SPECRT_ROWS_LISTED_IN_32_BITS)
    return originsIn(T.NarrowOrigins);
  if (isTimes(Site, Number, 2, 3))
    return originsIn(T.LaneOrigins);
  return hasPattern(Site, Segment) ? originsIn(T.PatternOrigins) : originsIn(T.Origins);
}

int64_t placeIn(const OriginsOf &Of, const void *At) {
  return static_cast<const std::byte *>(At) - Of.Begin;
}

/// The segments, with numbers of bytes in place of pointers.
std::vector<specrt_rows_segment> withPlaces(const specrt_rows_site &Site, const RowTable &T) {
  std::vector<specrt_rows_segment> Result = T.Segments;
  for (specrt_rows_segment &Each : Result) {
    const int64_t Place = Each.origins ? placeIn(originsOf(Site, T, Each), Each.origins) : -1;
    if (hasPattern(Site, Each))
      Each.first = placeIn(originsIn(T.Patterns), reinterpret_cast<const void *>(Each.first));
    Each.origins = reinterpret_cast<const int64_t *>(Place);
  }
  return Result;
}

/// The other way round. False: that is none of them.
bool setPointers(const specrt_rows_site &Site, RowTable &T) {
  const auto Find = [](const OriginsOf &In, int64_t Place) -> const int64_t * {
    return Place < 0 || static_cast<uint64_t>(Place) > In.Bytes
               ? nullptr
               : reinterpret_cast<const int64_t *>(In.Begin + Place);
  };
  for (specrt_rows_segment &Each : T.Segments) {
    const auto Place = reinterpret_cast<int64_t>(Each.origins);
    Each.origins = Place == -1 ? nullptr : Find(originsOf(Site, T, Each), Place);
    if (Place != -1 && !Each.origins)
      return false;
    if (!hasPattern(Site, Each))
      continue;
    const int64_t *Pattern = Find(originsIn(T.Patterns), Each.first);
    if (!Pattern)
      return false;
    Each.first = reinterpret_cast<int64_t>(Pattern);
  }
  return true;
}

std::vector<NotedRange> notedIn(const specrt_rows_site &Site, const uint64_t *Inputs,
                                const RowGrounds &G) {
  std::vector<NotedRange> Ranges;
  for (const RowExtent &X : G.Extents) {
    const specrt_rows_base &Base = Site.bases[X.Base];
    const uint64_t From = beginOf(Site, X.Base, Inputs);
    if (Base.flags & SPECRT_ROWS_NOTES)
      Ranges.push_back(
          {Base.input, From + static_cast<uint64_t>(X.Low), From + static_cast<uint64_t>(X.High)});
  }
  return Ranges;
}

} // namespace

std::string encodeTable(const specrt_rows_site &Site, const RowTable &T) {
  Writer Out;
  const RowSharing *Sharing = T.Sharing.get();
  Out.one(Facts{.NumParts = T.num_parts,
                .Counts = T,
                .IsWorthIt = T.IsWorthIt,
                .Problem = numberOf(T.Problem),
                .IsParallel = Site.is_parallel,
                .IsShared = Sharing != nullptr,
                .NumCounters = Sharing ? Sharing->plan().NumCounters : 0});
  Out.list(T.Picture ? T.Picture->numbers() : std::vector<int64_t>());
  Out.list(withPlaces(Site, T));
  Out.list(T.Origins);
  Out.list(T.NarrowOrigins);
  Out.list(T.LaneOrigins);
  Out.list(T.PatternOrigins);
  Out.list(T.Patterns);
  if (Sharing) {
    Out.list(Sharing->plan().Strips);
    Out.list(Sharing->plan().Chunks);
    Out.list(Sharing->plan().Waits);
    Out.list(Sharing->plan().FirstSegment);
  }
  return Out.take();
}

std::shared_ptr<RowTable> decodeTable(const specrt_rows_site &Site, const uint64_t *Inputs,
                                      RowGrounds G, std::string_view Image) {
  Reader In(Image);
  auto T = std::make_shared<RowTable>();
  static_cast<RowGrounds &>(*T) = std::move(G);
  Facts Said{};
  In.one(Said);
  std::vector<int64_t> Picture;
  In.list(Picture);
  In.list(T->Segments);
  In.list(T->Origins);
  In.list(T->NarrowOrigins);
  In.list(T->LaneOrigins);
  In.list(T->PatternOrigins);
  In.list(T->Patterns);
  if (Said.IsShared) {
    RowSharing::Plan P;
    In.list(P.Strips);
    In.list(P.Chunks);
    In.list(P.Waits);
    In.list(P.FirstSegment);
    P.NumCounters = Said.NumCounters;
    if (In.isGood())
      T->shareBy(std::make_unique<RowSharing>(std::move(P)));
  }
  if (!In.isAtEnd() || Said.Problem > NumReasons || Said.IsParallel != Site.is_parallel ||
      !setPointers(Site, *T))
    return nullptr;
  T->segments = T->Segments.data();
  T->num_segments = T->Segments.size();
  T->num_parts = Said.NumParts;
  static_cast<RowCounts &>(*T) = Said.Counts;
  T->IsWorthIt = Said.IsWorthIt != 0;
  T->Problem = Said.Problem == NumReasons ? "" : words(static_cast<Reason>(Said.Problem));
  T->Picture = RowPicture::of(Picture);
  if (Site.is_parallel && T->IsWorthIt)
    T->makeNotes(Site, notedIn(Site, Inputs, *T));
  return T;
}

std::string encodeGrounds(const std::vector<RowGrounds> &Some) {
  Writer Out;
  for (const RowGrounds &G : Some) {
    Out.list(G.Extents);
    Out.list(G.Contents);
  }
  return Out.take();
}

std::vector<RowGrounds> decodeGrounds(std::string_view Bytes) {
  std::vector<RowGrounds> Some;
  for (Reader In(Bytes); !In.isAtEnd();) {
    RowGrounds G;
    In.list(G.Extents);
    In.list(G.Contents);
    if (!In.isGood())
      break;
    Some.push_back(std::move(G));
  }
  return Some;
}

bool recallGrounds(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows,
                   RowGrounds &G, WatchCopies Copies) {
  const Mappings InMemory;
  std::vector<WatchedRange> Read;
  for (const RowExtent &X : G.Extents) {
    if (X.Base >= Site.num_bases || X.Low >= X.High)
      return false;
    if (!isWatched(Site, X.Base))
      continue;
    // All that decides about these bytes is what it was.
    const uint64_t From = beginOf(Site, X.Base, Inputs) + static_cast<uint64_t>(X.Low);
    const auto Bytes = static_cast<size_t>(X.High - X.Low);
    const auto *Begin = reinterpret_cast<const std::byte *>(From);
    if (Read.size() == G.Contents.size() || !InMemory.areReadable(From, From + Bytes) ||
        contentHash({reinterpret_cast<const char *>(Begin), Bytes}) != G.Contents[Read.size()])
      return false;
    Read.push_back({Begin, Bytes});
  }
  if (Read.size() != G.Contents.size())
    return false;
  for (const WatchedRange &Range : Read) {
    G.Watched.push_back(Watch::arm({&Range, 1}, Copies));
    if (!G.Watched.back())
      return false;
  }
  G.setKey(Site, Inputs, Rows);
  return true;
}

} // namespace specrt
