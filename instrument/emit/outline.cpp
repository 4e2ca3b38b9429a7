//===- instrument/emit/outline.cpp - outlines a copy of a loop nest into a function -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prepares the nest for llvm::CodeExtractor and completes its result. Blocks are arranged so that
// live-out values are stored once, at the exits. The nest is copied, and the copy is extracted.
// Cheap computations on inputs move into the function, and facts about inputs become argument
// attributes.
//
//===----------------------------------------------------------------------===//
#include "instrument/emit/outline.h"
#include "analysis/merged_values.h"
#include "instrument/nest/nest_copy.h"
#include "instrument/select/consecutive_loops.h"
#include "instrument/select/exclusive_pointers.h"
#include "specrt/abi.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueMap.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace specrt {

static Error refuse(const Twine &Why) {
  return createStringError(inconvertibleErrorCode(), Why.str());
}

static bool hasAbiKind(Type *T) {
  if (auto *Integer = dyn_cast<IntegerType>(T))
    return is_contained({1u, 8u, 16u, 32u, 64u}, Integer->getBitWidth());
  if (auto *Pointer = dyn_cast<PointerType>(T))
    return Pointer->getAddressSpace() == 0;
  return T->isFloatTy() || T->isDoubleTy();
}

/// Facts about an input, gathered before the nest is extracted.
struct InputFacts {
  std::string Name;
  SourceValue Source;
  AttrBuilder Attributes;
  explicit InputFacts(LLVMContext &Context) : Attributes(Context) {}
};

/// Returns the blocks of the region: an entry, the loops with the blocks between them, and per exit
/// a block that holds only the phis of the values that are live there. CodeExtractor treats those
/// phis as the outputs and stores an output where it is defined: once per exit instead of once per
/// iteration.
static SmallVector<BasicBlock *> arrangeBlocks(ArrayRef<Loop *> Loops,
                                               SmallVectorImpl<BasicBlock *> &Exits,
                                               DominatorTree &DT, LoopInfo &LI,
                                               ScalarEvolution &SE) {
  for (Loop *L : Loops)
    formLCSSARecursively(*L, DT, &LI, &SE);
  Loops.back()->getUniqueExitBlocks(Exits);
  for (BasicBlock *Exit : Exits)
    SplitBlock(Exit, Exit->getFirstNonPHIIt(), &DT, &LI);
  BasicBlock *Preheader = Loops.front()->getLoopPreheader();
  BasicBlock *Entry = SplitBlock(Preheader, Preheader->getTerminator(), &DT, &LI);

  SmallVector<BasicBlock *> Blocks{Entry};
  for (auto [I, L] : enumerate(Loops)) {
    append_range(Blocks, L->blocks());
    append_range(Blocks,
                 I + 1 < Loops.size() ? blocksBetween(*L, *Loops[I + 1]) : to_vector(Exits));
  }
  return Blocks;
}

static bool isCheap(const Instruction &I) {
  if (isa<CastInst, ICmpInst>(I))
    return I.getType()->isIntegerTy() && hasAbiKind(I.getOperand(0)->getType());
  if (isa<GetElementPtrInst>(I))
    return !I.getType()->isVectorTy();
  if (isa<MinMaxIntrinsic>(I))
    return I.getType()->isIntegerTy();
  // Selects a constant trip count, such as 3 or 7, for which loops are unrolled.
  if (const auto *Choice = dyn_cast<SelectInst>(&I))
    return isa<ConstantInt>(Choice->getTrueValue()) && isa<ConstantInt>(Choice->getFalseValue());
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::And:
    return I.getType()->isIntegerTy();
  default:
    return false;
  }
}

/// Returns whether \p I computes an address inside a global variable.
static bool isInVariable(const Instruction &I) {
  return isa<GlobalVariable>(getUnderlyingObject(&I, /*MaxLookup=*/0));
}

