//===- specializer/polyhedral/kernel/contraction_function.cpp - the function around a kernel -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/kernel/contraction_function.h"
#include "specializer/polyhedral/kernel/function_attributes.h"
#include "specializer/polyhedral/kernel/vector_tree.h"
#include "support/memory/scratch.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {

ContractionFunction::ContractionFunction(const Contraction &C, const ContractionBlock &Outside,
                                         const TilingTarget &Target, const Function &User,
                                         IRBuilderBase &Caller)
    : FunctionEmitter(Caller.getContext()), C(C), Target(Target), User(User), Element(C.Element),
      Bytes(C.elementBytes()), Lanes(unsigned(Target.VectorBytes / Bytes)), Outside(Outside),
      Caller(Caller) {}

void ContractionFunction::begin(BaseOf baseOf, UniformOf uniform) {
  captureAll(baseOf, uniform);
  createFunction();
}

void ContractionFunction::finish() { Caller.CreateCall(F, Captured.getArrayRef()); }

void ContractionFunction::capture(Value *V) {
  if (!isa<Constant>(V))
    Captured.insert(V);
}

void ContractionFunction::captureAll(BaseOf baseOf, UniformOf uniform) {
  for (const Value *V : make_first_range(C.Kinds))
    if (C.comesFromOutside(V) && !isa<Constant>(V))
      capture(UniformValue[V] = uniform(const_cast<Value *>(V)));
  auto CaptureBase = [&](const LinearAddress &Address) {
    capture(BaseOutside[&Address] = baseOf(Address));
  };
  for (const auto &[V, Address] : C.Loads)
    if (C.Kinds.count(V))
      CaptureBase(Address);
  CaptureBase(C.Result);
  for_each(C.Copies, CaptureBase);
  for (Value *V : {Outside.RowBegin, Outside.RowEnd, Outside.ReducedBegin, Outside.ReducedEnd})
    if (V)
      capture(V);
  for (const RowTerm &Term : concat<const RowTerm>(Outside.ColumnBegin, Outside.ColumnEnd))
    capture(Term.Base);
}

void ContractionFunction::createFunction() {
  SmallVector<Type *, 16> Types;
  for (Value *V : Captured)
    Types.push_back(V->getType());
  F = Function::Create(FunctionType::get(B.getVoidTy(), Types, false), GlobalValue::InternalLinkage,
                       User.getName() + ".contraction", const_cast<Module *>(User.getParent()));
  compileAlike(*F, User);
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(Attribute::NoInline);
  for (auto [V, A] : zip(Captured, F->args()))
    Arguments[V] = &A;
  B.SetInsertPoint(BasicBlock::Create(F->getContext(), "entry", F));
  // Debuggers show the statement's line.
  if (auto *Statement = dyn_cast<Instruction>(C.Stored))
    B.SetCurrentDebugLocation(Statement->getDebugLoc());
  Block = Outside;
  for (Value **V : {&Block.RowBegin, &Block.RowEnd, &Block.ReducedBegin, &Block.ReducedEnd})
    if (*V)
      *V = inside(*V);
  for (RowTerm &Term : Block.ColumnBegin)
    Term.Base = inside(Term.Base);
  for (RowTerm &Term : Block.ColumnEnd)
    Term.Base = inside(Term.Base);
  if (!Block.RowBegin) {
    Block.RowBegin = number(0);
    Block.RowEnd = number(1);
  }
}

Value *ContractionFunction::address(const LinearAddress &Address, Value *I, Value *J, Value *K) {
  Value *Offset = number(0);
  auto Advance = [&](int Dim, Value *V) {
    if (Dim < 0 || !V || Address.PerDim[unsigned(Dim)] == 0)
      return;
    Offset = B.CreateAdd(Offset, B.CreateMul(V, number(Address.PerDim[unsigned(Dim)])));
  };
  Advance(C.Row, I);
  Advance(int(C.Column), J);
  Advance(int(C.Reduced), K);
  return B.CreatePtrAdd(base(Address), Offset);
}

Value *ContractionFunction::uniformAt(Value *V) {
  if (!C.comesFromOutside(V))
    return nullptr;
  return isa<Constant>(V) ? V : inside(UniformValue.lookup(V));
}

Value *ContractionFunction::scalarAt(Value *Operand, Value *I, Value *J, Value *K) {
  return VectorTree(B, 1).evaluate(Operand, [&](Value *V) -> Value * {
    if (auto Load = C.Loads.find(V); Load != C.Loads.end())
      return B.CreateAlignedLoad(V->getType(), address(Load->second, I, J, K), Align(1));
    return uniformAt(V);
  });
}

Value *ContractionFunction::takeStack(int64_t Elements) {
  // An alloca is part of the frame, with constant size, only in the entry block.
  IRBuilder<> Entry(&F->getEntryBlock(), F->getEntryBlock().begin());
  AllocaInst *Memory = Entry.CreateAlloca(Element, number(Elements));
  Memory->setAlignment(Align(Target.LineBytes));
  return Memory;
}

