//===- specializer/sparse/zeros/shared_loop.cpp - a loop that threads share -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/zeros/shared_loop.h"
#include "specializer/sparse/loop_copy.h"
#include "specializer/sparse/row_code.h"
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
        Word(B.getInt64Ty()), Pointer(B.getPtrTy()) {}

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
  Type *Word, *Pointer;
  SmallSetVector<Value *, 16> Inputs;
  SmallSetVector<AllocaInst *, 4> Own; ///< on the stack, used in the loop only
  SmallVector<std::pair<PHINode *, Value *>> Steps;
  Value *Trips = nullptr;
};

/// What the loop uses of the function around it.
bool LoopSharer::collect() {
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
    const SCEV *Step = cast<SCEVAddRecExpr>(SE.getSCEV(&Phi))->getStepRecurrence(SE);
    Steps.emplace_back(&Phi, Expander.expandCodeFor(Step, nullptr, Before));
  }
  const SCEV *Taken = SE.getNoopOrZeroExtend(SE.getBackedgeTakenCount(&L), Word);
  Trips = Expander.expandCodeFor(SE.getAddExpr(Taken, SE.getOne(Word)), Word, Before);
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

/// void (ptr words): takes iterations until none is left.
Function *LoopSharer::buildWorker(Function &Iterations, StructType &Words) {
  LLVMContext &Context = M.getContext();
  Function *Worker = createLike(F, B.getVoidTy(), {Pointer}, F.getName() + ".zeros.worker");
  auto *Entry = BasicBlock::Create(Context, "entry", Worker);
  auto *Ask = BasicBlock::Create(Context, "ask", Worker);
  auto *Run = BasicBlock::Create(Context, "run", Worker);
  auto *Done = BasicBlock::Create(Context, "done", Worker);
  B.SetInsertPoint(Entry);
  Value *Begin = B.CreateAlloca(Word), *End = B.CreateAlloca(Word);
  SmallVector<Value *> Arguments;
  for (unsigned I = 0; I < Inputs.size(); ++I)
    Arguments.push_back(
        B.CreateLoad(Inputs[I]->getType(), B.CreateStructGEP(&Words, Worker->getArg(0), I)));
  B.CreateBr(Ask);
  B.SetInsertPoint(Ask);
  FunctionCallee Take = M.getOrInsertFunction(
      "GOMP_loop_runtime_next", FunctionType::get(B.getInt8Ty(), {Pointer, Pointer}, false));
  B.CreateCondBr(B.CreateIsNotNull(B.CreateCall(Take, {Begin, End})), Run, Done);
  B.SetInsertPoint(Run);
  append_range(Arguments, ArrayRef<Value *>{B.CreateLoad(Word, Begin), B.CreateLoad(Word, End)});
  B.CreateCall(&Iterations, Arguments);
  B.CreateBr(Ask);
  B.SetInsertPoint(Done);
  B.CreateCall(M.getOrInsertFunction("GOMP_loop_end_nowait", B.getVoidTy()));
  B.CreateRetVoid();
  return Worker;
}

/// In the place of the loop.
void LoopSharer::start(Function &Worker, StructType &Words, Value &Apart) {
  BasicBlock *Before = L.getLoopPreheader(), *Exit = L.getExitBlock(), *Latch = L.getLoopLatch();
  BasicBlock &Entry = F.getEntryBlock();
  Value *Room = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(&Words, nullptr, "zeros.inputs");
  B.SetInsertPoint(Before->getTerminator());
  for (auto [I, V] : enumerate(Inputs))
    B.CreateStore(V, B.CreateStructGEP(&Words, Room, unsigned(I)));
  FunctionCallee Start = M.getOrInsertFunction(
      "GOMP_parallel_loop_runtime_start",
      FunctionType::get(B.getVoidTy(), {Pointer, Pointer, B.getInt32Ty(), Word, Word, Word},
                        false));
  // One thread, or any number.
  Value *Threads = B.CreateSelect(&Apart, B.getInt32(0), B.getInt32(1));
  B.CreateCall(Start, {&Worker, Room, Threads, B.getInt64(0), Trips, B.getInt64(1)});
  B.CreateCall(&Worker, {Room});
  B.CreateCall(M.getOrInsertFunction("GOMP_parallel_end", B.getVoidTy()));
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
