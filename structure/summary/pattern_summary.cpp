//===- structure/summary/pattern_summary.cpp - describes a pattern in numbers and words -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/summary/pattern_summary.h"
#include "structure/levels/level_miner.h"
#include "structure/views/block_pattern.h"
#include "structure/views/interval_pattern.h"
#include "structure/views/piece_pattern.h"

#include <algorithm>
#include <cmath>

namespace specrt {
namespace {

RowLengths lengthsOf(const CsrPattern &P) {
  RowLengths Result;
  std::vector<size_t> Lengths;
  Lengths.reserve(static_cast<size_t>(P.rows()));
  for (int64_t Row = 0; Row < P.rows(); ++Row)
    Lengths.push_back(P.row(Row).size());
  if (Lengths.empty())
    return Result;
  const auto Middle = Lengths.begin() + std::ssize(Lengths) / 2;
  std::nth_element(Lengths.begin(), Middle, Lengths.end());
  Result.Median = *Middle;
  Result.Shortest = *std::min_element(Lengths.begin(), Lengths.end());
  Result.Longest = *std::max_element(Lengths.begin(), Lengths.end());
  Result.Mean = static_cast<double>(P.entries()) / static_cast<double>(P.rows());
  Result.Empty = static_cast<size_t>(std::count(Lengths.begin(), Lengths.end(), size_t{0}));
  return Result;
}

void setDiagonals(PatternSummary &To, const CsrPattern &P) {
  std::vector<uint32_t> Count(static_cast<size_t>(P.rows() + P.Columns));
  for (int64_t Row = 0; Row < P.rows(); ++Row)
    for (uint32_t Column : P.row(Row)) {
      const int64_t Offset = int64_t{Column} - Row;
      ++Count[static_cast<size_t>(Offset + P.rows())];
      To.Below = std::max(To.Below, -Offset);
      To.Above = std::max(To.Above, Offset);
    }
  for (size_t I = 0; I < Count.size(); ++I) {
    const int64_t Offset = static_cast<int64_t>(I) - P.rows();
    const int64_t Places = std::min(P.rows(), P.Columns - Offset) - std::max<int64_t>(0, -Offset);
    if (Count[I] && 2 * int64_t{Count[I]} >= Places &&
        10 * int64_t{Count[I]} >= std::min(P.rows(), P.Columns))
      To.Diagonals.push_back(
          {Offset, Count[I], static_cast<double>(Count[I]) / static_cast<double>(Places)});
  }
}

/// Returns the share of the entries that lie in full blocks of \p Edge rows and columns.
double shareInBlocks(const CsrPattern &P, size_t Edge) {
  size_t Dense = 0;
  std::vector<uint32_t> Blocks;
  for (int64_t First = 0; First + static_cast<int64_t>(Edge) <= P.rows();
       First += static_cast<int64_t>(Edge)) {
    Blocks.clear();
    for (int64_t Row = First; Row < First + static_cast<int64_t>(Edge); ++Row)
      for (uint32_t Column : P.row(Row))
        Blocks.push_back(Column / static_cast<uint32_t>(Edge));
    std::sort(Blocks.begin(), Blocks.end());
    for (size_t I = 0; I + Edge * Edge <= Blocks.size(); ++I)
      if ((I == 0 || Blocks[I - 1] != Blocks[I]) && Blocks[I + Edge * Edge - 1] == Blocks[I])
        ++Dense;
  }
  return static_cast<double>(Dense * Edge * Edge) / static_cast<double>(P.entries());
}

/// Returns the largest blocks that contain nearly as large a share as smaller ones.
DenseBlocks blocksOf(const CsrPattern &P) {
  constexpr double WorthAWord = 0.5, NearlyAsMuch = 0.9;
  DenseBlocks Best;
  if (P.entries() == 0)
    return Best;
  for (size_t Edge : {2, 3, 4, 5, 6, 8}) {
    const double Share = shareInBlocks(P, Edge);
    if (Share >= WorthAWord && Share >= NearlyAsMuch * Best.Share)
      Best = {Edge, Share};
  }
  return Best;
}

/// Returns the levels of a triangular solve with compressed rows.
TriangleLevels levelsOf(const CsrPattern &P) {
  const auto Feed = [&](LevelMiner Miner) {
    std::vector<EntryKind> Kinds = {EntryKind::Value, EntryKind::Value, EntryKind::Trips};
    std::vector<int64_t> Trace, Others;
    for (int64_t Row = 0; Row < P.rows(); ++Row) {
      const std::span<const uint32_t> All = P.row(Row);
      const auto Before = std::lower_bound(All.begin(), All.end(), Row) - All.begin();
      Others.assign(All.begin(), All.begin() + Before);
      const auto Begin = static_cast<int64_t>(P.Start[static_cast<size_t>(Row)]);
      Trace = {Begin, Begin + Before, Before};
      Trace.insert(Trace.end(), Others.begin(), Others.end());
      if (Kinds.size() < Trace.size())
        Kinds.resize(Trace.size(), EntryKind::Value);
      Miner.row(Kinds.data(), Trace.data(), Trace.size(), Others.data(), Others.size());
    }
    return Miner.finish();
  };
  LevelMinerOptions Options;
  Options.MaxBytes = SIZE_MAX;
  RowStructure Found = Feed(LevelMiner::discover(Options));
  const RowStructure S = Feed(LevelMiner::assign(std::move(Found.Classes), Options));
  TriangleLevels Result;
  Result.Merged = S.Levels.size();
  for (const RowLevel &Level : S.Levels)
    Result.Parallel += !Level.Serial;
  RowLevels Levels;
  std::vector<int64_t> Others;
  for (int64_t Row = 0; Row < P.rows(); ++Row) {
    Others.assign(P.row(Row).begin(), P.row(Row).end());
    std::erase_if(Others, [Row](int64_t Other) { return Other > Row; });
    (void)Levels.row(Others.data(), Others.size());
  }
  const LevelOrder Order(Levels.levels());
  Result.Levels = Order.size();
  Result.Widest = Order.widest();
  return Result;
}

std::string percent(double Share) {
  // Rounding must not turn a part into "100 %" or "0 %".
  const double Percent = 100 * Share;
  if (Percent > 99 && Share < 1)
    return "99 %";
  if (Percent < 1 && Share > 0)
    return "less than 1 %";
  return std::to_string(static_cast<int>(std::lround(Percent))) + " %";
}

std::string counted(uint64_t Number, const char *One) {
  return groupedNumber(Number) + " " + One + (Number == 1 ? "" : "s");
}

/// Returns whether the columns move along with the rows.
bool isDiagonal(const RowClass &Class, size_t FirstColumn) {
  for (size_t I = FirstColumn; I < Class.entries(); ++I)
    if (Class.Deltas[I] != int64_t{Class.Step})
      return false;
  return true;
}

} // namespace

std::string groupedNumber(uint64_t Number) {
  std::string Text = std::to_string(Number);
  for (size_t At = Text.size(); At > 3; At -= 3)
    Text.insert(At - 3, ",");
  return Text;
}

PatternSummary summarise(const CsrPattern &P) {
  PatternSummary Result;
  Result.Rows = P.rows();
  Result.Columns = P.Columns;
  Result.Entries = P.entries();
  Result.Lengths = lengthsOf(P);
  setDiagonals(Result, P);
  Result.Blocks = blocksOf(P);
  PiecePattern Pieces(P);
  Result.PieceBytes = Pieces.bytes();
  Result.Structure = std::move(Pieces.Structure);
  Result.Lower = levelsOf(P);
  Result.CsrBytes = P.bytes();
  Result.IntervalBytes = IntervalPattern(P).bytes();
  Result.BlockBytes = BlockPattern(P).bytes();
  return Result;
}

std::string rowsText(const RowStructure &S, size_t FirstColumn) {
  const RowClass *Largest = nullptr;
  uint64_t Diagonal = 0, Other = 0;
  for (const RowClass &Class : S.Classes) {
    (isDiagonal(Class, FirstColumn) ? Diagonal : Other) += Class.Rows;
    if (isDiagonal(Class, FirstColumn) && (!Largest || Class.Rows > Largest->Rows))
      Largest = &Class;
  }
  const auto Rows = static_cast<double>(S.Rows);
  std::string Text;
  if (Largest)
    Text = counted(Largest->entries() - FirstColumn, "diagonal") + " in " +
           percent(static_cast<double>(Largest->Rows) / Rows);
  if (Largest && Diagonal > Largest->Rows)
    Text += ", other diagonals in " + percent(static_cast<double>(Diagonal - Largest->Rows) / Rows);
  if (Other)
    Text += (Text.empty() ? "" : ", ") + std::string("repeated shapes in ") +
            percent(static_cast<double>(Other) / Rows);
  if (Text.empty())
    return "no pattern in " + counted(static_cast<uint64_t>(S.Rows), "row");
  Text += " of " + counted(static_cast<uint64_t>(S.Rows), "row");
  return Diagonal + Other < static_cast<uint64_t>(S.Rows) ? Text + ", the rest gathered" : Text;
}

std::string levelsText(const TriangleLevels &L) {
  std::string Text = counted(L.Levels, "level") + ", " + counted(L.Widest, "row") + " wide at most";
  if (L.Merged < L.Levels)
    Text += ", merged to " + groupedNumber(L.Merged);
  return Text;
}

} // namespace specrt
