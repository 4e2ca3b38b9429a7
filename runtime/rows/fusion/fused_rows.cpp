//===- runtime/rows/fusion/fused_rows.cpp - plans for loops over the same rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/fusion/fused_rows.h"
#include "profiler/streams/rows_of_loop.h"
#include "runtime/base/clock.h"
#include "runtime/base/deferred.h"
#include "runtime/rows/fusion/fusion_plan.h"
#include "runtime/rows/row_tables.h"
#include "runtime/rows/sparse_loop_state.h"
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

/// The limit is that of tables, which suffices for arrays that alternate, too.
constexpr size_t MaxPlans = MaxRowTables;
/// The limit of plans for the same tables and different places of arrays.
constexpr ptrdiff_t MaxPlansOfTables = 4;
/// The number of calls without a plan after which no more are requested until a loop has another
/// table.
constexpr uint32_t MaxFruitless = 16;
/// The approximate time, per byte of their data, to determine what rows access.
constexpr double NsPerByte = 0.5;

/// The plans of a pair of loops.
struct PlansOfLoops : FusedState {
  std::atomic_flag Flag;
  std::vector<std::shared_ptr<FusionPlan>> Plans; ///< most recently used first
  std::atomic<uint32_t> Fruitless{0};             ///< consecutive calls without a plan
  bool IsPlanning = false;
};

/// Returns null if there are no plans yet.
PlansOfLoops *plansOf(const specrt_fused_loops &Loops) {
  return static_cast<PlansOfLoops *>(fusedStateOf(*Loops.first));
}

/// Returns the plans, creating them if necessary. May throw std::bad_alloc.
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

/// Stops requests for plans until a loop has another table.
void stopAsking(specrt_fused_loops &Loops) {
  __atomic_store_n(&Loops.least_rows, UINT64_MAX, __ATOMIC_RELAXED);
}

bool isFor(const FusionPlan &P, const LoopCall &A, const LoopCall &B) {
  return P.FirstNumber == A.Table.Number && P.SecondNumber == B.Table.Number;
}

/// Returns a plan for these calls, which may state that fusion is impossible, and adds a user; null
/// if there is none. Sets \p MayPlan if a plan should be made then.
FusionPlan *find(PlansOfLoops &S, const LoopCall &A, const LoopCall &B,
                 std::span<const specrt_fused_read> Reads, bool &MayPlan) {
  const BriefLock Guard(S.Flag);
  MayPlan = false;
  if (!Guard)
    return nullptr;
  const auto Known = std::find_if(S.Plans.begin(), S.Plans.end(), [&](const auto &P) {
    return isFor(*P, A, B) && (P->Problem || P->holds(A, B, Reads));
  });
  if (Known != S.Plans.end()) {
    std::rotate(S.Plans.begin(), Known, Known + 1);
    S.Plans.front()->Users.fetch_add(1);
    return S.Plans.front().get();
  }
  MayPlan = !S.IsPlanning && std::count_if(S.Plans.begin(), S.Plans.end(), [&](const auto &P) {
                               return isFor(*P, A, B);
                             }) < MaxPlansOfTables;
  return nullptr;
}

/// Returns whether there is room for another plan, which this thread makes then.
bool beginPlanning(PlansOfLoops &S) {
  const BriefLock Guard(S.Flag);
  if (!Guard || S.IsPlanning)
    return false;
  if (S.Plans.size() == MaxPlans) {
    const auto Unused = std::find_if(S.Plans.rbegin(), S.Plans.rend(),
                                     [](const auto &P) { return P->Users.load() == 0; });
    if (Unused == S.Plans.rend())
      return false;
    S.Plans.erase(std::next(Unused).base());
  }
  S.Plans.reserve(MaxPlans);
  S.IsPlanning = true;
  return true;
}

/// Makes a plan and adds a user; returns null on failure. May throw std::bad_alloc.
FusionPlan *make(specrt_fused_loops &Loops, const LoopCall &A, const LoopCall &B) {
  PlansOfLoops &S = createPlans(Loops);
  if (!beginPlanning(S))
    return nullptr;
  std::shared_ptr<FusionPlan> Plan;
  try {
    Plan = planFusion(Loops, A, B);
  } catch (const std::bad_alloc &) { // no exception may propagate through generated code
    stopAsking(Loops);
  }
  const BriefLock Guard(S.Flag, LostLockNs);
  if (!Guard)
    return nullptr;
  S.IsPlanning = false;
  if (!Plan)
    return nullptr;
  S.Problem = Plan->Problem;
  S.Steps = Plan->num_steps;
  Plan->Users = 1;
  S.Plans.insert(S.Plans.begin(), Plan);
  return Plan.get();
}

/// Makes a plan if its time is affordable: a loop in debt waits until its tables have earned it.
FusionPlan *makeNow(specrt_fused_loops &Loops, const LoopCall &A, const LoopCall &B) {
  SparseLoopState *First = stateOf(A.Loop);
  const double ExpectedNs = NsPerByte * (dataBytes(A.Loop, A.Table) + dataBytes(B.Loop, B.Table));
  if (!First || ExpectedNs > LongestWalkNs)
    return nullptr;
  if (const Hold Guard(*First); !Guard || First->isInDebt() || First->mostNs() < ExpectedNs)
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
    setupTicks() += ticks() - Begin;
    if (const Hold Guard(*First, LostLockNs); Guard)
      First->spend(static_cast<double>(processorNs() - BeginNs));
  }
  Quiet.end();
  return Made;
}

/// Returns the plan that the calls may use, with a user added; null if there is none.
FusionPlan *planFor(specrt_fused_loops &Loops, const LoopCall &A, const LoopCall &B,
                    std::span<const specrt_fused_read> Reads) {
  PlansOfLoops *Known = plansOf(Loops);
  bool MayPlan = true;
  FusionPlan *Plan = Known ? find(*Known, A, B, Reads, MayPlan) : nullptr;
  if (!Plan && MayPlan)
    Plan = makeNow(Loops, A, B);
  if (!Plan && MayPlan) // it may be affordable later
    return nullptr;
  PlansOfLoops &Mine = *plansOf(Loops);
  if (Plan && !Plan->Problem && Plan->holds(A, B, Reads)) {
    Mine.Fruitless.store(0, std::memory_order_relaxed);
    return Plan;
  }
  if (Plan)
    Plan->Users.fetch_sub(1);
  if (Mine.Fruitless.fetch_add(1, std::memory_order_relaxed) + 1 >= MaxFruitless) {
    Mine.Fruitless.store(0, std::memory_order_relaxed);
    stopAsking(Loops);
  }
  return nullptr;
}

/// Returns the table of a loop that runs without a plan and requests its table itself.
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
      A->LastBegin.store(ticks(), std::memory_order_relaxed);
      B->LastBegin.store(ticks(), std::memory_order_relaxed);
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
