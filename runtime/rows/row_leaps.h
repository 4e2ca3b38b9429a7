//===- runtime/rows/row_leaps.h - leaps over rows that are as foreseen ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In linear loops (specrt/rows.h) two rows of a class, one of which is the other's next, say how
// addresses grow in its rows. From then on it is known for as many rows as one likes where they
// read what decides, and what they have to find there, as long as each row is as foreseen. Memory
// is asked whether they are (structure/rows/foreseen_reads.h), and the inspector leaps over all but
// the last of those that are. That one it walks: what rows access lies between what the first and
// the last of them do.
//
//   rows      told    known                            walked   told
//             r       r+1 ... r+n-1                    r+n      r+n+1: another one
//             foresees all as far as r+n+1
//
// Where rows take turns in b phases, n - 1 is a multiple of b, and b rows are walked.
//
// No row that is known is other than the inspector would have found it: it would have told nobody.
// So branches go the same way (what is compared does not change its order), nothing is read that
// rows may have overwritten, and what is read lies near what was read before.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_ROW_LEAPS_H
#define SPECRT_RUNTIME_ROWS_ROW_LEAPS_H

#include "specrt/rows.h"
#include "structure/rows/foreseen_reads.h"

#include <atomic>
#include <span>
#include <vector>

namespace specrt {

class RowPattern;
class RowPieces;

/// What an inspector writes of the rows of one phase.
struct RowPhase : specrt_row_phase {
  const RowPattern *Class = nullptr; ///< that is foreseen
};

/// For tests: nobody leaps.
std::atomic<bool> &leapsAreOff();

class RowLeaps {
public:
  RowLeaps(const specrt_rows_site &Site, size_t NumPhases);

  /// The bytes that are accessed through each base.
  struct Extents {
    std::vector<uint64_t> &Low, &High;
  };
  /// Row \p Row, of the phase with this number, was told, is of the class that is foreseen, and
  /// accessed \p OfRow through bases that are written.
  void told(const RowPhase &Phase, size_t Number, uint64_t Row, const Extents &OfRow);

  struct Limits {
    uint64_t Rows;  ///< that are left
    uint64_t Quiet; ///< the first of them, of which nobody has to be told
  };
  /// How many rows are known, from row \p Row on, the first of \p Phases [\p First]? Rows after
  /// them are compared with what the last of them was. \p OfAll, of all rows until now, gets what
  /// they read that decides; \p Pieces gets it where it is behind pointers.
  uint64_t leap(std::span<RowPhase> Phases, size_t First, uint64_t Row, const Limits &To,
                const Extents &OfAll, std::span<RowPieces> Pieces);
  /// Nothing is known as long as rows are told.
  void wait() { Wanted = UINT64_MAX; }
  /// So many rows need not be told, from row \p Row on, before it is worth trying again.
  uint64_t untilNext(uint64_t Row) const { return Wanted - std::min(Wanted, Row); }
  uint64_t leapt() const { return Leapt; }

private:
  /// By how much rows of a class grow, from one to its next.
  struct Growth {
    bool IsKnown = false, IsUseless = false;
    std::vector<uint64_t> Places, Others; ///< by entry
    std::vector<int64_t> Writes;          ///< by base
  };
  /// The last row of a phase that was told.
  struct ToldRow {
    const RowPattern *Class = nullptr; ///< null: no row
    uint64_t Row = 0;
    std::vector<uint64_t> Places, Others, Low, High;
  };
  /// A read of the next rows.
  struct Read {
    LinearWord Address;
    uint32_t Base, Bytes;
  };

  Growth &growthOf(const RowPattern &Class);
  void learn(Growth &G, const ToldRow &Before, const RowPhase &Phase, const Extents &OfRow) const;
  bool mayTry(std::span<RowPhase> Phases, uint64_t Row);
  uint64_t rowsAsForeseen(std::span<RowPhase> Phases, size_t First, uint64_t Most,
                          const Extents &OfAll);
  uint64_t foresee(const RowPhase &Phase, uint64_t Most);
  uint64_t addValue(const RowPhase &Phase, const Growth &G, size_t Entry, uint64_t Most);
  bool areNear() const;
  bool areNear(uint32_t Base) const;
  bool mayOverwrite(std::span<RowPhase> Phases, uint64_t Count, const Extents &OfAll);
  void addPieces(uint64_t Count, std::span<RowPieces> Pieces) const;
  void advance(std::span<RowPhase> Phases, uint64_t Count, const Extents &OfAll,
               std::span<RowPieces> Pieces) const;

  const specrt_rows_site &Site;
  const size_t NumPhases;
  std::vector<Growth> Classes; ///< by number
  std::vector<ToldRow> Last;   ///< by phase
  std::vector<Read> Reads;
  ForeseenReads Foreseen;
  std::vector<uint64_t> ReadLow, ReadHigh; ///< by base
  uint64_t Ready = 0;  ///< before that row some phases are not what they were before the leap
  uint64_t Wanted = 0; ///< the next row to be told
  uint64_t Pause = 0;  ///< rows that pass after a leap that was not worth it
  uint64_t Leapt = 0;
};

} // namespace specrt

#endif
