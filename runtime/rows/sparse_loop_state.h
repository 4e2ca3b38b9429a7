//===- runtime/rows/sparse_loop_state.h - the state of one row loop -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_SPARSE_LOOP_STATE_H
#define SPECRT_RUNTIME_ROWS_SPARSE_LOOP_STATE_H

#include "runtime/base/brief_lock.h"
#include "runtime/base/policy/backoff.h"
#include "runtime/rows/row_table.h"
#include "runtime/rows/row_tables.h"

#include <atomic>
#include <memory>
#include <vector>

namespace specrt {

/// Identifies a process; a forked child has another object.
struct Era {
  explicit Era(const Era *) {}
};

/// The state of a row loop in one version.
struct SparseLoopState {
  explicit SparseLoopState(const Era *In);

  const Era *const In;
  std::unique_ptr<SparseLoopState> Before; ///< the parent's, or one whose lock was lost; or null
  std::atomic<bool> IsLost{false};
  LosableLock Lock;
  std::vector<std::shared_ptr<RowTable>> Tables; ///< most recently used first
  std::vector<std::shared_ptr<RowTable>> Old;    ///< tables that calls may still be using
  double CreditNs;
  double LastCostNs = 0;       ///< cost of the last inspection
  InspectionPayer Payer;       ///< pays instead of the credit while it is bounded
  double ExpectedNsPerRow = 0; ///< expected time per row of the postponed inspection
  uint64_t LastRefusal = 0;    ///< ticks
  bool IsInspecting = false;
  unsigned NotWorthIt = 0; ///< number of latest tables in a row that were not worth it
  Backoff Inspections;     ///< since the last table, those that found none possible
  RowFigures Seen;

  /// Returns the table for such a call and moves it to the front; null if there is none.
  RowTable *find(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows);
  void drop(const RowTable *T);
  void freeOld() {
    std::erase_if(Old, [](const auto &T) { return T->Users.load() == 0; });
  }

  /// Records that a call runs without a table. This earns time, too, because the program's data may
  /// not change any more.
  void refuse();
  /// Returns whether any rows of the loop were inspected, or its time was estimated.
  bool hasLooked() const { return LastCostNs > 0; }
  /// Returns whether inspecting so many rows is affordable now.
  bool canPay(uint64_t Rows) const;
  /// Returns the time that an inspection may take now. Versions with a measured gain may use more
  /// in long runs.
  double mostNs() const;
  /// Charges an inspection of so many rows.
  void pay(double Ns, const InspectedRows &For, uint64_t Rows);
  /// Charges other work that makes calls faster, once per run.
  void spend(double Ns);
  /// Returns whether the loop has spent more than its tables have earned since.
  bool isInDebt() const { return !isPaid() && CreditNs < 0; }
  /// Returns whether the ledger of a region decides about inspections, and not the credit.
  bool isPaid() const { return Payer.Account && Payer.Account->isBounded(); }
  /// Credits the time that a table has served.
  void earnWithTable(double Ns);

private:
  void earn(double Ns);
};

/// Holds the lock of a loop's state, or fails: then the call runs the original loop.
class Hold {
public:
  explicit Hold(SparseLoopState &S, uint64_t Nanoseconds = 0) : Guard(S.Lock, Nanoseconds) {
    if (!Guard && S.Lock.isLost())
      S.IsLost = true;
  }
  explicit operator bool() const { return static_cast<bool>(Guard); }

private:
  const LosableLock::Guard Guard;
};

/// The state of two fused loops (runtime/rows/fusion). It is freed with their code.
struct FusedState {
  virtual ~FusedState() = default;
  std::atomic<uint64_t> Calls{0}, Steps{0};   ///< calls with a plan; steps of the last plan
  std::atomic<const char *> Problem{nullptr}; ///< why there is none: words of a Reason
};
/// Returns null if the loop is not the first of two, or there is no state yet.
FusedState *fusedStateOf(const specrt_sparse_loop &Loop);

/// Returns null if there is no usable state.
SparseLoopState *stateOf(const specrt_sparse_loop &Loop);
/// Creates the state. May throw std::bad_alloc.
SparseLoopState *createState(specrt_sparse_loop &Loop);
/// Frees the state, and that of fused loops of which this is the first. Neither may be in use.
void forgetState(specrt_sparse_loop &Loop);

} // namespace specrt

#endif
