//===- specializer/sparse/zeros/shared_loop.cpp - a loop that threads share -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/zeros/shared_loop.h"
#include "specializer/sparse/forms/loop_shape.h"
#include "specializer/sparse/loops/loop_copy.h"
#include "specializer/sparse/parallel_worker.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {
namespace {

/// Both functions get the loop's inputs: the one that works as arguments, so that what is known of
/// them is known there, and the one that threads begin with as a structure.
class LoopSharer {
public:
  LoopSharer(Loop &L, ScalarEvolution &SE)
      : L(L), SE(SE), F(*L.getHeader()->getParent()), M(*F.getParent()), B(F.getContext()),
        Word(B.getInt64Ty()) {}

  bool share(Value &Apart);

private:
  bool collect();
  void prepareCounters();
  Function *buildIterations();
  Function *buildWorker(Function &Iterations, StructType &Words);
  void start(Function &Worker, StructType &Words, Value &Apart);

  Loop &L;
  ScalarEvolution &SE;
  Function &F;
  Module &M;
  IRBuilder<> B;
  Type *Word;
  SmallSetVector<Value *, 16> Inputs;
  SmallSetVector<AllocaInst *, 4> Own; ///< on the stack, used in the loop only
  SmallVector<std::pair<PHINode *, Value *>> Steps;
  Value *Trips = nullptr;
};

/// What the loop uses of the function around it.
bool LoopSharer::collect() {
  const auto Counts = [&](PHINode &Phi) { return counterOf(Phi, L, SE) != nullptr; };
  if (!tripsOf(L, SE) || !all_of(L.getHeader()->phis(), Counts))
    return false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (isOnlySaid(I))
        continue;
      for (Value *V : I.operands()) {
        auto *Outside = dyn_cast<Instruction>(V);
        if (auto *Room = dyn_cast_or_null<AllocaInst>(Outside)) {
          const auto IsHere = [&](const User *U) { return L.contains(cast<Instruction>(U)); };
          if (all_of(Room->users(), IsHere)) {
            Own.insert(Room);
            continue;
          }
          // Others read what is written here, or the other way round.
          if (!isa<LoadInst>(I))
            return false;
        }
        if (isa<Argument>(V) || (Outside && !L.contains(Outside)))
          Inputs.insert(V);
      }
    }
  return all_of(Own, [](const AllocaInst *Room) { return Room->isStaticAlloca(); });
}

/// Before the loop: by how much its counters grow, and how many iterations it has.
void LoopSharer::prepareCounters() {
  SCEVExpander Expander(SE, "zeros.shared");
  Instruction *Before = L.getLoopPreheader()->getTerminator();
  for (PHINode &Phi : L.getHeader()->phis()) {
    const SCEV *Step = counterOf(Phi, L, SE)->getStepRecurrence(SE);
    Steps.emplace_back(&Phi, Expander.expandCodeFor(Step, nullptr, Before));
  }
  Trips = Expander.expandCodeFor(tripsOf(L, SE), Word, Before);
  for (auto [Phi, Step] : Steps)
    if (!isa<Constant>(Step))
      Inputs.insert(Step);
}