/// Recomputes inputs such as sext(n), n > 0 or a + 8 n inside the region when that needs no more
/// arguments than passing them, or one more for an address in a global variable, which would
/// otherwise look like a separate array. This preserves the relations between the inputs, and the
/// arguments become values that the source names.
static void sinkCheapInputs(CodeExtractor &Extractor, BasicBlock *Entry,
                            const SetVector<BasicBlock *> &Region) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    SetVector<Value *> Inputs, Outputs, Allocas;
    Extractor.findInputsOutputs(Inputs, Outputs, Allocas);
    for (Value *Input : Inputs) {
      auto *I = dyn_cast<Instruction>(Input);
      if (!I || !isCheap(*I))
        continue;
      auto IsNew = [&](Value *Op) { return !isa<Constant>(Op) && !Inputs.contains(Op); };
      SmallPtrSet<Value *, 4> NewInputs;
      for (Value *Op : I->operand_values())
        if (IsNew(Op))
          NewInputs.insert(Op);
      const bool HasRoom = Inputs.size() + Outputs.size() < SPECRT_MAX_ARGUMENTS;
      if (NewInputs.size() > (HasRoom && isInVariable(*I) ? 2 : 1) ||
          any_of(NewInputs, [](Value *V) { return !hasAbiKind(V->getType()); }))
        continue;
      Instruction *Copy = I->clone();
      Copy->setName(I->getName());
      Copy->insertBefore(*Entry, Entry->getFirstInsertionPt());
      I->replaceUsesWithIf(Copy, [&](Use &U) {
        auto *User = dyn_cast<Instruction>(U.getUser());
        return User && User != Copy && Region.contains(User->getParent());
      });
      if (isInstructionTriviallyDead(I))
        I->eraseFromParent();
      Changed = true;
      break;
    }
  }
}

/// Returns \p V - \p Than, both inputs, if it is a positive constant; otherwise null.
static const SCEVConstant *distance(Value *V, Value *Than, ScalarEvolution &SE) {
  if (V == Than || V->getType() != Than->getType())
    return nullptr;
  const auto *Far = dyn_cast<SCEVConstant>(SE.getMinusSCEV(SE.getSCEV(V), SE.getSCEV(Than)));
  return Far && Far->getAPInt().isStrictlyPositive() ? Far : nullptr;
}

/// A counter of a loop around the nest that is \p Far more than another one, such as k + 1 and k.
struct JoinedCounter {
  Value *Input, *Least;
  const SCEVConstant *Far;
  bool HasNUW, HasNSW; ///< of the sum
};

/// The ranges of integers that a nest uses, and the distances between them. Scalar evolution
/// computes both before the nest is copied: it would follow phis into the copy, which loop info
/// does not contain, and crash.
struct OutsideIntegers {
  ValueMap<const Value *, ConstantRange> Ranges; ///< if they are known
  SmallVector<JoinedCounter, 4> Joined;
};

/// Sets \p Known to what is known of the integers that \p Nest, which begins with \p L, uses.
static void describeIntegers(ArrayRef<BasicBlock *> Nest, const Loop &L, ScalarEvolution &SE,
                             OutsideIntegers &Known) {
  const SmallPtrSet<const BasicBlock *, 16> Inside(Nest.begin(), Nest.end());
  SetVector<Value *> Used, Counters;
  const auto AddOperands = [&](const Instruction &I) {
    for (Value *V : I.operands()) {
      const auto *Made = dyn_cast<Instruction>(V);
      if (isa<Argument>(V) || (Made && !Inside.contains(Made->getParent())))
        Used.insert(V);
    }
  };
  for (const BasicBlock *BB : Nest)
    for (const Instruction &I : *BB)
      AddOperands(I);
  // Cheap instructions move into the nest, which then uses their operands (sinkCheapInputs).
  for (size_t I = 0; I < Used.size(); ++I)
    if (isa<CastInst, GetElementPtrInst, BinaryOperator>(Used[I]))
      AddOperands(*cast<Instruction>(Used[I]));
  for (Value *V : Used) {
    if (!V->getType()->isIntegerTy() || V->getType()->isIntegerTy(1))
      continue;
    // Adds the range that conditions around the loop, such as "if (n > 0)", imply.
    const SCEV *S = SE.applyLoopGuards(SE.getSCEV(V), &L);
    const ConstantRange Range = SE.getSignedRange(S).intersectWith(SE.getUnsignedRange(S));
    if (!Range.isFullSet() && !Range.isEmptySet())
      Known.Ranges.insert({V, Range});
    if (isa<PHINode>(V) && isa<SCEVAddRecExpr>(SE.getSCEV(V)))
      Counters.insert(V);
  }
  for (Value *Input : Counters) {
    const auto *Least = find_if(Counters, [&](Value *Other) {
      return distance(Input, Other, SE) &&
             none_of(Counters, [&](Value *Third) { return distance(Other, Third, SE); });
    });
    if (Least == Counters.end())
      continue;
    const SCEVConstant *Far = distance(Input, *Least, SE);
    const SCEV *From = SE.getSCEV(*Least);
    Known.Joined.push_back({Input, *Least, Far,
                            SE.willNotOverflow(Instruction::Add, /*Signed=*/false, From, Far),
                            SE.willNotOverflow(Instruction::Add, /*Signed=*/true, From, Far)});
  }
}

