//===- specializer/polyhedral/contraction/contraction_marks.h - marks in schedules -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The marks that a schedule places above its blocks, for code generation (scop_codegen.h).
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_MARKS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_MARKS_H

#include "specializer/polyhedral/contraction/contraction.h"

namespace specrt {

inline constexpr char ContractionMark[] = "specrt.contraction";
/// No loop below this mark runs in parallel: waking threads would cost more than it gains.
inline constexpr char SequentialMark[] = "specrt.sequential";

/// The object that a ContractionMark points to. Lives as long as the schedule.
struct MarkedContraction {
  Contraction Statement;
  /// Bounds on the number of iterations of one block; 0: unknown.
  int64_t MaxRows = 0, MaxColumns = 0, MaxReduced = 0;
};

} // namespace specrt

#endif
