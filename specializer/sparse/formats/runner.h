//===- specializer/sparse/formats/runner.h - segments of rows, class by class ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runner executes a range of a table's segments (specrt/rows.h), each by the code of its format
// and class. All that a class determines is a constant or an affine function there.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_FORMATS_RUNNER_H
#define SPECRT_SPECIALIZER_SPARSE_FORMATS_RUNNER_H

#include "specializer/sparse/formats/format.h"

namespace specrt {

/// Builds void (inputs..., ptr table, i64 begin, i64 end), which executes the segments from begin
/// to end. \p Codes: the result of codesOf(Of).
llvm::Function *buildRunner(const LoopClasses &Of, llvm::ArrayRef<ClassCode> Codes);

} // namespace specrt

#endif
