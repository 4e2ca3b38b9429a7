//===- specializer/strategies/table/candidates.h - the table of candidates ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every candidate of a compilation has one row here, and its name appears nowhere else. Both
// libraries use the table: libspecrt-jit.so to decide what to build and in which order,
// libspecrt.so to decide what to request and what to try first. Therefore it does not depend on
// LLVM. The files beside this one implement the strategies.
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
  Zeros,        ///< loops that skip iterations that zeros in mostly-zero arrays make idle
  Rows,         ///< rows of sparse data in classes that look alike, each with its own loop
  UnrolledRows  ///< all rows of small sparse data as straight-line code
};

/// Returns whether the strategy uses facts about rows; others ignore them.
constexpr bool isOfRows(StrategyId Id) {
  return Id == StrategyId::Rows || Id == StrategyId::UnrolledRows;
}

/// A rank by expected benefit; the lowest comes first.
using Place = uint8_t;
/// The rank of candidates that are not in such an order.
constexpr Place Nowhere = 0;

struct CandidateKind {
  const char *Name; ///< stable: stored with decisions, part of the keys of versions
  StrategyId Strategy;
  bool Parallel = false; ///< the outermost parallel loop is run by several threads
  /// Ranks for the first trials: in calls that are too short for threads, and in other calls.
  Place InShortCalls = Nowhere, InLongCalls = Nowhere;
  /// Ranks for taking over a running call without a trial (on-stack replacement): if little of the
  /// call is left, and if much is.
  Place InShortRests = Nowhere, InLongRests = Nowhere;
};

/// Returns all candidates in the order in which they are built: serial and parallel ones
/// separately, each before those that it makes superfluous.
std::span<const CandidateKind> candidateKinds();

/// Returns null for a name that is not in the table.
const CandidateKind *findCandidate(std::string_view Name);

/// Returns whether threads may pay in calls that last \p SecondsPerCall (0: unknown).
bool mayThreadsPay(double SecondsPerCall);

/// Returns whether a parallel candidate surely wins over the serial one of its strategy, so that
/// the serial one need not be compiled.
bool areThreadsSureToPay(double SecondsPerCall, unsigned Threads);

/// Returns whether candidates of this kind are usually many times faster than the original:
/// contractions, which keep in registers and caches what the original reads from memory, and loops
/// that skip zeros. There is little risk in running one that was not measured.
bool usuallyGainsMuch(const CandidateKind &Kind);

/// Returns the order in which candidates should be built one by one, for calls of this length: long
/// calls gain most from parallel loops and tiling, short ones cannot pay for their overhead.
std::vector<const CandidateKind *> orderOfTrials(double SecondsPerCall, unsigned Threads);

/// Returns the candidates that may take over a running call with \p RestSeconds left, the most
/// promising first.
std::vector<const CandidateKind *> orderOfTakeover(double RestSeconds, unsigned Threads);

/// Returns their names as in a request for the first possible one: "contraction,vector".
std::string joinNames(std::span<const CandidateKind *const> Some);
/// Returns the names in such a list.
std::vector<std::string> namesIn(std::string_view List);

} // namespace specrt

#endif
