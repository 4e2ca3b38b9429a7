//===- specializer/polyhedral/model/access_alignment.h - alignment of redirected accesses -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polly gives a generated load or store the alignment of its original instruction, even if the
// model has redirected it: to expanded storage, or to an element that is known to hold the same
// value. Accesses for values that were not in memory in the source get the alignment of their type.
// (Generated accesses keep no metadata except that of their new place.)
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_ACCESS_ALIGNMENT_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_ACCESS_ALIGNMENT_H

namespace polly {
class Scop;
}

namespace specrt {

/// Returns whether all loads and stores of a newly built Scop have the alignment of their type.
/// Members of packed structures do not; values must not be placed among these.
bool isNaturallyAligned(polly::Scop &S);

/// Must be called before code generation: removes the alignment of instructions whose accesses were
/// redirected. The original code, which stays beside the new one, loses its alignment, too.
void forgetAlignmentOfMoved(polly::Scop &S);

} // namespace specrt

#endif
