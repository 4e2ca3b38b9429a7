//===- runtime/rows/sparse_loop_state.cpp - the state of one row loop -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/sparse_loop_state.h"
#include "runtime/base/clock.h"
#include "runtime/base/policy/ledger.h"
#include "support/per_process.h"

#include <algorithm>

namespace specrt {
namespace {

/// The time that may be spent on tables: an initial credit, a share of the time with them, as they
/// gain at least as much, and RecoveryShare of the time without them.
constexpr double FirstCreditNs = 50e6, MaxCreditNs = 500e6;
constexpr double ShareWith = 0.25;
/// The expected time of an inspection, from its first rows, is tried again after the loop has
/// earned this fraction of it.
constexpr double Doubt = 16;
/// The number of consecutive tables that are not faster than the loop, after which inspections
/// count as in vain: loops within loops begin with other inputs each time.
constexpr unsigned MaxNotWorthIt = 4;

constinit PerProcess<Era> TheEra;

SparseLoopState *anyStateOf(const specrt_sparse_loop &Loop) {
  return static_cast<SparseLoopState *>(
      __atomic_load_n(&const_cast<specrt_sparse_loop &>(Loop).state, __ATOMIC_ACQUIRE));
}

} // namespace

SparseLoopState::SparseLoopState(const Era *In) : In(In), CreditNs(FirstCreditNs) {}

RowTable *SparseLoopState::find(const specrt_sparse_loop &Loop, const uint64_t *Inputs,
                                uint64_t Rows) {
  const auto Found = std::find_if(Tables.begin(), Tables.end(),
                                  [&](const auto &T) { return T->isFor(Loop, Inputs, Rows); });
  if (Found == Tables.end())
    return nullptr;
  std::rotate(Tables.begin(), Found, Found + 1);
  return Tables.front().get();
}

void SparseLoopState::drop(const RowTable *T) {
  const auto Found = std::find_if(Tables.begin(), Tables.end(),
                                  [&](const auto &Other) { return Other.get() == T; });
  if (Found == Tables.end())
    return;
  Old.push_back(std::move(*Found));
  Tables.erase(Found);
}

void SparseLoopState::refuse() {
  ++Seen.Refused;
  const uint64_t Now = ticks();
  if (LastRefusal != 0)
    earn(static_cast<double>(elapsedNs(LastRefusal, Now)) * RecoveryShare);
  LastRefusal = Now;
}

bool SparseLoopState::canPay(uint64_t Rows) const {
  const double ExpectedNs = ExpectedNsPerRow * static_cast<double>(Rows);
  const bool IsAffordable = mostNs() > ExpectedNs;
  return isPaid() ? IsAffordable
                  : CreditNs >= LastCostNs && (IsAffordable || CreditNs >= ExpectedNs / Doubt);
}

double SparseLoopState::mostNs() const {
  if (isPaid())
    return std::min(Payer.Account->mostNs(Payer.Share), LongestWalkNs);
  return std::clamp(processLedger().leftNs(PromisingShare), MaxWalkNs, LongestWalkNs);
}

void SparseLoopState::pay(double Ns, const InspectedRows &For, uint64_t Rows) {
  LastCostNs = Ns;
  CreditNs -= Ns;
  if (Payer.Account)
    Payer.Account->invest(Ns);
  ExpectedNsPerRow = For.ExpectedNs / static_cast<double>(Rows);
  if (!isPaid() && For.ExpectedNs > 0)
    CreditNs = std::min(CreditNs, Ns);
  const bool IsUseless = For.Table && !For.Table->IsWorthIt;
  NotWorthIt = IsUseless ? NotWorthIt + 1 : 0;
  if (For.Table && NotWorthIt <= MaxNotWorthIt)
    Inspections.succeed();
  // Another call may have other arrays. It has to earn the time of the attempts that are skipped.
  if (For.IsHopeless || NotWorthIt > MaxNotWorthIt) {
    CreditNs = std::min(CreditNs, 0.0) - Ns * Inspections.factor();
    Inspections.fail();
  }
}

void SparseLoopState::spend(double Ns) {
  CreditNs -= Ns;
  Seen.InspectionMs += Ns * 1e-6;
  Seen.NextRunMs += Ns * 1e-6;
  if (Payer.Account)
    Payer.Account->invest(Ns);
}

void SparseLoopState::earnWithTable(double Ns) { earn(Ns * ShareWith); }
void SparseLoopState::earn(double Ns) { CreditNs = std::min(MaxCreditNs, CreditNs + Ns); }

SparseLoopState *stateOf(const specrt_sparse_loop &Loop) {
  SparseLoopState *Known = anyStateOf(Loop);
  return Known && Known->In == TheEra.known() && !Known->IsLost ? Known : nullptr;
}

SparseLoopState *createState(specrt_sparse_loop &Loop) {
  while (true) {
    if (SparseLoopState *Known = stateOf(Loop))
      return Known;
    const Era *In = TheEra.get();
    SparseLoopState *Before = anyStateOf(Loop);
    if (Before && Before->In == In && !Before->IsLost)
      return Before;
    auto *New = new SparseLoopState(In);
    void *Expected = Before;
    if (__atomic_compare_exchange_n(&Loop.state, &Expected, static_cast<void *>(New), false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      New->Before.reset(Before);
      return New;
    }
    delete New;
  }
}

void forgetState(specrt_sparse_loop &Loop) {
  delete static_cast<SparseLoopState *>(
      __atomic_exchange_n(&Loop.state, nullptr, __ATOMIC_ACQ_REL));
  if (Loop.fused && Loop.fused->first == &Loop)
    delete static_cast<FusedState *>(
        __atomic_exchange_n(&Loop.fused->state, nullptr, __ATOMIC_ACQ_REL));
}

FusedState *fusedStateOf(const specrt_sparse_loop &Loop) {
  if (!Loop.fused || Loop.fused->first != &Loop)
    return nullptr;
  return static_cast<FusedState *>(__atomic_load_n(&Loop.fused->state, __ATOMIC_ACQUIRE));
}

} // namespace specrt
