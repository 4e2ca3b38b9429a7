//===- specializer/polyhedral/private_memory.cpp - memory of threads for arrays ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/private_memory.h"
#include "polly/ScopInfo.h"
#include "specializer/polyhedral/parallel_start.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace specrt {
namespace {

/// Size of a cache line and of the longest vector: a thread's arrays share no line with others, and
/// their vectors are aligned.
constexpr uint64_t Alignment = 64;
/// Stack memory for all arrays of a parallel loop: half of the 4 KB that versions may take in any
/// thread (docs/limits.md).
constexpr uint64_t MostStackBytes = 2048;

/// Returns the load of the end of a chunk of iterations that \p Body has taken.
LoadInst &endOfChunk(Function &Body) {
  constexpr unsigned EndArgument = 1;
  for (Instruction &I : instructions(Body)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (Load && any_of(Load->getPointerOperand()->users(), [&](const User *U) {
          const auto *Call = dyn_cast<CallInst>(U);
          return Call && Call->getCalledFunction() &&
                 Call->getCalledFunction()->getName() == ParallelLoopNext &&
                 Call->getArgOperand(EndArgument) == Load->getPointerOperand();
        }))
      return *Load;
  }
  llvm_unreachable("Polly's parallel loops take chunks");
}

} // namespace

uint64_t placeInMemory(uint64_t FirstByte, uint64_t NumBytes, uint64_t &Bytes) {
  // Elements keep their alignment relative to the array's base, up to Alignment.
  const uint64_t Offset = Bytes + FirstByte % Alignment;
  Bytes = alignTo(Offset + NumBytes, Alignment);
  return Offset;
}

PrivateMemory::PrivateMemory(ArrayRef<const PrivateArray *> Arrays) {
  uint64_t StackBytes = 0;
  for (const PrivateArray *Array : Arrays) {
    const bool IsOnStack = !Array->Of && StackBytes + Array->NumBytes <= MostStackBytes;
    StackBytes += IsOnStack ? alignTo(Array->NumBytes, Alignment) : 0;
    Places.push_back({Array, IsOnStack,
                      IsOnStack ? 0 : placeInMemory(Array->FirstByte, Array->NumBytes, Bytes)});
  }
}

void PrivateMemory::createBases(Function &Body, function_ref<Value *(Value *)> BaseOf,
                                function_ref<void(Value *, Value *)> Found) const {
  Module &M = *Body.getParent();
  IRBuilder<> Entry(Body.getEntryBlock().getTerminator());
  for (const Place &Here : Places)
    if (Here.IsOnStack) {
      IRBuilder<> Begin(&*Body.getEntryBlock().getFirstInsertionPt());
      AllocaInst *const Own =
          Begin.CreateAlloca(Begin.getInt8Ty(), Begin.getInt64(Here.Of->NumBytes), "own");
      Own->setAlignment(Align(Alignment));
      Found(Here.Of->Array->getBasePtr(), Own);
    }
  if (!Bytes)
    return;
  Value *Mine =
      Entry.CreateCall(M.getOrInsertFunction(PrivateMemoryName, Entry.getPtrTy()), {}, "private");
  Value *IsShared = Entry.CreateIsNull(Mine);
  LoadInst &End = endOfChunk(Body);
  IRBuilder<> Chunk(End.getNextNode());
  for (const Place &Here : Places) {
    if (Here.IsOnStack)
      continue;
    const PrivateArray &Array = *Here.Of;
    Value *Original = Array.Array->getBasePtr();
    Value *IsLast =
        Chunk.CreateICmpSGT(&End, ConstantInt::getSigned(End.getType(), Array.LastIteration));
    Value *Own =
        Chunk.CreateGEP(Chunk.getInt8Ty(), Mine, Chunk.getInt64(Here.Offset - Array.FirstByte));
    Found(Original, Chunk.CreateSelect(Chunk.CreateOr(IsShared, IsLast), BaseOf(Original), Own,
                                       Original->getName() + ".here"));
  }
}

void startWithMemory(polly::PollyIRBuilder &Builder, uint64_t Bytes) {
  CallInst *const Start = startBefore(Builder);
  if (!Start)
    return;
  IRBuilder<> Before(Start);
  SmallVector<Value *, 7> Arguments(Start->args());
  Arguments.push_back(Before.getInt64(Bytes));
  SmallVector<Type *, 7> Types;
  for (const Value *Argument : Arguments)
    Types.push_back(Argument->getType());
  const FunctionCallee Callee = Start->getModule()->getOrInsertFunction(
      PrivateLoopStart, FunctionType::get(Before.getVoidTy(), Types, /*isVarArg=*/false));
  CallInst *const New = Before.CreateCall(Callee, Arguments);
  New->setDebugLoc(Start->getDebugLoc());
  Start->eraseFromParent();
}

} // namespace specrt
