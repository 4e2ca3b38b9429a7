//===- specializer/polyhedral/kernel/contraction_sizes.cpp - blocks of a contraction -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/kernel/contraction_sizes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Value.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdlib>
#include <numeric>

using namespace llvm;

namespace specrt {
namespace {

/// Number of rows of memory that unpacked operands of a matrix-vector product read at once.
constexpr int64_t DirectDepth = 16;
/// Packing pays for more rows of results than this.
constexpr int64_t DirectRows = 8;

/// Parameters for a matrix that a matrix-vector product reads once, along its rows: two vectors of
/// results hide the latency of the sums, and hardware prefetches long pieces of few rows best.
constexpr int64_t StreamedVectors = 2, StreamedDepth = 128;
/// Cycles until the result of an addition is available, and overhead of a register block.
constexpr int64_t Latency = 4, BlockOverhead = 8;
/// Associativity of a cache.
constexpr int64_t Ways = 8;
/// Limit that keeps array sizes from overflowing.
constexpr int64_t MaxExtent = 1 << 20;
/// Bounds of the search for a register block.
constexpr int64_t MaxRows = 16, MaxVectors = 8;

/// Chooses Mr x Nv accumulators so that these, Nv columns per operand and a few temporaries fit the
/// registers.
void chooseRegisterBlock(BlockSizes &S, const Contraction &C, const ContractionBlock &Block,
                         const TilingTarget &Target) {
  int64_t Lanes = Target.VectorBytes / C.elementBytes();
  int64_t Registers = Target.NumVectorRegisters;
  int64_t Temporaries = C.NumOperations > 1 ? 2 + int64_t(C.Rows.size()) : 1;
  int64_t Available = Registers - Temporaries;
  S.Mr = C.Row < 0 ? 1 : Registers >= 32 ? 8 : 4;
  S.Nv = C.Row >= 0 ? 3 : readsDirectly(C, Block) ? 8 : StreamedVectors;
  if (Block.MaxColumns > 0)
    S.Nv = std::min(S.Nv, divideCeilSigned(Block.MaxColumns, Lanes));
  auto Needed = [&] { return S.Mr * S.Nv + S.Nv * int64_t(C.Columns.size()); };
  while (S.Nv > 1 && Needed() > Available)
    --S.Nv;
  // A narrow block can have more rows.
  if (C.Row >= 0)
    while (S.Nv < 3 && S.Mr < 16 && Needed() + 2 * S.Nv <= Available)
      S.Mr += 2;
  if (Block.MaxRows > 0)
    S.Mr = std::min(S.Mr, Block.MaxRows);
  S.Nr = S.Nv * Lanes;
}

/// Returns the cycles of a register block of \p Height rows and \p Width vectors: two operations,
/// two loads and one store per cycle; an update waits four cycles for the one before.
int64_t cyclesOf(const Contraction &C, int64_t Height, int64_t Width, int64_t Reduced) {
  int64_t Operations = Height * Width * std::max(1U, C.NumOperations);
  int64_t Loads = Height * int64_t(C.Rows.size()) + Width * int64_t(C.Columns.size());
  int64_t PerStep = std::max<int64_t>({Operations, Loads, 2 * Latency});
  return Reduced * PerStep / 2 + Height * Width + BlockOverhead;
}

/// Returns the cycles of all register blocks, cut evenly, with \p R as the largest.
int64_t cyclesOf(const Contraction &C, const ConstantBlock &Block, int64_t NumVectors,
                 const RegisterBlock &R) {
  int64_t Sum = 0;
  for (const EqualPieces &Rows : cutEvenly(Block.Rows, R.Mr))
    for (const EqualPieces &Columns : cutEvenly(NumVectors, R.Nv))
      Sum += Rows.Count * Columns.Count * cyclesOf(C, Rows.Size, Columns.Size, Block.Reduced);
  return Sum;
}

} // namespace

bool readsDirectly(const Contraction &C, const ContractionBlock &Block) {
  // Operands of all rows use the mask of the first row.
  auto IsSameInAllRows = [](const RowTerm &Term) { return Term.Slope == 0; };
  bool HasFewRows = Block.MaxRows > 0 && Block.MaxRows <= DirectRows &&
                    all_of(Block.ColumnBegin, IsSameInAllRows) &&
                    all_of(Block.ColumnEnd, IsSameInAllRows);
  return (C.Row < 0 || HasFewRows) &&
         all_of(C.Columns, [&](Value *Operand) { return C.isConsecutive(Operand); });
}

SmallVector<EqualPieces, 2> cutEvenly(int64_t Extent, int64_t Most) {
  int64_t Count = divideCeilSigned(Extent, Most), Size = Extent / Count, Larger = Extent % Count;
  SmallVector<EqualPieces, 2> Result;
  if (Larger > 0)
    Result.push_back({0, Larger, Size + 1});
  Result.push_back({Larger * (Size + 1), Count - Larger, Size});
  return Result;
}

BlockSizes chooseSizes(const Contraction &C, const ContractionBlock &Block,
                       const TilingTarget &Target) {
  BlockSizes S;
  chooseRegisterBlock(S, C, Block, Target);
  const int64_t Bytes = C.elementBytes();
  int64_t Panel = S.Nr * Bytes * int64_t(C.Columns.size());
  S.Kc = std::clamp<int64_t>(int64_t(Target.L1Bytes) / Panel, 32, 512);
  S.Mc =
      std::clamp<int64_t>(Target.L2Bytes / 2 / (S.Kc * Bytes * int64_t(C.Rows.size())), S.Mr, 512);
  S.Nc = 2048;
  // Packed columns that all rows of a block use at once should fit the second cache.
  if (Block.MaxRows > 0 && Block.MaxRows <= S.Mc)
    S.Nc = std::clamp<int64_t>(Target.L2Bytes / 2 / (S.Kc * Bytes * int64_t(C.Columns.size())),
                               4 * S.Nr, S.Nc);
  if (C.Row < 0)
    S.Kc = readsDirectly(C, Block) ? DirectDepth : StreamedDepth;
  auto Limit = [](int64_t &Size, int64_t Max) {
    if (Max > 0)
      Size = std::min(Size, Max);
  };
  Limit(S.Kc, Block.MaxReduced);
  Limit(S.Mc, C.Row < 0 ? 1 : Block.MaxRows);
  Limit(S.Nc, Block.MaxColumns);
  S.Mc = int64_t(alignTo(uint64_t(S.Mc), uint64_t(S.Mr)));
  S.Nc = int64_t(alignTo(uint64_t(S.Nc), uint64_t(S.Nr)));
  return S;
}

bool isRowInPlace(const Contraction &C, Value *Operand) { return C.Loads.count(Operand); }

bool isColumnInPlace(const Contraction &C, Value *Operand, const ConstantBlock &Block,
                     const TilingTarget &Target) {
  auto Load = C.Loads.find(Operand);
  if (Load == C.Loads.end() || Load->second.PerDim[C.Column] != C.elementBytes())
    return false;
  int64_t Distance = std::abs(Load->second.PerDim[C.Reduced]);
  if (Distance == 0 || C.Row < 0)
    return true;
  // Addresses at a distance of a large power of two compete for few sets of a cache.
  return Block.Reduced * std::gcd(Distance, int64_t(Target.L2Bytes) / Ways) <=
         int64_t(Target.L2Bytes);
}

std::optional<RegisterBlock> chooseUnpacked(const Contraction &C, const ConstantBlock &Block,
                                            const TilingTarget &Target) {
  if (Target.VectorBytes < SmallestVector ||
      std::max({Block.Rows, Block.Columns, Block.Reduced}) > MaxExtent)
    return std::nullopt;
  // All register blocks read the same columns, and all vectors of columns the same rows. From the
  // second cache, reading takes less time than their updates.
  int64_t Operands =
      (Block.Rows * int64_t(C.Rows.size()) + Block.Columns * int64_t(C.Columns.size())) *
      Block.Reduced * C.elementBytes();
  if (Operands > int64_t(Target.L2Bytes))
    return std::nullopt;
  // Without rows every column value is used once, so a buffer does not pay.
  auto IsInPlace = [&](Value *Operand) { return isColumnInPlace(C, Operand, Block, Target); };
  if (C.Row < 0 && !all_of(C.Columns, IsInPlace))
    return std::nullopt;
  int64_t Lanes = Target.VectorBytes / C.elementBytes();
  int64_t NumVectors = divideCeilSigned(Block.Columns, Lanes);
  int64_t Temporaries = int64_t(C.Rows.size()) + (C.NumOperations > 1 ? 2 : 0);
  int64_t Available = Target.NumVectorRegisters - Temporaries;
  std::optional<RegisterBlock> Best;
  int64_t BestCycles = 0;
  for (int64_t Nv = 1; Nv <= std::min(NumVectors, MaxVectors); ++Nv) {
    int64_t Most = std::min((Available - Nv * int64_t(C.Columns.size())) / Nv, Block.Rows);
    for (int64_t Mr = 1; Mr <= std::min(Most, MaxRows); ++Mr) {
      int64_t Cycles = cyclesOf(C, Block, NumVectors, {Mr, Nv});
      if (!Best || Cycles < BestCycles) {
        Best = RegisterBlock{Mr, Nv};
        BestCycles = Cycles;
      }
    }
  }
  return Best;
}

} // namespace specrt
