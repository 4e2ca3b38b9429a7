//===- specializer/polyhedral/scop_codegen.cpp - generates IR from a syntax tree -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/scop_codegen.h"
#include "polly/CodeGen/IslAst.h"
#include "polly/CodeGen/IslNodeBuilder.h"
#include "polly/CodeGen/Utils.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "polly/Support/ScopHelper.h"
#include "specializer/polyhedral/contraction/contraction_marks.h"
#include "specializer/polyhedral/kernel/contraction_kernel.h"
#include "specializer/polyhedral/model/access_alignment.h"
#include "specializer/polyhedral/parallel_start.h"
#include "specializer/polyhedral/private_memory.h"
#include "specializer/polyhedral/schedule/legality.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "specializer/polyhedral/storage/compact_storage.h"
#include "specializer/polyhedral/storage/private_arrays.h"
#include "support/memory/scratch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "isl/ast.h"
#include "isl/ctx.h"
#include <limits>
#include <utility>

using namespace llvm;

namespace specrt {
namespace {

using Iterators = SmallVector<isl::id, 3>;

bool mentionsAny(const isl::ast_expr &E, ArrayRef<isl::id> Ids) {
  return any_of(Ids, [&](const isl::id &Id) { return mentions(E, Id); });
}

/// A bound: the sum of isl expressions, plus a slope along the row iterator.
struct BoundTerm {
  SmallVector<std::pair<isl::ast_expr, bool>, 2> Parts; ///< summands; true: subtracted
  int Slope = 0;
};

/// Polly's builder, extended by kernels for marked contractions.
class NodeBuilder : public polly::IslNodeBuilder {
public:
  NodeBuilder(polly::PollyIRBuilder &Builder, polly::ScopAnnotator &Annotator, const DataLayout &DL,
              LoopInfo &LI, ScalarEvolution &SE, DominatorTree &DT, polly::Scop &S,
              BasicBlock *StartBlock, const TilingTarget &Target, const TargetTransformInfo &TTI,
              const isl::union_map &Conflicts, const MovedArrays &Moved)
      : IslNodeBuilder(Builder, Annotator, DL, LI, SE, DT, S, StartBlock), Target(Target), TTI(TTI),
        Conflicts(Conflicts), Moved(Moved) {
    for (const CompactArray &Array : Moved.Compact)
      OfThreads.push_back({Array.Array, /*Of=*/nullptr, std::numeric_limits<int64_t>::max(), 0,
                           uint64_t(Array.Bytes)});
  }

  unsigned numKernels() const { return NumKernels; }
  unsigned numUnpacked() const { return NumUnpacked; }
  unsigned numTooShort() const { return NumTooShort; }
  unsigned numPrivate() const { return NumPrivate; }

protected:
  void createIf(isl_ast_node *If) override {
    enterParallelBody();
    IslNodeBuilder::createIf(If);
  }
  void createUser(isl_ast_node *User) override {
    enterParallelBody();
    IslNodeBuilder::createUser(User);
  }
  void createBlock(isl_ast_node *Block) override {
    enterParallelBody();
    IslNodeBuilder::createBlock(Block);
  }

  void createMark(isl_ast_node *Marker) override {
    enterParallelBody();
    isl::ast_node_mark Mark = isl::manage_copy(Marker).as<isl::ast_node_mark>();
    isl::id Id = Mark.id();
    if (Id.get_name() == ContractionMark) {
      auto *Marked = static_cast<const MarkedContraction *>(Id.get_user());
      if (Marked && createContraction(*Marked, Mark.node())) {
        isl_ast_node_free(Marker);
        ++NumKernels;
        return;
      }
    }
    bool Outside = IsSequential;
    IsSequential |= Id.get_name() == SequentialMark;
    IslNodeBuilder::createMark(Marker);
    IsSequential = Outside;
  }

