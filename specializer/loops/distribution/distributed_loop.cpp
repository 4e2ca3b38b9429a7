//===- specializer/loops/distribution/distributed_loop.cpp - a loop in two parts ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/distribution/distributed_loop.h"
#include "analysis/memory/linear_form.h"
#include "specializer/loops/distribution/distribution_plan.h"
#include "specializer/loops/distribution/strip_mining.h"
#include "specializer/loops/loop_shape.h"
#include "support/memory/scratch.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

/// The bytes of the values that are kept at a time: half of a second cache of 512 KB, the smallest
/// of current processors.
constexpr uint64_t StripBytes = uint64_t{256} * 1024;

/// The bytes for values of inner loops, per thread. A strip must have several iterations for each
/// thread even if an inner loop has ten thousand.
constexpr uint64_t InsideBytes = uint64_t{1024} * 1024;

class Distribution {
public:
  Distribution(Loop &L, FunctionAnalysisManager &FAM, DistributionPlan &Plan)
      : L(L), F(*L.getHeader()->getParent()), FAM(FAM),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)), Plan(Plan), Kept(Plan.kept()),
        Word(Type::getInt64Ty(F.getContext())) {}
  Distribution(const Distribution &) = delete;
  Distribution &operator=(const Distribution &) = delete;

  /// \p InStrip is the number of iterations in a strip, see stripMine().
  DistributedLoop rewrite(Instruction *InStrip, unsigned Threads);

private:
  void shorten(Instruction &InStrip, Value &Fit, Value &IsMissing, BasicBlock &Behind);
  Value *takeMemory(uint64_t WordsPerIteration, uint64_t MoreWords = 0);
  void give(Instruction *Before) const;
  void buildSecond(BasicBlock *Begin, BasicBlock *End);
  void readInside(const ValueToValueMapTy &Map, BasicBlock *Begin,
                  SmallPtrSetImpl<const Instruction *> &Loads);

  Loop &L;
  Function &F;
  FunctionAnalysisManager &FAM;
  ScalarEvolution &SE;
  LoopInfo &LI;
  DominatorTree &DT;
  DistributionPlan &Plan;
  KeptValues &Kept;
  Type *Word;
  SmallVector<AllocaInst *, 4> Variables; ///< of new loops, which can become registers
};

/// Emits code in the loop's preheader that takes memory. Returns its address, which is null if
/// there is none.
Value *Distribution::takeMemory(uint64_t WordsPerIteration, uint64_t MoreWords) {
  Instruction *Before = L.getLoopPreheader()->getTerminator();
  Value *Trips = SCEVExpander(SE, "first").expandCodeFor(tripsOf(L, SE), Word, Before);
  IRBuilder<> B(Before);
  CallInst *Take = B.CreateCall(
      F.getParent()->getOrInsertFunction(TakeScratchName, B.getPtrTy(), Word),
      B.CreateAdd(B.CreateMul(Trips, B.getInt64(KeptValues::WordBytes * WordsPerIteration)),
                  B.getInt64(KeptValues::WordBytes * MoreWords)));
  Take->setDoesNotThrow();
  Take->addRetAttr(Attribute::NoAlias);
  return Take;
}

void Distribution::give(Instruction *Before) const {
  IRBuilder<> B(Before);
  const FunctionCallee Give =
      F.getParent()->getOrInsertFunction(GiveScratchName, B.getVoidTy(), B.getPtrTy());
  for (Value *Memory : {Kept.Begins, Kept.Memory}) {
    if (!Memory)
      continue;
    CallInst *Call = B.CreateCall(Give, Memory);
    Call->setDoesNotThrow();
    Call->addParamAttr(0, Attribute::getWithCaptureInfo(F.getContext(), CaptureInfo::none()));
  }
}

