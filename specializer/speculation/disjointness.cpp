//===- specializer/speculation/disjointness.cpp - separates arrays by guards -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/disjointness.h"
#include "analysis/memory/access_ranges.h"
#include "analysis/memory/entry_path.h"
#include "guards/address.h"
#include "guards/disjoint.h"
#include "guards/words.h"
#include "specializer/module/optimize.h"
#include "specializer/module/region_module.h"
#include "specializer/polyhedral/model/row_marks.h"
#include "specializer/speculation/memory/implied_comparisons.h"
#include "specializer/speculation/row_pointers/pointer_tables.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns how many guards a version may have for calls that take \p NsPerCall: a few, or as many
/// as take a thousandth of that time, because each takes about a nanosecond.
double maxGuards(double NsPerCall) {
  constexpr double Few = 24;
  return std::max(Few, NsPerCall / 1000);
}

/// The relation of two bases.
enum class Relation : uint8_t {
  Unknown, ///< they may overlap
  Apart,   ///< alias analysis separates them, or neither is written
  Guarded  ///< a guard separates them
};

/// Returns the constant result of a DISJOINT guard on constant ranges of one base; otherwise
/// nothing.
std::optional<bool> knownDisjoint(const specrt_range &A, const specrt_range &B) {
  std::optional<int64_t> ABegin = constantOf(A.begin), AEnd = constantOf(A.end);
  std::optional<int64_t> BBegin = constantOf(B.begin), BEnd = constantOf(B.end);
  if (!isSameBase(A.base, B.base) || !ABegin || !AEnd || !BBegin || !BEnd)
    return std::nullopt;
  return *AEnd <= *BBegin || *BEnd <= *ABegin;
}

class Separator {
public:
  Separator(Function &F, FunctionAnalysisManager &FAM, const specrt_region &Region,
            SeenOverlaps Overlaps, double NsPerCall, const PointerTables &Tables, Premises &Result)
      : F(F), FAM(FAM), AA(FAM.getResult<AAManager>(F)), Region(Region), Overlaps(Overlaps),
        MaxGuards(maxGuards(NsPerCall)), Tables(Tables), Result(Result), Accesses(findAccesses()),
        OnEntry(instructionsOnEntryPath(F)) {}

  bool run();

private:
  AccessSummary findAccesses() {
    return computeAccesses(
        F, FAM.getResult<ScalarEvolutionAnalysis>(F), FAM.getResult<LoopAnalysis>(F),
        /*AssumeNoWrap=*/false, [&](const GlobalValue &GV) { return symbolNumber(Region, GV); },
        [&](const LoadInst &Load) { return Tables.tableOf(Load); });
  }
  unsigned size() const { return Accesses.Bases.size(); }
  Relation &relation(unsigned I, unsigned J) { return Relations[I * size() + J]; }
  void set(unsigned I, unsigned J, Relation R) { relation(I, J) = relation(J, I) = R; }
  const BaseAccesses &base(unsigned I) const { return Accesses.Bases[I]; }
  bool holdsRows(unsigned I) const { return base(I).Base.kind == RowsOfTable; }
  /// Returns whether the base's address depends on the contents of memory.
  bool isRead(unsigned I) const { return holdsRows(I) || isLoaded(base(I).Base); }
  specrt_base holder(unsigned I) const;
  std::string name(unsigned I) const;

  bool wasSeenOverlapping(const specrt_base &A, const specrt_base &B) const;
  bool canReadBase(unsigned I) const;
  void relate(unsigned I, unsigned J);
  bool cellIsConstant(unsigned I);
  void dropUntrustedBases();
  void limitGuards();
  bool keepUnwritten(const UnwrittenRange &Range);
  bool keepSeparate(const SeparateArrays &Pair);
  bool isApart(const specrt_base &Of, const BaseAccesses &Base) const;
  void addGuards();
  void addRowGuard();
  void addScopes();
  void markRowPointers();
  bool isTrusted(unsigned I);
  void hoistBases();

  Function &F;
  FunctionAnalysisManager &FAM;
  AAResults &AA;
  const specrt_region &Region;
  SeenOverlaps Overlaps;
  const double MaxGuards;
  const PointerTables &Tables;
  Premises &Result;
  AccessSummary Accesses;
  SmallVector<specrt_range, 4> BesideRows; ///< further ranges that written rows must be apart from
  DenseSet<const Instruction *> OnEntry;
  SmallVector<Relation, 0> Relations;
};

