//===- runtime/rows/row_pieces.h - where rows that pointers lead to were read ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that were allocated one by one lie anywhere in the heap, with other things between them,
// which change. So what was read of each is remembered: as long as rows follow each other in memory
// blocks of the heap it is one piece, which has room for the blocks' headers but not for another
// block.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_ROW_PIECES_H
#define SPECRT_RUNTIME_ROWS_ROW_PIECES_H

#include "specrt/rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace specrt {

/// Does it lead to wherever rows are, and is what is there watched?
inline bool isInPieces(const specrt_rows_base &Base) {
  return Base.input == SPECRT_ROWS_NO_INPUT && (Base.flags & SPECRT_ROWS_DECIDES);
}

/// From Begin to before End.
struct ReadPiece {
  uint64_t Begin, End;
};

class RowPieces {
public:
  /// What was read last ended at \p End, and what is read next begins at \p From.
  void jump(uint64_t End, uint64_t From) {
    close(End);
    Open = From;
  }
  /// What was read last ended at \p End.
  void close(uint64_t End) {
    if (Open != 0)
      add(Open, End);
    Open = 0;
  }
  void add(uint64_t Begin, uint64_t End) {
    if (!All.empty() && Begin >= All.back().Begin && Begin <= All.back().End + Slack)
      All.back().End = std::max(All.back().End, End);
    else if (All.size() < Most)
      All.push_back({Begin, End});
    else
      giveUp();
  }

  /// All that was closed, ascending.
  std::vector<ReadPiece> sorted() const {
    std::vector<ReadPiece> Sorted = All;
    std::sort(Sorted.begin(), Sorted.end(),
              [](const ReadPiece &A, const ReadPiece &B) { return A.Begin < B.Begin; });
    return joined(Sorted, Slack);
  }
  /// Ascending pieces, of which those are one that are not farther apart than that.
  static std::vector<ReadPiece> joined(std::span<const ReadPiece> Ascending, uint64_t Apart) {
    std::vector<ReadPiece> Joined;
    for (const ReadPiece &P : Ascending)
      if (!Joined.empty() && P.Begin <= Joined.back().End + Apart)
        Joined.back().End = std::max(Joined.back().End, P.End);
      else
        Joined.push_back(P);
    return Joined;
  }
  /// Some are missing.
  void giveUp() { IsComplete = false; }
  /// False: there were too many, or no memory for them.
  bool isComplete() const { return IsComplete; }

private:
  static constexpr size_t Most = 1 << 20;
  /// The least block has 32 bytes, besides the header of the next one.
  static constexpr uint64_t Slack = 32;

  std::vector<ReadPiece> All;
  uint64_t Open = 0; ///< where the last one began; 0: there is none
  bool IsComplete = true;
};

} // namespace specrt

#endif
