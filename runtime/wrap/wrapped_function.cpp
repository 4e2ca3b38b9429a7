//===- runtime/wrap/wrapped_function.cpp - a function that specrt_wrap wraps ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/wrap/wrapped_function.h"
#include "runtime/base/clock.h"
#include "runtime/base/reasons.h"
#include "runtime/base/tuning.h"
#include "runtime/call/locked_region.h"
#include "runtime/call/work_queue.h"
#include "runtime/decide/registry.h"
#include "support/attempt.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace specrt {

void EarlyCalls::add(const uint64_t *Packed, unsigned NumArguments, uint64_t Ticks) {
  Total.fetch_add(Ticks, std::memory_order_relaxed);
  // The check keeps the number from overflowing.
  if (Next.load(std::memory_order_relaxed) >= Kept.size())
    return;
  uint32_t Index = Next.fetch_add(1, std::memory_order_relaxed);
  if (Index >= Kept.size())
    return;
  Call &C = Kept[Index];
  C.Ticks = Ticks;
  std::copy_n(Packed, NumArguments, C.Packed);
  C.Complete.store(true, std::memory_order_release);
}

/// Sets the kinds of the form that jit_api.h defines.
void WrappedFunction::setKinds() {
  auto KindOf = [](const CType &T) -> uint8_t {
    if (T.isStruct())
      return SPECRT_KIND_POINTER;
    return T.isNarrow() ? uint8_t{SPECRT_KIND_I32} : T.Abi.kind;
  };
  for (const CType &T : Signature.Arguments)
    Kinds.push_back(KindOf(T));
  for (const std::string &Name : Signature.ArgumentNames)
    Names.push_back(Name.c_str());
  const CType &Result = Signature.Result;
  Region.return_kind =
      Result.Abi.kind == SPECRT_KIND_I1 ? uint8_t{SPECRT_KIND_I8} : Result.Abi.kind;
  if (!Result.isStruct())
    return;
  Region.return_kind = SPECRT_KIND_VOID;
  Kinds.push_back(SPECRT_KIND_POINTER);
  Names.push_back("result");
}

WrappedFunction::WrappedFunction(void *Function, specrt::Signature S, const void *Bitcode,
                                 size_t Size)
    : Function(Function), Signature(std::move(S)),
      Bitcode(static_cast<const char *>(Bitcode), Size), Symbols(Function) {
  Region.abi_version = SPECRT_ABI_VERSION;
  Region.size = sizeof(specrt_region);
  Region.name = Region.function = Signature.Name.c_str();
  Region.file = Region.entry_symbol = Region.pipeline = "";
  setKinds();
  Region.num_args = static_cast<uint32_t>(Kinds.size());
  Region.arg_kinds = Kinds.data();
  Region.arg_names = Names.data();
  Region.slot = &Slot;
  Region.pass_by = &PassBy;
}

void WrappedFunction::leaveAlone(RegionState &S, const char *Why) {
  S.StaticReason.store(Why, std::memory_order_relaxed);
  setPhase(S, Phase::Blocked);
  __atomic_store_n(&Slot, InPlace, __ATOMIC_RELEASE);
}

void WrappedFunction::requestDescription(RegionState &S) {
  if (Requested.exchange(true))
    return;
  if (!tuning().CompileEnabled.load(std::memory_order_relaxed))
    return leaveAlone(S, words(Reason::CompilingOff));
  Phase Expected = Phase::Cold;
  if (S.CurrentPhase.compare_exchange_strong(Expected, Phase::Compiling))
    request(S, RequestDescribe);
}

void WrappedFunction::waitForDescription(RegionState &S) {
  uint32_t WaitUs = tuning().SyncWaitUs.load(std::memory_order_relaxed);
  if (WaitUs && !onWorkerThread() && !isDescribed())
    waitForPhase(S, Phase::Compiling, WaitUs);
}

DescribeRequest::Name WrappedFunction::resolve(const DescribeAnswer::Name &Wanted) {
  const char *Why = "is not known";
  const bool HasAddress = addressOf(Wanted.Text, Wanted.HasOneMeaning, Why) != nullptr;
  return {Wanted.Text, HasAddress, Why};
}

void *WrappedFunction::addressOf(const std::string &Name, bool HasOneMeaning, const char *&Why) {
  // The program has passed this function itself.
  if (Signature.Name == Name)
    return Function;
  return Symbols.find(Name.c_str(), HasOneMeaning, Why);
}

static DescribeRequest::Type typeOf(const CType &T) {
  const auto *Bytes = reinterpret_cast<const uint8_t *>(&T.Abi);
  return {.Bytes = {Bytes, Bytes + sizeof(T.Abi)}, .Text = T.Text};
}