  void createFor(isl_ast_node *Node) override {
    enterParallelBody();
    isl::ast_node For = isl::manage_copy(Node);
    if (polly::IslAstInfo::isParallel(For) && !Conflicts.is_null() &&
        mayConflict(polly::IslAstInfo::getBuild(For).get_schedule(), Conflicts))
      return createForSequential(isl::manage(Node).as<isl::ast_node_for>(), /*MarkParallel=*/false);
    if (!polly::IslAstInfo::isParallel(For))
      return IslNodeBuilder::createFor(Node);
    // Iterations that need private arrays are not independent in a serial loop.
    const auto Needed = neededFor(For);
    const bool IsIndependent = Needed && Needed->empty();
    if (!polly::IslAstInfo::isExecutedInParallel(For) && IsIndependent)
      return IslNodeBuilder::createFor(Node);
    if (!polly::IslAstInfo::isExecutedInParallel(For) || IsSequential || !Needed)
      return createForSequential(isl::manage(Node).as<isl::ast_node_for>(), IsIndependent);
    ParallelStart Start(For, TTI, Target.ParallelWorkNs);
    if (Start.neverPays()) {
      ++NumTooShort;
      return createForSequential(isl::manage(Node).as<isl::ast_node_for>(), IsIndependent);
    }
    Value *Pays = Start.createCheck(Builder, [&](const isl::ast_expr &E) { return int64(E); });
    const PrivateMemory Memory(*Needed);
    Entering = Memory.isEmpty() ? nullptr : &Memory;
    IslNodeBuilder::createFor(Node);
    boundChunks(Builder);
    if (Pays)
      startThreadsIf(Builder, Pays);
    if (Memory.bytes())
      startWithMemory(Builder, Memory.bytes());
    NumPrivate += unsigned(Needed->size());
  }

private:
  void enterParallelBody();
  std::optional<SmallVector<const PrivateArray *, 4>> neededFor(const isl::ast_node &For) const;
  bool createContraction(const MarkedContraction &Marked, isl::ast_node Node);
  bool collectLoops(unsigned Count, isl::ast_node &Node);
  bool splitBound(const isl::ast_expr &E, bool Upper, SmallVectorImpl<BoundTerm> &Out);
  bool addParts(const isl::ast_expr &E, bool Negative, BoundTerm &Term);
  Value *int64(Value *V) { return Builder.CreateSExtOrTrunc(V, Builder.getInt64Ty()); }
  Value *int64(isl::ast_expr E) { return int64(ExprBuilder.create(E.release())); }
  Value *exclusive(Value *V, bool Inclusive) {
    return Inclusive ? Builder.CreateAdd(V, Builder.getInt64(1)) : V;
  }
  bool createTerms(const isl::ast_expr &E, bool Upper, bool Inclusive,
                   SmallVectorImpl<RowTerm> &Terms);

  struct LoopHead {
    isl::id Iterator;
    isl::ast_expr Begin, End;
    bool Inclusive;
  };

