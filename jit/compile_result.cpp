//===- jit/compile_result.cpp - the answer to a compile request -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/compile_result.h"
#include <type_traits>

namespace specrt {

static_assert(std::is_standard_layout_v<specrt_jit_result>);

const char *CompileResult::keep(const std::string &Text) {
  return Strings.emplace_back(Text).c_str();
}

const specrt_jit_candidate &CompileResult::addCandidate(specrt_jit_candidate Candidate,
                                                        const std::string &Name, GuardList List) {
  Candidate.name = keep(Name);
  Candidate.guards = Guards.emplace_back(std::move(List)).plain();
  return Candidates.emplace_back(Candidate);
}

void CompileResult::addCause(const RejectionCause &Cause) {
  Causes.push_back(
      {keep(Cause.Kind), keep(Cause.Message), keep(Cause.File), Cause.Line, Cause.Speculative});
}

void CompileResult::addNote(const Note &Line) {
  Told.push_back({.code = Line.About, .reserved = 0, .text = keep(Line.Text)});
}

void CompileResult::setZeros(const SparsityReport &Report) {
  View.zeros = {.equations = keep(Report.Equations),
                .skips = keep(Report.Skips),
                .program = keep(Report.Program)};
}

const specrt_jit_result *CompileResult::seal(const std::string &Error, double TotalMs) {
  Problem = Error;
  if (!Error.empty())
    Candidates.clear();
  View.error = Error.empty() ? nullptr : Problem.c_str();
  View.candidates = Candidates.data();
  View.num_candidates = Candidates.size();
  View.causes = Causes.data();
  View.num_causes = Causes.size();
  View.notes = Told.data();
  View.num_notes = Told.size();
  View.nest = Loops.plain();
  View.total_ms = TotalMs;
  return &View;
}

CompileResult *CompileResult::from(const specrt_jit_result *View) {
  return reinterpret_cast<CompileResult *>(const_cast<specrt_jit_result *>(View));
}

} // namespace specrt
