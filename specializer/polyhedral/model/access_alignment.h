//===- specializer/polyhedral/model/access_alignment.h - of accesses that change their place ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polly gives a load or store of generated code the alignment of the instruction that it stands
// for, also where the model has sent it to another place: to expanded storage, or to an element
// that is known to hold the same value. Accesses for values that were none in the source get the
// alignment of their type. (Of metadata generated accesses get none but those of their new place.)
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_ACCESS_ALIGNMENT_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_ACCESS_ALIGNMENT_H

namespace polly {
class Scop;
}

namespace specrt {

/// Do all loads and stores have the alignment of their type? Not for members of packed structures:
/// no values may be put among these. Of a Scop as it was built.
bool isNaturallyAligned(polly::Scop &S);

/// Before code generation: instructions whose access has another place than in the source promise
/// no alignment. The code that stays beside the new one promises less than it could.
void forgetAlignmentOfMoved(polly::Scop &S);

} // namespace specrt

#endif
