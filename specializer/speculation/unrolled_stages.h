//===- specializer/speculation/unrolled_stages.h - unrolls loops that set strides ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fast Fourier transform, a sorting network or a wavelet transform executes its stages in a short
// loop. Strides and bounds of the loops inside double or halve from stage to stage, which no affine
// model describes. If the number of stages is constant, each stage becomes separate code with
// constant strides.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_UNROLLED_STAGES_H
#define SPECRT_SPECIALIZER_SPECULATION_UNROLLED_STAGES_H

#include "specializer/speculation/speculation.h"

namespace specrt {

/// Unrolls such loops completely. The code stays valid for each call, so this adds no premise.
const Speculation &unrolledStages();

} // namespace specrt

#endif
