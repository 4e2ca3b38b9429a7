//===- tests/fuzz/readers/persistent_plan.cpp - images of persistent plans ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first byte of an input says of which of some loops the table is. A table that is accepted is
// run: every row once, by one thread that never waits.
//
//===----------------------------------------------------------------------===//
#include "runtime/plans/table_image.h"
#include "runtime/rows/segments.h"
#include "tests/fuzz/readers/reader.h"

#include <array>
#include <atomic>
#include <memory>
#include <span>

using namespace specrt;

namespace {

constexpr uint64_t NumRows = 96;
constexpr uint64_t NumInputs = 1;
const uint64_t Inputs[NumInputs] = {0};

constexpr specrt_row_entry Follows = {
    SPECRT_ROW_VALUE, SPECRT_ROW_AFFINE, 1, SPECRT_ROW_FOLLOWS | SPECRT_ROW_BESIDE, 2, 0};
constexpr specrt_row_entry Trips = {SPECRT_ROW_TRIPS, SPECRT_ROW_CONTROL, 3, 0, 0, 0};
constexpr specrt_row_entry Given = {SPECRT_ROW_VALUE, SPECRT_ROW_AFFINE, 8, SPECRT_ROW_GIVEN, 0, 0};
constexpr specrt_row_entry Entries[] = {Follows, Trips, Given};

/// One by one and in lanes and groups; in blocks of two.
constexpr uint32_t bitsOf(std::initializer_list<specrt_segment_kind> Kinds) {
  uint32_t Bits = 0;
  for (const specrt_segment_kind Kind : Kinds)
    Bits |= SPECRT_SEGMENT_BIT(Kind);
  return Bits;
}
constexpr specrt_row_class Classes[] = {
    {Entries, 3, 1, 1,
     bitsOf({SPECRT_SEGMENT_AFFINE, SPECRT_SEGMENT_LISTED, SPECRT_SEGMENT_WAVEFRONT,
             SPECRT_SEGMENT_PATTERN_GROUPS, SPECRT_SEGMENT_PATTERN_ROWS})},
    {Entries, 2, 2, 1,
     bitsOf({SPECRT_SEGMENT_AFFINE, SPECRT_SEGMENT_LISTED, SPECRT_SEGMENT_REGISTER_BLOCKS,
             SPECRT_SEGMENT_STREAMED_BLOCKS})}};

specrt_sparse_loop loopOf(uint8_t Which) {
  static constexpr uint8_t Deciding[NumInputs] = {SPECRT_ROWS_DECIDING};
  specrt_sparse_loop Loop{};
  Loop.classes = Classes;
  Loop.num_classes = 2;
  Loop.deciding = Deciding;
  Loop.num_inputs = NumInputs;
  Loop.is_parallel = Which & 1;
  Loop.may_share = 1;
  Loop.may_depend = (Which >> 1) % 3;
  Loop.num_carried = (Which >> 3) & 1;
  return Loop;
}

RowGrounds grounds(const specrt_sparse_loop &Loop) {
  RowGrounds G;
  G.setKey(Loop, Inputs, NumRows);
  return G;
}

/// Does what code would do with the segments of a table.
class Run {
public:
  Run(const specrt_sparse_loop &Loop, const RowTable &T) : Loop(Loop), T(T) {}

  void segments(uint64_t Begin, uint64_t End) {
    for (; Begin < End; ++Begin) {
      demand(Begin < T.num_segments, "segments are there");
      segment(T.segments[Begin]);
    }
  }
  void end() const {
    for (const unsigned Times : Done)
      demand(Times == 1, "every row runs once");
    static std::atomic<uint64_t> Read;
    Read = Sum; // so that it is computed
  }

private:
  void row(uint64_t Row) {
    demand(Row < NumRows, "rows are those of the loop");
    ++Done[Row];
  }
  void segment(const specrt_rows_segment &S);

