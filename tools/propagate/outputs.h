//===- tools/propagate/outputs.h - where arrays are nonzero, as files -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_PROPAGATE_OUTPUTS_H
#define SPECRT_TOOLS_PROPAGATE_OUTPUTS_H

#include "specrt/structure.h"
#include <string>
#include <vector>

namespace specrt::tools {

/// One --output.
struct Output {
  std::string Array, File;
};

/// From "ARRAY=FILE". Throws CommandError where one is not of this form, a file is named twice, or
/// cannot be written.
std::vector<Output> outputsOf(const std::vector<std::string> &Texts);

/// Matrix Market files. Throws CommandError: before the first is written where an array is not
/// there or is no matrix.
void writeOutputs(const std::vector<Output> &Outputs, const specrt_structures &Found);

} // namespace specrt::tools

#endif
