//===- runtime/base/reasons.cpp - texts of reasons, with advice -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/reasons.h"

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
    {Reason::CodeElsewhere, "calls a function whose code is not known",
     "Compile the function's file with specrt-clang as well. Only functions of up to 80 "
     "instructions "
     "that throw nothing, do not call themselves and are not noinline come with their code; "
     "smaller "
     "ones can be inline functions in a header."},
    {Reason::OpenResults, "flags such as -ffast-math leave its results open",
     "The compiler may reorder its operations, so no version can be sure to give the same bits. If "
     "that does not matter, set SPECRT_FP=fast. Otherwise compile without -ffast-math (-Ofast), or "
     "without -fassociative-math and -freciprocal-math; -Rpass-missed=specrt names the operation."},
    {Reason::GaveUp, "gave up",
     "Look for what the program or the system ran out of; usually memory."},
    {Reason::NoCallRecorded, "no call could be recorded",
     "Nothing to do in this run; the next one knows the region and observes it from the start."},
    {Reason::LostEarlier, "did not pay in an earlier run",
     "It is tried again after a week. To try now, remove what was learned: specrt cache clear."},
    {Reason::NotCompiled, "could not be compiled",
     "If the time limit was exceeded, raise SPECRT_COMPILE_BUDGET_MS. Otherwise this is a gap in "
     "libspecrt: SPECRT_DUMP=/some/folder keeps the code for a bug report."},
    {Reason::NotCompiledNow, "was not compiled in this run",
     "The compile server was stopped, or lacked memory or processes; the text above says what. The "
     "next run tries again."},
    {Reason::Deferred, "is compiled after the run",
     "It took too little of this run for a compile beside it. The compile server goes on after the "
     "program has ended, and later runs find the result; a smaller SPECRT_HOT compiles sooner."},
    {Reason::BeingReplayed, "a captured call is being replayed",
     "The original runs until there is a result. The compile server measures all candidates on a "
     "call of an earlier run, and runs after that begin with the best one. On a busy machine it "
     "has little time for that: after two captured calls without a result, candidates are tried in "
     "the program. SPECRT_COMPILE=sync tries them at once."},
    {Reason::NeverCompiled, "its compilation did not end",
     "It is not tried again until the region's code changes, or what was learned is removed "
     "(specrt "
     "cache clear). This is a gap in libspecrt: the source of the region makes a good bug report."},
    {Reason::NothingToSpecialise, "nothing to specialise",
     "No value recurred and no arrays could be told apart. Keep the sizes of the hot calls the "
     "same, or pass arrays by separate pointers."},
    {Reason::NoCompiler, "compiler not available",
     "Install specrt-server, libspecrt-jit.so and LLVM 22 beside libspecrt.so; the text above says "
     "what is missing."},
    {Reason::CompilingOff, "nothing is compiled (SPECRT_COMPILE=off)",
     "Unset SPECRT_COMPILE; with off, only versions that an earlier run compiled are used."},
    {Reason::NoEntry, "another version has its code already",
     "This is a gap in libspecrt; SPECRT_LOG=debug says more."},
    {Reason::DoesNotPay, "does not pay",
     "The original is as good as anything found, so it stays. If the loop sums floating-point "
     "numbers and their order may change, SPECRT_FP=fast allows more; calls of well under 1 us "
     "gain from a region around the calling loop."},
    {Reason::TimesScatter, "ahead by less than times scatter",
     "The gain could not be told from noise, so nothing is claimed. On a quiet machine, or with "
     "more calls, a later run may be sure."},
    {Reason::NoProcessor, "no processor was free for the threads of its parallel versions",
     "Other programs used the processors, so parallel versions could not be measured, and nothing "
     "is decided about them. The next run tries them again."},
    {Reason::Quarantined, "quarantined",
     "What optimizing it cost in earlier runs was more than it brought, so nothing new is tried "
     "until more runs have made up for it. Longer runs, or a cleared cache (specrt cache clear), "
     "give it another chance."},
    {Reason::StartDoesNotPay, "loading its version does not pay",
     "Once per run the version has to be loaded, and for sparse rows all of them are looked at. "
     "That "
     "takes longer than what so few calls gain. More calls in a run change that by themselves."},
    {Reason::ReplaysDoNotPay, "no candidate was faster on a captured call",
     "The compile server has run all of them on the data of a call, after the run. It is tried "
     "again "
     "after a week, or when what was learned is removed: specrt cache clear."},
    {Reason::NoCallMetGuards, "no call met the guards of a candidate",
     "The values that recurred at first did not come back. Nothing to do if they really vary; "
     "otherwise look at the observed values, at alignment and overlap of the arrays, and at the "
     "floating-point environment: versions run with that of a program's start only."},
    {Reason::FewCallsMetGuards, "too few calls met the guards of a candidate",
     "The values that recurred at first came back too seldom to compare it with the original. "
     "Nothing to do if they really vary."},
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
    {Reason::RefusedOnReplay, "was refused on a captured call",
     "It is never used. This is a gap in libspecrt: the source of the region makes a good bug "
     "report."},
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
    {Reason::SlowsProgram, "slows down what runs between calls",
     "Its calls were faster, but less time passed from call to call without it: threads move data "
     "to other cores' caches. Nothing to do; with SPECRT_THREADS=1 there are serial versions "
     "only."},
    {Reason::TooShortToTime, "too short to be timed one by one",
     "Nothing to do: its calls take less than timing them does, so the program with the version is "
     "compared with the program without it. That takes 0.3 s of the region's calls. No gain is "
     "claimed before."},
    {Reason::Unloaded, "its library was unloaded",
     "Keep the library loaded (RTLD_NODELETE), or load it once."},
    {Reason::Reconfigured, "the settings changed",
     "Nothing to do: with the new settings it is made anew. To save the time, set them in the "
     "environment instead of with specrt_configure."},
    {Reason::RowsFollow, "each row waits for the one before it",
     "In this order of unknowns nothing can be done at the same time. With another numbering, by "
     "colours or levels, rows are independent."},
    {Reason::RowsMostlyFollow, "too few rows at a time wait for no other",
     "In this order of unknowns little can be done at the same time. With another numbering, by "
     "colours or levels, more rows are independent."},
    {Reason::RowsSeldomWait, "rows seldom wait for those just before them",
     "The processor does such rows at the same time by itself. Where unknowns have no order, "
     "number "
     "them so that neighbours have near numbers (reverse Cuthill-McKee)."},
    {Reason::RowsWaitAfar, "rows depend on rows from all over",
     "So few threads would gain less than what scattered memory accesses cost. Number the unknowns "
     "so that neighbours have near numbers (reverse Cuthill-McKee)."},
    {Reason::RowsWriteOthers, "rows write what others access",
     "Give what rows write an array of its own, apart from what they read, in the order of the "
     "rows."},
    {Reason::RowsWriteDeciding, "rows write what decides",
     "Find out indices and lengths of rows in a loop of their own, before the one that uses "
     "them."},
    {Reason::RowsLeaveNotes, "rows leave something in an array that others use",
     "Give each row what it found there: store again at its end what was there before it."},
    {Reason::RowsReadAfar, "what decides lies in many places",
     "Keep the indices of all rows in one array, one row behind the other: rows that lie all over "
     "the heap cannot be watched."},
    {Reason::RowsUnwatched, "what decides cannot be watched",
     "SPECRT_WATCH may be off, or as much is watched as may be: docs/watches.md."},
    {Reason::RowsUnexpected, "the rows are not those that were expected",
     "Nothing to do: the loop ended earlier than its bounds say."},
    {Reason::RowsUnlike, "the rows are not those that the code was made for",
     "Nothing to do: where rows change, other versions are tried."},
    {Reason::RowsTakeLong, "looking at the rows takes too long",
     "Loop over parts of the rows: each part is looked at by itself, for 150 to "
     "600 ms at most."},
    {Reason::RowsNeedMuch, "the rows need too large a table",
     "Loop over parts of the rows: each part has a table of its own."},
    {Reason::RowAccessesMuch, "a row accesses too much of what others write",
     "Where a row is dense, give it a loop of its own."},
    {Reason::NoMemoryForRows, "there is no memory for a table",
     "Free memory, or raise the limit under which the process runs."},
    {Reason::FusedRowsShared, "threads share rows that wait for each other",
     "Nothing to do: sharing them gains more. With SPECRT_THREADS=1 the loops take turns."},
    {Reason::FusedRowsDecide, "one of them writes what decides about the other's rows",
     "Keep what the loops write apart from indices and lengths of rows."},
    {Reason::FusedRowsDiffer, "they read little of the same memory",
     "Nothing to do: one after the other they are as fast."},
    {Reason::FusedRowsWait, "rows of the second one wait for most of the first",
     "Number the unknowns so that neighbours have near numbers (reverse Cuthill-McKee), and keep "
     "what the loops access in few arrays."},
};
static_assert(std::size(Reasons) == NumReasons, "every reason has one row");

constexpr bool inOrder() {
  for (unsigned I = 0; I < NumReasons; ++I)
    if (static_cast<unsigned>(Reasons[I].Id) != I)
      return false;
  return true;
}
static_assert(inOrder(), "the table is indexed by the reason");

} // namespace

const char *words(Reason R) { return Reasons[static_cast<unsigned>(R)].Words; }

const char *adviceForReason(std::string_view Text) {
  for (const ReasonRow &Row : Reasons)
    if (Text.starts_with(Row.Words))
      return Row.Advice;
  return "";
}

} // namespace specrt
