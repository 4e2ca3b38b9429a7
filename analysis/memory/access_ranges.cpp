//===- analysis/memory/access_ranges.cpp - byte ranges that a loop nest accesses -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the memory instructions of a function, attributes each pointer to a base and joins the
// ranges of all accesses through one base.
//
//===----------------------------------------------------------------------===//
#include "analysis/memory/access_ranges.h"
#include "analysis/memory/enumerated_range.h"
#include "analysis/memory/object_size.h"
#include "analysis/memory/scev_polynomial.h"
#include "guards/address.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <limits>

using namespace llvm;

namespace specrt {
namespace {

/// One pointer operand of one instruction.
struct PointerUse {
  Value *Pointer;
  bool Reads, Writes;
  /// Accessed bytes; null if unknown.
  const SCEV *Size;
  unsigned ElementSize;
  Align Alignment;
};

class AccessCollector {
public:
  AccessCollector(Function &F, ScalarEvolution &SE, bool AssumeNoWrap, const SymbolIndex &Symbols,
                  const RowTableOf &Tables)
      : F(F), SE(SE), AssumeNoWrap(AssumeNoWrap), Polynomials(SE, AssumeNoWrap), Symbols(Symbols),
        Tables(Tables) {}

  AccessSummary run();

private:
  struct Extent {
    std::optional<Polynomial> Begin, End;
  };

  void visit(Instruction &I);
  void visitCall(CallBase &Call);
  void visitMemIntrinsic(AnyMemIntrinsic &Intrinsic);
  void add(Instruction &I, const PointerUse &Use);
  void giveUp(Instruction &I, bool Writes, const Twine &Reason);
  std::optional<specrt_base> findBase(Value *Pointer, std::string &Reason);
  std::optional<specrt_base> findLoadedBase(LoadInst &Load, std::string &Reason);
  Extent extent(const SCEV *Address, const PointerUse &Use);
  Extent constantExtent(const SCEV *Offset, const PointerUse &Use);
  BaseAccesses &entry(const specrt_base &Base, Value *Pointer, bool &IsNew);
  const SCEV *bytes(TypeSize Size);
  static bool boundByObject(const Value &Pointer, Extent &Range);

  Function &F;
  ScalarEvolution &SE;
  const bool AssumeNoWrap;

  ScevPolynomials Polynomials;
  const SymbolIndex &Symbols;
  const RowTableOf &Tables;
  AccessSummary Summary;
  /// Parallel to Summary.Bases.
  SmallVector<Extent, 0> Extents;
};

AccessSummary AccessCollector::run() {
  for (Instruction &I : instructions(F))
    if (I.mayReadOrWriteMemory())
      visit(I);
  const VariableTable &Variables = Polynomials.variables();
  for (auto [Base, Range] : zip_equal(Summary.Bases, Extents)) {
    if (!Range.Begin || !Range.End)
      Base.IsWholeObject = boundByObject(*Base.Pointer, Range);
    Base.Begin = Variables.exportPolynomial(Range.Begin);
    Base.End = Variables.exportPolynomial(Range.End);
  }
  return std::move(Summary);
}

/// Sets \p Range to the bytes of the variable that \p Pointer is, which no access through it
/// leaves; returns false if their number is unknown.
bool AccessCollector::boundByObject(const Value &Pointer, Extent &Range) {
  const auto *Variable = dyn_cast<GlobalVariable>(&Pointer);
  const std::optional<uint64_t> Bytes = Variable ? objectBytes(*Variable) : std::nullopt;
  if (Bytes)
    Range = {Polynomial(0), Polynomial(*Bytes)};
  return Bytes.has_value();
}

const SCEV *AccessCollector::bytes(TypeSize Size) {
  if (Size.isScalable())
    return nullptr;
  return SE.getConstant(Type::getInt64Ty(F.getContext()), Size.getFixedValue());
}

void AccessCollector::visit(Instruction &I) {
  const DataLayout &Layout = F.getDataLayout();
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    TypeSize Size = Layout.getTypeStoreSize(Load->getType());
    add(I, {Load->getPointerOperand(), true, false, bytes(Size), unsigned(Size.getKnownMinValue()),
            Load->getAlign()});
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    TypeSize Size = Layout.getTypeStoreSize(Store->getValueOperand()->getType());
    add(I, {Store->getPointerOperand(), false, true, bytes(Size), unsigned(Size.getKnownMinValue()),
            Store->getAlign()});
  } else if (auto *Call = dyn_cast<CallBase>(&I)) {
    visitCall(*Call);
  } else {
    giveUp(I, I.mayWriteToMemory(), Twine("'") + I.getOpcodeName() + "' accesses memory");
  }
}

void AccessCollector::visitMemIntrinsic(AnyMemIntrinsic &Intrinsic) {
  const SCEV *Length = SE.getSCEV(Intrinsic.getLength());
  add(Intrinsic,
      {Intrinsic.getRawDest(), false, true, Length, 1, Intrinsic.getDestAlign().valueOrOne()});
  if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&Intrinsic))
    add(Intrinsic, {Transfer->getRawSource(), true, false, Length, 1,
                    Transfer->getSourceAlign().valueOrOne()});
}

