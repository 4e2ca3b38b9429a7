//===- specializer/loops/parallel_worker.cpp - code that threads execute in parts ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/parallel_worker.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/polyhedral/parallel_start.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {

Function *buildParallelWorker(const Function &Like, const Twine &Name, const WorkerCode &Code) {
  LLVMContext &Context = Like.getContext();
  IRBuilder<> B(Context);
  Type *Word = B.getInt64Ty(), *Pointer = B.getPtrTy();
  Function *Worker = createLike(Like, B.getVoidTy(), {Pointer}, Name);
  Module &M = *Worker->getParent();
  auto *Entry = BasicBlock::Create(Context, "entry", Worker);
  auto *Ask = BasicBlock::Create(Context, "ask", Worker);
  auto *Run = BasicBlock::Create(Context, "run", Worker);
  auto *Over = BasicBlock::Create(Context, "over", Worker);
  auto *Done = BasicBlock::Create(Context, "done", Worker);
  B.SetInsertPoint(Entry);
  Value *From = B.CreateAlloca(Word), *To = B.CreateAlloca(Word);
  if (Value *TakesPart = Code.Begin(B, Worker->getArg(0)))
    B.CreateCondBr(TakesPart, Ask, Done);
  else
    B.CreateBr(Ask);
  B.SetInsertPoint(Ask);
  FunctionCallee Take = M.getOrInsertFunction(
      ParallelLoopNext, FunctionType::get(B.getInt8Ty(), {Pointer, Pointer}, false));
  B.CreateCondBr(B.CreateIsNotNull(B.CreateCall(Take, {From, To})), Run, Over);
  B.SetInsertPoint(Run);
  Code.Part(B, B.CreateLoad(Word, From), B.CreateLoad(Word, To));
  B.CreateBr(Ask);
  B.SetInsertPoint(Over);
  if (Code.End)
    Code.End(B);
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  B.CreateCall(M.getOrInsertFunction("GOMP_loop_end_nowait", B.getVoidTy()));
  B.CreateRetVoid();
  return Worker;
}

void runParallelWorker(IRBuilderBase &B, Function &Worker, Value *Words, Value *Threads,
                       Value *Parts, uint64_t Bytes, bool IsPipeline) {
  Module &M = *Worker.getParent();
  SmallVector<Value *, 7> Arguments = {&Worker,       Words, Threads,
                                       B.getInt64(0), Parts, B.getInt64(1)};
  assert((!IsPipeline || Bytes == 0) && "threads of a pipeline have no memory of their own");
  if (Bytes > 0)
    Arguments.push_back(B.getInt64(Bytes));
  SmallVector<Type *, 7> Types;
  for (const Value *Argument : Arguments)
    Types.push_back(Argument->getType());
  const StringRef Start = IsPipeline  ? StringRef(PipelineStart)
                          : Bytes > 0 ? StringRef(PrivateLoopStart)
                                      : StringRef(ParallelLoopStart);
  B.CreateCall(
      M.getOrInsertFunction(Start, FunctionType::get(B.getVoidTy(), Types, /*isVarArg=*/false)),
      Arguments);
  B.CreateCall(&Worker, {Words});
  B.CreateCall(M.getOrInsertFunction("GOMP_parallel_end", B.getVoidTy()));
}

} // namespace specrt
