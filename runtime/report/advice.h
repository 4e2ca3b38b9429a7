//===- runtime/report/advice.h - advice for users -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports show advice beside every reason (reasons.h) and every rejection cause. The report of a
// program, the page and the command line tool share these texts. All strings are static; all
// functions are thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_REPORT_ADVICE_H
#define SPECRT_RUNTIME_REPORT_ADVICE_H

#include "runtime/base/reasons.h"
#include "runtime/call/region_state.h"
#include <string_view>

namespace specrt {

/// Returns advice for a cause for which the polyhedral compiler rejects a nest ("alias",
/// "non-affine access"); null for an unknown kind.
const char *adviceForCause(std::string_view Kind);

/// Returns advice for a cause in this file, which a guard can or cannot resolve: users cannot
/// change the system's headers.
const char *adviceForCause(std::string_view Kind, std::string_view File, bool Speculative);

/// Returns advice for a trial that the program's end interrupted: \p Measured of \p Of candidates,
/// the original included, were measured.
std::string adviceForTrial(unsigned Measured, unsigned Of);

/// Returns advice for a note of the compiler (enum specrt_note_code); "" for mere information and
/// for unknown codes.
const char *adviceForNote(uint32_t Code);

/// Returns the name of the code in reports, for example "unknown-bytes"; "plain" for unknown codes.
const char *noteName(uint32_t Code);

/// Returns advice for a region without a reason, by its state; "" when it has a version in use.
const char *adviceForState(Phase P);

} // namespace specrt

#endif
