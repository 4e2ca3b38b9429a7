//===- specializer/polyhedral/schedule/parallel_work.cpp - the work of parallel loops -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule/parallel_work.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "isl/ctx.h"
#include "isl/ilp.h"
#include "isl/map.h"
#include "isl/val.h"
#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

/// Limit on isl operations for the extents of one loop. Nests that need more are surely large.
constexpr unsigned long MaxExtentOperations = 200'000;

/// Time of a unit of LLVM's cost model in innermost loops: between vector and scalar code.
constexpr double NsPerCost = 0.2;

/// The cost of a call of a mathematical function: exp, log, sin and cos of glibc take 5 to 6 ns,
/// pow and cbrt 15 ns (measured on a Xeon). LLVM's model says 1.
constexpr double CallCost = 7 / NsPerCost;

template <typename Instructions>
double costOfAll(const Instructions &Some, const TargetTransformInfo &TTI) {
  double Sum = 0;
  for (const Instruction &I : Some)
    Sum += costOf(I, TTI);
  return Sum;
}

} // namespace

double costOf(const Instruction &I, const TargetTransformInfo &TTI) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    if (const Function *Callee = Call->getCalledFunction(); Callee && !Callee->isIntrinsic())
      return CallCost;
  const InstructionCost Cost = TTI.getInstructionCost(&I, TargetTransformInfo::TCK_RecipThroughput);
  return Cost.isValid() ? static_cast<double>(Cost.getValue()) : 0;
}

double iterationNs(const polly::ScopStmt &Stmt, const TargetTransformInfo &TTI) {
  double Cost = 0;
  if (Stmt.isBlockStmt())
    Cost = costOfAll(make_pointee_range(Stmt.getInstructions()), TTI);
  else if (Stmt.isRegionStmt()) // copy statements have no instructions
    for (const BasicBlock *Block : Stmt.getRegion()->blocks())
      Cost += costOfAll(*Block, TTI);
  return NsPerCost * std::max(1.0, Cost);
}

double iterationNs(const BasicBlock &Block, const TargetTransformInfo &TTI) {
  return NsPerCost * costOfAll(Block, TTI);
}

/// Adds the statement of \p Iterations, { [outer...] -> S[x] }.
void ParallelWork::add(const isl::map &Iterations, CostOfIteration Cost) {
  const isl::id Id = Iterations.get_tuple_id(isl::dim::out);
  auto *Stmt = Id.is_null() ? nullptr : static_cast<const polly::ScopStmt *>(Id.get_user());
  IsKnown &= Stmt != nullptr;
  if (!Stmt)
    return;
  Part New{Cost(*Stmt), {}};
  for (unsigned D = 0, E = count(Iterations.range_tuple_dim()); D < E; ++D) {
    isl::pw_aff Extent = Iterations.dim_max(int(D)).sub(Iterations.dim_min(int(D)));
    New.Extents.push_back(Extent.add_constant(1).coalesce());
    IsKnown &= !New.Extents.back().is_null();
  }
  Parts.push_back(std::move(New));
}

ParallelWork ParallelWork::ofLoop(const isl::union_map &Schedule, CostOfIteration Cost) {
  ParallelWork Work;
  isl_ctx *Ctx = Schedule.ctx().get();
  {
    polly::IslMaxOperationsGuard Limit(Ctx, MaxExtentOperations);
    isl::map_list Maps = Schedule.get_map_list();
    for (unsigned M = 0, E = count(Maps.size()); M < E; ++M) {
      isl::map Iterations = Maps.get_at(int(M)).reverse();
      const unsigned Depth = count(Iterations.domain_tuple_dim());
      if (Depth == 0)
        continue;
      // Covers all iterations of the loop itself, but keeps the space, which emitted code uses.
      Iterations = isl::manage(isl_map_eliminate(Iterations.release(), isl_dim_in, Depth - 1, 1));
      Work.add(Iterations, Cost);
    }
    Work.IsKnown &= !Maps.is_null();
  }
  isl_ctx_reset_error(Ctx);
  return Work;
}

ParallelWork ParallelWork::ofAll(const polly::Scop &S, CostOfIteration Cost) {
  ParallelWork Work;
  isl_ctx *Ctx = S.getIslCtx().get();
  {
    polly::IslMaxOperationsGuard Limit(Ctx, MaxExtentOperations);
    for (const polly::ScopStmt &Stmt : S)
      Work.add(isl::map::from_range(Stmt.getDomain().intersect_params(S.getContext())), Cost);
  }
  isl_ctx_reset_error(Ctx);
  return Work;
}

std::optional<double> ParallelWork::boundNs(isl_val *(*BoundOf)(isl_pw_aff *)) const {
  if (!IsKnown)
    return std::nullopt;
  auto HasExtents = find_if(Parts, [](const Part &P) { return !P.Extents.empty(); });
  if (HasExtents == Parts.end())
    return sumOf(BoundOf);
  isl_ctx *Ctx = HasExtents->Extents[0].ctx().get();
  std::optional<double> Sum;
  {
    // isl lacks bounds of some quotients, which it would report on standard error.
    polly::IslMaxOperationsGuard Limit(Ctx, MaxExtentOperations);
    Sum = sumOf(BoundOf);
  }
  isl_ctx_reset_error(Ctx);
  return Sum;
}

std::optional<double> ParallelWork::sumOf(isl_val *(*BoundOf)(isl_pw_aff *)) const {
  double Sum = 0;
  for (const Part &P : Parts) {
    double Ns = P.IterationNs;
    for (const isl::pw_aff &Extent : P.Extents) {
      const isl::val Value = isl::manage(BoundOf(Extent.copy()));
      if (Value.is_null() || !Value.is_int().is_true())
        return std::nullopt;
      Ns *= std::max(0.0, isl_val_get_d(Value.get()));
    }
    Sum += Ns;
  }
  return Sum;
}

std::optional<double> ParallelWork::mostNs() const { return boundNs(isl_pw_aff_max_val); }

std::optional<double> ParallelWork::leastNs() const { return boundNs(isl_pw_aff_min_val); }

} // namespace specrt
