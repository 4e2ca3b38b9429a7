//===- specializer/polyhedral/parallel_start.cpp - starts parallel loops only if they pay -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/parallel_start.h"
#include "polly/CodeGen/IslAst.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "specializer/polyhedral/contraction/contraction_marks.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "isl/ast.h"

using namespace llvm;

namespace specrt {
namespace {

using Statements = SmallPtrSet<const polly::ScopStmt *, 2>;

/// Returns the statements of blocks below \p Node that become kernels.
Statements contractionsBelow(const isl::ast_node &Node) {
  Statements Found;
  auto Look = [](isl_ast_node *Below, void *User) {
    isl::ast_node N = isl::manage_copy(Below);
    if (!N.isa<isl::ast_node_mark>())
      return isl_bool_true;
    isl::id Id = N.as<isl::ast_node_mark>().id();
    if (Id.get_name() == ContractionMark && Id.get_user())
      static_cast<Statements *>(User)->insert(
          static_cast<const MarkedContraction *>(Id.get_user())->Statement.Stmt);
    return isl_bool_true;
  };
  isl_ast_node_foreach_descendant_top_down(Node.get(), Look, &Found);
  return Found;
}

ParallelWork workOf(const isl::ast_node &For, const TargetTransformInfo &TTI) {
  const Statements Contractions = contractionsBelow(For);
  return ParallelWork::ofLoop(
      polly::IslAstInfo::getBuild(For).get_schedule(), [&](const polly::ScopStmt &Stmt) {
        return Contractions.contains(&Stmt) ? KernelIterationNs : iterationNs(Stmt, TTI);
      });
}

} // namespace

bool mentions(const isl::ast_expr &E, const isl::id &Iterator) {
  if (E.isa<isl::ast_expr_id>())
    return E.as<isl::ast_expr_id>().id().get() == Iterator.get();
  if (!E.isa<isl::ast_expr_op>())
    return false;
  auto Op = E.as<isl::ast_expr_op>();
  for (unsigned A = 0, N = count(Op.n_arg()); A < N; ++A)
    if (mentions(Op.arg(int(A)), Iterator))
      return true;
  return false;
}

ParallelStart::ParallelStart(const isl::ast_node &For, const TargetTransformInfo &TTI,
                             double LeastNs)
    : For(For), LeastNs(LeastNs), Work(workOf(For, TTI)) {}

bool ParallelStart::neverPays() const { return Work.mostNs().value_or(LeastNs) < LeastNs; }

/// Emits the work of one part as a double; returns null if isl makes it depend on the loop itself.
Value *ParallelStart::createWork(const ParallelWork::Part &Part, polly::PollyIRBuilder &Builder,
                                 CreateInteger Create) const {
  const isl::ast_build Build = polly::IslAstInfo::getBuild(For);
  const isl::id Iterator = For.as<isl::ast_node_for>().iterator().as<isl::ast_expr_id>().id();
  Value *Ns = ConstantFP::get(Builder.getDoubleTy(), Part.IterationNs);
  for (const isl::pw_aff &Extent : Part.Extents) {
    const isl::ast_expr Expression = Build.expr_from(Extent);
    if (Expression.is_null() || mentions(Expression, Iterator))
      return nullptr;
    Ns = Builder.CreateFMul(Ns, Builder.CreateSIToFP(Create(Expression), Builder.getDoubleTy()));
  }
  return Ns;
}

Value *ParallelStart::createCheck(polly::PollyIRBuilder &Builder, CreateInteger Create) const {
  if (!Work.isKnown() || Work.leastNs().value_or(0) >= LeastNs)
    return nullptr;
  Value *Sum = ConstantFP::get(Builder.getDoubleTy(), 0);
  for (const ParallelWork::Part &Part : Work.parts()) {
    Value *Ns = createWork(Part, Builder, Create);
    if (!Ns)
      return nullptr;
    Sum = Builder.CreateFAdd(Sum, Ns);
  }
  // If a statement has no iterations, its extents may be undefined.
  return Builder.CreateFreeze(
      Builder.CreateFCmpOGE(Sum, ConstantFP::get(Builder.getDoubleTy(), LeastNs)));
}

bool isParallelStart(const Function *F) {
  return F && (F->getName() == ParallelLoopStart || F->getName() == PrivateLoopStart ||
               F->getName() == PipelineStart || F->getName() == NestStart);
}

CallInst *startBefore(polly::PollyIRBuilder &Builder) {
  for (auto I = Builder.GetInsertPoint(), First = Builder.GetInsertBlock()->begin(); I != First;)
    if (auto *Start = dyn_cast<CallInst>(&*--I);
        Start && isParallelStart(Start->getCalledFunction()))
      return Start;
  return nullptr;
}

void boundChunks(polly::PollyIRBuilder &Builder) {
  constexpr unsigned BodyArgument = 0, BeginArgument = 3, EndArgument = 4;
  const CallInst *const Start = startBefore(Builder);
  if (!Start)
    return;
  auto *const Body = dyn_cast<Function>(Start->getArgOperand(BodyArgument)->stripPointerCasts());
  const auto *const Begin = dyn_cast<ConstantInt>(Start->getArgOperand(BeginArgument));
  const auto *const End = dyn_cast<ConstantInt>(Start->getArgOperand(EndArgument));
  if (!Body || !Begin || !End || Begin->getSExtValue() >= End->getSExtValue() ||
      End->isMaxValue(/*IsSigned=*/true))
    return;
  // A chunk begins and ends between Begin and End, and may end at End.
  MDNode *const Range =
      MDBuilder(Body->getContext()).createRange(Begin->getValue(), End->getValue() + 1);
  for (Instruction &I : instructions(*Body)) {
    const auto *const Next = dyn_cast<CallInst>(&I);
    if (!Next || !Next->getCalledFunction() ||
        Next->getCalledFunction()->getName() != ParallelLoopNext)
      continue;
    for (const Value *Bound : Next->args())
      for (const User *Use : Bound->users())
        if (auto *const Load = const_cast<LoadInst *>(dyn_cast<LoadInst>(Use)))
          Load->setMetadata(LLVMContext::MD_range, Range);
  }
}

void startThreadsIf(polly::PollyIRBuilder &Builder, Value *Pays) {
  constexpr unsigned Threads = 2; // the argument
  CallInst *const Start = startBefore(Builder);
  if (!Start)
    return;
  IRBuilder<> Before(Start);
  Value *Any = Start->getArgOperand(Threads);
  Start->setArgOperand(Threads,
                       Before.CreateSelect(Pays, Any, ConstantInt::get(Any->getType(), 1)));
}

} // namespace specrt
