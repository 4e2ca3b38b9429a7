//===- runtime/plans/table_image.cpp - converts execution plans to bytes and back ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plans/table_image.h"
#include "runtime/base/reasons.h"
#include "runtime/plans/table_check.h"
#include "runtime/rows/segments.h"
#include "runtime/watch/mappings.h"

#include <algorithm>
#include <optional>
#include <type_traits>

namespace specrt {
namespace {

/// The members of a table that are not lists. Its other counts follow from its segments.
struct Facts {
  uint32_t Levels, MergedLevels;
  uint32_t IsWorthIt;
  uint32_t Problem; ///< number of a reason, or NumReasons
  uint32_t IsParallel, IsShared;
  uint32_t NumCounters; ///< place of the counter
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

/// Reads values. After the end of the bytes, values are empty and the reader is not good any more.
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

/// A list that contains the origins of a segment.
struct OriginList {
  const std::byte *Begin;
  size_t Bytes;
  size_t Each; ///< bytes of a number
};

template <typename List> OriginList originsIn(const List &Of) {
  return {reinterpret_cast<const std::byte *>(Of.data()), Of.size() * sizeof(Of[0]), sizeof(Of[0])};
}

OriginList originsOf(const specrt_sparse_loop &Loop, const RowTable &T, const SegmentForm &Form) {
  if (hasNarrowOrigins(Loop, Form))
    return originsIn(T.NarrowOrigins);
  if (Form.Kind == SPECRT_SEGMENT_WAVEFRONT)
    return originsIn(T.LaneOrigins);
  return Form.hasPattern() ? originsIn(T.PatternOrigins) : originsIn(T.Origins);
}

int64_t placeIn(const OriginList &Of, const void *At) {
  return static_cast<const std::byte *>(At) - Of.Begin;
}

/// Returns the segments with offsets in bytes instead of pointers.
std::vector<specrt_rows_segment> withPlaces(const specrt_sparse_loop &Loop, const RowTable &T) {
  std::vector<specrt_rows_segment> Result = T.Segments;
  for (specrt_rows_segment &Each : Result) {
    const std::optional<SegmentForm> Form = formOf(Loop, Each);
    if (!Form)
      continue; // no process makes such a table
    if (Form->hasPattern())
      Each.first = placeIn(originsIn(T.Patterns), reinterpret_cast<const void *>(Each.first));
    Each.origins =
        reinterpret_cast<const int64_t *>(placeIn(originsOf(Loop, T, *Form), Each.origins));
  }
  return Result;
}

/// Returns the address of \p Count numbers, \p Place bytes behind the first of \p In; null if they
/// are outside of the list, or it is empty.
const int64_t *numbersAt(const OriginList &In, int64_t Place, uint64_t Count) {
  const auto At = static_cast<uint64_t>(Place);
  if (Place < 0 || At > In.Bytes || At % In.Each != 0 || Count > (In.Bytes - At) / In.Each)
    return nullptr;
  return reinterpret_cast<const int64_t *>(In.Begin + At);
}

/// The inverse of withPlaces. Returns false if the origins of a segment are missing.
bool setPointers(const specrt_sparse_loop &Loop, uint64_t Rows, RowTable &T) {
  for (specrt_rows_segment &Each : T.Segments) {
    const std::optional<SegmentForm> Form = formOf(Loop, Each);
    const auto Count = static_cast<uint64_t>(Each.count);
    if (!Form || Count > Rows || Rows > INT64_MAX / SPECRT_ROWS_LANES)
      return false;
    const auto [Records, Words] = originLayout(Loop, *Form, Count);
    if (Words > 0 && Records > SIZE_MAX / Words)
      return false;
    const uint64_t Needed = Records * Words;
    Each.origins =
        numbersAt(originsOf(Loop, T, *Form), reinterpret_cast<int64_t>(Each.origins), Needed);
    if (Needed > 0 && !Each.origins)
      return false;
    if (!Form->hasPattern())
      continue;
    const int64_t *Pattern = numbersAt(originsIn(T.Patterns), Each.first, Form->Class->num_entries);
    if (!Pattern)
      return false;
    Each.first = reinterpret_cast<int64_t>(Pattern);
  }
  return true;
}

/// Returns whether the segments can be run as the table says.
bool isSound(const specrt_sparse_loop &Loop, uint64_t Rows, const RowTable &T, RowCounts &Counts) {
  if (T.Segments.empty())
    return !T.IsWorthIt && !T.Sharing;
  const bool MayDepend =
      std::any_of(T.Segments.begin(), T.Segments.end(),
                  [&](const specrt_rows_segment &Each) { return formOf(Loop, Each)->mayDepend(); });
  // Threads take segments in any order, unless the table has strips for them.
  const bool HasOrder = T.Sharing ? Loop.is_parallel != 0 : !Loop.is_parallel || !MayDepend;
  return HasOrder && haveAllRows(Loop, Rows, T, Counts);
}

std::vector<NotedRange> notedIn(const specrt_sparse_loop &Loop, const uint64_t *Inputs,
                                const RowGrounds &G) {
  std::vector<NotedRange> Ranges;
  for (const RowExtent &X : G.Extents) {
    const specrt_rows_base &Base = Loop.bases[X.Base];
    const uint64_t From = beginOf(Loop, X.Base, Inputs);
    if (Base.flags & SPECRT_ROWS_NOTES)
      Ranges.push_back(
          {Base.input, From + static_cast<uint64_t>(X.Low), From + static_cast<uint64_t>(X.High)});
  }
  return Ranges;
}

} // namespace

std::string encodeTable(const specrt_sparse_loop &Loop, const RowTable &T) {
  Writer Out;
  const RowSharing *Sharing = T.Sharing.get();
  Out.one(Facts{.Levels = T.Levels,
                .MergedLevels = T.MergedLevels,
                .IsWorthIt = T.IsWorthIt,
                .Problem = numberOf(T.Problem),
                .IsParallel = Loop.is_parallel,
                .IsShared = Sharing != nullptr,
                .NumCounters = Sharing ? Sharing->plan().NumCounters : 0});
  Out.list(T.Picture ? T.Picture->numbers() : std::vector<int64_t>());
  Out.list(withPlaces(Loop, T));
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

std::shared_ptr<RowTable> decodeTable(const specrt_sparse_loop &Loop, const uint64_t *Inputs,
                                      RowGrounds G, std::string_view Image) {
  Reader In(Image);
  auto T = std::make_shared<RowTable>();
  static_cast<RowGrounds &>(*T) = std::move(G);
  const uint64_t Rows = T->Key.back();
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
  RowSharing::Plan Plan{.Strips = {}, .Chunks = {}, .Waits = {}, .FirstSegment = {}};
  if (Said.IsShared) {
    In.list(Plan.Strips);
    In.list(Plan.Chunks);
    In.list(Plan.Waits);
    In.list(Plan.FirstSegment);
    Plan.NumCounters = Said.NumCounters;
  }
  if (!In.isAtEnd() || Said.Problem > NumReasons || Said.IsParallel != Loop.is_parallel ||
      !setPointers(Loop, Rows, *T))
    return nullptr;
  T->IsWorthIt = Said.IsWorthIt != 0;
  T->segments = T->Segments.data();
  T->num_segments = T->num_parts = T->Segments.size();
  if (Said.IsShared) {
    // The plan is checked before memory for counters is allocated.
    if (!canBeShared(Plan, T->Segments.size()))
      return nullptr;
    T->shareBy(std::make_unique<RowSharing>(std::move(Plan)));
  }
  if (!isSound(Loop, Rows, *T, *T))
    return nullptr;
  T->Levels = Said.Levels;
  T->MergedLevels = Said.MergedLevels;
  T->Problem = Said.Problem == NumReasons ? "" : words(static_cast<Reason>(Said.Problem));
  T->Picture = RowPicture::of(Picture);
  if (Loop.is_parallel && T->IsWorthIt)
    T->makeNotes(Loop, notedIn(Loop, Inputs, *T));
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
  for (Reader In(Bytes); !In.isAtEnd() && Some.size() < MaxGrounds;) {
    RowGrounds G;
    In.list(G.Extents);
    In.list(G.Contents);
    if (!In.isGood())
      break;
    Some.push_back(std::move(G));
  }
  return Some;
}

/// Extents are ordered by base, and for each base by address.
static bool isBehind(const RowExtent &X, const RowExtent &Before) {
  return X.Base > Before.Base || (X.Base == Before.Base && X.Low >= Before.High);
}

bool recallGrounds(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows,
                   RowGrounds &G, WatchCopies Copies) {
  const Mappings InMemory;
  std::vector<WatchedRange> Read;
  const RowExtent *Before = nullptr;
  for (const RowExtent &X : G.Extents) {
    const uint64_t Bytes = static_cast<uint64_t>(X.High) - static_cast<uint64_t>(X.Low);
    if (X.Base >= Loop.num_bases || X.Low >= X.High || Bytes > INT64_MAX ||
        (Before && !isBehind(X, *Before)))
      return false;
    Before = &X;
    if (!isWatched(Loop, X.Base))
      continue;
    // The data that decide about these bytes have not changed.
    const uint64_t From = beginOf(Loop, X.Base, Inputs) + static_cast<uint64_t>(X.Low);
    const auto *Begin = reinterpret_cast<const std::byte *>(From);
    if (Read.size() == G.Contents.size() || From > UINT64_MAX - Bytes ||
        !InMemory.areReadable(From, From + Bytes) ||
        contentHash({reinterpret_cast<const char *>(Begin), Bytes}) != G.Contents[Read.size()])
      return false;
    Read.push_back({Begin, Bytes});
  }
  // A table without such data would be valid for any memory.
  if (Read.empty() || Read.size() != G.Contents.size())
    return false;
  for (const WatchedRange &Range : Read) {
    G.Watched.push_back(Watch::arm({&Range, 1}, Copies));
    if (!G.Watched.back())
      return false;
  }
  G.setKey(Loop, Inputs, Rows);
  return true;
}

} // namespace specrt