bool Separator::run() {
  Relations.assign(size() * size(), Relation::Unknown);
  for (unsigned I = 0; I < size(); ++I)
    for (unsigned J = 0; J < I; ++J)
      relate(J, I);
  dropUntrustedBases();
  limitGuards();
  // Comparisons that were dropped may have kept cells constant.
  dropUntrustedBases();
  for (const UnwrittenRange &Range : std::exchange(Result.Unwritten, {}))
    if (!keepUnwritten(Range))
      return false;
  for (const SeparateArrays &Pair : std::exchange(Result.Separate, {}))
    if (!keepSeparate(Pair))
      return false;
  addGuards();
  addRowGuard();
  decideComparisons(
      F, Accesses, [&] { return findAccesses(); },
      [&](unsigned I, unsigned J) { return relation(I, J) == Relation::Guarded; });
  if (size() > 1)
    addScopes();
  markRowPointers();
  hoistBases();
  return true;
}

/// Returns the base behind which the pointers to this one lie.
specrt_base Separator::holder(unsigned I) const {
  if (!holdsRows(I))
    return holderOf(base(I).Base);
  const PointerTable &Table = Tables.tables()[base(I).Base.index];
  if (!Table.Behind)
    return Table.Base;
  return {RowsOfTable, static_cast<uint16_t>(*Table.Behind), 0};
}

std::string Separator::name(unsigned I) const {
  specrt_base Of = base(I).Base;
  if (Of.kind != RowsOfTable)
    return describe(Of, Region);
  const PointerTable *Table = &Tables.tables()[Of.index];
  while (Table->Behind)
    Table = &Tables.tables()[*Table->Behind];
  return "rows of " + describe(Table->Base, Region);
}

bool Separator::wasSeenOverlapping(const specrt_base &A, const specrt_base &B) const {
  if (!Overlaps)
    return false;
  for (unsigned I = 0; I < Region.num_accesses; ++I)
    for (unsigned J = 0; J < Region.num_accesses; ++J)
      if (isSameBase(Region.accesses[I].range.base, A) &&
          isSameBase(Region.accesses[J].range.base, B) &&
          (Overlaps[I * Region.num_accesses + J] || Overlaps[J * Region.num_accesses + I]))
        return true;
  return false;
}

/// Returns whether a guard can read the base's address; a loaded base must be loaded by every call.
bool Separator::canReadBase(unsigned I) const {
  const BaseAccesses &Base = Accesses.Bases[I];
  // Tables only contain pointers that every call reads.
  if (holdsRows(I) || !isLoaded(Base.Base))
    return true;
  auto *Load = dyn_cast<LoadInst>(Base.Pointer);
  if (!Load)
    return false;
  // Any load of the same cell will do, not only the one that the analysis names.
  return any_of(OnEntry, [&](const Instruction *I) {
    auto *Other = dyn_cast<LoadInst>(I);
    return Other && Other->getType() == Load->getType() &&
           (Other == Load || Other->getPointerOperand()->stripPointerCasts() ==
                                 Load->getPointerOperand()->stripPointerCasts());
  });
}

void Separator::relate(unsigned I, unsigned J) {
  const BaseAccesses &A = Accesses.Bases[I], &B = Accesses.Bases[J];
  if (!A.Writes && !B.Writes)
    return set(I, J, Relation::Apart);
  // Alias analysis of two pointers is valid for one iteration; other rows have other pointers.
  if (!holdsRows(I) && !holdsRows(J) &&
      AA.isNoAlias(MemoryLocation::getBeforeOrAfter(A.Pointer),
                   MemoryLocation::getBeforeOrAfter(B.Pointer)))
    return set(I, J, Relation::Apart);
  std::string Names = name(I) + " and " + name(J);
  if (wasSeenOverlapping(A.Base, B.Base)) {
    Result.Told.add(SPECRT_NOTE_OVERLAP, Names + " overlap in this program");
    return;
  }
  if (!A.isBounded() || !B.isBounded() || !canReadBase(I) || !canReadBase(J)) {
    Result.Told.add(SPECRT_NOTE_UNKNOWN_BYTES,
                    Names + " may overlap: the bytes they touch are not known before the loop");
    return;
  }
  set(I, J, Relation::Guarded);
}

