//===- profiler/feedback/verdicts.h - what may be done with a loop --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FEEDBACK_VERDICTS_H
#define SPECRT_PROFILER_FEEDBACK_VERDICTS_H

#include "profiler/feedback/nest.h"
#include <string>
#include <vector>

namespace specrt {

/// An answer, and half a sentence that says why; "" where there is nothing to add.
struct LoopAnswer {
  enum Answer : uint8_t { Yes, No, Unknown };
  Answer Is = Unknown;
  std::string Because;
};

/// Of one loop.
struct LoopVerdicts {
  LoopAnswer Parallel;     ///< its iterations may run at the same time
  LoopAnswer Vectorisable; ///< those next to each other may, and need no gathering
  LoopAnswer Tilable;      ///< it may be cut into blocks together with the loop around or inside it
};

LoopVerdicts judge(const Nest &N, uint32_t Loop);

/// May \p Outer and all loops down to \p Inner, which it contains, be exchanged as one likes? Null,
/// or a dependence that forbids it.
const NestDependence *whyNotPermutable(const Nest &N, uint32_t Outer, uint32_t Inner);

/// Bytes that \p A moves by along \p Loop; 0 where that loop is not around it.
Stride strideAlong(const NestAccess &A, uint32_t Loop);
/// Does it stay, or go on with the next element?
bool isDense(const NestAccess &A, uint32_t Loop);

/// "line 7", "an unknown line".
std::string lineText(uint32_t Line);
/// "(1, -1)", with + and - for what has only a sign, * for what may be anything.
std::string distanceText(const NestDependence &D);
/// "line 5 -> line 7 through A, distance (1, 0)".
std::string dependenceText(const NestDependence &D);
/// "the sum of line 5"; of a dependence with a role.
std::string roleText(const NestDependence &D);

} // namespace specrt

#endif