  const TilingTarget &Target;
  const TargetTransformInfo &TTI;
  const isl::union_map &Conflicts;
  const MovedArrays &Moved;
  SmallVector<PrivateArray, 4> OfThreads;  ///< parts of Moved.Compact, for threads that share a
                                           ///< loop
  const PrivateMemory *Entering = nullptr; ///< of the parallel loop whose body is created next
  SmallVector<LoopHead, 3> Loops;
  bool IsSequential = false; ///< below a SequentialMark
  isl::id RowIterator;       ///< null if there is no row dimension
  unsigned NumKernels = 0, NumUnpacked = 0, NumTooShort = 0, NumPrivate = 0;
};

/// Redirects private arrays before the first node of a parallel loop's body is created.
void NodeBuilder::enterParallelBody() {
  const PrivateMemory *const Memory = std::exchange(Entering, nullptr);
  if (!Memory)
    return;
  polly::ValueMapT Originals;
  Memory->createBases(
      *Builder.GetInsertBlock()->getParent(), [&](Value *Base) { return getLatestValue(Base); },
      [&](Value *Base, Value *Here) {
        ValueMap[Base] = Here;
        Originals[Here] = Base;
      });
  Annotator.addAlternativeAliasBases(Originals);
}

/// Returns the arrays of which threads need copies of their own to share the loop; nothing if they
/// may not share it.
std::optional<SmallVector<const PrivateArray *, 4>>
NodeBuilder::neededFor(const isl::ast_node &For) const {
  const isl::union_map Schedule = polly::IslAstInfo::getBuild(For).get_schedule();
  auto Needed = Moved.Private.neededFor(Schedule);
  for (const auto &[Array, OfThread] : zip(Moved.Compact, OfThreads)) {
    if (!Needed || !mayConflict(Schedule, Array.Conflicts))
      continue;
    if (Array.isPrivateIn(Schedule))
      Needed->push_back(&OfThread);
    else
      Needed = std::nullopt;
  }
  return Needed;
}

/// Collects \p Count nested loops of step 1; sets \p Node to the node inside.
bool NodeBuilder::collectLoops(unsigned Count, isl::ast_node &Node) {
  Loops.clear();
  for (unsigned L = 0; L < Count; ++L) {
    if (!Node.isa<isl::ast_node_for>())
      return false;
    auto For = Node.as<isl::ast_node_for>();
    isl::ast_expr Step = For.inc();
    if (!Step.isa<isl::ast_expr_int>() || !Step.as<isl::ast_expr_int>().val().is_one())
      return false;
    if (polly::IslAstInfo::isExecutedInParallel(For))
      return false;
    CmpInst::Predicate Predicate;
    isl::ast_expr End = getUpperBound(For, Predicate);
    Loops.push_back({For.iterator().as<isl::ast_expr_id>().id(), For.init(), End,
                     Predicate == CmpInst::ICMP_SLE});
    Node = For.body();
  }
  return Node.isa<isl::ast_node_user>();
}

/// Adds the summands of \p E to \p Term. The row iterator may appear once, with factor 1 or -1.
bool NodeBuilder::addParts(const isl::ast_expr &E, bool Negative, BoundTerm &Term) {
  if (RowIterator.is_null() || !mentions(E, RowIterator)) {
    Term.Parts.push_back({E, Negative});
    return true;
  }
  if (E.isa<isl::ast_expr_id>()) {
    if (Term.Slope != 0)
      return false;
    Term.Slope = Negative ? -1 : 1;
    return true;
  }
  auto Op = E.as<isl::ast_expr_op>();
  if (Op.isa<isl::ast_expr_op_minus>())
    return addParts(Op.arg(0), !Negative, Term);
  if (Op.isa<isl::ast_expr_op_add>())
    return addParts(Op.arg(0), Negative, Term) && addParts(Op.arg(1), Negative, Term);
  if (Op.isa<isl::ast_expr_op_sub>())
    return addParts(Op.arg(0), Negative, Term) && addParts(Op.arg(1), !Negative, Term);
  return false;
}

/// Splits a minimum or maximum that depends on the row iterator into linear terms.
bool NodeBuilder::splitBound(const isl::ast_expr &E, bool Upper, SmallVectorImpl<BoundTerm> &Out) {
  auto Combines = [&](const isl::ast_expr_op &Op) {
    return bool(Upper ? Op.isa<isl::ast_expr_op_min>() : Op.isa<isl::ast_expr_op_max>());
  };
  if (E.isa<isl::ast_expr_op>() && Combines(E.as<isl::ast_expr_op>()) && !RowIterator.is_null() &&
      mentions(E, RowIterator)) {
    auto Op = E.as<isl::ast_expr_op>();
    for (unsigned A = 0, N = unsignedFromIslSize(Op.n_arg()); A < N; ++A)
      if (!splitBound(Op.arg(int(A)), Upper, Out))
        return false;
    return true;
  }
  BoundTerm Term;
  if (!addParts(E, /*Negative=*/false, Term))
    return false;
  Out.push_back(std::move(Term));
  return true;
}

bool NodeBuilder::createTerms(const isl::ast_expr &E, bool Upper, bool Inclusive,
                              SmallVectorImpl<RowTerm> &Terms) {
  SmallVector<BoundTerm, 2> Bounds;
  if (!splitBound(E, Upper, Bounds))
    return false;
  if (count_if(Bounds, [](const BoundTerm &T) { return T.Slope != 0; }) > 1)
    return false;
  for (const BoundTerm &Bound : Bounds) {
    Value *Base = Builder.getInt64(0);
    for (const auto &[Part, Negative] : Bound.Parts) {
      Value *V = int64(Part);
      Base = Negative ? Builder.CreateSub(Base, V) : Builder.CreateAdd(Base, V);
    }
    Terms.push_back({exclusive(Base, Inclusive), Bound.Slope});
  }
  return true;
}

bool NodeBuilder::createContraction(const MarkedContraction &Marked, isl::ast_node Node) {
  const Contraction &C = Marked.Statement;
  bool HasRow = C.Row >= 0;
  if (!collectLoops(HasRow ? 3 : 2, Node))
    return false;
  auto Call = Node.as<isl::ast_node_user>().expr().as<isl::ast_expr_op>();
  if (isl::ast_expr(Call.arg(0)).as<isl::ast_expr_id>().id().get_user() != C.Stmt)
    return false;
  RowIterator = HasRow ? Loops.front().Iterator : isl::id();
  const LoopHead &Columns = Loops[HasRow ? 1 : 0], &Reduced = Loops.back();
  Iterators Ids;
  for (const LoopHead &L : Loops)
    Ids.push_back(L.Iterator);
  if (mentionsAny(Reduced.Begin, Ids) || mentionsAny(Reduced.End, Ids))
    return false;

  // Expresses the outer coordinates as functions of the loops around.
  isl::ast_build Build = polly::IslAstInfo::getBuild(Node);
  isl::map Schedule = isl::map::from_union_map(Build.get_schedule());
  isl::pw_multi_aff Iteration = isl::pw_multi_aff::from_map(Schedule.reverse());
  SmallVector<isl::ast_expr, 4> Coordinates(C.numDims());
  for (unsigned D = 0; D < C.numDims(); ++D) {
    if (int(D) == C.Row || D == C.Column || D == C.Reduced)
      continue;
    Coordinates[D] = Build.expr_from(isl::pw_aff(C.coordinate(D)).pullback(Iteration));
    if (Coordinates[D].is_null() || mentionsAny(Coordinates[D], Ids))
      return false;
  }

  ContractionBlock Block;
  if (!createTerms(Columns.Begin, /*Upper=*/false, /*Inclusive=*/false, Block.ColumnBegin) ||
      !createTerms(Columns.End, /*Upper=*/true, Columns.Inclusive, Block.ColumnEnd))
    return false;
  if (HasRow) {
    Block.RowBegin = int64(Loops.front().Begin);
    Block.RowEnd = exclusive(int64(Loops.front().End), Loops.front().Inclusive);
  }
  Block.ReducedBegin = int64(Reduced.Begin);
  Block.ReducedEnd = exclusive(int64(Reduced.End), Reduced.Inclusive);
  Block.MaxRows = Marked.MaxRows;
  Block.MaxColumns = Marked.MaxColumns;
  Block.MaxReduced = Marked.MaxReduced;

  SmallVector<Value *, 4> Outer;
  for (const isl::ast_expr &Coordinate : Coordinates)
    Outer.push_back(Coordinate.is_null() ? nullptr : int64(Coordinate));
  auto BaseOf = [&](const LinearAddress &Address) -> Value * {
    Value *Offset = Builder.getInt64(uint64_t(Address.Constant));
    for (unsigned D = 0; D < Outer.size(); ++D)
      if (Outer[D] && Address.PerDim[D] != 0)
        Offset = Builder.CreateAdd(
            Offset, Builder.CreateMul(Outer[D], Builder.getInt64(uint64_t(Address.PerDim[D]))));
    for (const auto &[Parameter, Factor] : Address.Parameters)
      Offset = Builder.CreateAdd(
          Offset, Builder.CreateMul(int64(isl::manage(isl_ast_expr_from_id(Parameter.copy()))),
                                    Builder.getInt64(uint64_t(Factor))));
    Value *Base = getLatestValue(Address.Access->getLatestScopArrayInfo()->getBasePtr());
    return Builder.CreatePtrAdd(Base, Offset);
  };
  // In the function of a parallel loop, scalars from outside are only available in memory.
  auto ValueOf = [&](Value *V) -> Value * {
    polly::MemoryAccess *Read = C.Stmt->lookupValueReadOf(V);
    return Read ? Builder.CreateLoad(V->getType(), BlockGen.getOrCreateAlloca(*Read))
                : getLatestValue(V);
  };
  KernelForm Form = emitContraction(Builder, C, Block, Target, S.getFunction(), BaseOf, ValueOf);
  NumUnpacked += Form == KernelForm::Unpacked;
  return true;
}

/// Removes lifetime markers, which would otherwise remain only in the original path.
void removeLifetimeMarkers(Region &R) {
  for (BasicBlock *Block : R.blocks())
    for (Instruction &I : make_early_inc_range(*Block))
      if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
          Intrinsic && Intrinsic->isLifetimeStartOrEnd())
        Intrinsic->eraseFromParent();
}

/// Assigns new blocks to the region around the Scop.
void adoptBlocks(Function &F, Region &Parent, RegionInfo &RI) {
  for (BasicBlock &Block : F)
    if (!RI.getRegionFor(&Block))
      RI.setRegionFor(&Block, &Parent);
}

/// Allocates memory for the arrays that the transformation added, and frees it after both paths.
/// Returns an i1 that is true if there was memory; null if none is needed.
Value *allocateArrays(polly::Scop &S, BasicBlock &Split, BasicBlock &Start,
                      polly::PollyIRBuilder &Builder) {
  Module &M = *S.getFunction().getParent();
  Value *Available = nullptr;
  BasicBlock *Merge = Start.getUniqueSuccessor()->getUniqueSuccessor();
  for (polly::ScopArrayInfo *Array : S.arrays()) {
    if (Array->getBasePtr() || !Array->isOnHeap())
      continue;
    uint64_t Bytes = uint64_t(Array->getElemSizeInBytes());
    for (unsigned D = 0; D < Array->getNumberOfDimensions(); ++D)
      Bytes *= cast<SCEVConstant>(Array->getDimensionSize(D))->getAPInt().getZExtValue();
    Builder.SetInsertPoint(Split.getTerminator());
    FunctionCallee Take =
        M.getOrInsertFunction(TakeScratchName, Builder.getPtrTy(), Builder.getInt64Ty());
    cast<Function>(Take.getCallee())->addRetAttr(Attribute::NoAlias);
    Instruction *Memory = Builder.CreateCall(Take, {Builder.getInt64(Bytes)});
    Array->setBasePtr(Memory);
    Value *Taken = Builder.CreateIsNotNull(Memory);
    Available = Available ? Builder.CreateAnd(Available, Taken) : Taken;
    Builder.SetInsertPoint(&*Merge->getFirstInsertionPt());
    Builder.CreateCall(
        M.getOrInsertFunction(GiveScratchName, Builder.getVoidTy(), Builder.getPtrTy()), {Memory});
  }
  Builder.SetInsertPoint(Split.getTerminator());
  return Available;
}

/// Disables the new path, so that values of the old one reach their uses.
void neverEnter(polly::Scop &S, BasicBlock &Split, BasicBlock &Start, DominatorTree &DT,
                polly::PollyIRBuilder &Builder) {
  Split.getTerminator()->setOperand(0, Builder.getFalse());
  BasicBlock *Exiting = Start.getUniqueSuccessor();
  BasicBlock *Merge = Exiting->getUniqueSuccessor();
  for (BasicBlock *Block : {&Start, Exiting}) {
    Block->getTerminator()->eraseFromParent();
    new UnreachableInst(Block->getContext(), Block);
  }
  DT.changeImmediateDominator(Merge, S.getExitingBlock());
  DT.eraseNode(Exiting);
}

} // namespace

