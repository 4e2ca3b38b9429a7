//===- specializer/polyhedral/rejection_text.h - Polly's reject reasons in plain words -===//
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

/// Returns the text for a kind of Polly's reasons, and whether a guard can resolve it.
RejectionText rejectionText(polly::RejectReasonKind Kind);

} // namespace specrt

#endif
