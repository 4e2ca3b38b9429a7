//===- specializer/speculation/row_pointers/pointer_tables.cpp - arrays of row pointers ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/row_pointers/pointer_tables.h"
#include "analysis/memory/linear_form.h"
#include "guards/address.h"
#include "specializer/module/optimize.h"
#include "specializer/speculation/row_pointers/certain_paths.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <numeric>

using namespace llvm;

namespace specrt {
namespace {

/// Limit on row pointers: a guard reads all of them at each call.
constexpr int64_t MaxRows = 1 << 20;
constexpr unsigned MaxTables = 12;

/// Returns the offset of \p Load's address from its base, in bytes.
std::optional<LinearForm> offsetOf(const LoadInst &Load, ScalarEvolution &SE) {
  LinearForm Form;
  SmallVector<const SCEV *, 2> Others;
  const SCEV *Address = SE.getSCEV(const_cast<Value *>(Load.getPointerOperand()));
  if (!isa<SCEVUnknown>(SE.getPointerBase(Address)) ||
      !splitAffine(SE.removePointerBase(Address), Form, Others) || !Others.empty())
    return std::nullopt;
  for (const Loop *L : Form.loops())
    if (!L->contains(&Load))
      return std::nullopt;
  return Form;
}

const Value *baseOfAddress(const LoadInst &Load, ScalarEvolution &SE) {
  const SCEV *Base = SE.getPointerBase(SE.getSCEV(const_cast<Value *>(Load.getPointerOperand())));
  const auto *Unknown = dyn_cast<SCEVUnknown>(Base);
  return Unknown ? Unknown->getValue() : nullptr;
}

} // namespace

PointerTables::PointerTables(Speculative &On, Notes &Refused) : KnownLoads(On, Refused) {
  findTables();
  dropUnusable();
}

std::optional<unsigned> PointerTables::tableOf(const LoadInst &Load) const {
  for (auto [Number, Table] : enumerate(Tables))
    if (is_contained(Table.Loads, &Load))
      return static_cast<unsigned>(Number);
  return std::nullopt;
}

/// Returns whether \p New belongs to the table \p Known, and extends \p Known in this case.
bool PointerTables::addTo(PointerTable &Known, const PointerTable &New) const {
  if (Known.Behind != New.Behind || (!Known.Behind && !isSameBase(Known.Base, New.Base)))
    return false;
  // A single pointer fits any table with a place for it.
  const int64_t Stride = New.Stride == 0                  ? Known.Stride
                         : Known.Stride % New.Stride == 0 ? New.Stride
                                                          : Known.Stride;
  if (Stride < 8 || New.Stride % Stride != 0 || (New.First - Known.First) % Stride != 0)
    return false;
  Known.Stride = Stride;
  Known.First = std::min(Known.First, New.First);
  Known.Last = std::max(Known.Last, New.Last);
  Known.Loads.append(New.Loads);
  return true;
}

/// Adds \p Load; returns false if it reads no row pointer of a table known so far.
bool PointerTables::addLoad(LoadInst &Load) {
  const Value *Base = baseOfAddress(Load, SE);
  std::optional<LinearForm> Offset = Base ? offsetOf(Load, SE) : std::nullopt;
  if (!Offset)
    return false;
  PointerTable New;
  New.Loads = {&Load};
  const auto *From = dyn_cast<LoadInst>(Base);
  if (From)
    New.Behind = tableOf(*From);
  if (!New.Behind) {
    std::optional<specrt_base> Named = baseOf(*Base);
    if (!Named)
      return false;
    New.Base = *Named;
  }
  auto None = [](const Loop *) { return false; };
  std::optional<LinearForm> Least = eliminate(*Offset, SE, None, /*Upper=*/false),
                            Largest = eliminate(*Offset, SE, None, /*Upper=*/true);
  if (!Least || !Largest)
    return false;
  New.First = Least->Constant;
  New.Last = Largest->Constant;
  for (const Loop *L : Offset->loops())
    New.Stride = std::gcd(New.Stride, Offset->factor(L));
  if (any_of(Tables, [&](PointerTable &Known) { return addTo(Known, New); }))
    return true;
  if (New.Stride < 8 || Tables.size() == MaxTables)
    return false;
  Tables.push_back(std::move(New));
  return true;
}

void PointerTables::findTables() {
  SmallVector<LoadInst *, 16> Left;
  for (Instruction &I : instructions(F))
    if (auto *Load = dyn_cast<LoadInst>(&I);
        Load && Load->getType()->isPointerTy() && isCandidate(*Load))
      Left.push_back(Load);
  // Rows behind rows are found once their tables are known, and so are single pointers.
  while (true) {
    const size_t Before = Left.size();
    erase_if(Left, [&](LoadInst *Load) { return addLoad(*Load); });
    if (Left.size() == Before)
      return;
  }
}

/// Returns the pointers that \p Load reads, counted from the first of each table on the way;
/// nothing if they are not a box. \p Joint gets the loops that move the load.
std::optional<Box> PointerTables::boxOf(const LoadInst &Load, const PointerTable &In,
                                        ElementWalk &Joint) const {
  const std::optional<LinearForm> Offset = offsetOf(Load, SE);
  const SmallVector<const Loop *, 4> Loops = Offset->loops();
  Box Covered;
  if (In.Behind) {
    const PointerTable &Outer = Tables[*In.Behind];
    const auto *From = cast<LoadInst>(baseOfAddress(Load, SE));
    std::optional<Box> Before = boxOf(*From, Outer, Joint);
    // Each of these pointers is followed, so none may be omitted.
    if (!Before || Joint.Parts.size() > Before->size() ||
        (Before->back().Count.Number != 0 && std::abs(Joint.Parts.back().Stride) != Outer.Stride))
      return std::nullopt;
    Covered = *Before;
  }
  if (In.Behind && Loops.size() > 1)
    return std::nullopt;
  Extent E{0, {0, nullptr}};
  int64_t Low = Offset->Constant - In.First, Length = 0;
  for (const Loop *L : Loops) {
    const Backedges Count = Certain.backedges(*L);
    const int64_t Stride = Offset->factor(L);
    if (!Count.Number || any_of(Joint.Parts, [&](const auto &Other) { return Other.L == L; }))
      return std::nullopt;
    Low += std::min<int64_t>(Stride, 0) * *Count.Number;
    Length += std::abs(Stride) * *Count.Number;
    Joint.Parts.push_back({L, Stride});
  }
  if (Low % In.Stride != 0 || Length % In.Stride != 0)
    return std::nullopt;
  E.First = Low / In.Stride;
  E.Count.Number = Length / In.Stride;
  Covered.push_back(E);
  return Covered;
}

/// Returns whether the loops may write pointers of the table before they read them; then the
/// pointers present when the call begins may be invalid.
bool PointerTables::mayChange(const PointerTable &Table) const {
  auto &AA = On.Passes.functions().getResult<AAManager>(F);
  return any_of(Table.Loads, [&](const LoadInst *Load) {
    const auto Pointers =
        MemoryLocation::getBeforeOrAfter(Load->getPointerOperand(), Load->getAAMetadata());
    return any_of(instructions(F), [&](Instruction &I) {
      if (const auto *Store = dyn_cast<StoreInst>(&I))
        return !AA.isNoAlias(
            MemoryLocation::getBeforeOrAfter(Store->getPointerOperand(), Store->getAAMetadata()),
            Pointers);
      return I.mayWriteToMemory() && isModSet(AA.getModRefInfo(&I, Pointers));
    });
  });
}

/// Completes \p Table; returns null, or why no guard can read the table.
const char *PointerTables::complete(PointerTable &Table) {
  uint32_t Levels = 1;
  int64_t Rows = Table.count();
  for (std::optional<unsigned> At = Table.Behind; At; At = Tables[*At].Behind, ++Levels)
    Rows = std::min(Rows, MaxRows + 1) * std::min(Tables[*At].count(), MaxRows);
  if (Rows > MaxRows || Table.count() < 2)
    return "there are too many of them, or only one";
  if (Levels > RowsGuard::MaxLevels)
    return "they lie behind too many pointers";
  for (std::optional<unsigned> At = Table.Behind; At; At = Tables[*At].Behind)
    if (mayChange(Tables[*At]))
      return "the pointers to them may be written first";
  for (LoadInst *Load : Table.Loads) {
    ElementWalk Joint;
    std::optional<Box> Covered = boxOf(*Load, Table, Joint);
    if (Covered && Certain.readsAll(*Load, Joint))
      Table.Boxes.push_back(std::move(*Covered));
    else if (Table.Behind)
      return "not every call reads all of them";
  }
  if (Table.Behind) {
    Table.Boxes = withoutOverlap(Table.Boxes);
    return nullptr;
  }
  if (!readsBothEnds(Table))
    return "not every call reads the first and the last of them";
  Table.Boxes = {Box{{0, {Table.count() - 1, nullptr}}}};
  return nullptr;
}

/// Returns whether every call reads the first and the last pointer; then those between them exist,
/// too.
bool PointerTables::readsBothEnds(const PointerTable &Table) const {
  bool First = false, Last = false;
  for (const Box &Each : Table.Boxes) {
    First |= Each.front().First == 0;
    Last |= Each.front().last() + 1 == Table.count();
  }
  const CertainPaths Paths(SE, LI);
  for (const LoadInst *Load : Table.Loads) {
    if ((First && Last) || !Certain.alwaysReturns())
      break;
    const std::optional<LinearForm> Offset = offsetOf(*Load, SE);
    Paths.forEach(*Load, [&](const LoopPoint &At) {
      const int64_t Place = Offset->at(At.Loops, At.Iterations);
      First |= Place == Table.First;
      Last |= Place == Table.Last;
    });
  }
  return First && Last;
}

void PointerTables::dropUnusable() {
  SmallVector<bool, 8> Usable;
  for (PointerTable &Table : Tables) {
    const bool IsBehindNothing = Table.Behind && !Usable[*Table.Behind];
    const char *Why =
        IsBehindNothing ? "where they lie is not known before the loop" : complete(Table);
    if (Why)
      refuse(*Table.Loads.front(), SPECRT_NOTE_NOT_ALWAYS_READ, Why);
    Usable.push_back(!Why);
  }
  // Indices must stay valid, so unusable tables are kept without loads.
  for (auto [Table, IsUsable] : zip_equal(Tables, Usable))
    if (!IsUsable)
      Table.Loads.clear();
}

SmallVector<std::vector<PointerLevel>, 2> PointerTables::levelsOf(unsigned Table) const {
  SmallVector<const PointerTable *, 3> Way;
  for (std::optional<unsigned> At = Table; At; At = Tables[*At].Behind)
    Way.insert(Way.begin(), &Tables[*At]);
  SmallVector<std::vector<PointerLevel>, 2> All;
  for (const Box &Covered : Tables[Table].Boxes) {
    std::vector<PointerLevel> &Levels = All.emplace_back();
    for (auto [Each, E] : zip_equal(Way, Covered))
      Levels.push_back({Each->First + E.First * Each->Stride, *E.Count.Number + 1, Each->Stride});
  }
  return All;
}

} // namespace specrt
