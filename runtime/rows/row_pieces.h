//===- runtime/rows/row_pieces.h - the places of rows behind pointers -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that were allocated one by one are anywhere in the heap, between other data, which change.
// So the bytes that were read of each row are recorded. Rows in consecutive heap blocks form one
// piece, whose gaps have room for the blocks' headers but not for another block.
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

/// Returns whether the base is for rows behind pointers whose bytes are watched.
inline bool isInPieces(const specrt_rows_base &Base) {
  return Base.input == SPECRT_ROWS_NO_INPUT && (Base.flags & SPECRT_ROWS_DECIDES);
}

/// The bytes [Begin, End).
struct ReadPiece {
  uint64_t Begin, End;
};

class RowPieces {
public:
  /// Records that the last read range ended at \p End, and the next one begins at \p From.
  void jump(uint64_t End, uint64_t From) {
    close(End);
    Open = From;
  }
  /// Records that the last read range ended at \p End.
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

  /// Returns all closed ranges in ascending order.
  std::vector<ReadPiece> sorted() const {
    std::vector<ReadPiece> Sorted = All;
    std::sort(Sorted.begin(), Sorted.end(),
              [](const ReadPiece &A, const ReadPiece &B) { return A.Begin < B.Begin; });
    return joined(Sorted, Slack);
  }
  /// Merges ascending pieces with gaps of at most \p Apart bytes.
  static std::vector<ReadPiece> joined(std::span<const ReadPiece> Ascending, uint64_t Apart) {
    std::vector<ReadPiece> Joined;
    for (const ReadPiece &P : Ascending)
      if (!Joined.empty() && P.Begin <= Joined.back().End + Apart)
        Joined.back().End = std::max(Joined.back().End, P.End);
      else
        Joined.push_back(P);
    return Joined;
  }
  /// Records that some pieces are missing.
  void giveUp() { IsComplete = false; }
  /// Returns false if there were too many pieces, or no memory for them.
  bool isComplete() const { return IsComplete; }

private:
  /// The limit of pieces, which bounds the memory.
  static constexpr size_t Most = 1 << 20;
  /// The smallest block has 32 bytes, besides the header of the next one.
  static constexpr uint64_t Slack = 32;

  std::vector<ReadPiece> All;
  uint64_t Open = 0; ///< begin of the open range; 0: none
  bool IsComplete = true;
};

} // namespace specrt

#endif