/// Returns whether a loaded base stays the same during the call: all writes must be apart from its
/// cell, behind the cell's own base, which must stay the same itself.
bool Separator::cellIsConstant(unsigned I) {
  const specrt_base Needed = holder(I);
  if (!Accesses.CompleteWrites)
    return false;
  bool Found = false;
  for (unsigned Cell = 0; Cell < size(); ++Cell) {
    const BaseAccesses &Holder = Accesses.Bases[Cell];
    if (!isSameBase(Holder.Base, Needed))
      continue;
    Found = true;
    if (Holder.Writes || (isRead(Cell) && !cellIsConstant(Cell)))
      return false;
    for (unsigned J = 0; J < size(); ++J)
      if (Accesses.Bases[J].Writes && relation(Cell, J) == Relation::Unknown)
        return false;
  }
  return Found;
}

/// Returns whether the base keeps its address throughout the call, and a guard can read it.
bool Separator::isTrusted(unsigned I) {
  return !isRead(I) || (canReadBase(I) && cellIsConstant(I));
}

void Separator::dropUntrustedBases() {
  // A base that is no longer trusted may have been needed to trust another one.
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (unsigned I = 0; I < size(); ++I) {
      if (!isRead(I) || cellIsConstant(I))
        continue;
      for (unsigned J = 0; J < size(); ++J)
        if (relation(I, J) == Relation::Guarded) {
          set(I, J, Relation::Unknown);
          Changed = true;
        }
    }
  }
}

/// Drops all guards if there are too many: the trust in one base may depend on the guards of
/// another.
void Separator::limitGuards() {
  unsigned Number = 0;
  size_t NumRanges = Result.Unwritten.size();
  for (unsigned I = 0; I < size(); ++I)
    NumRanges += holdsRows(I) ? Tables.tables()[base(I).Base.index].Boxes.size() : 1;
  if (NumRanges > RowsGuard::MaxRanges)
    for (unsigned I = 0; I < size(); ++I)
      for (unsigned J = 0; J < size(); ++J)
        if (holdsRows(I) && relation(I, J) == Relation::Guarded)
          set(I, J, Relation::Unknown);
  for (unsigned I = 0; I < size(); ++I)
    for (unsigned J = I + 1; J < size(); ++J)
      Number += relation(I, J) == Relation::Guarded && !holdsRows(I) && !holdsRows(J);
  if (Number <= MaxGuards)
    return;
  for (Relation &R : Relations)
    if (R == Relation::Guarded)
      R = Relation::Unknown;
  Result.Told.add(SPECRT_NOTE_TOO_MANY_ARRAYS,
                  Twine(Number) + " pairs of arrays are too many to compare on each call");
}

/// Returns whether the two are separate objects, which need no guard.
bool Separator::isApart(const specrt_base &Of, const BaseAccesses &Base) const {
  return Of.kind == SPECRT_BASE_ARGUMENT && !isSameBase(Of, Base.Base) &&
         AA.isNoAlias(MemoryLocation::getBeforeOrAfter(F.getArg(Of.index)),
                      MemoryLocation::getBeforeOrAfter(Base.Pointer));
}

bool Separator::keepUnwritten(const UnwrittenRange &Range) {
  if (!Accesses.CompleteWrites) {
    Result.Told.add(SPECRT_NOTE_MAY_CHANGE, Range.Name + " may change: " + Accesses.Reason);
    return false;
  }
  bool IsBesideRows = false;
  for (unsigned I = 0; I < size(); ++I) {
    const BaseAccesses &Base = Accesses.Bases[I];
    if (!Base.Writes || isApart(Range.Bytes.base, Base))
      continue;
    if (!Base.isBounded() || !isTrusted(I)) {
      Result.Told.add(SPECRT_NOTE_MAY_CHANGE, Range.Name +
                                                  " may change: the bytes written through " +
                                                  name(I) + " are not known before the loop");
      return false;
    }
    if (holdsRows(I)) {
      IsBesideRows = true;
      continue;
    }
    const specrt_range Written = {Base.Base, Base.Begin, Base.End};
    std::optional<bool> Known = knownDisjoint(Range.Bytes, Written);
    if (!Known)
      appendDisjoint(Result.Guards, viewOf(Range.Bytes), viewOf(Written));
    else if (!*Known) {
      Result.Told.add(SPECRT_NOTE_MAY_CHANGE, Range.Name + " changes in the loop");
      return false;
    }
  }
  if (IsBesideRows)
    BesideRows.push_back(Range.Bytes);
  Result.Told.add(Range.Name + " " + Range.Given);
  return true;
}

