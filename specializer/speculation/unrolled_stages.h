//===- specializer/speculation/unrolled_stages.h - loops whose iterations set strides ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages of a fast Fourier transform, of a sorting network or of a wavelet transform are the
// iterations of a short loop, and strides and bounds of the loops inside double or halve from one
// to the next. No affine model describes that. With constant sizes each stage becomes code of its
// own, in which strides are numbers.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_UNROLLED_STAGES_H
#define SPECRT_SPECIALIZER_SPECULATION_UNROLLED_STAGES_H

#include "specializer/speculation/speculation.h"

namespace specrt {

/// Unrolls such loops completely, which is true of every call: no premise.
const Speculation &unrolledStages();

} // namespace specrt

#endif
