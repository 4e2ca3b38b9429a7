//===- specializer/module/memory_loops.cpp - expands fills and copies into loops -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/memory_loops.h"
#include "specializer/module/optimize.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

/// Element sizes for arrays that nothing else in the function accesses: the widest that fits gives
/// the fewest iterations. Narrower ones would make the loop slower than the call.
constexpr uint64_t UsualBytes[] = {8, 4};
/// Some targets move wider elements in parts.
constexpr unsigned MaxElementBits = 64;

/// The layout of an array as its other accesses suggest it.
struct ArrayShape {
  Type *Element = nullptr;    ///< of the narrowest access; null if there is none
  SmallVector<uint64_t> Rows; ///< strides in bytes of loops around the innermost one
};

/// The layouts of a function's arrays. They only determine how a block is cut into elements.
class ArrayShapes {
public:
  ArrayShapes(Function &F, ScalarEvolution &SE);
  ArrayShape of(Value *Pointer) const { return Shapes.lookup(keyOf(Pointer)); }

private:
  /// The base of a pointer, or for a loaded pointer the address it is loaded from, as there may be
  /// many loads of it.
  using Key = PointerIntPair<const SCEV *, 1, bool>;
  Key keyOf(Value *Pointer) const;
  void add(Instruction &Access);

  ScalarEvolution &SE;
  const DataLayout &DL;
  DenseMap<Key, ArrayShape> Shapes;
};

ArrayShapes::ArrayShapes(Function &F, ScalarEvolution &SE) : SE(SE), DL(F.getDataLayout()) {
  for (Instruction &I : instructions(F))
    if (isa<LoadInst, StoreInst>(I))
      add(I);
}

ArrayShapes::Key ArrayShapes::keyOf(Value *Pointer) const {
  const SCEV *Base = SE.getPointerBase(SE.getSCEV(Pointer));
  const auto *Unknown = dyn_cast<SCEVUnknown>(Base);
  if (auto *Load = Unknown ? dyn_cast<LoadInst>(Unknown->getValue()) : nullptr)
    return {SE.getSCEV(Load->getPointerOperand()), true};
  return {Base, false};
}

/// Returns a type of the size of \p T whose loads and stores preserve every bit; null if there is
/// none.
Type *movableType(Type *T, const DataLayout &DL) {
  if (T->isFloatTy() || T->isDoubleTy() || (T->isPointerTy() && !DL.isNonIntegralPointerType(T)))
    return T;
  const TypeSize Bits = DL.getTypeSizeInBits(T);
  if (Bits.isScalable() || Bits != DL.getTypeAllocSizeInBits(T) || Bits > MaxElementBits ||
      !isPowerOf2_64(Bits))
    return nullptr;
  return IntegerType::get(T->getContext(), unsigned(Bits));
}

void ArrayShapes::add(Instruction &Access) {
  Value *Pointer = getLoadStorePointerOperand(&Access);
  Type *Element = movableType(getLoadStoreType(&Access), DL);
  if (!Element)
    return;
  ArrayShape &Shape = Shapes[keyOf(Pointer)];
  if (!Shape.Element || DL.getTypeStoreSize(Element) < DL.getTypeStoreSize(Shape.Element))
    Shape.Element = Element;
  const auto *Innermost = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Pointer));
  const SCEV *Row = Innermost ? Innermost->getStart() : nullptr;
  while (const auto *Outer = dyn_cast_or_null<SCEVAddRecExpr>(Row)) {
    if (const auto *Step = dyn_cast<SCEVConstant>(Outer->getStepRecurrence(SE));
        Step && Step->getAPInt().isSignedIntN(32) &&
        !is_contained(Shape.Rows, Step->getAPInt().abs().getZExtValue()))
      Shape.Rows.push_back(Step->getAPInt().abs().getZExtValue());
    Row = Outer->getStart();
  }
}

/// The loop nest that replaces a call.
struct LoopForm {
  MemIntrinsic *Call;
  Type *Element;
  /// Bytes that one iteration of each loop covers, from the outermost to the innermost, whose
  /// iterations cover one element.
  SmallVector<uint64_t> Bytes;
  bool IsBackward; ///< the last element comes first; then there is one loop
  bool MayBeEmpty;
};

class Expander {
public:
  Expander(Function &F, FunctionAnalysisManager &FAM)
      : SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), DL(F.getDataLayout()), Shapes(F, SE) {}

  std::optional<LoopForm> findForm(MemIntrinsic &Call, AreBlocksApart AreApart);
  void expand(const LoopForm &Form);