ScopCodegenResult generateScop(polly::Scop &S, polly::IslAstInfo &Info, RegionInfo &RI,
                               FunctionAnalysisManager &FAM, const TilingTarget &Target,
                               const isl::union_map &Conflicts, const MovedArrays &Moved) {
  Function &F = S.getFunction();
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  ScopCodegenResult Result;
  isl::ast_node Root = Info.getAst();
  if (Root.is_null())
    return Result;
  forgetAlignmentOfMoved(S);
  Region &R = S.getRegion();
  polly::simplifyRegion(&R, &DT, &LI, &RI);
  BasicBlock *Entering = S.getEnteringBlock();
  polly::ScopAnnotator Annotator;
  polly::PollyIRBuilder Builder(F.getContext(), ConstantFolder(), polly::IRInserter(Annotator));
  Builder.SetInsertPoint(Entering->getTerminator());

  // The branch comes first, because the old code must not use what is expanded for parameters.
  polly::BBPair StartExit = polly::executeScopConditionally(S, Builder.getTrue(), DT, RI, LI).first;
  BasicBlock *Start = StartExit.first;
  BasicBlock *Split = Start->getSinglePredecessor();
  removeLifetimeMarkers(R);
  NodeBuilder Nodes(Builder, Annotator, F.getParent()->getDataLayout(), LI, SE, DT, S, Start,
                    Target, FAM.getResult<TargetIRAnalysis>(F), Conflicts, Moved);
  Value *Available = allocateArrays(S, *Split, *Start, Builder);
  Nodes.allocateNewArrays(StartExit);
  Annotator.buildAliasScopes(S);

  Builder.SetInsertPoint(Split->getTerminator());
  if (!Nodes.preloadInvariantLoads()) {
    neverEnter(S, *Split, *Start, DT, Builder);
    return Result;
  }
  Nodes.addParameters(S.getContext().release());
  Value *Condition = Nodes.createRTC(Info.getRunCondition().release());
  if (Available)
    Condition = Builder.CreateAnd(Condition, Available);
  Builder.GetInsertBlock()->getTerminator()->setOperand(0, Condition);
  Builder.SetInsertPoint(Start->getTerminator());
  Nodes.create(Root.release());
  Nodes.finalize();
  adoptBlocks(F, *R.getParent(), RI);
  Result.Generated = true;
  Result.NumKernels = Nodes.numKernels();
  Result.NumUnpacked = Nodes.numUnpacked();
  Result.NumTooShort = Nodes.numTooShort();
  Result.NumPrivate = Nodes.numPrivate();
  return Result;
}

} // namespace specrt