void AccessCollector::visitCall(CallBase &Call) {
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call)) {
    // These have memory effects only to keep their position.
    if (Intrinsic->isAssumeLikeIntrinsic() || Intrinsic->isLifetimeStartOrEnd())
      return;
    if (auto *Mem = dyn_cast<AnyMemIntrinsic>(Intrinsic))
      return visitMemIntrinsic(*Mem);
  }
  // errno and memory that the program cannot access overlap no array.
  MemoryEffects Effects = Call.getMemoryEffects();
  MemoryEffects Elsewhere = Effects.getWithoutLoc(IRMemLocation::ArgMem)
                                .getWithoutLoc(IRMemLocation::InaccessibleMem)
                                .getWithoutLoc(IRMemLocation::ErrnoMem);
  if (!Elsewhere.doesNotAccessMemory()) {
    StringRef Name = Call.getCalledFunction() ? Call.getCalledFunction()->getName() : "a pointer";
    return giveUp(Call, isModSet(Elsewhere.getModRef()), "call of " + Name);
  }
  ModRefInfo ArgAccess = Effects.getModRef(IRMemLocation::ArgMem);
  for (auto [Number, Arg] : enumerate(Call.args())) {
    if (!Arg->getType()->isPointerTy() || Call.doesNotAccessMemory(Number))
      continue;
    bool Reads = isRefSet(ArgAccess) && !Call.onlyWritesMemory(Number);
    bool Writes = isModSet(ArgAccess) && !Call.onlyReadsMemory(Number);
    if (Reads || Writes)
      add(Call, {Arg, Reads, Writes, nullptr, 1, Align(1)});
  }
}

void AccessCollector::giveUp(Instruction &I, bool Writes, const Twine &Reason) {
  if (Summary.Complete)
    Summary.Reason = Reason.str();
  Summary.Complete = false;
  Summary.CompleteWrites &= !Writes;
  Summary.Unattributed.push_back(&I);
}

void AccessCollector::add(Instruction &I, const PointerUse &Use) {
  if (const auto *Length = dyn_cast_or_null<SCEVConstant>(Use.Size);
      Length && Length->getValue()->isZero())
    return;
  const SCEV *Address = SE.getSCEV(Use.Pointer);
  const auto *Root = dyn_cast<SCEVUnknown>(SE.getPointerBase(Address));
  if (!Root)
    return giveUp(I, Use.Writes, "the address has no single base");
  // Memory allocated in this function, and constant memory that is only read, conflict with
  // nothing.
  if (isa<AllocaInst>(Root->getValue()) || isNoAliasCall(Root->getValue()))
    return;
  if (auto *Global = dyn_cast<GlobalVariable>(Root->getValue());
      Global && Global->isConstant() && !Use.Writes)
    return;

  std::string Reason;
  std::optional<specrt_base> Base = findBase(Root->getValue(), Reason);
  if (!Base)
    return giveUp(I, Use.Writes, Reason);
  bool IsNew;
  BaseAccesses &Entry = entry(*Base, Root->getValue(), IsNew);
  Extent &Joined = Extents[&Entry - Summary.Bases.begin()];
  Extent Range = extent(Address, Use);
  if (IsNew) {
    Entry.AccessAlign = Use.Alignment.value();
    Joined = Range;
  } else {
    const VariableTable &Variables = Polynomials.variables();
    auto Join = [&](std::optional<Polynomial> &Old, std::optional<Polynomial> &New, bool Upper) {
      Old = Old && New ? Variables.extreme(*Old, *New, Upper) : std::nullopt;
    };
    Join(Joined.Begin, Range.Begin, /*Upper=*/false);
    Join(Joined.End, Range.End, /*Upper=*/true);
    Entry.AccessAlign = std::min(Entry.AccessAlign, Use.Alignment.value());
  }
  Entry.Reads |= Use.Reads;
  Entry.Writes |= Use.Writes;
  Entry.ElementSize = std::max(Entry.ElementSize, Use.ElementSize);
  if (Entry.Instructions.empty() || Entry.Instructions.back() != &I)
    Entry.Instructions.push_back(&I);
}

