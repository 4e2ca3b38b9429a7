//===- runtime/rows/site_state.h - what is known of one row loop ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_SITE_STATE_H
#define SPECRT_RUNTIME_ROWS_SITE_STATE_H

#include "runtime/base/brief_lock.h"
#include "runtime/rows/row_table.h"
#include "runtime/rows/row_tables.h"
#include "runtime/rows/walk_budget.h"

#include <atomic>
#include <memory>
#include <vector>

namespace specrt {

/// Each process has another one.
struct Era {
  explicit Era(const Era *) {}
};

/// Who waits for a lock may; it is held for some instructions.
inline constexpr uint64_t PatienceNs = 1'000'000'000;

/// Of one row loop in one version.
struct SiteState {
  explicit SiteState(const Era *In);

  const Era *const In;
  std::unique_ptr<SiteState> Before; ///< the parent's, or one whose lock was lost; or null
  std::atomic<bool> IsLost{false};
  LosableLock Lock;
  std::vector<std::shared_ptr<RowTable>> Tables; ///< the one used last comes first
  std::vector<std::shared_ptr<RowTable>> Old;    ///< that calls may still be using
  double CreditNs;
  double LastCostNs = 0;              ///< of an inspection
  std::shared_ptr<WalkBudget> Budget; ///< pays while it is there, in place of the credit
  double ExpectedNsPerRow = 0;        ///< what the walk that was put off would take
  uint64_t LastRefusal = 0;           ///< ticks
  bool IsInspecting = false;
  unsigned NotWorthIt = 0; ///< the last so many tables were not
  unsigned InVain = 0; ///< walks that said that there can be no table, since the last that made one
  RowFigures Seen;

  /// The table for such a call, which is in front from now on; null: none.
  RowTable *find(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows);
  void drop(const RowTable *T);
  void freeOld() {
    std::erase_if(Old, [](const auto &T) { return T->Users.load() == 0; });
  }

  /// A call goes without a table. Time without tables earns one, too: the program may have settled.
  void refuse();
  /// At any rows of the loop, or at how long that would take?
  bool hasLooked() const { return LastCostNs > 0; }
  /// May so many rows be walked now?
  bool canPay(uint64_t Rows) const;
  /// What a walk may take now. Who was measured to gain may take long in long runs.
  double mostNs() const;
  /// What was spent on a walk of so many rows.
  void pay(double Ns, const InspectedRows &For, uint64_t Rows);
  /// On something else that shall make calls faster, once for this run.
  void spend(double Ns);
  /// Was more spent than tables have earned since?
  bool isInDebt() const { return !Budget && CreditNs < 0; }
  /// A table has served for so long.
  void earnWithTable(double Ns);

private:
  void earn(double Ns);
};

/// The lock of what is known of a loop, or nothing: then the call goes on as it was written.
class Hold {
public:
  explicit Hold(SiteState &S, uint64_t PatienceNs = 0) : Guard(S.Lock, PatienceNs) {
    if (!Guard && S.Lock.isLost())
      S.IsLost = true;
  }
  explicit operator bool() const { return static_cast<bool>(Guard); }

private:
  const LosableLock::Guard Guard;
};

/// What is known of two loops that are fused (runtime/rows/fusion). It goes when their code does.
struct FusedState {
  virtual ~FusedState() = default;
  std::atomic<uint64_t> Calls{0}, Steps{0};   ///< that had a plan; of the last plan
  std::atomic<const char *> Problem{nullptr}; ///< why there is none: words of a Reason
};
/// Null: the loop is not the first of two, or nothing is known yet.
FusedState *fusedStateOf(const specrt_rows_site &Site);

/// Null: there is none, or none that anybody may use.
SiteState *stateOf(const specrt_rows_site &Site);
/// There is one from now on. May throw std::bad_alloc.
SiteState *createState(specrt_rows_site &Site);
/// Nobody uses it any more, nor what is known of fused loops of which this is the first.
void forgetState(specrt_rows_site &Site);

} // namespace specrt

#endif