void WrappedFunction::describe(Registry &R, RegionState &S) {
  Config Settings;
  {
    RegistryLock Guard(R);
    Settings = R.Settings;
  }
  DescribeRequest Request{.Bitcode = Bitcode,
                          .Function = Signature.Name,
                          .Result = typeOf(Signature.Result),
                          .FpMode = static_cast<uint32_t>(Settings.Fp),
                          .BudgetMs = Settings.CompileBudgetMs,
                          .IsAwaited = Settings.Compile == CompileMode::Sync ||
                                       Settings.CompilePriority == Priority::Normal};
  for (const CType &T : Signature.Arguments)
    Request.Arguments.push_back(typeOf(T));
  std::map<std::string, bool> HaveOneMeaning;
  CompilerClient::Reply<DescribeAnswer> Found;
  for (bool HasNew = true; HasNew;) {
    HasNew = false;
    Found = R.Compiler.describe(Registry::serverFor(Settings), Request);
    if (!Found.Answer)
      break;
    for (const DescribeAnswer::Name &Wanted : Found.Answer->Wanted)
      if (HaveOneMeaning.emplace(Wanted.Text, Wanted.HasOneMeaning).second) {
        Request.Known.push_back(resolve(Wanted));
        HasNew = true;
      }
  }
  RegistryLock Guard(R);
  if (Found.Failure) {
    const bool IsMissing = Found.Failure->Why == FailureMessage::Cause::NoCompiler;
    return refuse(Guard, R, S, IsMissing ? SPECRT_WRAP_NO_COMPILER : SPECRT_WRAP_UNSUPPORTED,
                  Found.Failure->Text);
  }
  if (!Found.Answer)
    return; // the process is ending
  constexpr int Codes[] = {SPECRT_WRAP_OK, SPECRT_WRAP_BITCODE, SPECRT_WRAP_MISMATCH,
                           SPECRT_WRAP_UNSUPPORTED};
  const DescribeAnswer &Told = *Found.Answer;
  if (Told.Status != SPECRT_DESCRIBE_OK)
    return refuse(Guard, R, S, Codes[std::min<uint32_t>(Told.Status, 3)], Told.Error);
  const ReceivedRegion Received(Told.Region);
  if (!Told.Wanted.empty() || !Received.isValid())
    return refuse(Guard, R, S, SPECRT_WRAP_UNSUPPORTED, "the server's answer is not understood");
  std::vector<specrt_symbol> Here;
  for (const RegionMessage::Symbol &Symbol : Told.Region.Symbols) {
    const char *Why = nullptr;
    Here.push_back({Symbol.Name.c_str(), addressOf(Symbol.Name, HaveOneMeaning[Symbol.Name], Why)});
  }
  specrt_region Described = Received.region();
  Described.symbols = Here.data();
  accept(Guard, R, S, Described);
}

void WrappedFunction::refuse(const RegistryLock &Guard, Registry &R, RegionState &S, int Code,
                             const std::string &Why) {
  Bitcode = {};
  Outcome = Code;
  OutcomeMessage = Why;
  if (state() != &S)
    return;
  std::string Words;
  if (Code == SPECRT_WRAP_BITCODE || Code == SPECRT_WRAP_MISMATCH)
    Words = std::string(words(Reason::BitcodeDoesNotFit)) + ": ";
  else if (Code != SPECRT_WRAP_NO_COMPILER)
    Words = std::string(words(Reason::CannotBeVersioned)) + ": ";
  R.blockRegion(Guard, Region, S, Words + Why);
}

void WrappedFunction::giveUp(const RegistryLock & /*Guard*/, RegionState &S,
                             const char *Why) noexcept {
  Outcome = SPECRT_WRAP_MEMORY;
  if (attempt([&] { OutcomeMessage = Why; }))
    OutcomeMessage.clear();
  if (state() == &S)
    leaveAlone(S, words(Reason::GaveUp));
}

