//===- runtime/record/instrumented_call.cpp - runs one call of an instrumented version ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/instrumented_call.h"
#include "guards/guards.h"
#include "runtime/base/clock.h"
#include "runtime/base/touch_ahead.h"

#include <algorithm>
#include <sys/mman.h>
#include <utility>

namespace specrt {
namespace {

/// The limit of the time in windows and inspections of rows. A call should take at most 20 ms
/// longer; the time in a window includes the region's own work.
constexpr double MaxWindowNs = 15e6;
/// The time in which the cost of an iteration is measured.
constexpr double FewNs = 50e3;
/// The approximate number of bytes written in that time.
constexpr size_t BytesAhead = size_t{16} << 20;
/// The number of words between two clock readings.
constexpr ptrdiff_t ChunkWords = 4096;
/// A call that takes longer has probably been left by longjmp.
constexpr double GivenUpNs = 5e9;
/// The number of calls that the guards may refuse before the recording is abandoned.
constexpr uint32_t MaxMisses = 64;
constexpr size_t NumBytes = InstrumentedCall::NumWords * sizeof(uint64_t);

/// The limit of regions whose recordings use memory while they wait for a call.
constexpr uint32_t MaxAhead = 4;
std::atomic<uint32_t> NumAhead{0};

uint64_t ticksOf(double Ns) { return static_cast<uint64_t>(Ns / nsPerTick()); }

} // namespace

std::unique_ptr<InstrumentedCall> InstrumentedCall::create() {
  void *Memory = mmap(nullptr, NumBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Memory == MAP_FAILED)
    return nullptr;
  return std::unique_ptr<InstrumentedCall>(new InstrumentedCall(static_cast<uint64_t *>(Memory)));
}

InstrumentedCall::InstrumentedCall(uint64_t *Memory)
    : specrt_recording{.next = Memory,
                       .end = Memory,
                       .window = nextWindow,
                       .more = moreRoom,
                       .rows = walkRows,
                       .mode = SPECRT_RECORD_NOT,
                       .reserved = 0},
      Memory(Memory), IsAhead(NumAhead.fetch_add(1) < MaxAhead),
      Limit{.Words = NumWords, .Ticks = ticksOf(MaxWindowNs)}, FewTicks(ticksOf(FewNs)) {}

InstrumentedCall::~InstrumentedCall() {
  NumAhead.fetch_sub(1);
  munmap(Memory, NumBytes);
}

void InstrumentedCall::setVersion(void *NewBody, std::shared_ptr<LoadedVersion> NewStored,
                                  GuardList NewGuards, uint32_t WordsPerIteration,
                                  uint32_t NumArguments) {
  Body = NewBody;
  Stored = std::move(NewStored);
  Guards = std::move(NewGuards);
  UsableEnd = Memory + (NumWords - std::min<size_t>(NumWords, WordsPerIteration));
  Arguments.resize(NumArguments);
  if (IsAhead)
    touchAhead(Memory, BytesAhead);
}

void *InstrumentedCall::beginCall(const specrt_region &Region, const uint64_t *Packed,
                                  bool &ShouldDecide) {
  State Expected = state();
  if (Expected == State::Running &&
      ticks() - BeginTicks.load(std::memory_order_relaxed) > ticksOf(GivenUpNs))
    ShouldDecide = Now.compare_exchange_strong(Expected, State::Given);
  if (Expected != State::Waiting)
    return nullptr;
  if (!allHold(Guards, Region, Packed)) {
    ShouldDecide = Misses.fetch_add(1, std::memory_order_relaxed) + 1 >= MaxMisses &&
                   Now.compare_exchange_strong(Expected, State::Given);
    return nullptr;
  }
  // Another call may be affordable later in the run.
  const double AffordableNs = Payer->mostNs();
  if (AffordableNs < LeastNs)
    return nullptr;
  BeginTicks.store(ticks(), std::memory_order_relaxed);
  if (!Now.compare_exchange_strong(Expected, State::Running))
    return nullptr;
  std::copy_n(Packed, Arguments.size(), Arguments.begin());
  Limit.Ticks = ticksOf(std::min(AffordableNs, MaxWindowNs));
  ProcessorBeginNs = processorNs();
  return Body;
}

bool InstrumentedCall::endCall() {
  EndTicks = ticks();
  closeWindow(EndTicks);
  const double ProcessorNs = static_cast<double>(processorNs() - ProcessorBeginNs);
  ExcessNs = UsualNs > 0 ? std::max(ProcessorNs - UsualNs, 0.0) : windowNs();
  Payer->invest(ExcessNs);
  State Expected = State::Running;
  return Now.compare_exchange_strong(Expected, State::Ended);
}

double InstrumentedCall::callNs() const {
  return static_cast<double>(elapsedNs(BeginTicks.load(std::memory_order_relaxed), EndTicks));
}

double InstrumentedCall::windowNs() const { return static_cast<double>(WindowTicks) * nsPerTick(); }

void InstrumentedCall::closeWindow(uint64_t Ticks) {
  if (WindowBegin)
    WindowTicks += Ticks - std::min(Ticks, WindowBegin);
  WindowBegin = 0;
}

/// Makes room for another chunk; returns false when there is none.
bool InstrumentedCall::extend() {
  if (next >= UsableEnd)
    return false;
  end = next + std::min(ChunkWords, UsableEnd - next);
  return true;
}

uint64_t InstrumentedCall::nextWindow(specrt_recording *R, uint32_t Loop, uint64_t Iteration,
                                      uint64_t Trips) {
  auto &Mine = *static_cast<InstrumentedCall *>(R);
  return Mine.planWindow(Mine.Plans[Loop % SPECRT_MAX_RECORDED_LOOPS], Iteration, Trips);
}

/// Returns the time for windows: half of all time is reserved for rows, equally for each loop, and
/// the part that they do not need is for windows, too.
uint64_t InstrumentedCall::ticksForWindows() const {
  return Limit.Ticks - (NumRowLoops > 0 ? ticksOfRows() * Rows.loopsToCome() : 0);
}

uint64_t InstrumentedCall::planWindow(WindowPlan &Plan, uint64_t Iteration, uint64_t Trips) {
  const uint64_t Ticks = ticks();
  closeWindow(Ticks);
  const RecordingCost All = {.Words = static_cast<uint64_t>(next - Memory), .Ticks = WindowTicks};
  if (Iteration == 0)
    AtLoopBegin = All;
  const uint64_t MostTicks = ticksForWindows();
  const RecordingCost Left = {.Words = Limit.Words - std::min(Limit.Words, AtLoopBegin.Words),
                              .Ticks = MostTicks - std::min(MostTicks, AtLoopBegin.Ticks)};
  const WindowPlan::Answer Answer =
      Plan.next(Iteration, Trips,
                {.Words = All.Words - AtLoopBegin.Words, .Ticks = All.Ticks - AtLoopBegin.Ticks},
                Left, FewTicks);
  if (Answer.Records && extend()) {
    mode = SPECRT_RECORD_ALL;
    WindowBegin = Ticks;
    return Answer.Until;
  }
  mode = Answer.Until == UINT64_MAX ? SPECRT_RECORD_OVER : SPECRT_RECORD_NOT;
  return Answer.Until;
}

void InstrumentedCall::walkRows(specrt_recording *R, uint32_t Loop,
                                const specrt_sparse_loop *SparseLoop, const uint64_t *Inputs,
                                uint64_t NumRows) {
  auto &Mine = *static_cast<InstrumentedCall *>(R);
  if (!Mine.Rows.wants(Loop))
    return;
  const uint64_t Begin = ticks();
  Mine.Rows.walk(Loop, *SparseLoop, Inputs, NumRows, Mine.ticksOfRows());
  if (!Mine.WindowBegin)
    Mine.WindowTicks += ticks() - Begin;
}

uint32_t InstrumentedCall::moreRoom(specrt_recording *R) {
  auto &Mine = *static_cast<InstrumentedCall *>(R);
  const uint64_t Ticks = ticks();
  const uint64_t Spent = Mine.WindowTicks + (Ticks - std::min(Ticks, Mine.WindowBegin));
  if (Spent < Mine.ticksForWindows() && Mine.extend())
    return 1;
  Mine.closeWindow(Ticks);
  return 0;
}

} // namespace specrt
