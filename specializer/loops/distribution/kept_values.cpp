//===- specializer/loops/distribution/kept_values.cpp - what one loop keeps for another ---===//
//-----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/distribution/kept_values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace specrt {
namespace {

constexpr const char *StoreMark = "specrt.kept";
constexpr const char *LoopMark = "specrt.keeps";

} // namespace

void KeptValues::add(Instruction &V, Loop *In) {
  if (!In) {
    OfLoop.push_back(&V);
    return;
  }
  auto *Known = find_if(Inside, [&](const OfInner &Of) { return Of.In == In; });
  if (Known == Inside.end()) {
    Inside.push_back({.In = In, .Values = {}});
    Known = &Inside.back();
  }
  Known->Values.push_back(&V);
}

Value *KeptValues::wordOf(Value *Iteration, uint64_t Place, IRBuilder<> &B) const {
  Value *Row = B.CreateMul(Iteration, B.getInt64(OfLoop.size()));
  return B.CreateInBoundsGEP(B.getInt64Ty(), Memory,
                             B.CreateAdd(Row, B.getInt64(InsideWords + Place)));
}

void KeptValues::takeWords(BasicBlock *Header, AllocaInst *Next, ArrayRef<Instruction *> Values,
                           function_ref<void(unsigned, Value *, IRBuilder<> &)> Use) const {
  IRBuilder<> B(Header, Header->getFirstInsertionPt());
  Type *const Word = B.getInt64Ty();
  Value *const First = B.CreateLoad(Word, Next);
  Instruction *const Taken = B.CreateStore(B.CreateAdd(First, B.getInt64(Values.size())), Next);
  for (auto [Place, V] : enumerate(Values)) {
    const bool IsPhiOfHeader = isa<PHINode>(V) && V->getParent() == Header;
    B.SetInsertPoint(IsPhiOfHeader ? Taken->getNextNode() : &**V->getInsertionPointAfterDef());
    Value *Address =
        B.CreateInBoundsGEP(Word, Memory, B.CreateAdd(First, B.getInt64(uint64_t(Place))));
    Use(unsigned(Place), Address, B);
  }
}

Value *KeptValues::beginOf(Value *Iteration, IRBuilder<> &B) const {
  return B.CreateInBoundsGEP(B.getInt64Ty(), Begins, Iteration);
}

void markKept(Instruction &Store) {
  Store.setMetadata(StoreMark, MDNode::get(Store.getContext(), {}));
}

bool isMarkedKept(const Instruction &Store) { return Store.hasMetadata(StoreMark); }

void markKeepsValues(Loop &L) { addStringMetadataToLoop(&L, LoopMark, 1); }

bool keepsValues(const Loop &L) { return getBooleanLoopAttribute(&L, LoopMark); }

} // namespace specrt