/// Returns whether two arrays are separate; if not, notes say why.
bool Separator::keepSeparate(const SeparateArrays &Pair) {
  auto Find = [&](const specrt_base &Of) {
    const auto *Found = find_if(
        Accesses.Bases, [&](const BaseAccesses &Base) { return isSameBase(Base.Base, Of); });
    return unsigned(Found - Accesses.Bases.begin());
  };
  const unsigned I = Find(Pair.A), J = Find(Pair.B);
  if (I == size() || J == size())
    return false;
  // Alias analysis of a loaded pointer is valid for one load only.
  return relation(I, J) == Relation::Guarded ||
         (relation(I, J) == Relation::Apart && !isRead(I) && !isRead(J));
}

void Separator::addGuards() {
  for (unsigned I = 0; I < size(); ++I)
    for (unsigned J = I + 1; J < size(); ++J) {
      if (relation(I, J) != Relation::Guarded || holdsRows(I) || holdsRows(J))
        continue;
      const BaseAccesses &A = Accesses.Bases[I], &B = Accesses.Bases[J];
      appendDisjoint(Result.Guards, {A.Base, A.Begin, A.End}, {B.Base, B.Begin, B.End});
    }
}

/// Adds one guard for all rows, as rows of one table may lie between those of another.
void Separator::addRowGuard() {
  std::vector<RowRanges> Ranges;
  for (unsigned I = 0; I < size(); ++I) {
    bool IsCompared = holdsRows(I) && base(I).Writes && base(I).isBounded() && isTrusted(I);
    for (unsigned J = 0; J < size(); ++J)
      IsCompared |= relation(I, J) == Relation::Guarded && (holdsRows(I) || holdsRows(J));
    if (!IsCompared)
      continue;
    RowRanges Range{.Base = base(I).Base,
                    .IsWritten = base(I).Writes,
                    .Begin = base(I).Begin,
                    .End = base(I).End};
    if (!holdsRows(I)) {
      Ranges.push_back(Range);
      continue;
    }
    const unsigned Table = base(I).Base.index;
    const PointerTable *Outermost = &Tables.tables()[Table];
    while (Outermost->Behind)
      Outermost = &Tables.tables()[*Outermost->Behind];
    Range.Base = Outermost->Base;
    for (std::vector<PointerLevel> &Levels : Tables.levelsOf(Table)) {
      Range.Levels = std::move(Levels);
      Ranges.push_back(Range);
    }
  }
  for (const specrt_range &Bytes : BesideRows)
    Ranges.push_back({.Base = Bytes.base, .Begin = Bytes.begin, .End = Bytes.end});
  if (!Ranges.empty())
    appendRows(Result.Guards, Ranges);
}

/// Marks row pointers for models in which the rows of a table form one array.
void Separator::markRowPointers() {
  for (unsigned I = 0; I < size(); ++I) {
    if (!holdsRows(I))
      continue;
    if (!isTrusted(I)) {
      Result.Told.add(SPECRT_NOTE_MAY_CHANGE,
                      "the pointers to " + name(I) + " may change in the loop");
      continue;
    }
    if (base(I).Writes && !base(I).isBounded())
      continue;
    const unsigned Number = base(I).Base.index;
    const PointerTable &Table = Tables.tables()[Number];
    for (LoadInst *Load : Table.Loads)
      markRows(*Load, {Number, Table.First, Table.count(), Table.Stride});
  }
}