  const specrt_sparse_loop &Loop;
  const RowTable &T;
  std::array<unsigned, NumRows> Done{};
  uint64_t Sum = 0;
};

void Run::segment(const specrt_rows_segment &S) {
  const std::optional<SegmentForm> Form = formOf(Loop, S);
  demand(Form.has_value() && S.count > 0, "segments have a kind, a class and rows");
  const auto First = static_cast<uint64_t>(S.first), Count = static_cast<uint64_t>(S.count);
  const auto [Records, Words] = originLayout(Loop, *Form, Count);
  const auto At = [&, Words = Words](uint64_t Record, uint64_t Word) {
    const uint64_t I = Record * Words + Word;
    return hasNarrowOrigins(Loop, *Form) ? reinterpret_cast<const uint32_t *>(S.origins)[I]
                                         : static_cast<uint64_t>(S.origins[I]);
  };
  for (uint64_t Record = 0; Record < Records; ++Record)
    for (uint64_t Word = 0; Word < Words; ++Word)
      Sum += At(Record, Word);
  if (Form->hasPattern())
    for (uint32_t I = 0; I < Form->Class->num_entries; ++I)
      Sum += static_cast<uint64_t>(reinterpret_cast<const int64_t *>(S.first)[I]);
  const uint64_t Step = Form->Class ? Form->Class->step : 1;
  switch (Form->Kind) {
  case SPECRT_SEGMENT_AS_WRITTEN:
  case SPECRT_SEGMENT_AFFINE:
    for (uint64_t I = 0; I < Count; ++I)
      row(First + I * Step);
    break;
  case SPECRT_SEGMENT_REGISTER_BLOCKS:
  case SPECRT_SEGMENT_STREAMED_BLOCKS:
    for (uint64_t I = 0; I < Count * Step; ++I)
      row(First + I);
    break;
  case SPECRT_SEGMENT_WAVEFRONT:
    for (uint64_t Lane = 0; Lane < SPECRT_ROWS_LANES; ++Lane)
      for (uint64_t I = 0; I < Count; ++I)
        row(At(Lane, 0) + I);
    break;
  case SPECRT_SEGMENT_LISTED:
  case SPECRT_SEGMENT_LISTED_AS_WRITTEN:
  case SPECRT_SEGMENT_PATTERN_GROUPS:
  case SPECRT_SEGMENT_PATTERN_ROWS:
    for (uint64_t Record = 0; Record < Records; ++Record)
      row(At(Record, 0));
  }
}

/// Adds segments to a table, whose lists do not move.
struct Maker {
  Maker(uint8_t Which) : Which(Which), Loop(loopOf(Which)) {
    T.Origins.reserve(1000);
    T.NarrowOrigins.reserve(1000);
    T.LaneOrigins.reserve(1000);
    T.PatternOrigins.reserve(1000);
    T.Patterns = {2, 0, 0};
    T.IsWorthIt = true;
    T.Picture = std::make_shared<RowPicture>(NumRows);
  }
  template <typename List>
  void add(List &Origins, int64_t First, int64_t Count, const SegmentCode &Code,
           std::initializer_list<int64_t> Values) {
    T.Segments.push_back(Code.segment(
        reinterpret_cast<const int64_t *>(Origins.data() + Origins.size()), First, Count));
    Origins.insert(Origins.end(), Values.begin(), Values.end());
  }
  template <typename List> void addListed(List &Origins, int64_t First, int64_t Count) {
    add(Origins, First, Count, {SPECRT_SEGMENT_LISTED_AS_WRITTEN}, {});
    for (int64_t Row = First + Count - 1; Row >= First; --Row) {
      Origins.push_back(static_cast<typename List::value_type>(Row));
      Origins.insert(Origins.end(), Loop.num_carried, 0);
    }
  }
  void addByPattern(int64_t First, int64_t Count, specrt_segment_kind Kind, int64_t RowsOfEach) {
    add(T.PatternOrigins, reinterpret_cast<int64_t>(T.Patterns.data()), Count, {Kind, 0}, {});
    for (int64_t Row = First; Row < First + Count * RowsOfEach; ++Row)
      T.PatternOrigins.insert(T.PatternOrigins.end(), {Row, 7});
  }
  void addLanes(int64_t First, int64_t Count) {
    add(T.LaneOrigins, First, Count, {SPECRT_SEGMENT_WAVEFRONT, 0}, {});
    for (int64_t Lane = 0; Lane < SPECRT_ROWS_LANES; ++Lane)
      T.LaneOrigins.insert(T.LaneOrigins.end(),
                           {First + Lane * Count, First + Lane * Count + 2, 3, Lane});
  }
  /// Rows from \p First on, in any order.
  void addRest(int64_t First) {
    const int64_t Count = int64_t{NumRows} - First;
    if (Loop.may_depend == SPECRT_ROWS_LISTED_IN_32_BITS)
      addListed(T.NarrowOrigins, First, Count);
    else if (Loop.may_depend == SPECRT_ROWS_LISTED_IN_64_BITS)
      addListed(T.Origins, First, Count);
    else if (Loop.num_carried)
      add(T.Origins, First, Count, {SPECRT_SEGMENT_AS_WRITTEN}, {5});
    else
      add(T.Origins, First, Count, {SPECRT_SEGMENT_AS_WRITTEN}, {});
  }
  /// Two strips of a chunk each, of which the second waits for the first.
  void share() {
    const uint64_t End = T.Segments.size();
    T.shareBy(std::make_unique<RowSharing>(RowSharing::Plan{.Strips = {{0, 0}, {1, 1}, {2, 0}},
                                                            .Chunks = {{0, 0}, {9, 0}, {9, 1}},
                                                            .Waits = {{0, 1}},
                                                            .FirstSegment = {0, 1, End},
                                                            .NumCounters = 2}));
  }
  std::string take() {
    const std::string Image = encodeTable(Loop, T);
    demand(decodeTable(Loop, Inputs, grounds(Loop), Image) != nullptr, "what is written is read");
    return static_cast<char>(Which) + Image;
  }

