//===- runtime/rows/fusion/fused_rows.cpp - plans for loops over the same rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/fusion/fused_rows.h"
#include "runtime/base/aside.h"
#include "runtime/base/clock.h"
#include "runtime/rows/fusion/fusion_plan.h"
#include "runtime/rows/row_tables.h"
#include "runtime/rows/site_state.h"
#include "support/quiet_time.h"
#include "support/uncancelled.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace specrt {
namespace {

constexpr size_t MaxPlans = 8;
/// To find out what a row accesses, about.
constexpr double NsPerRow = 30;

/// Of one pair of loops.
struct PlansOfLoops : FusedState {
  std::atomic_flag Flag;
  std::vector<std::shared_ptr<FusionPlan>> Plans; ///< of tables that may be gone
  bool IsPlanning = false;
};

/// Null: there is none yet.
PlansOfLoops *plansOf(const specrt_fused_loops &Loops) {
  return static_cast<PlansOfLoops *>(fusedStateOf(*Loops.first));
}

/// May throw std::bad_alloc.
PlansOfLoops &createPlans(specrt_fused_loops &Loops) {
  if (PlansOfLoops *Known = plansOf(Loops))
    return *Known;
  auto *New = new PlansOfLoops;
  void *Expected = nullptr;
  if (__atomic_compare_exchange_n(&Loops.state, &Expected,
                                  static_cast<void *>(static_cast<FusedState *>(New)), false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return *New;
  delete New;
  return *plansOf(Loops);
}

/// Nobody asks until a loop has another table.
void stopAsking(specrt_fused_loops &Loops) {
  __atomic_store_n(&Loops.least_rows, UINT64_MAX, __ATOMIC_RELAXED);
}

/// The plan for these tables, with a user more; null: nobody has made one.
FusionPlan *find(PlansOfLoops &S, const LoopCall &A, const LoopCall &B) {
  const BriefLock Guard(S.Flag);
  if (!Guard)
    return nullptr;
  const auto Known = std::find_if(S.Plans.begin(), S.Plans.end(), [&](const auto &P) {
    return P->FirstNumber == A.Table.Number && P->SecondNumber == B.Table.Number;
  });
  if (Known == S.Plans.end())
    return nullptr;
  (*Known)->Users.fetch_add(1);
  return Known->get();
}

/// Is there room for one more? Then this thread makes it.
bool beginPlanning(PlansOfLoops &S) {
  const BriefLock Guard(S.Flag, PatienceNs);
  if (!Guard || S.IsPlanning)
    return false;
  if (S.Plans.size() == MaxPlans) {
    const auto Unused = std::find_if(S.Plans.begin(), S.Plans.end(),
                                     [](const auto &P) { return P->Users.load() == 0; });
    if (Unused == S.Plans.end())
      return false;
    S.Plans.erase(Unused);
  }
  S.Plans.reserve(MaxPlans);
  S.IsPlanning = true;
  return true;
}

/// A new plan, with a user more; null: none. May throw std::bad_alloc.
FusionPlan *make(specrt_fused_loops &Loops, const LoopCall &A, const LoopCall &B) {
  PlansOfLoops &S = createPlans(Loops);
  if (!beginPlanning(S))
    return nullptr;
  std::shared_ptr<FusionPlan> Plan;
  try {
    Plan = planFusion(Loops, A, B);
  } catch (const std::bad_alloc &) { // nothing may go through generated code
  }
  const BriefLock Guard(S.Flag, PatienceNs);
  if (!Guard)
    return nullptr;
  S.IsPlanning = false;
  if (!Plan || Plan->Problem)
    stopAsking(Loops);
  if (!Plan)
    return nullptr;
  S.Problem = Plan->Problem;
  S.Steps = Plan->num_steps;
  Plan->Users = 1;
  S.Plans.push_back(Plan);
  return Plan.get();
}

/// The same, if what it takes may be spent now.
FusionPlan *makeNow(specrt_fused_loops &Loops, const LoopCall &A, const LoopCall &B) {
  SiteState *First = stateOf(A.Site);
  const double ExpectedNs = NsPerRow * static_cast<double>(A.Rows + B.Rows);
  if (!First || First->mostNs() < ExpectedNs)
    return nullptr;
  QuietTime Quiet;
  Quiet.begin();
  FusionPlan *Made = nullptr;
  if (!Quiet.inHandler()) {
    const uint64_t Begin = ticks(), BeginNs = processorNs();
    try {
      Made = make(Loops, A, B);
    } catch (const std::bad_alloc &) {
      stopAsking(Loops);
    }
    ticksAside() += ticks() - Begin;
    if (const Hold Guard(*First, PatienceNs); Guard)
      First->spend(static_cast<double>(processorNs() - BeginNs));
  }
  Quiet.end();
  return Made;
}

/// The plan that the calls may use, with a user more; null: none.
FusionPlan *planFor(specrt_fused_loops &Loops, const LoopCall &A, const LoopCall &B,
                    std::span<const specrt_fused_read> Reads) {
  PlansOfLoops *Known = plansOf(Loops);
  FusionPlan *Plan = Known ? find(*Known, A, B) : nullptr;
  if (!Plan)
    Plan = makeNow(Loops, A, B);
  if (!Plan)
    return nullptr;
  if (!Plan->Problem && Plan->holds(A, B, Reads))
    return Plan;
  Plan->Users.fetch_sub(1);
  return nullptr;
}

/// The loop goes on without: it will ask for its table itself.
void giveBack(RowTable &T) {
  T.leave();
  T.Users.fetch_sub(1);
}

const FusionPlan *begin(specrt_fused_loops &Loops, const uint64_t *FirstInputs, uint64_t FirstRows,
                        const uint64_t *SecondInputs, uint64_t SecondRows,
                        std::span<const specrt_fused_read> Reads) noexcept {
  const int SavedErrno = errno;
  FusionPlan *Plan = nullptr;
  if (RowTable *A = findRows(*Loops.first, FirstInputs, FirstRows)) {
    RowTable *B = findRows(*Loops.second, SecondInputs, SecondRows);
    if (B)
      Plan = planFor(Loops, {*Loops.first, *A, FirstInputs, FirstRows},
                     {*Loops.second, *B, SecondInputs, SecondRows}, Reads);
    if (Plan) {
      plansOf(Loops)->Calls.fetch_add(1, std::memory_order_relaxed);
    } else {
      giveBack(*A);
      if (B)
        giveBack(*B);
    }
  }
  errno = SavedErrno;
  return Plan;
}

} // namespace

const specrt_fused_rows *beginFusedRows(specrt_fused_loops *Loops, const uint64_t *FirstInputs,
                                        uint64_t FirstRows, const uint64_t *SecondInputs,
                                        uint64_t SecondRows, const specrt_fused_read *Reads,
                                        uint64_t NumReads) {
  if (FirstRows == 0 || SecondRows == 0)
    return nullptr;
  return uncancelled([&]() noexcept -> const specrt_fused_rows * {
    return begin(*Loops, FirstInputs, FirstRows, SecondInputs, SecondRows, {Reads, NumReads});
  });
}

void endFusedRows(specrt_fused_loops *Loops, const specrt_fused_rows *Plan) {
  auto *Used = const_cast<FusionPlan *>(static_cast<const FusionPlan *>(Plan));
  const RowTable *A = Used->First, *B = Used->Second;
  Used->Users.fetch_sub(1);
  endRows(Loops->first, A);
  endRows(Loops->second, B);
}

} // namespace specrt
