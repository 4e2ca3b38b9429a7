//===- runtime/report/advice.h - what a user can do about it --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports show advice beside every reason (reasons.h) and every rejection cause: the one text that
// the report of a program, the page and the command line tool share. All strings are static; all
// functions are thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_REPORT_ADVICE_H
#define SPECRT_RUNTIME_REPORT_ADVICE_H

#include "runtime/base/reasons.h"
#include "runtime/call/region_state.h"
#include <string_view>

namespace specrt {

/// About a cause for which the polyhedral compiler refuses a nest ("alias", "non-affine access");
/// null for a kind that this table does not know.
const char *adviceForCause(std::string_view Kind);

/// The same for a cause in this file, which a guard can answer or not: what the system's headers
/// say is not the user's to change.
const char *adviceForCause(std::string_view Kind, std::string_view File, bool Speculative);

/// About a trial that the program's end cut short: of so many, the original included, so many are
/// measured.
std::string adviceForTrial(unsigned Measured, unsigned Of);

/// About what a note of the compiler is about (enum specrt_note_code); "" for what is only told,
/// and for codes that this table does not know.
const char *adviceForNote(uint32_t Code);

/// How reports call the code: "unknown-bytes"; "plain" for codes that this table does not know.
const char *noteName(uint32_t Code);

/// About a region without a reason, by its state; "" when it has a version in use.
const char *adviceForState(Phase P);

} // namespace specrt

#endif