/// Expresses counters of loops around the nest by the least counter among them. Passed as one
/// argument, they keep the distance that shows which rows differ.
static void joinCounters(ArrayRef<JoinedCounter> Joined, BasicBlock *Entry,
                         const SetVector<BasicBlock *> &Region) {
  for (const JoinedCounter &Each : Joined) {
    const auto IsInside = [&](const Use &U) {
      auto *User = dyn_cast<Instruction>(U.getUser());
      return User && Region.contains(User->getParent());
    };
    if (none_of(Each.Input->uses(), IsInside))
      continue;
    IRBuilder<> Builder(Entry, Entry->getFirstInsertionPt());
    Value *Sum = Builder.CreateAdd(Each.Least, Each.Far->getValue(), Each.Input->getName(),
                                   Each.HasNUW, Each.HasNSW);
    Each.Input->replaceUsesWithIf(Sum, [&](Use &U) { return IsInside(U) && U.getUser() != Sum; });
  }
}

/// The name of \p V in the source, from debug info or, for parameters, from the IR.
static std::string sourceName(Value *V) {
  SmallVector<DbgVariableRecord *> Records;
  findDbgUsers(V, Records);
  for (DbgVariableRecord *Record : Records)
    if (Record->getVariable() && Record->getExpression()->getNumElements() == 0)
      return Record->getVariable()->getName().str();
  if (isa<GlobalValue>(V))
    return V->getName().str();
  // A live-out phi gets the name of the variable whose value leaves the loop.
  if (auto *Phi = dyn_cast<PHINode>(V))
    for (Value *Incoming : Phi->incoming_values())
      if (isa<Instruction>(Incoming) && !isa<PHINode>(Incoming))
        if (std::string Name = sourceName(Incoming); !Name.empty())
          return Name;
  // Instruction names such as "n.addr.014" would mislead.
  return isa<Argument>(V) ? V->getName().split('.').first.str() : "";
}

static InputFacts gatherFacts(Value *Input, const SetVector<Value *> &Inputs, const Loop &L,
                              const OutsideIntegers &Known, AssumptionCache &AC,
                              DominatorTree &DT) {
  LLVMContext &Context = Input->getContext();
  InputFacts Facts(Context);
  Facts.Name = sourceName(Input);
  const Instruction *At = &*L.getHeader()->getFirstNonPHIIt();
  const DataLayout &Layout = At->getDataLayout();
  if (isGuaranteedNotToBeUndefOrPoison(Input, &AC, At, &DT))
    Facts.Attributes.addAttribute(Attribute::NoUndef);
  if (Input->getType()->isPointerTy()) {
    Align Alignment = getKnownAlignment(Input, Layout, At, &AC, &DT);
    if (Alignment > 1)
      Facts.Attributes.addAlignmentAttr(Alignment);
    if (isExclusivePointer(*Input, Inputs))
      Facts.Attributes.addAttribute(Attribute::NoAlias);
    bool CanBeNull, CanBeFreed;
    uint64_t Bytes = Input->getPointerDereferenceableBytes(Layout, CanBeNull, CanBeFreed);
    if (Bytes && !CanBeFreed) {
      if (CanBeNull)
        Facts.Attributes.addDereferenceableOrNullAttr(Bytes);
      else
        Facts.Attributes.addDereferenceableAttr(Bytes);
    }
    if (isKnownNonZero(Input, SimplifyQuery(Layout, &DT, &AC, At)))
      Facts.Attributes.addAttribute(Attribute::NonNull);
  } else if (const auto Range = Known.Ranges.find(Input); Range != Known.Ranges.end()) {
    Facts.Attributes.addRangeAttr(Range->second);
  }
  return Facts;
}

/// Adds attributes to \p Arg, the slot of a live-out value: stack memory of the parent that only
/// the region writes.
static void describeOutput(Argument &Arg, Type *T, const DataLayout &Layout) {
  AttrBuilder Attributes(Arg.getContext());
  Attributes.addAttribute(Attribute::NoAlias);
  Attributes.addAttribute(Attribute::NonNull);
  Attributes.addAttribute(Attribute::NoUndef);
  Attributes.addCapturesAttr(CaptureInfo::none());
  Attributes.addDereferenceableAttr(Layout.getTypeStoreSize(T));
  Attributes.addAlignmentAttr(Layout.getABITypeAlign(T));
  Arg.addAttrs(Attributes);
}