void Separator::addScopes() {
  LLVMContext &Context = F.getContext();
  MDBuilder Builder(Context);
  MDNode *Domain = Builder.createAnonymousAliasScopeDomain("specrt");
  SmallVector<Metadata *, 8> Scopes;
  for (unsigned I = 0; I < size(); ++I)
    Scopes.push_back(Builder.createAnonymousAliasScope(Domain));

  // An instruction with two pointers belongs to two bases: it is in both scopes, and apart only
  // from bases that are apart from both.
  MapVector<Instruction *, SmallVector<unsigned, 2>> BasesOf;
  for (unsigned I = 0; I < size(); ++I)
    for (Instruction *Access : Accesses.Bases[I].Instructions)
      BasesOf[Access].push_back(I);
  for (auto &[Access, Bases] : BasesOf) {
    // The instruction also touches memory that no base accounts for.
    if (is_contained(Accesses.Unattributed, Access))
      continue;
    SmallVector<Metadata *, 8> Own, Apart;
    for (unsigned I : Bases)
      Own.push_back(Scopes[I]);
    for (unsigned J = 0; J < size(); ++J)
      if (all_of(Bases, [&](unsigned I) { return relation(I, J) == Relation::Guarded; }))
        Apart.push_back(Scopes[J]);
    Access->setMetadata(LLVMContext::MD_alias_scope,
                        MDNode::concatenate(Access->getMetadata(LLVMContext::MD_alias_scope),
                                            MDNode::get(Context, Own)));
    if (!Apart.empty())
      Access->setMetadata(LLVMContext::MD_noalias,
                          MDNode::concatenate(Access->getMetadata(LLVMContext::MD_noalias),
                                              MDNode::get(Context, Apart)));
  }
}

/// Loads each trusted base once, at the entry: Polly wants bases that are invariant in a nest, and
/// does not prove that itself. Every call reads the cell anyway.
void Separator::hoistBases() {
  const DataLayout &DL = F.getParent()->getDataLayout();
  // Decides for all bases first, because the decision uses loads that the first replacement
  // removes.
  SmallVector<specrt_base, 8> Trusted;
  for (unsigned I = 0; I < size(); ++I)
    // Other kinds of bases are available at the entry already.
    if (Accesses.Bases[I].Base.kind == SPECRT_BASE_LOADED && isTrusted(I))
      Trusted.push_back(Accesses.Bases[I].Base);
  for (const specrt_base &Base : Trusted) {
    SmallVector<LoadInst *, 8> Loads;
    for (Instruction &Access : instructions(F)) {
      auto *Load = dyn_cast<LoadInst>(&Access);
      if (!Load || !Load->getType()->isPointerTy() || !Load->isSimple())
        continue;
      APInt Offset(64, 0);
      const Value *Holder = Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          DL, Offset, /*AllowNonInbounds=*/true);
      if (Holder == F.getArg(Base.index) && Offset.getSExtValue() == Base.offset)
        Loads.push_back(Load);
    }
    if (Loads.empty())
      continue;
    IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
    Value *Cell = B.CreatePtrAdd(F.getArg(Base.index), B.getInt64(Base.offset));
    // Only metadata that is valid at the entry is kept.
    LoadInst *Once = B.CreateAlignedLoad(B.getPtrTy(), Cell, Align(1));
    for (unsigned Kind : {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias})
      Once->setMetadata(Kind, Loads.front()->getMetadata(Kind));
    for (LoadInst *Load : Loads) {
      Load->replaceAllUsesWith(Once);
      Load->eraseFromParent();
    }
  }
}

} // namespace

bool separateArrays(Function &F, FunctionAnalysisManager &FAM, const specrt_region &Region,
                    SeenOverlaps Overlaps, double NsPerCall, const PointerTables &Tables,
                    Premises &Result) {
  bool Confirmed = Separator(F, FAM, Region, Overlaps, NsPerCall, Tables, Result).run();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  FAM.invalidate(F, Kept);
  return Confirmed;
}

namespace {

class Disjointness final : public Speculation {
  Applied apply(Speculative &On) const override {
    Notes Refused;
    const bool Confirmed =
        separateArrays(On.F, On.Passes.functions(), On.region(), On.Request.overlaps,
                       On.Request.seconds_per_call * 1e9, PointerTables(On, Refused), On.Known);
    On.Known.Told.add(Refused);
    On.Passes.forget();
    return Confirmed ? Applied::Done : Applied::Impossible;
  }
};

} // namespace

const Speculation &disjointness() {
  static constexpr Disjointness Only;
  return Only;
}

} // namespace specrt