/// Makes the second loop, of whose blocks \p Map has the copies, read the values of inner loops.
void Distribution::readInside(const ValueToValueMapTy &Map, BasicBlock *Begin,
                              SmallPtrSetImpl<const Instruction *> &Loads) {
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  AllocaInst *const Next = B.CreateAlloca(Word);
  Variables.push_back(Next);
  B.SetInsertPoint(Begin);
  B.CreateStore(B.getInt64(0), Next);
  for (const KeptValues::OfInner &Inner : Kept.Inside) {
    SmallVector<Instruction *, 4> Copies;
    for (Instruction *V : Inner.Values)
      Copies.push_back(cast<Instruction>(Map.lookup(V)));
    auto *const Header = cast<BasicBlock>(Map.lookup(Inner.In->getHeader()));
    Kept.takeWords(Header, Next, Copies, [&](unsigned Place, Value *Address, IRBuilder<> &Behind) {
      LoadInst *Load = Behind.CreateLoad(Copies[Place]->getType(), Address);
      Copies[Place]->replaceAllUsesWith(Load);
      Loads.insert(Load);
    });
  }
}

/// Builds the second loop between \p Begin and \p End, an empty block each, and makes the values
/// that it leaves known behind the loop.
void Distribution::buildSecond(BasicBlock *Begin, BasicBlock *End) {
  BasicBlock *const Exit = L.getExitBlock(), *const Latch = L.getLoopLatch();
  ValueToValueMapTy Map;
  Map[L.getLoopPreheader()] = Begin;
  Map[Exit] = End;
  const auto Copies = LoopSlice::copyBlocks(L, Map, ".second");
  auto *const Header = cast<BasicBlock>(Map.lookup(L.getHeader()));
  auto *const Last = cast<BasicBlock>(Map.lookup(Latch));
  IRBuilder<> B(Header, Header->begin());
  PHINode *Number = B.CreatePHI(Word, 2, "iteration");
  B.SetInsertPoint(Last->getTerminator());
  Value *Next = B.CreateAdd(Number, B.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  Number->addIncoming(B.getInt64(0), Begin);
  Number->addIncoming(Next, Last);
  SmallPtrSet<const Instruction *, 8> Loads;
  for (auto [Place, V] : enumerate(Kept.OfLoop)) {
    auto *Copy = cast<Instruction>(Map.lookup(V));
    B.SetInsertPoint(&**Copy->getInsertionPointAfterDef());
    LoadInst *Load = B.CreateLoad(V->getType(), Kept.wordOf(Number, Place, B));
    Copy->replaceAllUsesWith(Load);
    Loads.insert(Load);
  }
  if (Plan.keepsInside())
    readInside(Map, Begin, Loads);
  Plan.second().restrict(Copies, Map,
                         [&](const Instruction &I) { return isWrite(I) || Loads.contains(&I); });
  B.SetInsertPoint(Begin);
  B.CreateBr(Header);
  B.SetInsertPoint(End);
  for (PHINode &Phi : Exit->phis()) {
    Value *Left = Phi.getIncomingValueForBlock(Latch);
    if (const auto *Made = dyn_cast<Instruction>(Left); Made && L.contains(Made)) {
      PHINode *New = B.CreatePHI(Left->getType(), 1);
      New->addIncoming(Map.lookup(Left), Last);
      Left = New;
    }
    Phi.addIncoming(Left, End);
  }
  give(B.CreateBr(Exit));
}

/// Makes \p InStrip the number of iterations that \p Fit at the end of \p Behind. An iteration
/// whose values do not fit runs as written, and so does the strip if memory \p IsMissing.
void Distribution::shorten(Instruction &InStrip, Value &Fit, Value &IsMissing, BasicBlock &Behind) {
  IRBuilder<> B(Behind.getTerminator());
  Value *const Some = B.CreateBinaryIntrinsic(Intrinsic::umax, &Fit, B.getInt64(1));
  Value *const Shorter = B.CreateSelect(&IsMissing, &InStrip, Some);
  InStrip.replaceUsesWithIf(Shorter, [&](const Use &U) {
    const BasicBlock *In = cast<Instruction>(U.getUser())->getParent();
    return In != &Behind && DT.isReachableFromEntry(In) && DT.dominates(&Behind, In);
  });
}

DistributedLoop Distribution::rewrite(Instruction *InStrip, unsigned Threads) {
  if (!Plan.count().prepare(Kept))
    return {};
  BasicBlock *const Before = L.getLoopPreheader(), *const Exit = L.getExitBlock();
  if (Plan.keepsInside()) {
    Kept.InsideWords = InsideBytes / KeptValues::WordBytes * Threads;
    Kept.Begins = takeMemory(1);
  }
  Kept.Memory = takeMemory(Kept.OfLoop.size(), Kept.InsideWords);
  Value *IsMissing = IRBuilder<>(Before->getTerminator()).CreateIsNull(Kept.Memory);
  BasicBlock *Counted = nullptr, *Fitting = Before;
  Value *FitsNone = nullptr;
  if (Plan.keepsInside()) {
    IRBuilder<> B(Before->getTerminator());
    IsMissing = B.CreateOr(IsMissing, B.CreateIsNull(Kept.Begins));
    const CountingLoop::Built Of = Plan.count().build(Kept);
    append_range(Variables, Of.Variables);
    Counted = Of.Header;
    Fitting = Of.Behind;
    B.SetInsertPoint(Fitting->getTerminator());
    FitsNone = B.CreateICmpEQ(Of.Fit, B.getInt64(0));
    shorten(*InStrip, *Of.Fit, *IsMissing, *Fitting);
  }
  BasicBlock *const Begin = SplitBlock(Fitting, Fitting->getTerminator(), &DT, &LI);
  const HullInspector::Inspected Found = Plan.first().build();
  append_range(Variables, Found.Variables);
  BasicBlock *const Compared = L.getLoopPreheader();
  // The loop of the source begins here if there is no memory, or some accesses may meet.
  BasicBlock *const AsWritten = SplitBlock(Compared, Compared->getTerminator(), &DT, &LI);
  give(AsWritten->getTerminator());
  const auto NewBlock = [&](const Twine &Name) {
    return BasicBlock::Create(F.getContext(), Name, &F, Exit);
  };
  BasicBlock *const SecondBegin = NewBlock("second"), *const SecondEnd = NewBlock("second.end");
  buildSecond(SecondBegin, SecondEnd);
  const auto EndIn = [](BasicBlock *Block, Value *Condition, BasicBlock *Then, BasicBlock *Else) {
    Block->getTerminator()->eraseFromParent();
    IRBuilder<>(Block).CreateCondBr(Condition, Then, Else);
  };
  if (Counted) {
    EndIn(Before, IsMissing, Fitting, Counted);
    EndIn(Fitting, FitsNone, AsWritten, Begin);
  } else {
    EndIn(Before, IsMissing, AsWritten, Begin);
  }
  EndIn(Compared, Found.AreMet, SecondBegin, AsWritten);
  simplifyLoops(F, FAM);
  if (Plan.keepsInside())
    markKeepsValues(*FAM.getResult<LoopAnalysis>(F).getLoopFor(Found.Header));
  PromoteMemToReg(Variables, FAM.getResult<DominatorTreeAnalysis>(F));
  simplifyLoops(F, FAM);
  return {.First = Found.Header, .Share = Plan.firstShare()};
}

} // namespace