/// Makes a function of \p Body that returns the number of the exit, from SPECRT_DONE on. Deletes
/// \p Body; \p Call, which was its only call, then calls null.
static Function *returnExitNumber(Function *Body, CallInst &Call) {
  Type *I32 = Type::getInt32Ty(Body->getContext());
  FunctionType *Type = FunctionType::get(I32, Body->getFunctionType()->params(), false);
  auto *New = Function::Create(Type, Body->getLinkage(), "", Body->getParent());
  New->copyAttributesFrom(Body);
  New->setAttributes(
      New->getAttributes().removeAttributesAtIndex(New->getContext(), AttributeList::ReturnIndex));
  New->takeName(Body);
  New->splice(New->begin(), Body);
  New->copyMetadata(Body, 0);
  Body->setSubprogram(nullptr);
  for (auto [Old, Arg] : zip_equal(Body->args(), New->args())) {
    Old.replaceAllUsesWith(&Arg);
    Arg.takeName(&Old);
  }
  for (BasicBlock &Block : *New)
    if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator())) {
      IRBuilder<> B(Return);
      Constant *First = B.getInt32(SPECRT_DONE);
      Value *Exit = Return->getReturnValue();
      B.CreateRet(Exit ? B.CreateAdd(B.CreateZExt(Exit, I32), First) : First);
      Return->eraseFromParent();
    }
  Call.setCalledOperand(ConstantPointerNull::get(PointerType::getUnqual(Body->getContext())));
  Body->eraseFromParent();
  return New;
}

static bool isDeclaredToThrow(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->isDeclaration() && Call->mayThrow();
}

static void finishBody(Function &Body, Function &Parent, bool JoinComdat) {
  Body.setLinkage(GlobalValue::InternalLinkage);
  Body.setVisibility(GlobalValue::DefaultVisibility);
  Body.setDSOLocal(true);
  Body.removeFnAttr(Attribute::AlwaysInline);
  Body.removeFnAttr(Attribute::InlineHint);
  Body.addFnAttr(Attribute::NoInline);
  // Calls of functions in other files may throw unless their code becomes part of a version.
  if (none_of(instructions(Body), [](const Instruction &I) { return isDeclaredToThrow(I); }))
    Body.addFnAttr(Attribute::NoUnwind);
  Body.addFnAttr("specrt-region");
  Body.setComdat(JoinComdat ? Parent.getComdat() : nullptr);
}

/// Describes the effects of \p Call for the optimization of the parent. It has the effects of the
/// nest, and may run libspecrt, whose memory the program cannot access.
static void describeCall(CallInst &Call, Function &Body, FunctionAnalysisManager &FAM) {
  for (Argument &Arg : Body.args()) {
    if (!Arg.getType()->isPointerTy() || PointerMayBeCaptured(&Arg, /*ReturnCaptures=*/false))
      continue;
    Attribute NotCaptured = Attribute::getWithCaptureInfo(Body.getContext(), CaptureInfo::none());
    Arg.addAttr(NotCaptured);
    Call.addParamAttr(Arg.getArgNo(), NotCaptured);
  }
  MemoryEffects Effects = computeFunctionBodyMemoryAccess(Body, FAM.getResult<AAManager>(Body));
  Call.setMemoryEffects(Effects | MemoryEffects::inaccessibleMemOnly());
  Call.addFnAttr(Attribute::Cold);
}

static Error checkInterface(const SetVector<Value *> &Inputs, const SetVector<Value *> &Outputs) {
  for (Value *Input : Inputs)
    if (!hasAbiKind(Input->getType()))
      return refuse("it uses a value of a type that cannot be passed to a region");
  if (Inputs.size() + Outputs.size() > SPECRT_MAX_ARGUMENTS)
    return refuse("it depends on more than " + Twine(SPECRT_MAX_ARGUMENTS) + " values");
  return Error::success();
}

/// Returns the name that people read for the slot of a live-out value.
static SourceValue resultNamed(const std::string &Name) {
  return {Name.empty() ? "result" : Name, nullptr, false};
}

