//===- specializer/loops/parallel_worker.cpp - code that threads execute in parts ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/parallel_worker.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/polyhedral/parallel_start.h"
#include "support/ranking/ranked_nest.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

/// The numbers of a run: its begin and end, and the iterations of the loops around it.
constexpr unsigned RunWords = 2 + MaxRankedLoops - 1;

/// Emits the code of a worker that takes parts of a loop or nest.
class WorkerBuilder {
public:
  WorkerBuilder(Function &Worker, const WorkerCode &Code)
      : Worker(Worker), M(*Worker.getParent()), Code(Code), B(M.getContext()),
        Entry(block("entry")), Ask(block("ask")), Over(block("over")), Done(block("done")) {}

  void build();

private:
  BasicBlock *block(const Twine &Name) { return BasicBlock::Create(M.getContext(), Name, &Worker); }
  void takeParts(Value *From, Value *To);
  void takeRuns(Value *Run);

  Function &Worker;
  Module &M;
  const WorkerCode &Code;
  IRBuilder<> B;
  BasicBlock *const Entry, *const Ask, *const Over, *const Done;
};

void WorkerBuilder::build() {
  Type *Word = B.getInt64Ty();
  B.SetInsertPoint(Entry);
  Value *First = B.CreateAlloca(Code.NestLoops > 0 ? ArrayType::get(Word, RunWords) : Word);
  Value *Second = Code.NestLoops > 0 ? nullptr : B.CreateAlloca(Word);
  if (Value *TakesPart = Code.Begin(B, Worker.getArg(0)))
    B.CreateCondBr(TakesPart, Ask, Done);
  else
    B.CreateBr(Ask);
  B.SetInsertPoint(Ask);
  if (Second)
    takeParts(First, Second);
  else
    takeRuns(First);
  B.SetInsertPoint(Over);
  if (Code.End)
    Code.End(B);
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  B.CreateCall(M.getOrInsertFunction("GOMP_loop_end_nowait", B.getVoidTy()));
  B.CreateRetVoid();
}

/// Emits the loop over parts. Its variables are \p From and \p To.
void WorkerBuilder::takeParts(Value *From, Value *To) {
  BasicBlock *const Run = block("run");
  FunctionCallee Take = M.getOrInsertFunction(
      ParallelLoopNext, FunctionType::get(B.getInt8Ty(), {B.getPtrTy(), B.getPtrTy()}, false));
  B.CreateCondBr(B.CreateIsNotNull(B.CreateCall(Take, {From, To})), Run, Over);
  B.SetInsertPoint(Run);
  Code.Part(B, B.CreateLoad(B.getInt64Ty(), From), B.CreateLoad(B.getInt64Ty(), To));
  B.CreateBr(Ask);
}

/// Emits the loop over runs of the loops of a nest. Its variable is \p Run.
void WorkerBuilder::takeRuns(Value *Run) {
  FunctionCallee Take = M.getOrInsertFunction(
      NestNext, FunctionType::get(B.getInt32Ty(), {B.getPtrTy()}, /*isVarArg=*/false));
  SwitchInst *Which = B.CreateSwitch(B.CreateCall(Take, {Run}), Over, Code.NestLoops);
  const auto Number = [&](unsigned Index) -> Value * {
    return B.CreateLoad(B.getInt64Ty(), B.CreateConstGEP1_32(B.getInt64Ty(), Run, Index));
  };
  for (unsigned Level = 1; Level <= Code.NestLoops; ++Level) {
    BasicBlock *const OfLevel = block("run");
    Which->addCase(B.getInt32(Level), OfLevel);
    B.SetInsertPoint(OfLevel);
    SmallVector<Value *, RunWords> Numbers;
    for (unsigned Around = 0; Around + 1 < Level; ++Around)
      Numbers.push_back(Number(2 + Around));
    Numbers.push_back(Number(0));
    Numbers.push_back(Number(1));
    if (Level == 1)
      Code.Part(B, Numbers[0], Numbers[1]);
    else
      Code.InnerPart(B, Numbers);
    B.CreateBr(Ask);
  }
}

/// Emits the start of a loop by a function of the runtime, the caller's part, and the end.
void runLoop(IRBuilderBase &B, Function &Worker, Value *Words, StringRef Start,
             ArrayRef<Value *> Arguments) {
  SmallVector<Type *, 7> Types;
  for (const Value *Argument : Arguments)
    Types.push_back(Argument->getType());
  B.CreateCall(Worker.getParent()->getOrInsertFunction(
                   Start, FunctionType::get(B.getVoidTy(), Types, /*isVarArg=*/false)),
               Arguments);
  B.CreateCall(&Worker, {Words});
  B.CreateCall(Worker.getParent()->getOrInsertFunction("GOMP_parallel_end", B.getVoidTy()));
}

} // namespace

Function *buildParallelWorker(const Function &Like, const Twine &Name, const WorkerCode &Code) {
  IRBuilder<> B(Like.getContext());
  Function *Worker = createLike(Like, B.getVoidTy(), {B.getPtrTy()}, Name);
  WorkerBuilder(*Worker, Code).build();
  return Worker;
}

void runParallelWorker(IRBuilderBase &B, Function &Worker, Value *Words, Value *Threads,
                       Value *Parts, uint64_t Bytes, bool IsPipeline) {
  SmallVector<Value *, 7> Arguments = {&Worker,       Words, Threads,
                                       B.getInt64(0), Parts, B.getInt64(1)};
  assert((!IsPipeline || Bytes == 0) && "threads of a pipeline have no memory of their own");
  if (Bytes > 0)
    Arguments.push_back(B.getInt64(Bytes));
  const StringRef Start = IsPipeline  ? StringRef(PipelineStart)
                          : Bytes > 0 ? StringRef(PrivateLoopStart)
                                      : StringRef(ParallelLoopStart);
  runLoop(B, Worker, Words, Start, Arguments);
}

void runNestWorker(IRBuilderBase &B, Function &Worker, Value *Words, Value *Threads, Value *Nest,
                   uint64_t Bytes) {
  runLoop(B, Worker, Words, NestStart, {&Worker, Words, Threads, Nest, B.getInt64(Bytes)});
}

} // namespace specrt