DistributedLoop distributeLoop(Loop &L, FunctionAnalysisManager &FAM, const FirstLoop &By,
                               double AtMost, function_ref<bool(const Loop &)> MayKeepIn) {
  BasicBlock *const Header = L.getHeader();
  Function &F = *Header->getParent();
  Instruction *InStrip = nullptr;
  {
    DistributionPlan Whole(L, FAM, MayKeepIn);
    if (!Whole.make(By, AtMost))
      return {};
    const uint64_t Words = Whole.kept().OfLoop.size() + Whole.keepsInside();
    const uint64_t Length = StripBytes / (KeptValues::WordBytes * Words);
    const std::optional<int64_t> Last =
        constantLastIteration(&L, FAM.getResult<ScalarEvolutionAnalysis>(F));
    if (Whole.keepsInside() || !Last || uint64_t(*Last) >= Length)
      InStrip = stripMine(L, Length, FAM);
  }
  Loop &OfStrip = *FAM.getResult<LoopAnalysis>(F).getLoopFor(Header);
  DistributionPlan Plan(OfStrip, FAM, MayKeepIn);
  return Plan.make(By, AtMost) ? Distribution(OfStrip, FAM, Plan).rewrite(InStrip, By.Threads)
                               : DistributedLoop{};
}

} // namespace specrt
