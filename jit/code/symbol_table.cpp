//===- jit/code/symbol_table.cpp - accesses the program's symbols through a table ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/code/symbol_table.h"
#include "specializer/module/region_module.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace specrt {

Value *SymbolTable::load(IRBuilderBase &B, unsigned Number) {
  LLVMContext &Context = M.getContext();
  if (!Table) {
    auto *Type = ArrayType::get(PointerType::get(Context, 0), Region.num_symbols);
    Table = new GlobalVariable(M, Type, /*isConstant=*/false, GlobalValue::ExternalLinkage,
                               ConstantAggregateZero::get(Type), Name);
    Table->setDSOLocal(true);
  }
  Value *Slot = B.CreateConstInBoundsGEP2_64(Table->getValueType(), Table, 0, Number);
  LoadInst *Address = B.CreateLoad(PointerType::get(Context, 0), Slot);
  Address->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(Context, {}));
  return Address;
}

/// Deletes definitions that were there for inlining only. Code generation needs only their
/// addresses.
static void dropDefinitionsForInlining(Module &M) {
  for (Function &F : M)
    if (F.hasAvailableExternallyLinkage())
      F.deleteBody();
  for (GlobalVariable &G : M.globals())
    if (G.hasAvailableExternallyLinkage()) {
      G.setInitializer(nullptr);
      G.setLinkage(GlobalValue::ExternalLinkage);
    }
}

GlobalVariable *bindSymbolsByTable(Module &M, const specrt_region &Region,
                                   const std::string &TableName) {
  dropDefinitionsForInlining(M);
  SmallVector<std::pair<GlobalValue *, unsigned>> Symbols;
  for (GlobalValue &G : M.global_values()) {
    auto *F = dyn_cast<Function>(&G);
    if (!G.isDeclaration() || (F && F->isIntrinsic()))
      continue;
    if (std::optional<unsigned> Number = symbolNumber(Region, G))
      Symbols.push_back({&G, *Number});
  }
  SymbolTable Table(M, Region, TableName);
  for (auto [Symbol, Number] : Symbols) {
    convertUsersOfConstantsToInstructions({Symbol});
    DenseMap<Function *, Value *> Loaded;
    for (Use &U : make_early_inc_range(Symbol->uses())) {
      auto *User = dyn_cast<Instruction>(U.getUser());
      if (!User)
        continue;
      Value *&Address = Loaded[User->getFunction()];
      if (!Address) {
        BasicBlock &Entry = User->getFunction()->getEntryBlock();
        IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
        Address = Table.load(B, Number);
      }
      U.set(Address);
    }
  }
  return Table.global();
}

} // namespace specrt
