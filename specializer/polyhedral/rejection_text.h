//===- specializer/polyhedral/rejection_text.h - Polly's reasons in plain words -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_REJECTION_TEXT_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_REJECTION_TEXT_H

#include "polly/ScopDetectionDiagnostic.h"

namespace specrt {

struct RejectionText {
  const char *Kind;    ///< stable identifier
  const char *Message; ///< null: Polly's own end-user message is good
  bool Speculative;    ///< a guard may answer it
};

/// Plain words per kind of Polly's reasons, and whether a guard can answer it.
RejectionText rejectionText(polly::RejectReasonKind Kind);

} // namespace specrt

#endif