std::optional<specrt_base> AccessCollector::findBase(Value *Pointer, std::string &Reason) {
  specrt_base Base{};
  if (auto *Arg = dyn_cast<Argument>(Pointer)) {
    Base.kind = SPECRT_BASE_ARGUMENT;
    Base.index = Arg->getArgNo();
    return Base;
  }
  if (auto *Global = dyn_cast<GlobalVariable>(Pointer)) {
    std::optional<unsigned> Index;
    if (Symbols && !Global->isThreadLocal())
      Index = Symbols(*Global);
    if (!Index || *Index > std::numeric_limits<uint16_t>::max()) {
      Reason = ("global " + Global->getName() + " is not in the symbol table").str();
      return std::nullopt;
    }
    Base.kind = SPECRT_BASE_SYMBOL;
    Base.index = *Index;
    return Base;
  }
  if (auto *Load = dyn_cast<LoadInst>(Pointer)) {
    if (std::optional<unsigned> Table = Tables ? Tables(*Load) : std::nullopt)
      return specrt_base{RowsOfTable, static_cast<uint16_t>(*Table), 0};
    return findLoadedBase(*Load, Reason);
  }
  Reason = isa<PHINode, SelectInst>(Pointer) ? "the address is one of several pointers"
                                             : "the address comes from a computed pointer";
  return std::nullopt;
}

std::optional<specrt_base> AccessCollector::findLoadedBase(LoadInst &Load, std::string &Reason) {
  const SCEV *Cell = SE.getSCEV(Load.getPointerOperand());
  const auto *Root = dyn_cast<SCEVUnknown>(SE.getPointerBase(Cell));
  const auto *Offset = dyn_cast<SCEVConstant>(SE.removePointerBase(Cell));
  std::optional<specrt_base> Holder;
  // Descriptors name only pointers that are loaded from behind an argument.
  if (Root && (!AssumeNoWrap || isa<Argument>(Root->getValue())))
    Holder = findBase(Root->getValue(), Reason);
  std::optional<specrt_base> Base;
  if (Holder && Offset && Load.isUnordered() && Offset->getAPInt().isSignedIntN(32))
    Base = loadedFrom(*Holder, Offset->getAPInt().getSExtValue());
  if (!Base)
    Reason = "the address is loaded from memory in the loop";
  return Base;
}

AccessCollector::Extent AccessCollector::extent(const SCEV *Address, const PointerUse &Use) {
  Extent Result;
  std::optional<Polynomial> Offset =
      Polynomials.convert(SE.removePointerBase(Address), Reading::Modular);
  if (!Offset)
    return constantExtent(SE.removePointerBase(Address), Use);
  const VariableTable &Variables = Polynomials.variables();
  Result.Begin = Variables.bound(*Offset, /*Upper=*/false);
  // The end may relate the offset to the length, so they are added before elimination.
  std::optional<Polynomial> Size =
      Use.Size ? Polynomials.convert(Use.Size, Reading::Unsigned) : std::nullopt;
  if (std::optional<Polynomial> End = Size ? *Offset + *Size : std::nullopt)
    Result.End = Variables.bound(*End, /*Upper=*/true);
  if (!Result.Begin || !Result.End) {
    const Extent Constant = constantExtent(SE.removePointerBase(Address), Use);
    if (Constant.Begin && Constant.End)
      return Constant;
  }
  return Result;
}

/// Returns an extent by enumeration, for subscripts without polynomial bounds.
AccessCollector::Extent AccessCollector::constantExtent(const SCEV *Offset, const PointerUse &Use) {
  const auto *Size = dyn_cast_or_null<SCEVConstant>(Use.Size);
  std::optional<OffsetRange> Range = Size ? enumeratedRange(Offset, SE) : std::nullopt;
  if (!Range)
    return {};
  return {Polynomial(Range->Least),
          Polynomial(Range->Largest + int64_t(Size->getAPInt().getZExtValue()))};
}

BaseAccesses &AccessCollector::entry(const specrt_base &Base, Value *Pointer, bool &IsNew) {
  for (BaseAccesses &Entry : Summary.Bases)
    if (isSameBase(Entry.Base, Base)) {
      IsNew = false;
      return Entry;
    }
  IsNew = true;
  BaseAccesses Entry;
  Entry.Base = Base;
  Entry.Pointer = Pointer;
  Summary.Bases.push_back(std::move(Entry));
  Extents.emplace_back();
  return Summary.Bases.back();
}

} // namespace

AccessSummary computeAccesses(Function &F, ScalarEvolution &SE, LoopInfo &LI, bool AssumeNoWrap,
                              const SymbolIndex &Symbols, const RowTableOf &Tables) {
  return AccessCollector(F, SE, AssumeNoWrap, Symbols, Tables).run();
}

} // namespace specrt