Value *ContractionFunction::takeScratch(int64_t Elements) {
  FunctionCallee Take =
      F->getParent()->getOrInsertFunction(TakeScratchName, B.getPtrTy(), B.getInt64Ty());
  cast<Function>(Take.getCallee())->addRetAttr(Attribute::NoAlias);
  return Scratch.emplace_back(B.CreateCall(Take, {number(Elements * Bytes)}));
}

void ContractionFunction::giveScratch() {
  for (Value *Memory : Scratch)
    B.CreateCall(F->getParent()->getOrInsertFunction(GiveScratchName, B.getVoidTy(), B.getPtrTy()),
                 {Memory});
}

Value *ContractionFunction::place(Value *Buffer, Value *Index, int64_t Offset) {
  return B.CreateGEP(Element, Buffer, B.CreateNSWAdd(Index, number(Offset)));
}

Instruction *ContractionFunction::loadVector(unsigned Lanes, Value *From, Value *Mask) {
  auto *Type = FixedVectorType::get(Element, Lanes);
  if (Mask)
    return B.CreateMaskedLoad(Type, From, Align(1), Mask, Constant::getNullValue(Type));
  return B.CreateAlignedLoad(Type, From, Align(1));
}

Instruction *ContractionFunction::storeVector(Value *Vector, Value *To, Value *Mask) {
  if (Mask)
    return B.CreateMaskedStore(Vector, To, Align(1), Mask);
  return B.CreateAlignedStore(Vector, To, Align(1));
}

bool ContractionFunction::isTransposed(Value *Operand) const {
  auto Load = C.Loads.find(Operand);
  return Load != C.Loads.end() && Load->second.PerDim[C.Reduced] == Bytes &&
         Load->second.PerDim[C.Column] != Bytes && Lanes > 1;
}

/// Transposes full blocks of Lanes x Lanes elements in registers.
void ContractionFunction::transposeInto(Value *Operand, ArrayRef<Value *> Js, Value *K0,
                                        Value *Length, Value *To, int64_t PerK) {
  const LinearAddress &Address = C.Loads.find(Operand)->second;
  SmallVector<Value *, 16> Columns;
  for (Value *J : Js)
    Columns.push_back(address(Address, nullptr, J, K0));
  Value *Full = B.CreateAnd(Length, number(-int64_t(Lanes)));
  loop(number(0), Full, number(Lanes), "transpose", [&](Value *K) {
    SmallVector<Value *, 16> Values;
    for (Value *Column : Columns)
      Values.push_back(loadVector(Lanes, B.CreateGEP(Element, Column, K), /*Mask=*/nullptr));
    transpose(B, Values);
    for (unsigned L = 0; L < Lanes; ++L) {
      Value *At = B.CreateMul(B.CreateAdd(K, number(L)), number(PerK));
      B.CreateAlignedStore(Values[L], place(To, At), Align(uint64_t(Bytes)));
    }
  });
  loop(Full, Length, number(1), "transpose.rest", [&](Value *K) {
    Value *At = B.CreateMul(K, number(PerK));
    for (unsigned L = 0; L < Lanes; ++L) {
      Value *V = B.CreateAlignedLoad(Element, B.CreateGEP(Element, Columns[L], K), Align(1));
      B.CreateStore(V, place(To, At, L));
    }
  });
}

Value *ContractionFunction::update(unsigned Lanes, Value *Before,
                                   function_ref<Value *(Value *)> operand) {
  return VectorTree(B, Lanes).evaluate(C.Stored, [&](Value *Leaf) -> Value * {
    if (is_contained(C.Before, Leaf))
      return Before;
    if (Value *Known = operand(Leaf))
      return Known;
    Value *Uniform = uniformAt(Leaf);
    return Uniform ? B.CreateVectorSplat(Lanes, Uniform) : nullptr;
  });
}

void ContractionFunction::forVectors(const LinearAddress &Result, Value *I0, Value *J0,
                                     int64_t Height, int64_t Width,
                                     function_ref<void(size_t, Value *)> each) {
  Value *First = address(Result, I0, J0, nullptr);
  int64_t PerRow = C.Row < 0 ? 0 : Result.PerDim[unsigned(C.Row)], PerVector = Lanes * Bytes;
  for (int64_t M = 0; M < Height; ++M)
    for (int64_t V = 0; V < Width; ++V)
      each(size_t(M * Width + V), B.CreatePtrAdd(First, number(M * PerRow + V * PerVector)));
}

void ContractionFunction::forWrites(Value *I0, Value *J0, int64_t Height, int64_t Width,
                                    function_ref<void(size_t, Value *)> each) {
  forVectors(C.Result, I0, J0, Height, Width, each);
  for (const LinearAddress &Copy : C.Copies)
    forVectors(Copy, I0, J0, Height, Width, each);
}

} // namespace specrt
