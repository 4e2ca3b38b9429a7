//===- runtime/advice.cpp - what a user can do about it -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/advice.h"

#include <iterator>

namespace specrt {
namespace {

struct ReasonRow {
  Reason Id;
  const char *Words;
  const char *Advice;
};

constexpr ReasonRow Reasons[] = {
    {Reason::OtherAbi, "compiled for another version of libspecrt",
     "Compile the program again with the specrt-clang of the installed libspecrt."},
    {Reason::Excluded, "excluded by SPECRT_REGIONS",
     "Unset SPECRT_REGIONS, or add the region's name to it."},
    {Reason::GaveUp, "gave up",
     "Look for what the program or the system ran out of; usually memory."},
    {Reason::NoCallRecorded, "no call could be recorded",
     "Nothing to do in this run; the next one knows the region and observes it from the start."},
    {Reason::LostEarlier, "did not pay in an earlier run",
     "It is tried again after a week. To try now, remove what was learned: specrt cache clear."},
    {Reason::NotCompiled, "could not be compiled",
     "If the time limit was exceeded, raise SPECRT_COMPILE_BUDGET_MS. Otherwise this is a gap in "
     "libspecrt: SPECRT_DUMP=/some/folder keeps the code for a bug report."},
    {Reason::NeverCompiled, "its compilation did not end",
     "It is not tried again until the region's code changes, or what was learned is removed "
     "(specrt "
     "cache clear). This is a gap in libspecrt: the source of the region makes a good bug report."},
    {Reason::NothingToSpecialise, "nothing to specialise",
     "No value recurred and no arrays could be told apart. Keep the sizes of the hot calls the "
     "same, or pass arrays by separate pointers."},
    {Reason::NoCompiler, "compiler not available",
     "Install libspecrt-jit.so and LLVM 22 beside libspecrt.so; the text above says what is "
     "missing."},
    {Reason::CompilingOff, "nothing is compiled (SPECRT_COMPILE=off)",
     "Unset SPECRT_COMPILE; with off, only versions that an earlier run compiled are used."},
    {Reason::NoEntry, "no entry code for the version",
     "This is a gap in libspecrt; SPECRT_LOG=debug says more."},
    {Reason::DoesNotPay, "does not pay",
     "The original is as good as anything found, so it stays. If the loop sums floating-point "
     "numbers and their order may change, SPECRT_FP=fast allows more; calls of well under 1 us "
     "gain from a region around the calling loop."},
    {Reason::NoCallMetGuards, "no call met the guards of a candidate",
     "The values that recurred at first did not come back. Nothing to do if they really vary; "
     "otherwise look at the observed values, at alignment and overlap of the arrays, and at the "
     "floating-point environment: versions run with that of a program's start only."},
    {Reason::Forked, "was being compiled when the process forked",
     "Fork before the hot work starts; a second run finds what was learned ready at its start."},
    {Reason::BitcodeDoesNotFit, "its bitcode does not fit",
     "Make the bitcode from the function's own source and options, and the signature for it; "
     "specrt_wrap_verify checks both at once."},
    {Reason::CannotBeVersioned, "no version of it can be made",
     "If the loops do not need what stands in the way, move them into a function of their own and "
     "wrap that one. A static variable can be passed as an argument, a hidden one exported."},
    {Reason::GuardsNeverHeld, "its guards never held",
     "The calls of the trial had other values than those before, or another rounding, denormal or "
     "trap mode than at a program's start; look at the guards and the observed values."},
    {Reason::NotRun, "was not run", "The trial was over before its turn came; nothing to do."},
    {Reason::SlowerThanWinner, "slower than the winner", "Nothing to do: a better version runs."},
    {Reason::NotFaster, "not faster than the original",
     "Nothing to do: the original was measured to be as good."},
    {Reason::SlowerInACall, "slower than the original in the rest of a call",
     "Nothing to do: the next run tries other candidates first."},
    {Reason::Replaced, "replaced by the faster", "Nothing to do: a better version runs."},
    {Reason::LeastUsed, "least used when another was needed",
     "If the region has more recurring sizes than versions, raise SPECRT_MAX_VERSIONS."},
    {Reason::StoppedPaying, "stopped paying",
     "It was faster when it was tried and is not any more: other load on the machine, fewer "
     "processors, or data that now lie elsewhere. A later run tries again."},
    {Reason::Unloaded, "its library was unloaded",
     "Keep the library loaded (RTLD_NODELETE), or load it once."},
    {Reason::Reconfigured, "the settings changed",
     "Nothing to do: with the new settings it is made anew. To save the time, set them in the "
     "environment instead of with specrt_configure."},
};
static_assert(std::size(Reasons) == NumReasons, "every reason has one row");

constexpr bool inOrder() {
  for (unsigned I = 0; I < NumReasons; ++I)
    if (static_cast<unsigned>(Reasons[I].Id) != I)
      return false;
  return true;
}
static_assert(inOrder(), "the table is indexed by the reason");

struct TextRow {
  const char *Text;
  const char *Advice;
};

/// The kinds of specializer/polyhedral/detection.cpp; a test compares the two.
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
    {"integer to pointer", "Use pointers throughout instead of addresses in integers."},
    {"stack allocation", "Allocate before the loop: no alloca and no array of variable length "
                         "inside it."},
    {"other", "SPECRT_DUMP=/some/folder shows the code as the compiler sees it; often a simpler "
              "loop nest in a function of its own is accepted."},
};

/// Parts of what the compiler notes while it works.
constexpr TextRow Notes[] = {
    {"overlap in this program", "The arrays were seen to share bytes, so nothing may be reordered "
                                "between them. Use separate arrays if that is not meant."},
    {"may overlap", "The touched bytes cannot be computed before the loop: loop bounds and indices "
                    "that depend only on arguments can be."},
    {"may change", "Copy the value to a local variable before the loop."},
    {"changes in the loop", "Copy the value to a local variable before the loop."},
    {"are too many to compare", "Declare the pointers __restrict, or split the loop into loops "
                                "over fewer arrays."},
    {"folded to a NaN",
     "The processor makes another NaN than the compiler. Do not pass values with "
     "which the nest divides zero by zero or the like."},
    {"not built,", "Raise SPECRT_COMPILE_BUDGET_MS to have this candidate built."},
    {"not finished,", "Raise SPECRT_COMPILE_BUDGET_MS to have this candidate built."},
    {"bytes of stack", "The nest keeps too many values at a time for a thread with little stack. "
                       "Split it into nests that compute less each."},
    {"no parallel loop", "Each iteration needs the one before. If that is only the order of a "
                         "floating-point sum, SPECRT_FP=fast allows another order."},
};

bool beginsWith(std::string_view Text, std::string_view Words) {
  return Text.substr(0, Words.size()) == Words;
}

} // namespace

const char *words(Reason R) { return Reasons[static_cast<unsigned>(R)].Words; }

const char *adviceForReason(std::string_view Text) {
  for (const ReasonRow &Row : Reasons)
    if (beginsWith(Text, Row.Words))
      return Row.Advice;
  return "";
}

const char *adviceForCause(std::string_view Kind) {
  for (const TextRow &Row : Causes)
    if (Kind == Row.Text)
      return Row.Advice;
  return nullptr;
}

const char *adviceForNote(std::string_view Line) {
  for (const TextRow &Row : Notes)
    if (Line.find(Row.Text) != std::string_view::npos)
      return Row.Advice;
  return "";
}

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