/// void (inputs..., i64 begin, i64 end): the iterations from begin to before end.
Function *LoopSharer::buildIterations() {
  SmallVector<Type *> Types;
  for (Value *V : Inputs)
    Types.push_back(V->getType());
  append_range(Types, ArrayRef<Type *>{Word, Word});
  Function *New = createLike(F, B.getVoidTy(), Types, F.getName() + ".zeros");
  New->addFnAttr(Attribute::NoInline);
  auto *Entry = BasicBlock::Create(M.getContext(), "entry", New);
  auto *Exit = BasicBlock::Create(M.getContext(), "exit", New);
  ReturnInst::Create(M.getContext(), Exit);
  Value *Begin = New->getArg(unsigned(Inputs.size())),
        *End = New->getArg(unsigned(Inputs.size()) + 1);

  ValueToValueMapTy Map;
  for (auto [I, V] : enumerate(Inputs)) {
    Map[V] = New->getArg(unsigned(I));
    if (const auto *A = dyn_cast<Argument>(V))
      for (Attribute::AttrKind Kind :
           {Attribute::NoAlias, Attribute::Alignment, Attribute::NonNull,
            Attribute::Dereferenceable, Attribute::DereferenceableOrNull})
        if (A->hasAttribute(Kind))
          New->getArg(unsigned(I))->addAttr(A->getAttribute(Kind));
  }
  B.SetInsertPoint(Entry);
  for (AllocaInst *Room : Own)
    Map[Room] = B.Insert(Room->clone());
  Map[L.getLoopPreheader()] = Entry;
  Map[L.getExitBlock()] = Exit;
  copyLoop(L, *New, Map);
  auto *Header = cast<BasicBlock>(Map.lookup(L.getHeader()));
  auto *Latch = cast<BasicBlock>(Map.lookup(L.getLoopLatch()));
  for (auto [Phi, Step] : Steps) {
    auto *Copy = cast<PHINode>(Map.lookup(Phi));
    Value *Start = Copy->getIncomingValueForBlock(Entry);
    Value *By = Step;
    if (!isa<Constant>(Step))
      By = Map.lookup(Step);
    By = B.CreateMul(B.CreateZExtOrTrunc(Begin, By->getType()), By);
    Copy->setIncomingValueForBlock(Entry, Start->getType()->isPointerTy()
                                              ? B.CreatePtrAdd(Start, By)
                                              : B.CreateAdd(Start, By));
  }
  B.CreateCondBr(B.CreateICmpULT(Begin, End), Header, Exit);

  PHINode *Number = PHINode::Create(Word, 2, "zeros.iteration", Header->begin());
  Number->addIncoming(Begin, Entry);
  Instruction *Branch = Latch->getTerminator();
  B.SetInsertPoint(Branch);
  Value *Next = B.CreateAdd(Number, B.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  Number->addIncoming(Next, Latch);
  B.CreateCondBr(B.CreateICmpEQ(Next, End), Exit, Header);
  Branch->eraseFromParent();
  return New;
}

/// Takes iterations until none is left.
Function *LoopSharer::buildWorker(Function &Iterations, StructType &Words) {
  SmallVector<Value *> Arguments;
  const auto LoadInputs = [&](IRBuilder<> &In, Value *At) -> Value * {
    for (unsigned I = 0; I < Inputs.size(); ++I)
      Arguments.push_back(In.CreateLoad(Inputs[I]->getType(), In.CreateStructGEP(&Words, At, I)));
    return nullptr;
  };
  const auto Execute = [&](IRBuilder<> &In, Value *From, Value *To) {
    append_range(Arguments, ArrayRef<Value *>{From, To});
    In.CreateCall(&Iterations, Arguments);
  };
  return buildParallelWorker(F, F.getName() + ".zeros.worker",
                             {.Begin = LoadInputs, .Part = Execute});
}

/// In the place of the loop.
void LoopSharer::start(Function &Worker, StructType &Words, Value &Apart) {
  BasicBlock *Before = L.getLoopPreheader(), *Exit = L.getExitBlock(), *Latch = L.getLoopLatch();
  BasicBlock &Entry = F.getEntryBlock();
  Value *Room = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(&Words, nullptr, "zeros.inputs");
  B.SetInsertPoint(Before->getTerminator());
  for (auto [I, V] : enumerate(Inputs))
    B.CreateStore(V, B.CreateStructGEP(&Words, Room, unsigned(I)));
  // By any number of threads, or one.
  runParallelWorker(B, Worker, Room, B.CreateSelect(&Apart, B.getInt32(0), B.getInt32(1)), Trips);
  for (PHINode &Phi : Exit->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(Latch), Before);
  Before->getTerminator()->eraseFromParent();
  BranchInst::Create(Exit, Before);
  EliminateUnreachableBlocks(F);
}

bool LoopSharer::share(Value &Apart) {
  if (!collect())
    return false;
  prepareCounters();
  SmallVector<Type *> Types;
  for (Value *V : Inputs)
    Types.push_back(V->getType());
  StructType *Words = StructType::get(M.getContext(), Types);
  start(*buildWorker(*buildIterations(), *Words), *Words, Apart);
  return true;
}

} // namespace

bool shareLoop(Loop &L, ScalarEvolution &SE, Value &Apart) {
  return LoopSharer(L, SE).share(Apart);
}

} // namespace specrt
