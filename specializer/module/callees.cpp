//===- specializer/module/callees.cpp - links code of other files into a region's module -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/callees.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns all globals that \p F refers to, including itself.
SmallPtrSet<const Value *, 16> reachedFrom(const Function &F) {
  SmallPtrSet<const Value *, 16> Reached{&F};
  SmallVector<const Value *> Work{&F};
  auto Follow = [&](const Value *V) {
    if (isa<Constant>(V) && Reached.insert(V).second)
      Work.push_back(V);
  };
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (const auto *Code = dyn_cast<Function>(V))
      for (const Instruction &I : instructions(*Code))
        for_each(I.operand_values(), Follow);
    else
      for_each(cast<User>(V)->operand_values(), Follow);
  }
  return Reached;
}

/// Reduces \p M, which has all functions of a file, to \p F and what it refers to.
void reduceTo(Module &M, const Function &F) {
  const SmallPtrSet<const Value *, 16> Wanted = reachedFrom(F);
  SmallVector<GlobalValue *> Rest;
  for (GlobalValue &G : M.global_values())
    if (!Wanted.contains(&G))
      Rest.push_back(&G);
  for (GlobalValue *G : Rest)
    if (auto *Other = dyn_cast<Function>(G))
      Other->deleteBody();
    else if (auto *Variable = dyn_cast<GlobalVariable>(G))
      Variable->setInitializer(nullptr);
  for (GlobalValue *G : Rest) {
    G->removeDeadConstantUsers();
    if (G->use_empty())
      G->eraseFromParent();
  }
}

/// Renames symbols in two steps, because a new name may be another symbol's old one.
void rename(Module &M, const specrt_callee &Callee, const specrt_region &Region) {
  SmallVector<std::pair<GlobalValue *, StringRef>> Names;
  for (uint64_t I = 0; I < Callee.num_symbols; ++I)
    if (GlobalValue *G = M.getNamedValue(Callee.symbols[I]))
      Names.push_back({G, Region.symbols[Callee.positions[I]].name});
  Names.push_back({M.getFunction(Callee.function), Callee.name});
  for (auto [G, Name] : Names)
    G->setName("specrt.renamed");
  for (auto [G, Name] : Names)
    G->setName(Name);
}

Error linkCallee(Module &M, const specrt_callee &Callee, const specrt_region &Region,
                 BitcodeReader Read, ModulePreparation Prepare) {
  Expected<std::unique_ptr<Module>> File =
      Read(Callee.file + 1, Callee.file->bitcode_size, Callee.file->bitcode_hash);
  if (!File)
    return File.takeError();
  const Function *Declared = M.getFunction(Callee.name);
  const Function *F = (*File)->getFunction(Callee.function);
  if (!F || F->isDeclaration())
    return createStringError(Twine("the bitcode does not define ") + Callee.function);
  if (Declared && Declared->getFunctionType() != F->getFunctionType())
    return createStringError(Twine("it calls ") + Callee.name + " with other types than it has");
  reduceTo(**File, *F);
  if (Error E = Prepare(**File))
    return E;
  rename(**File, Callee, Region);
  if (Linker::linkModules(M, std::move(*File)))
    return createStringError(Twine("the code of ") + Callee.name + " cannot be linked");
  return Error::success();
}

} // namespace

Error linkCallees(Module &M, const specrt_region &Region, BitcodeReader Read,
                  ModulePreparation Prepare) {
  if ((Region.flags & SPECRT_REGION_CALLS) && Region.num_callees == 0)
    return createStringError("it calls a function whose code is not known");
  // Callees come before their callers, so this links callers first.
  for (uint64_t I = Region.num_callees; I > 0; --I)
    if (Error E = linkCallee(M, Region.callees[I - 1], Region, Read, Prepare))
      return E;
  for (uint64_t I = 0; I < Region.num_callees; ++I)
    if (const Function *F = M.getFunction(Region.callees[I].name); !F || F->isDeclaration())
      return createStringError(Twine("the code of ") + Region.callees[I].name +
                               " cannot be linked");
  return Error::success();
}

} // namespace specrt