void WrappedFunction::accept(const RegistryLock &Guard, Registry &R, RegionState &S,
                             const specrt_region &Found) {
  if (state() != &S)
    return; // not wrapped any more
  if (Found.num_args != Kinds.size() || Found.return_kind != Region.return_kind ||
      !std::equal(Kinds.begin(), Kinds.end(), Found.arg_kinds))
    return refuse(Guard, R, S, SPECRT_WRAP_MISMATCH,
                  "the compiler understands the signature otherwise");
  Bitcode = {};
  Outcome = SPECRT_WRAP_OK;
  OutcomeMessage.clear();
  Description = std::make_unique<RegionCopy>(Found, /*WithBitcode=*/true);
  const specrt_region &D = Description->region();
  // The members are assigned one by one, because other threads may be reading original, thunk, slot
  // and state.
  Region.file = D.file;
  Region.line = D.line;
  Region.flags = D.flags;
  Region.bitcode = D.bitcode;
  Region.bitcode_size = D.bitcode_size;
  std::copy_n(D.bitcode_hash, 2, Region.bitcode_hash);
  Region.entry_symbol = D.entry_symbol;
  Region.pipeline = D.pipeline;
  Region.symbols = D.symbols;
  Region.accesses = D.accesses;
  Region.loops = D.loops;
  Region.num_symbols = D.num_symbols;
  Region.num_accesses = D.num_accesses;
  Region.num_loops = D.num_loops;
  Region.cells = D.cells;
  Region.num_cells = D.num_cells;
  for (size_t I = 0; I < Names.size(); ++I)
    if (!*Names[I])
      Names[I] = D.arg_names[I];
  R.describeRegion(Guard, Region, S);
  replayEarlyCalls(Guard, R, S);
  // Publishes all of this to the calls.
  Described.store(true, std::memory_order_release);
  if (S.CurrentPhase.load(std::memory_order_relaxed) == Phase::Compiling) {
    setPhase(S, Phase::Cold);
    takeThunk(Region); // calls may just have passed it by
  }
}

/// Records the calls from before the description, so that the region continues there.
void WrappedFunction::replayEarlyCalls(const RegistryLock &Guard, Registry &R, RegionState &S) {
  uint64_t Total = Early.totalTicks();
  uint64_t HotTicks = tuning().HotTicks.load(std::memory_order_relaxed);
  if (Total == 0)
    return;
  S.Region.store(&Region, std::memory_order_release);
  RegionDetail *D = R.detailOf(Guard, S);
  D->createProfile(Guard);
  D->Hot |= Total >= HotTicks;
  LockedRegion Lock(S);
  for (const EarlyCalls::Call &C : Early.kept()) {
    if (!C.Complete.load(std::memory_order_acquire))
      continue;
    D->Seen.Recent->record(C.Packed, elapsedNs(0, C.Ticks), peekCells(Region, C.Packed));
    ++S.Samples;
    S.SampledTicks += C.Ticks;
    S.RecentTicks = C.Ticks;
  }
  S.CallsAtLastSample = S.calls();
  S.TotalTicks = Total;
  // Some more calls are observed for recent values.
  if (Total >= HotTicks)
    S.HotTarget = Total + HotTicks / 4;
}

void describeWrapped(Registry &R, RegionState &S) {
  std::shared_ptr<WrappedFunction> W;
  {
    RegistryLock Guard(R);
    // S itself may be freed by now: only its address is used.
    auto Found = std::find_if(R.Wrapped.begin(), R.Wrapped.end(),
                              [&](const auto &W) { return W->state() == &S; });
    if (Found == R.Wrapped.end() || (*Found)->isDescribed())
      return;
    W = *Found;
    W->IsBeingRead = true;
  }
  if (const char *Problem = attempt([&] { W->describe(R, S); })) {
    RegistryLock Guard(R);
    W->giveUp(Guard, S, Problem);
  }
  // While it was being read it was in one of the registry's lists, so this is not the last
  // reference, and the library is not closed here.
  RegistryLock Guard(R);
  W->IsBeingRead = false;
  W.reset();
}

void freeUnwrapped(Registry &R) {
  std::list<std::shared_ptr<WrappedFunction>> Free; // destroyed after the lock is gone
  RegistryLock Guard(R);
  for (auto Next = R.Unwrapped.begin(); Next != R.Unwrapped.end();) {
    auto W = Next++;
    if (!(*W)->IsBeingRead)
      Free.splice(Free.end(), R.Unwrapped, W);
  }
}

void WrappedFunction::restartAfterFork(const RegistryLock &Guard) {
  IsBeingRead = false;
  RegionState *S = state();
  if (!S || isDescribed())
    return;
  Phase P = S->CurrentPhase.load(std::memory_order_relaxed);
  if (P == Phase::Cold)
    Requested = false; // perhaps by a thread that did not continue
  else if (P == Phase::Compiling && tuning().CompileEnabled.load(std::memory_order_relaxed))
    requestAgainAfterFork(*S, RequestDescribe);
  else if (P == Phase::Compiling)
    leaveAlone(*S, words(Reason::Forked));
}

void releaseWrappedAfterFork(const RegistryLock &Guard, Registry &R) {
  for (const auto *List : {&R.Wrapped, &R.Unwrapped})
    for (const auto &W : *List)
      W->restartAfterFork(Guard);
}

} // namespace specrt
