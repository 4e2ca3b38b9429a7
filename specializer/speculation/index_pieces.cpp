//===- specializer/speculation/index_pieces.cpp - splits loops at steps of index arrays -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/index_pieces.h"
#include "guards/memory/sequence.h"
#include "guards/words.h"
#include "specializer/module/optimize.h"
#include "specializer/speculation/known_loads.h"
#include "specializer/speculation/loop_pieces.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace specrt {
namespace {

/// Limit on pieces: each is a loop with its own statements in the model.
constexpr size_t MaxPieces = 8;

/// Consecutive iterations in which a load reads Value, Value + Step, ...
struct Run {
  int64_t First, Count, Value, Step;
};

/// A load with values that are known run by run.
struct SplitLoad {
  LoadInst *Load;
  specrt_base Base;
  int64_t Lowest; ///< bytes from the base to the element with the lowest address
  bool Backwards;
  SmallVector<Run, 8> Runs; ///< runs of elements, counted from that one
};

class IndexSplitter : KnownLoads {
public:
  IndexSplitter(Speculative &On, Notes &Refused) : KnownLoads(On, Refused) {}
  bool run();

private:
  std::optional<SplitLoad> look(LoadInst &Load, const specrt_sequence_fact &Fact);
  void addPremises(const SplitLoad &Of, int64_t Count);
  void replaceIn(const LoopPiece &Piece, int64_t Count, const SplitLoad &Of, LoadInst &Load);
};

/// Returns the last \p Count elements of a fact, or the first with \p FromStart. If a version takes
/// over a running call, the elements before are already done.
SmallVector<Run, 8> lastElements(const specrt_sequence_fact &Fact, int64_t Count, bool FromStart) {
  const ArrayRef Pieces(Fact.pieces, Fact.num_pieces);
  const int64_t End = Pieces.back().first + Pieces.back().count;
  const int64_t Begin = FromStart ? 0 : End - Count;
  SmallVector<Run, 8> Runs;
  int64_t Next = Begin;
  for (const specrt_sequence_piece &P : Pieces) {
    const int64_t First = std::max(P.first, Begin);
    const int64_t Last = std::min(P.first + P.count, Begin + Count);
    if (First >= Last)
      continue;
    int64_t Value;
    if (First != Next || MulOverflow(P.step, First - P.first, Value) ||
        AddOverflow(Value, P.value, Value))
      return {};
    Runs.push_back({First - Begin, Last - First, Value, P.step});
    Next = Last;
  }
  return Next == Begin + Count ? Runs : SmallVector<Run, 8>();
}

std::optional<SplitLoad> IndexSplitter::look(LoadInst &Load, const specrt_sequence_fact &Fact) {
  auto Refuse = [&](specrt_note_code Code, const Twine &Why) {
    refuse(Load, Code, Why);
    return std::nullopt;
  };
  std::optional<ElementWalk> Walk = ElementWalk::of(Load, SE);
  std::optional<specrt_base> Base = Walk ? baseOf(*Walk->Base) : std::nullopt;
  if (!Base || Walk->Parts.size() != 1)
    return std::nullopt; // already refused
  const auto [L, Stride] = Walk->Parts.front();
  const Backedges Count = Certain.backedges(*L);
  const int64_t Width = Load.getType()->getIntegerBitWidth() / 8;
  if (!Certain.readsAll(Load, *Walk) || std::abs(Stride) != Width)
    return std::nullopt;
  if (!Count.Number)
    return Refuse(SPECRT_NOTE_PLAIN, "how many there are is no constant");
  SplitLoad Found{&Load, *Base, Walk->Offset, Stride < 0, {}};
  if (Found.Backwards)
    Found.Lowest += Stride * *Count.Number;
  const specrt_sequence_piece &Last = Fact.pieces[Fact.num_pieces - 1];
  if (On.Request.end_iteration && Last.first + Last.count != *Count.Number + 1)
    return Refuse(SPECRT_NOTE_PLAIN, "this part of a call reads some of them only");
  const bool FromStart = On.Request.first_iteration == 0 || Found.Backwards;
  Found.Runs = lastElements(Fact, *Count.Number + 1, FromStart);
  if (Found.Runs.empty())
    return Refuse(SPECRT_NOTE_PLAIN, "they were not all seen");
  if (Found.Runs.size() > MaxPieces)
    return Refuse(SPECRT_NOTE_PLAIN, "they follow too many patterns");
  return Found;
}

void IndexSplitter::addPremises(const SplitLoad &Of, int64_t Count) {
  const int64_t Width = Of.Load->getType()->getIntegerBitWidth() / 8;
  const specrt_polynomial Begin = constantPolynomial(Of.Lowest);
  const specrt_polynomial Number = constantPolynomial(Count);
  SequenceTerms S;
  S.Base = Of.Base;
  S.Begin = Begin;
  S.Width = static_cast<uint32_t>(Width);
  S.Dimensions = {{Number, Width, 0}};
  for (const Run &R : Of.Runs)
    S.Pieces.push_back({R.Count, R.Value, R.Step});
  appendSequence(On.Known.Guards, S);
  if (isLoaded(Of.Base))
    keepBase(Of.Base);
  const specrt_range Bytes{Of.Base, Begin, constantPolynomial(Of.Lowest + Count * Width)};
  On.Known.Unwritten.push_back(
      {Bytes,
       "the indices at " + describe(Of.Base, On.region()) + " + " + std::to_string(Of.Lowest),
       "are taken to be " + std::to_string(Of.Runs.size()) + " sequences"});
}

/// Replaces \p Load, which is in \p Piece; in the iterations of the piece all values are of one
/// run.
void IndexSplitter::replaceIn(const LoopPiece &Piece, int64_t Count, const SplitLoad &Of,
                              LoadInst &Load) {
  const int64_t Total = Of.Runs.back().First + Of.Runs.back().Count;
  // The element of the first iteration, and the step per iteration.
  const int64_t Element = Of.Backwards ? Total - 1 - Piece.First : Piece.First;
  const Run &In = *find_if(Of.Runs, [&](const Run &R) { return Element < R.First + R.Count; });
  const int64_t Step = Of.Backwards ? -In.Step : In.Step;
  int64_t Begin, Length, End;
  const bool IsNumber = !MulOverflow(In.Step, Element - In.First, Begin) &&
                        !AddOverflow(Begin, In.Value, Begin) &&
                        !MulOverflow(Step, Count - 1, Length) && !AddOverflow(Begin, Length, End);
  IRBuilder<> B(&Load);
  Value *Offset = B.CreateMul(Piece.Counter, B.getInt64(static_cast<uint64_t>(Step)), "", false,
                              /*HasNSW=*/IsNumber);
  Value *Known = B.CreateAdd(Offset, B.getInt64(static_cast<uint64_t>(Begin)), "", false,
                             /*HasNSW=*/IsNumber);
  replace(Load, *Known,
          IsNumber ? std::optional(std::pair(std::min(Begin, End), std::max(Begin, End)))
                   : std::nullopt);
  Load.eraseFromParent();
}

bool IndexSplitter::run() {
  SmallVector<SplitLoad, 4> Loads;
  Loop *L = nullptr;
  for (Instruction &I : instructions(F)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    const specrt_sequence_fact *Fact =
        Load && Load->getType()->isIntegerTy() && isCandidate(*Load) ? factAbout(*Load) : nullptr;
    if (!Fact || Fact->num_pieces < 2)
      continue;
    std::optional<SplitLoad> Found = look(*Load, *Fact);
    if (!Found)
      continue;
    auto *Over = const_cast<Loop *>(ElementWalk::of(*Load, SE)->Parts.front().L);
    if (!L || L == Over) {
      L = Over;
      Loads.push_back(std::move(*Found));
    }
  }
  if (!L)
    return false;
  const int64_t Count = *Certain.backedges(*L).Number + 1;
  SmallVector<int64_t, 8> Others;
  for (const SplitLoad &Of : Loads)
    for (const Run &R : ArrayRef(Of.Runs).drop_front())
      Others.push_back(Of.Backwards ? Count - R.First : R.First);
  sort(Others);
  Others.erase(unique(Others), Others.end());
  if (Others.size() >= MaxPieces || !canSplitIterations(*L, Others.size() + 1)) {
    refuse(*Loads.front().Load, SPECRT_NOTE_PLAIN, "a loop for each pattern is too much code");
    return false;
  }
  for (const SplitLoad &Of : Loads)
    addPremises(Of, Count);
  SmallVector<LoopPiece, 8> Pieces = splitIterations(*L, LI, DT, SE, Others, Count);
  // Collected before the first replacement, which would update the maps.
  SmallVector<LoadInst *, 16> Copies;
  for (const LoopPiece &Piece : Pieces)
    for (const SplitLoad &Of : Loads)
      Copies.push_back(Piece.Copies ? cast<LoadInst>(Piece.Copies->lookup(Of.Load)) : Of.Load);
  for (auto [I, Load] : enumerate(Copies)) {
    const size_t Number = I / Loads.size();
    const int64_t End = Number + 1 < Pieces.size() ? Pieces[Number + 1].First : Count;
    replaceIn(Pieces[Number], End - Pieces[Number].First, Loads[I % Loads.size()], *Load);
  }
  return true;
}

} // namespace

bool splitByIndices(Speculative &On, Notes &Refused) { return IndexSplitter(On, Refused).run(); }

} // namespace specrt
