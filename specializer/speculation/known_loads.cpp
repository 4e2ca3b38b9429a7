//===- specializer/speculation/known_loads.cpp - loads whose values are known ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/known_loads.h"
#include "analysis/memory/memory_cells.h"
#include "guards/address.h"
#include "guards/words.h"
#include "specializer/module/access_numbers.h"
#include "specializer/module/optimize.h"
#include "specializer/module/region_module.h"
#include "specializer/speculation/errno_math.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {

KnownLoads::KnownLoads(Speculative &On, Notes &Refused)
    : On(On), F(On.F), SE(On.Passes.functions().getResult<ScalarEvolutionAnalysis>(F)),
      LI(On.Passes.functions().getResult<LoopAnalysis>(F)),
      DT(On.Passes.functions().getResult<DominatorTreeAnalysis>(F)),
      Certain(F, SE, LI, DT, On.Passes.functions().getResult<PostDominatorTreeAnalysis>(F)),
      Refused(Refused), SetsErrno(any_of(instructions(F), setsErrno)) {}

const specrt_sequence_fact *KnownLoads::factAbout(const LoadInst &Load) const {
  std::optional<unsigned> Number = accessNumber(Load);
  const ArrayRef Facts(On.Request.sequences, On.Request.num_sequences);
  const auto *Fact = find_if(Facts, [&](const specrt_sequence_fact &Known) {
    return Number == Known.access && Known.num_pieces > 0;
  });
  return Fact == Facts.end() ? nullptr : Fact;
}

/// Returns whether the load's value can be replaced, and replacing it is useful.
bool KnownLoads::isCandidate(const LoadInst &Load) const {
  if (!Load.isSimple())
    return false;
  if (Load.getType()->isPointerTy())
    return Load.getType()->getPointerAddressSpace() == 0;
  auto *T = dyn_cast<IntegerType>(Load.getType());
  if (!T || !is_contained({8u, 16u, 32u, 64u}, T->getBitWidth()) || !shapesControl(Load))
    return false;
  // A call that sets errno may change the value.
  return !SetsErrno || !mayAccessErrno(Load);
}

void KnownLoads::refuse(const LoadInst &Load, specrt_note_code Code, const Twine &Why) {
  const DebugLoc &At = Load.getDebugLoc();
  const std::string Line = At ? " read in line " + std::to_string(At.getLine()) : "";
  Refused.add(Code, StringRef(Load.getType()->isPointerTy() ? "the row pointers" : "the indices") +
                        Line + " are not taken for known: " + Why);
}

/// Returns the base that guards can use for \p Pointer at the beginning of each call; nothing if
/// there is none.
std::optional<specrt_base> KnownLoads::baseOf(const Value &Pointer) const {
  specrt_base Base{};
  if (const auto *A = dyn_cast<Argument>(&Pointer)) {
    Base.kind = SPECRT_BASE_ARGUMENT;
    Base.index = static_cast<uint16_t>(A->getArgNo());
    return Base;
  }
  if (const auto *Global = dyn_cast<GlobalVariable>(&Pointer)) {
    std::optional<unsigned> Number =
        Global->isThreadLocal() ? std::nullopt : symbolNumber(On.region(), *Global);
    if (!Number || !isUInt<16>(*Number))
      return std::nullopt;
    Base.kind = SPECRT_BASE_SYMBOL;
    Base.index = static_cast<uint16_t>(*Number);
    return Base;
  }
  const auto *Load = dyn_cast<LoadInst>(&Pointer);
  if (!Load || !Load->isSimple() || !Certain.readsAtOnce(*Load))
    return std::nullopt;
  APInt Offset(64, 0);
  const Value *Holder = Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
      F.getDataLayout(), Offset, /*AllowNonInbounds=*/true);
  std::optional<specrt_base> From = baseOf(*Holder);
  return From ? loadedFrom(*From, Offset.getSExtValue()) : std::nullopt;
}

/// Requires that the cell of \p Loaded is not written: guards read the elements behind the pointer
/// that it holds when the call begins.
void KnownLoads::keepBase(const specrt_base &Loaded) {
  const specrt_base Holder = holderOf(Loaded);
  const int64_t Cell = cellOf(Loaded);
  const bool IsKept = any_of(On.Known.Unwritten, [&](const UnwrittenRange &Range) {
    std::optional<int64_t> Begin = constantOf(Range.Bytes.begin), End = constantOf(Range.Bytes.end);
    return isSameBase(Range.Bytes.base, Holder) && Begin && End && *Begin <= Cell &&
           Cell + 8 <= *End;
  });
  if (!IsKept)
    On.Known.Unwritten.push_back(
        {{Holder, constantPolynomial(Cell), constantPolynomial(Cell + 8)},
         "the pointer at " + describe(Holder, On.region()) + " + " + std::to_string(Cell),
         "stays as it is"});
}

/// Replaces a narrow \p Load by \p Known, which has 64 bits. Extensions of the load are replaced by
/// all bits: a shift or truncation in between would hide from later analyses that the value is
/// affine.
void KnownLoads::replace(LoadInst &Load, Value &Known,
                         std::optional<std::pair<int64_t, int64_t>> Range) {
  const unsigned Width = Load.getType()->getIntegerBitWidth();
  for (User *U : make_early_inc_range(Load.users())) {
    const bool IsExact =
        Range &&
        ((isa<SExtInst>(U) && isIntN(Width, Range->first) && isIntN(Width, Range->second)) ||
         (isa<ZExtInst>(U) && Range->first >= 0 &&
          isUIntN(Width, static_cast<uint64_t>(Range->second))));
    if (!IsExact)
      continue;
    U->replaceAllUsesWith(IRBuilder<>(&Load).CreateTrunc(&Known, U->getType()));
    cast<Instruction>(U)->eraseFromParent();
  }
  Load.replaceAllUsesWith(IRBuilder<>(&Load).CreateTrunc(&Known, Load.getType()));
}

} // namespace specrt