Expected<OutlinedRegion> outlineLoops(ArrayRef<Loop *> Loops, unsigned Number, bool JoinComdat,
                                      const DISubprogram *Writer, FunctionAnalysisManager &FAM) {
  const Loop &L = *Loops.front();
  Function &F = *L.getHeader()->getParent();
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AC = FAM.getResult<AssumptionAnalysis>(F);
  scope_exit Invalidate([&] { FAM.invalidate(F, PreservedAnalyses::none()); });

  OutlinedRegion Result;
  Result.Header = L.getHeader();
  const SmallVector<BasicBlock *> Nest = arrangeBlocks(Loops, Result.Exits, DT, LI, SE);
  Result.Entry = Nest.front();
  OutsideIntegers Known;
  describeIntegers(Nest, L, SE, Known);
  NestCopy Copy(Nest, DT, AC, LI);
  Result.CanGoOnElsewhere = !Copy.hasOwnMemory();
  scope_exit Remove([&] { Copy.remove(DT, AC); });
  const ArrayRef<BasicBlock *> Blocks = Copy.blocks();
  SetVector<BasicBlock *> Region(Blocks.begin(), Blocks.end());
  CodeExtractor Extractor(Blocks, &DT, /*AggregateArgs=*/false, nullptr, nullptr, &AC,
                          /*AllowVarArgs=*/false, /*AllowAlloca=*/false, nullptr,
                          "specrt." + std::to_string(Number));
  if (!Extractor.isEligible())
    return refuse("it cannot be moved into a function of its own");
  sinkCheapInputs(Extractor, Blocks.front(), Region);
  Copy.hoistLoads(FAM.getResult<AAManager>(F), DT, SPECRT_MAX_ARGUMENTS, hasAbiKind);
  joinCounters(Known.Joined, Blocks.front(), Region);

  SetVector<Value *> Inputs, Outputs, Allocas;
  Extractor.findInputsOutputs(Inputs, Outputs, Allocas);
  if (Error E = checkInterface(Inputs, Outputs))
    return std::move(E);
  DenseMap<Value *, unsigned> FactsOf;
  std::vector<InputFacts> Facts;
  for (Value *Input : Inputs) {
    FactsOf[Input] = Facts.size();
    Facts.push_back(gatherFacts(Input, Inputs, L, Known, AC, DT));
    Facts.back().Source = sourceValue(*Input, Writer);
  }
  struct OutputFacts {
    std::string Name;
    SourceValue Source;
  };
  std::vector<OutputFacts> OfOutputs;
  for (Value *Output : Outputs)
    OfOutputs.push_back({sourceName(Output), resultNamed(sourceValue(*Output, Writer).Name)});

  CodeExtractorAnalysisCache Cache(F);
  SetVector<Value *> FinalInputs, FinalOutputs;
  Function *Body = Extractor.extractCodeRegion(Cache, FinalInputs, FinalOutputs);
  if (!Body)
    return refuse("it cannot be moved into a function of its own");
  Remove.release();

  Result.Call = cast<CallInst>(Body->user_back());
  Result.Choice = Copy.choice();
  append_range(Result.Loaded, Copy.hoisted());
  Body = returnExitNumber(Body, *Result.Call);
  Result.Body = Body;
  finishBody(*Body, F, JoinComdat);
  computeMergedValues(*Body, DominatorTree(*Body));
  for (auto [Index, Input] : enumerate(FinalInputs)) {
    auto It = FactsOf.find(Input);
    if (It == FactsOf.end()) {
      Result.ArgNames.push_back("");
      Result.Args.push_back({});
      continue;
    }
    Body->getArg(Index)->addAttrs(Facts[It->second].Attributes);
    Result.ArgNames.push_back(Facts[It->second].Name);
    Result.Args.push_back(Facts[It->second].Source);
  }
  for (auto [Index, Output] : enumerate(FinalOutputs)) {
    describeOutput(*Body->getArg(FinalInputs.size() + Index), Output->getType(), F.getDataLayout());
    const bool Known = Index < OfOutputs.size();
    Result.ArgNames.push_back(Known ? OfOutputs[Index].Name : "");
    Result.Args.push_back(Known ? OfOutputs[Index].Source : resultNamed(""));
  }
  for (Argument &Arg : Body->args())
    Arg.setName(Result.ArgNames[Arg.getArgNo()]);
  describeCall(*Result.Call, *Body, FAM);
  return Result;
}

} // namespace specrt