  const uint8_t Which;
  const specrt_sparse_loop Loop;
  RowTable T;
};

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (Size == 0)
    return 0;
  const specrt_sparse_loop Loop = loopOf(Data[0]);
  const std::shared_ptr<RowTable> T =
      decodeTable(Loop, Inputs, grounds(Loop), viewOf(Data + 1, Size - 1));
  if (!T)
    return 0;
  demand(!encodeTable(Loop, *T).empty(), "what was read can be written");
  if (!T->IsWorthIt)
    return 0;
  Run Code(Loop, *T);
  demand(T->enter(), "nobody else uses it");
  if (T->share) {
    demand(T->num_parts > 0, "shared ones have parts");
    T->share(
        T.get(),
        [](void *Words, uint64_t Begin, uint64_t End) {
          static_cast<Run *>(Words)->segments(Begin, End);
        },
        &Code);
  } else {
    demand(T->num_parts == T->num_segments, "a part is a segment");
    Code.segments(0, T->num_segments);
  }
  T->leave();
  Code.end();
  return 0;
}

std::vector<std::string> seeds() {
  std::vector<std::string> All;
  for (const uint8_t Which : {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13}) {
    Maker Of(Which);
    Of.add(Of.T.Origins, 0, 8, {SPECRT_SEGMENT_AFFINE, 0}, {2, 3, 9});
    Of.add(Of.T.Origins, 8, 4, {SPECRT_SEGMENT_AFFINE, 1}, {10, 3});           // 8, 10, 12, 14
    Of.add(Of.T.Origins, 9, 4, {SPECRT_SEGMENT_AFFINE, 1}, {11, 3});           // 9, 11, 13, 15
    Of.add(Of.T.Origins, 16, 2, {SPECRT_SEGMENT_REGISTER_BLOCKS, 1}, {18, 3}); // 16 to 19
    Of.add(Of.T.Origins, 20, 2, {SPECRT_SEGMENT_STREAMED_BLOCKS, 1}, {22, 3}); // 20 to 23
    if (Of.Loop.may_depend) {
      Of.addLanes(24, 2);                                                       // to 39
      Of.addByPattern(40, 1, SPECRT_SEGMENT_PATTERN_GROUPS, SPECRT_ROWS_LANES); // to 47
      Of.addByPattern(48, 3, SPECRT_SEGMENT_PATTERN_ROWS, 1);                   // to 50
      Of.addRest(51);
      if (Of.Loop.is_parallel)
        Of.share();
    } else {
      Of.addRest(24);
    }
    All.push_back(Of.take());
  }
  Maker NotWorthIt(0);
  NotWorthIt.T.IsWorthIt = false;
  All.push_back(NotWorthIt.take());
  return All;
}
