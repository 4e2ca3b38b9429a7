//===- runtime/base/reasons.h - reasons for the states of regions and candidates ===//
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
  // Reasons why a region runs its original code.
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
  BeingReplayed,
  NeverCompiled,
  NothingToSpecialise,
  NoCompiler,
  CompilingOff,
  NoEntry,
  DoesNotPay,
  TimesScatter,
  NoProcessor,
  Quarantined,
  StartDoesNotPay,
  ReplaysDoNotPay,
  NoCallMetGuards,
  FewCallsMetGuards,
  Forked,
  BitcodeDoesNotFit,
  CannotBeVersioned,
  // Reasons why a candidate lost, or a version was retired.
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
  TooShortToTime,
  Unloaded,
  Reconfigured,
  // Reasons why there is no table for rows.
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
  // Reasons why two loops do not take turns.
  FusedRowsShared,
  FusedRowsDecide,
  FusedRowsDiffer,
  FusedRowsWait,
};
constexpr unsigned NumReasons = static_cast<unsigned>(Reason::FusedRowsWait) + 1;

/// Returns the words with which every text of this reason begins; some texts go on with details.
/// Static.
const char *words(Reason R);

/// Returns what a user can do about the reason with whose words Text begins; "" when there is no
/// advice, or Text is no reason. Static.
const char *adviceForReason(std::string_view Text);

} // namespace specrt

#endif
