//===- specializer/wrapping/isolation.cpp - isolates a function of a user's module -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/wrapping/isolation.h"
#include "analysis/eligibility.h"
#include "analysis/linkage.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace specrt {
namespace {

/// Replaces an alias by a declaration; a local alias cannot be resolved by name.
void replaceAlias(GlobalValue &Alias, LocalNames &Locals) {
  if (Alias.hasLocalLinkage())
    Locals.insert(Alias.getName());
  Module &M = *Alias.getParent();
  GlobalObject *Declaration;
  if (auto *T = dyn_cast<FunctionType>(Alias.getValueType()))
    Declaration = Function::Create(T, GlobalValue::ExternalLinkage, "", M);
  else
    Declaration = new GlobalVariable(M, Alias.getValueType(), /*isConstant=*/false,
                                     GlobalValue::ExternalLinkage, nullptr);
  Declaration->takeName(&Alias);
  Alias.replaceAllUsesWith(Declaration);
  Alias.eraseFromParent();
}

/// Returns whether the address is only used to read, so that it does not outlive the call.
bool isOnlyRead(const Value &Address, SmallPtrSetImpl<const Value *> &Seen) {
  if (!Seen.insert(&Address).second)
    return true;
  return all_of(Address.uses(), [&](const Use &U) {
    const User *By = U.getUser();
    if (isa<LoadInst>(By))
      return true;
    if (isa<GEPOperator, PHINode, SelectInst, FreezeInst>(By))
      return isOnlyRead(*By, Seen);
    const auto *Call = dyn_cast<CallBase>(By);
    if (!Call || !Call->isArgOperand(&U))
      return false;
    unsigned Number = Call->getArgOperandNo(&U);
    return Call->doesNotCapture(Number) && Call->onlyReadsMemory(Number);
  });
}

std::string reasonAgainstLocal(const GlobalObject &G, const LocalNames &Locals) {
  if (G.use_empty() || !G.isDeclaration() || !Locals.contains(G.getName()))
    return "";
  return (Twine("the function uses the static ") + (isa<Function>(G) ? "function " : "variable ") +
          G.getName() + ", whose address cannot be found")
      .str();
}

std::string reasonAgainstVariable(const GlobalVariable &V) {
  SmallPtrSet<const Value *, 8> Seen;
  if (!V.isDeclaration() && !isOnlyRead(V, Seen))
    return ("the address of the constant " + V.getName() + " may outlive the call").str();
  return "";
}

/// Returns whether \p I is an intrinsic that depends on its stack frame or position in the code.
bool isAboutItsFrame(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return false;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::returnaddress:
  case Intrinsic::addressofreturnaddress:
  case Intrinsic::frameaddress:
  case Intrinsic::sponentry:
  case Intrinsic::localescape:
  case Intrinsic::localrecover:
  case Intrinsic::vastart:
  case Intrinsic::eh_return_i32:
  case Intrinsic::eh_return_i64:
    return true;
  default:
    return false;
  }
}

std::string reasonAgainstFunction(const Function &F) {
  if (std::string Why = reasonAgainst(F); !Why.empty())
    return "the function " + Why;
  if (F.hasLocalLinkage() && F.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false,
                                               /*IgnoreAssumeLikeCalls=*/true,
                                               /*IngoreLLVMUsed=*/true))
    return ("the address of " + F.getName() + " may outlive the call").str();
  for (const BasicBlock &Block : F)
    if (Block.hasAddressTaken())
      return "the function jumps to computed addresses";
  for (const Instruction &I : instructions(F)) {
    std::string Why = reasonAgainst(I);
    if (Why.empty() && isAboutItsFrame(I))
      Why = "looks at its own stack frame";
    if (!Why.empty())
      return "the function " + Why;
  }
  return "";
}

} // namespace

void replaceAliases(Module &M, LocalNames &Locals) {
  for (GlobalAlias &Alias : make_early_inc_range(M.aliases()))
    replaceAlias(Alias, Locals);
  for (GlobalIFunc &IFunc : make_early_inc_range(M.ifuncs()))
    replaceAlias(IFunc, Locals);
}

void dropDefinition(Function &F) {
  F.deleteBody();
  makeExternal(F);
}

void isolate(Module &M, Function &Region, LocalNames &Locals) {
  for (const char *Name : {"llvm.used", "llvm.compiler.used", "llvm.global_ctors",
                           "llvm.global_dtors", "llvm.global.annotations"})
    if (GlobalVariable *List = M.getNamedGlobal(Name))
      List->eraseFromParent();
  for (Function &F : M) {
    if (F.isDeclaration() || &F == &Region)
      continue;
    // The program may run another definition instead.
    if (F.isInterposable() || F.hasAvailableExternallyLinkage()) {
      dropDefinition(F);
      continue;
    }
    makeLocal(F);
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::OptimizeNone);
  }
  unsigned Unnamed = 0;
  for (GlobalVariable &V : M.globals()) {
    if (V.isDeclaration())
      continue;
    if (!V.hasName())
      V.setName("specrt.unnamed." + Twine(Unnamed++));
    if (V.isConstant() && V.hasDefinitiveInitializer() && isPlainData(V.getInitializer())) {
      makeLocal(V);
      continue;
    }
    if (V.hasLocalLinkage())
      Locals.insert(V.getName());
    V.setInitializer(nullptr);
    makeExternal(V);
  }
}

std::string reasonAgainst(const Module &M, const LocalNames &Locals) {
  for (const GlobalObject &G : M.global_objects())
    if (std::string Why = reasonAgainstLocal(G, Locals); !Why.empty())
      return Why;
  for (const Function &F : M)
    if (!F.isDeclaration())
      if (std::string Why = reasonAgainstFunction(F); !Why.empty())
        return Why;
  for (const GlobalVariable &V : M.globals())
    if (std::string Why = reasonAgainstVariable(V); !Why.empty())
      return Why;
  return "";
}

std::vector<const GlobalValue *> externalSymbols(const Module &M) {
  std::vector<const GlobalValue *> Symbols;
  for (const GlobalValue &V : M.global_values()) {
    const auto *F = dyn_cast<Function>(&V);
    if (V.isDeclaration() && !V.use_empty() && !(F && F->isIntrinsic()))
      Symbols.push_back(&V);
  }
  return Symbols;
}

} // namespace specrt