private:
  ArrayShape shapeOf(MemIntrinsic &Call) const;
  Type *findElement(const ArrayShape &Shape, const APInt &Multiple, LLVMContext &Context) const;
  std::optional<bool> isBackward(const MemMoveInst &Move) const;

  ScalarEvolution &SE;
  const DataLayout &DL;
  const ArrayShapes Shapes;
};

/// Returns the combined layout of all arrays of \p Call. Of different elements it takes the
/// narrower, which fits both.
ArrayShape Expander::shapeOf(MemIntrinsic &Call) const {
  ArrayShape Shape = Shapes.of(Call.getRawDest());
  if (auto *Transfer = dyn_cast<MemTransferInst>(&Call)) {
    const ArrayShape Source = Shapes.of(Transfer->getRawSource());
    if (!Shape.Element || (Source.Element && DL.getTypeStoreSize(Source.Element) <
                                                 DL.getTypeStoreSize(Shape.Element)))
      Shape.Element = Source.Element;
    append_range(Shape.Rows, Source.Rows);
  }
  return Shape;
}

/// Returns the element type; \p Multiple divides every length of the block. Null: the call stays.
Type *Expander::findElement(const ArrayShape &Shape, const APInt &Multiple,
                            LLVMContext &Context) const {
  auto Fits = [&](uint64_t Bytes) { return Multiple.urem(Bytes) == 0; };
  if (Shape.Element)
    return Fits(DL.getTypeStoreSize(Shape.Element)) ? Shape.Element : nullptr;
  const auto *Usual = find_if(UsualBytes, Fits);
  return Usual == std::end(UsualBytes) ? nullptr : IntegerType::get(Context, unsigned(8 * *Usual));
}

/// Returns whether the last element of \p Move must be moved first; nothing if that depends on the
/// call.
std::optional<bool> Expander::isBackward(const MemMoveInst &Move) const {
  const SCEV *Distance =
      SE.getMinusSCEV(SE.getSCEV(Move.getRawDest()), SE.getSCEV(Move.getRawSource()));
  if (isa<SCEVCouldNotCompute>(Distance))
    return std::nullopt;
  if (SE.isKnownNonPositive(Distance))
    return false;
  if (SE.isKnownNonNegative(Distance))
    return true;
  return std::nullopt;
}

std::optional<LoopForm> Expander::findForm(MemIntrinsic &Call, AreBlocksApart AreApart) {
  const auto *Transfer = dyn_cast<MemTransferInst>(&Call);
  // Variants that must not become library calls are left alone.
  if (!is_contained({Intrinsic::memset, Intrinsic::memcpy, Intrinsic::memmove},
                    Call.getIntrinsicID()) ||
      Call.isVolatile() || Call.getDestAddressSpace() != 0 ||
      (Transfer && Transfer->getSourceAddressSpace() != 0))
    return std::nullopt;

  LoopForm Form = {&Call, nullptr, {}, false, true};
  const SCEV *Length = SE.getSCEV(Call.getLength());
  const APInt Multiple = SE.getConstantMultiple(Length);
  ArrayShape Shape = shapeOf(Call);
  Form.Element = findElement(Shape, Multiple, Call.getContext());
  if (Multiple.isZero() || !Form.Element)
    return std::nullopt;
  if (const auto *Move = dyn_cast<MemMoveInst>(&Call)) {
    const std::optional<bool> Backward = isBackward(*Move);
    if (!Backward && !AreApart(*Move))
      return std::nullopt;
    Form.IsBackward = Backward.value_or(false);
  }
  Form.MayBeEmpty =
      !SE.isKnownPredicateAt(ICmpInst::ICMP_NE, Length, SE.getZero(Length->getType()), &Call);

  const uint64_t ElementBytes = DL.getTypeStoreSize(Form.Element);
  if (!Form.IsBackward) {
    llvm::sort(Shape.Rows, std::greater<>());
    for (const uint64_t Row : Shape.Rows) {
      const uint64_t Outer = Form.Bytes.empty() ? 0 : Form.Bytes.back();
      const bool Divides = Outer ? Outer % Row == 0 : Multiple.urem(Row) == 0;
      const bool IsAll = Outer ? Outer == Row : isa<SCEVConstant>(Length) && Multiple == Row;
      if (Row > ElementBytes && Row % ElementBytes == 0 && Divides && !IsAll)
        Form.Bytes.push_back(Row);
    }
  }
  Form.Bytes.push_back(ElementBytes);
  return Form;
}

