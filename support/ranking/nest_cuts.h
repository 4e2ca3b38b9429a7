//===- support/ranking/nest_cuts.h - chooses how threads share a nest -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads can share the iterations of a nest in three ways:
//
//     rows         chunks of so many iterations of the outermost loop
//     equal work   chunks of about so many innermost iterations, cut between rows
//     collapsed    the same, cut within rows: between iterations of a loop inside
//
// The first costs least. It leaves threads idle if rows differ so that the first chunks contain
// more than a thread's part of the work, and the first two do if one row is a large part of it. The
// model estimates the time of each way; the lowest estimate wins.
//
//===----------------------------------------------------------------------------------===//
#ifndef SPECRT_SUPPORT_RANKING_NEST_CUTS_H
#define SPECRT_SUPPORT_RANKING_NEST_CUTS_H

#include "support/ranking/ranked_nest.h"

namespace specrt {

/// How threads share a nest.
struct NestCuts {
  /// The nest is cut between iterations of this loop and of those around it; 1 is the outermost
  /// one. With 0, chunks have a number of rows, whatever work is in them.
  unsigned Level = 0;
  /// Chunks have at least so many innermost iterations, except the last of a share. Unused if Level
  /// is 0.
  uint64_t LeastRanks = 1;
};

/// The time at which the model runs.
enum class CutTime {
  Ahead, ///< when code is made: its own time does not matter
  Start, ///< when the nest starts: it is less exact where a nest has little work
};

/// Returns the fastest way for \p Threads threads to share \p Nest. They may cut between iterations
/// of the loops up to \p MostLevel, from 1 on, not more than the nest has. An innermost iteration
/// takes \p NsPerPoint nanoseconds.
NestCuts chooseCuts(const RankedNest &Nest, unsigned Threads, unsigned MostLevel, double NsPerPoint,
                    CutTime When);

/// Returns the chunks if the model has chosen \p Level before.
NestCuts cutsOfLevel(const RankedNest &Nest, unsigned Threads, unsigned Level, double NsPerPoint);

/// Returns the first innermost iteration of the chunk that begins with \p Rank, at most
/// Nest.total(), as a point at which threads that cut at \p Level cut. The first chunk begins with
/// the nest, and the end of the last one is the end of all rows, whatever the ranks are.
NestPoint cutAt(const RankedNest &Nest, uint64_t Rank, unsigned Level);

} // namespace specrt

#endif
