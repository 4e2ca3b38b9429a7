//===- profiler/feedback/verdicts.h - determines how a loop may be executed ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FEEDBACK_VERDICTS_H
#define SPECRT_PROFILER_FEEDBACK_VERDICTS_H

#include "profiler/feedback/nest.h"
#include <string>
#include <vector>

namespace specrt {

/// An answer, and half a sentence with the reason; "" if it is obvious.
struct LoopAnswer {
  enum Answer : uint8_t { Yes, No, Unknown };
  Answer Is = Unknown;
  std::string Because;
};

/// The answers about one loop.
struct LoopVerdicts {
  LoopAnswer Parallel; ///< its iterations may run at the same time
  /// consecutive iterations may run at the same time, and need no gathering
  LoopAnswer Vectorisable;
  LoopAnswer Tilable; ///< it may be cut into blocks together with the loop around or inside it
};

LoopVerdicts judge(const Nest &N, uint32_t Loop);

/// Returns null if \p Outer and all loops down to \p Inner, which it contains, may be exchanged
/// arbitrarily; otherwise a dependence that forbids it.
const NestDependence *whyNotPermutable(const Nest &N, uint32_t Outer, uint32_t Inner);

/// Returns the bytes that \p A moves along \p Loop; 0 if the loop does not surround it.
Stride strideAlong(const NestAccess &A, uint32_t Loop);
/// Returns whether the access has stride 0 or moves to the next element.
bool isDense(const NestAccess &A, uint32_t Loop);

/// Returns for example "line 7", or "an unknown line".
std::string lineText(uint32_t Line);
/// Returns for example "(1, -1)", with + and - if only the sign is known, and * if it is not.
std::string distanceText(const NestDependence &D);
/// Returns for example "line 5 -> line 7 through A, distance (1, 0)".
std::string dependenceText(const NestDependence &D);
/// Returns for example "the sum of line 5"; the dependence must have a role.
std::string roleText(const NestDependence &D);

} // namespace specrt

#endif