/// Returns the byte that \p Set stores, repeated to fill \p Element.
Value *splat(const MemSetInst &Set, Type *Element, IRBuilder<> &B, const DataLayout &DL) {
  const auto *Known = dyn_cast<ConstantInt>(Set.getValue());
  if (Known && Known->isZero())
    return Constant::getNullValue(Element);
  // Computes with integers, because some floating-point types do not preserve all bits.
  const auto Bits = unsigned(DL.getTypeStoreSizeInBits(Element));
  const APInt Ones = APInt::getSplat(Bits, APInt(8, 1));
  Value *Byte = B.CreateZExt(Set.getValue(), B.getIntNTy(Bits));
  return B.CreateMul(Byte, B.getInt(Ones));
}

void Expander::expand(const LoopForm &Form) {
  MemIntrinsic &Call = *Form.Call;
  const uint64_t ElementBytes = Form.Bytes.back();
  IRBuilder<> B(&Call);
  Value *Length = B.CreateZExtOrTrunc(Call.getLength(), B.getInt64Ty());
  Value *Trips = B.CreateUDiv(Length, B.getInt64(Form.Bytes.front()), "", /*isExact=*/true);
  Value *Moved = nullptr;
  if (const auto *Set = dyn_cast<MemSetInst>(&Call))
    Moved = splat(*Set, Form.Element, B, DL);
  BasicBlock::iterator Place = Call.getIterator();
  if (Form.MayBeEmpty)
    Place = SplitBlockAndInsertIfThen(B.CreateIsNotNull(Trips), Place, false)->getIterator();

  Value *Index = nullptr;
  for (const auto [Level, Bytes] : enumerate(Form.Bytes)) {
    Value *Count = Level == 0 ? Trips : B.getInt64(Form.Bytes[Level - 1] / Bytes);
    auto [Body, I] = SplitBlockAndInsertSimpleForLoop(Count, Place);
    Place = Body->getIterator();
    B.SetInsertPoint(Body);
    B.SetCurrentDebugLocation(Call.getDebugLoc());
    I = B.CreateMul(I, B.getInt64(Bytes / ElementBytes), "", /*HasNUW=*/true, /*HasNSW=*/true);
    Index = Index ? B.CreateAdd(Index, I, "", /*HasNUW=*/true, /*HasNSW=*/true) : I;
  }
  if (Form.IsBackward)
    Index = B.CreateSub(B.CreateSub(Trips, B.getInt64(1)), Index);

  // Alias metadata of the call is valid for the elements, except types by offset.
  AAMDNodes Tags = Call.getAAMetadata();
  Tags.TBAAStruct = nullptr;
  MDNode *Group = Call.getMetadata(LLVMContext::MD_access_group);
  auto Tag = [&](Instruction *Access) {
    Access->setAAMetadata(Tags);
    Access->setMetadata(LLVMContext::MD_access_group, Group);
  };
  auto At = [&](Value *Block) { return B.CreateInBoundsGEP(Form.Element, Block, Index); };
  if (const auto *Transfer = dyn_cast<MemTransferInst>(&Call)) {
    const Align From = std::min(Align(ElementBytes), Transfer->getSourceAlign().valueOrOne());
    LoadInst *Load = B.CreateAlignedLoad(Form.Element, At(Transfer->getRawSource()), From);
    Tag(Load);
    Moved = Load;
  }
  const Align To = std::min(Align(ElementBytes), Call.getDestAlign().valueOrOne());
  Tag(B.CreateAlignedStore(Moved, At(Call.getRawDest()), To));
  Call.eraseFromParent();
}

} // namespace

unsigned expandMemoryCalls(Function &F, FunctionAnalysisManager &FAM, AreBlocksApart AreApart) {
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  SmallVector<MemIntrinsic *> Calls;
  for (const Loop *L : LI)
    for (BasicBlock *BB : L->blocks())
      for (Instruction &I : *BB)
        if (auto *Call = dyn_cast<MemIntrinsic>(&I))
          Calls.push_back(Call);
  if (Calls.empty())
    return 0;

  Expander Of(F, FAM);
  SmallVector<LoopForm> Forms;
  for (MemIntrinsic *Call : Calls)
    if (std::optional<LoopForm> Form = Of.findForm(*Call, AreApart))
      Forms.push_back(std::move(*Form));
  if (Forms.empty())
    return 0;
  for (const LoopForm &Form : Forms)
    Of.expand(Form);
  FAM.invalidate(F, PreservedAnalyses::none());
  return unsigned(Forms.size());
}

unsigned expandMemoryCalls(Function &F, Optimizer &Passes, AreBlocksApart AreApart) {
  const unsigned NumLoops = expandMemoryCalls(F, Passes.functions(), AreApart);
  Passes.forget();
  if (NumLoops > 0)
    Passes.simplify(*F.getParent());
  Passes.forget();
  return NumLoops;
}

} // namespace specrt
