//===- specializer/strategies/table/candidates.h - the table of candidates ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every candidate that a compilation may give has one row here, and its name stands nowhere else.
// Both libraries use the table: libspecrt-jit.so to know what to build and in which order,
// libspecrt.so to know what to ask for and what to try first. So no LLVM is in it. What a strategy
// does is in the files beside this one.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_STRATEGIES_TABLE_CANDIDATES_H
#define SPECRT_SPECIALIZER_STRATEGIES_TABLE_CANDIDATES_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace specrt {

/// How candidates are made.
enum class StrategyId : uint8_t {
  Constants,    ///< constants, ranges, disjointness, then LLVM's O3: no model of the loops
  Contraction,  ///< register and cache tiles of our own
  TimeTiles,    ///< the order of the source in tiles of several time steps, for stencils
  Pipeline,     ///< the order of the source in blocks of rows, which several nests do in turn
  OuterVectors, ///< the order of the source, with innermost loops that LLVM can vectorise
  IslSchedule,  ///< isl's schedule and Polly's tiling
  SourceOrder,  ///< Polly's code generation with the order of the source
  Zeros,        ///< loops that leave out what zeros in mostly-zero arrays make idle
  Rows,         ///< rows of sparse data in classes that look alike, each with a loop of its own
  UnrolledRows  ///< all rows of small sparse data, one after the other, without any loop
};

/// Does it need to know rows? Others know nothing of them.
constexpr bool isOfRows(StrategyId Id) {
  return Id == StrategyId::Rows || Id == StrategyId::UnrolledRows;
}

/// A place in an order of promise, the lowest first.
using Place = uint8_t;
/// It is not in that order.
constexpr Place Nowhere = 0;

struct CandidateKind {
  const char *Name; ///< stable: stored with decisions, part of the keys of versions
  StrategyId Strategy;
  bool Parallel = false; ///< the outermost parallel loop is run by several threads
  /// What to try first in calls that are too short for threads; in other calls.
  Place InShortCalls = Nowhere, InLongCalls = Nowhere;
  /// What may take over a running call, without a trial (on-stack replacement): when little of the
  /// call is left, when much is.
  Place InShortRests = Nowhere, InLongRests = Nowhere;
};

/// All candidates, in the order in which they are built: serial and parallel ones each from what
/// makes others superfluous to what others make superfluous.
std::span<const CandidateKind> candidateKinds();

/// Null for a name that is not in the table.
const CandidateKind *findCandidate(std::string_view Name);

/// May threads pay in calls that last \p SecondsPerCall? 0: it is not known.
bool mayThreadsPay(double SecondsPerCall);

/// Is a parallel candidate worth so much more than the serial one of its strategy that this one
/// need not be compiled?
bool areThreadsSureToPay(double SecondsPerCall, unsigned Threads);

/// The order in which candidates are worth building one by one, for calls of this length: long
/// calls gain most from parallel loops and tiling, short ones cannot pay for their overhead.
std::vector<const CandidateKind *> orderOfTrials(double SecondsPerCall, unsigned Threads);

/// What may take over a running call of which so much is left, the most promising first.
std::vector<const CandidateKind *> orderOfTakeover(double RestSeconds, unsigned Threads);

/// Their names as a request for the first of them wants them: "contraction,vector".
std::string joinNames(std::span<const CandidateKind *const> Some);
/// The names in such a list.
std::vector<std::string> namesIn(std::string_view List);

} // namespace specrt

#endif
