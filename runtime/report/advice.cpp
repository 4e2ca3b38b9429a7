//===- runtime/report/advice.cpp - advice for users -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report/advice.h"
#include "specrt/jit_api.h"
#include <iterator>

namespace specrt {
namespace {

struct TextRow {
  const char *Text;
  const char *Advice;
};

/// The rows for the kinds of specializer/polyhedral/detection.cpp; a test compares the two.
constexpr TextRow Causes[] = {
    {"alias", "A guard on the arrays' addresses answers it at run time. To answer it when "
              "compiling, declare the pointers __restrict."},
    {"non-affine access",
     "Usually a product of sizes in the index, as in A[i*n + j]: it becomes linear once the sizes "
     "recur and are taken as constants. An index read from another array stays as it is."},
    {"element size", "Access the array with one element type only, without casts between types of "
                     "different size."},
    {"non-affine bound", "It becomes linear once the values in it recur and are taken as "
                         "constants. A bound that is read from memory in the loop: copy it to a "
                         "local variable first."},
    {"non-affine branch", "Move the condition out of the inner loop, or write it in terms of loop "
                          "counters; a condition on data can become a select (x = c ? a : b)."},
    {"variant base", "Copy the array's address to a local variable before the loop: a row pointer "
                     "such as A[i] that is read again inside keeps the loop from being modelled."},
    {"unknown base", "Index the array itself instead of a pointer that is chosen at run time."},
    {"data-dependent control", "Separate the data-dependent part: leave the regular work in a loop "
                               "of its own."},
    {"loop exits", "Replace break, return or goto inside the loop by one condition at its end, or "
                   "separate the search from the work."},
    {"call", "Make the function's body visible in this file (inline, or link-time optimisation), "
             "mark it __attribute__((const)) or pure where that is true, or move the call out of "
             "the loop."},
    {"volatile or atomic", "Copy the value to an ordinary local variable before the loop if that "
                           "is what is meant."},
    {"control flow", "Write the loop with for, while and if instead of goto, switch fall-through "
                     "or computed jumps."},
    {SPECRT_CAUSE_INDIRECTION,
     "Index arrays that are regular are found out in a call that shows what it accesses, and "
     "guarded; rows behind row pointers need only be apart. What changes from call to call, or has "
     "no order, stays as it is."},
    {"integer to pointer", "Use pointers throughout instead of addresses in integers."},
    {"stack allocation", "Allocate before the loop: no alloca and no array of variable length "
                         "inside it."},
    {"other", "SPECRT_DUMP=/some/folder shows the code as the compiler sees it; often a simpler "
              "loop nest in a function of its own is accepted."},
};

struct NoteRow {
  const char *Name;
  const char *Advice;
};

/// The rows are ordered by code.
constexpr NoteRow Notes[] = {
    {"plain", ""},
    {"overlap",
     "The arrays were seen to share bytes, so nothing may be reordered between them. Use "
     "separate arrays if that is not meant."},
    {"unknown-bytes",
     "The touched bytes cannot be computed before the loop: loop bounds and indices "
     "that depend only on arguments can be."},
    {"too-many-arrays", "Declare the pointers __restrict, or split the loop into loops over fewer "
                        "arrays."},
    {"may-change", "Copy the value to a local variable before the loop."},
    {"folded-nan", "The processor makes another NaN than the compiler. Do not pass values with "
                   "which the nest divides zero by zero or the like."},
    {"budget", "Raise SPECRT_COMPILE_BUDGET_MS to have this candidate built."},
    {"stack", "The nest keeps too many values at a time for a thread with little stack. Split it "
              "into nests that compute less each."},
    {"not-parallel", "Each iteration needs the one before. If that is only the order of a "
                     "floating-point sum, SPECRT_FP=fast allows another order."},
    {"many-callers",
     "Parallel versions would take processors from the program's own threads. If only "
     "an earlier run called it like that, specrt cache clear makes it forgotten."},
    {"not-always-read",
     "Only memory that every call reads may be compared before the loop. Move conditions and "
     "early exits out of the loops that read row pointers or indices."},
    {"exit-data",
     "Keep what ends the loop in memory that it does not write, or declare the pointers "
     "__restrict if it is."},
    {"exit-work", "Let few iterations decide together: work for a number of iterations in a loop "
                  "that counts, then look whether that was enough."},
    {"rows-write",
     "Find out indices and lengths of rows in a loop of their own, before the loop that computes "
     "with them."},
    {"rows-exit", "Find out where the row ends in a loop that does nothing else, then work up to "
                  "there."},
    {"rows-pointers",
     "Keep all rows in one array, one behind the other, with the places where they begin in "
     "another one: what lies where row pointers point cannot be watched."},
    {"rows-carry", "Let each row write what it computes into an array, and sum it up in a loop of "
                   "its own."},
    {"rows-other",
     "Let integers alone decide about indices, lengths and branches of rows, and leave calls "
     "to a loop of their own."},
};
static_assert(std::size(Notes) == SPECRT_NUM_NOTE_CODES);

const NoteRow &rowOf(uint32_t Code) { return Notes[Code < std::size(Notes) ? Code : 0]; }

} // namespace

const char *adviceForCause(std::string_view Kind) {
  for (const TextRow &Row : Causes)
    if (Kind == Row.Text)
      return Row.Advice;
  return nullptr;
}

const char *adviceForCause(std::string_view Kind, std::string_view File, bool Speculative) {
  const bool IsSystems = File.starts_with("/usr/") ||
                         File.find("/include/c++/") != std::string_view::npos ||
                         File.find("/lib/clang/") != std::string_view::npos;
  const char *Advice = adviceForCause(Kind);
  if (!Speculative && Kind == "non-affine access")
    Advice =
        "The index follows from data, as in A[B[i]], so no value of an argument makes it linear. "
        "Where only part of the work is like that, give it a loop of its own.";
  return Advice && IsSystems ? "This is code of the system's headers. What can change is how it is "
                               "called: a plain loop over plain arrays in its place, for example."
                             : Advice;
}

std::string adviceForTrial(unsigned Measured, unsigned Of) {
  return "The program ended during the trial: " + std::to_string(Measured) + " of " +
         std::to_string(Of) +
         " have been measured, the original included. The next run goes on with the others. A "
         "program with few calls per run takes several runs for that; until then the best so far "
         "runs.";
}

const char *adviceForNote(uint32_t Code) { return rowOf(Code).Advice; }

const char *noteName(uint32_t Code) { return rowOf(Code).Name; }

const char *adviceForState(Phase P) {
  switch (P) {
  case Phase::Cold:
  case Phase::Profiling:
    return "It has not run for long enough to be worth a compilation. Lower SPECRT_HOT if it "
           "should be; the next run goes on counting where this one ended.";
  case Phase::Preparing:
  case Phase::Compiling:
    return "The program ended before its first version was compiled. The next run starts with what "
           "this one learned; SPECRT_COMPILE=sync makes calls wait for it.";
  case Phase::Trial:
    return "The program ended before enough calls were measured. The next run starts with what "
           "this one learned.";
  case Phase::Specialised:
    return "";
  case Phase::Retired:
  case Phase::Blocked:
    return "No reason was recorded; SPECRT_LOG=debug tells how it came to this.";
  }
  return "";
}

} // namespace specrt
