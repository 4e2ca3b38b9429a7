//===- runtime/base/reasons.h - why a region or a candidate is what it is -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports give a reason for every region that runs its original code and for every candidate that
// is not in use. The words of each reason and what a user can do about it stand side by side in one
// table (reasons.cpp), so that no reason can be added without advice.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_BASE_REASONS_H
#define SPECRT_RUNTIME_BASE_REASONS_H

#include <cstdint>
#include <string_view>

namespace specrt {

enum class Reason : uint8_t {
  // Of a region that runs its original code.
  OtherAbi,
  Excluded,
  CodeElsewhere,
  OpenResults,
  GaveUp,
  NoCallRecorded,
  LostEarlier,
  NotCompiled,
  NotCompiledNow,
  Deferred,
  NeverCompiled,
  NothingToSpecialise,
  NoCompiler,
  CompilingOff,
  NoEntry,
  DoesNotPay,
  TimesScatter,
  Rests,
  StartDoesNotPay,
  ReplaysDoNotPay,
  NoCallMetGuards,
  Forked,
  BitcodeDoesNotFit,
  CannotBeVersioned,
  // Of a candidate that lost, or a version that was taken out.
  GuardsNeverHeld,
  NotRun,
  SlowerThanWinner,
  RefusedOnReplay,
  NotFaster,
  SlowerInACall,
  Replaced,
  LeastUsed,
  StoppedPaying,
  SlowsProgram,
  Unloaded,
  Reconfigured,
  // Of rows for which there is no table.
  RowsFollow,
  RowsMostlyFollow,
  RowsSeldomWait,
  RowsWaitAfar,
  RowsWriteOthers,
  RowsWriteDeciding,
  RowsLeaveNotes,
  RowsReadAfar,
  RowsUnwatched,
  RowsUnexpected,
  RowsUnlike,
  RowsTakeLong,
  RowsNeedMuch,
  RowAccessesMuch,
  NoMemoryForRows,
  // Of two loops that do not take turns.
  FusedRowsShared,
  FusedRowsDecide,
  FusedRowsDiffer,
  FusedRowsWait,
};
constexpr unsigned NumReasons = static_cast<unsigned>(Reason::FusedRowsWait) + 1;

/// The words with which every text of this reason begins; some texts go on with details. Static.
const char *words(Reason R);

/// What a user can do about a reason, of which Text begins with the words; "" when there is nothing
/// to do, or when the text is none of the reasons. Static.
const char *adviceForReason(std::string_view Text);

} // namespace specrt

#endif
