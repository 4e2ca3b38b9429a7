//===- runtime/plans/persistent_plans.cpp - stores execution plans for later runs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plans/persistent_plans.h"
#include "runtime/base/brief_lock.h"
#include "runtime/base/config.h"
#include "runtime/base/log.h"
#include "runtime/base/reasons.h"
#include "runtime/cache/version_store.h"
#include "runtime/call/work_queue.h"
#include "runtime/plans/table_image.h"
#include "runtime/rows/inspector_sink.h"
#include "runtime/rows/plan_store.h"
#include "runtime/watch/mappings.h"
#include "runtime/watch/page_record.h"
#include "support/per_process.h"

#include <algorithm>
#include <set>
#include <utility>

namespace specrt {
namespace {

/// Plans for fewer rows are not stored: inspecting the rows takes less time than reading a file.
constexpr uint64_t LeastRows = 1024;
/// Limits of a process.
constexpr size_t MaxPlans = 64, MaxBytes = size_t{64} << 20;
/// Must be changed with the format of a plan.
constexpr unsigned PlanFormat = 3;

struct PendingPlan {
  VersionKey Key; ///< made on the calling thread
  std::shared_ptr<const SparseLoopCopy> Of;
  std::shared_ptr<RowTable> Table;
};

/// The data that \p Lock guards.
struct ProcessPlans {
  /// A forked child copies its parent's settings and counts, but writes none of its pending plans.
  explicit ProcessPlans(ProcessPlans *Parents) {
    if (Parents && BriefLock(Parents->Lock)) {
      How = Parents->How;
      NumPlans = Parents->NumPlans;
      PlanBytes = Parents->PlanBytes;
    }
  }

  std::atomic_flag Lock;
  PersistentPlanSettings How;
  /// names of files of earlier runs, once they were listed
  std::shared_ptr<const std::set<std::string>> Names;
  std::vector<PendingPlan> Pending;
  size_t NumPlans = 0, PlanBytes = 0;
};

constinit PerProcess<ProcessPlans> TheProcessPlans;

/// Returns the key of a loop with the inputs that decide about its rows, without pointers to index
/// arrays. \p Key is RowGrounds::Key.
VersionKey keyOf(const specrt_sparse_loop &Loop, const std::vector<uint64_t> &Key) {
  const Identity &Who = identity();
  std::string Inputs;
  size_t Next = 0;
  for (uint32_t I = 0; I < Loop.num_inputs; ++I)
    if (Loop.deciding[I]) {
      const uint64_t Value = Key[Next++];
      if (Loop.deciding[I] != SPECRT_ROWS_DECIDING_BY_CONTENT)
        Inputs += " " + std::to_string(Value);
      else if (Loop.places == SPECRT_ROWS_ON_ANY_PAGE)
        Inputs += " page+" + std::to_string(Value % pageBytes());
    }
  const std::string Threads =
      Loop.is_parallel ? "parallel " + std::to_string(usableProcessors()) : std::string("serial");
  return {"rows=" + std::to_string(PlanFormat) + "\nruntime=" + Who.Runtime +
          "\ncompiler=" + Who.Compiler + "\ncpu=" + Who.Cpu + "\nthreads=" + Threads +
          "\nloop=" + ContentHash{.Low = Loop.digest[0], .High = Loop.digest[1]}.text() +
          "\ninputs=" + Inputs + "\nnumber=" + std::to_string(Key.back()) + "\n"};
}

/// Returns the key of a plan whose loop has the key \p Of.
VersionKey planKey(const VersionKey &Of, const RowGrounds &G) {
  std::string Text = Of.Text + "contents=";
  for (const ContentHash &Each : G.Contents)
    Text += " " + Each.text();
  return {Text + "\n"};
}

/// Returns null if plans of such loops are not stored, or PerProcess has no object.
ProcessPlans *plansFor(const specrt_sparse_loop &Loop) {
  return mayPersist(Loop) ? TheProcessPlans.get() : nullptr;
}

/// Returns whether the process has a seccomp filter, which may end the process at an unexpected
/// system call.
bool isFiltered() {
  const std::optional<ProcessStatus> Status = processStatus();
  return !Status || Status->IsFiltered;
}

/// Returns the settings. Must be called before anything is read.
PersistentPlanSettings settingsOf(ProcessPlans &All) {
  PersistentPlanSettings How;
  if (const BriefLock Guard(All.Lock, SpareDataNs); Guard)
    How = All.How;
  if (!How.Where || isFiltered() || !How.AreBuildsKnown())
    How.Where = nullptr;
  return How;
}

/// Returns the names of stored files, so that missing files are not opened.
std::shared_ptr<const std::set<std::string>> namesIn(ProcessPlans &All, VersionStore &Where) {
  std::shared_ptr<const std::set<std::string>> Names;
  if (const BriefLock Guard(All.Lock, SpareDataNs); Guard)
    Names = All.Names;
  if (Names)
    return Names;
  const std::vector<std::string> Found = Where.names();
  Names = std::make_shared<std::set<std::string>>(Found.begin(), Found.end());
  if (const BriefLock Guard(All.Lock, SpareDataNs); Guard)
    All.Names = Names;
  return Names;
}

std::vector<RowGrounds> groundsIn(VersionStore &Where, const VersionKey &Key) {
  StoredVersion Found;
  return Where.find(Key, Found) ? decodeGrounds(Found.Object) : std::vector<RowGrounds>();
}

InspectedRows recall(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows,
                     WatchCopies Copies) {
  ProcessPlans *const All = Rows >= LeastRows ? plansFor(Loop) : nullptr;
  const std::shared_ptr<VersionStore> Where = All ? settingsOf(*All).Where : nullptr;
  if (!Where)
    return {};
  RowGrounds Call;
  Call.setKey(Loop, Inputs, Rows);
  const VersionKey Key = keyOf(Loop, Call.Key);
  if (!namesIn(*All, *Where)->contains(Key.fileName()))
    return {};
  for (RowGrounds &G : groundsIn(*Where, Key)) {
    StoredVersion Found;
    if (!recallGrounds(Loop, Inputs, Rows, G, Copies) || !Where->find(planKey(Key, G), Found))
      continue;
    const std::shared_ptr<RowTable> T = decodeTable(Loop, Inputs, std::move(G), Found.Object);
    logLine(LogLevel::Debug, "a persistent plan from %s%s", Found.Path.c_str(),
            T ? "" : " is invalid, and the rows are inspected again");
    if (!T)
      continue;
    T->IsPersistent = true;
    return {.Table = T, .Problem = T->Problem, .Source = RowSource::EarlierRun};
  }
  return {};
}

size_t bytesOf(const RowTable &T) {
  return T.Segments.size() * sizeof(specrt_rows_segment) +
         sizeof(int64_t) * (T.Origins.size() + T.LaneOrigins.size() + T.PatternOrigins.size()) +
         sizeof(uint32_t) * T.NarrowOrigins.size();
}

bool store(const specrt_sparse_loop &Loop, const std::shared_ptr<RowTable> &T) {
  ProcessPlans *const All = plansFor(Loop);
  const std::shared_ptr<VersionStore> Where = All ? settingsOf(*All).Where : nullptr;
  constexpr size_t OtherBytes = 256 << 10; // for its picture, and the plan for threads
  const size_t Bytes = bytesOf(*T) + OtherBytes;
  // There must be room for several plans.
  if (!Where || !Where->hasRoomFor(2 * Bytes))
    return false;
  if (T->IsPersistent)
    return true;
  PendingPlan New = {keyOf(Loop, T->Key), std::make_shared<SparseLoopCopy>(Loop), T};
  {
    const BriefLock Guard(All->Lock, SpareDataNs);
    if (!Guard || !All->How.MayWrite || All->NumPlans == MaxPlans ||
        All->PlanBytes + Bytes > MaxBytes)
      return false;
    All->Pending.push_back(std::move(New));
    ++All->NumPlans;
    All->PlanBytes += Bytes;
  }
  T->IsPersistent = true;
  wakeWorker();
  return true;
}

VersionDescription describe(std::string What) {
  VersionDescription About;
  About.Region = About.Title = "rows of a loop";
  About.Candidates.push_back({std::move(What), {}});
  return About;
}

/// Writes a plan. Returns the number of bytes.
size_t write(VersionStore &Where, const PendingPlan &Next) {
  const RowTable &T = *Next.Table;
  const std::string Image = encodeTable(Next.Of->loop(), T);
  if (!Where.put(planKey(Next.Key, T),
                 describe("plan of " + std::to_string(T.Key.back()) + " rows"), Image,
                 /*Durable=*/false))
    return 0;
  std::vector<RowGrounds> Some = groundsIn(Where, Next.Key);
  std::erase_if(Some, [&](const RowGrounds &G) { return G.Contents == T.Contents; });
  RowGrounds Mine;
  Mine.Extents = T.Extents;
  Mine.Contents = T.Contents;
  Some.insert(Some.begin(), std::move(Mine));
  Some.resize(std::min(Some.size(), MaxGrounds));
  const std::string Grounds = encodeGrounds(Some);
  return Where.put(Next.Key, describe("calls for which plans are valid"), Grounds,
                   /*Durable=*/false)
             ? Image.size() + Grounds.size()
             : 0;
}

InspectedRows recallPlan(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows,
                         WatchCopies Copies) {
  try {
    return recall(Loop, Inputs, Rows, Copies);
  } catch (const std::bad_alloc &) {
    logLine(LogLevel::Debug, "no memory for a persistent plan: the rows are inspected again");
    return {};
  }
}

bool storePlan(const specrt_sparse_loop &Loop, const InspectedRows &Found) {
  try {
    return Found.Table && !Found.Table->Contents.empty() &&
           Found.Problem != words(Reason::NoMemoryForRows) && store(Loop, Found.Table);
  } catch (const std::bad_alloc &) {
    logLine(LogLevel::Debug, "no memory to store a persistent plan");
    return false;
  }
}

constexpr PlanStore Here = {.Recall = recallPlan, .Store = storePlan};

} // namespace

void setPersistentPlans(const PersistentPlanSettings &How) {
  ProcessPlans *const All = How.Where || TheProcessPlans.known() ? TheProcessPlans.get() : nullptr;
  if (!All)
    return;
  // These are freed after the lock is released.
  PersistentPlanSettings Before = How;
  std::vector<PendingPlan> Pending;
  std::shared_ptr<const std::set<std::string>> Names;
  const BriefLock Guard(All->Lock, SpareDataNs);
  if (!Guard)
    return;
  std::swap(All->How, Before);
  All->Pending.swap(Pending);
  All->Names.swap(Names);
  All->NumPlans = All->PlanBytes = 0;
  planStore() = How.Where ? &Here : nullptr;
}

size_t writePersistentPlan() {
  ProcessPlans *const All = TheProcessPlans.known();
  if (!All)
    return 0;
  try {
    PersistentPlanSettings How;
    PendingPlan Next;
    {
      const BriefLock Guard(All->Lock, SpareDataNs);
      if (!Guard || !All->How.Where || All->Pending.empty())
        return 0;
      How = All->How;
      Next = std::move(All->Pending.back());
      All->Pending.pop_back();
    }
    if (const size_t Bytes = write(*How.Where, Next))
      return Bytes;
  } catch (const std::bad_alloc &) {
    logLine(LogLevel::Debug, "no memory to store a persistent plan");
  }
  // If one plan cannot be written, the others cannot, either.
  std::vector<PendingPlan> Dropped;
  const BriefLock Guard(All->Lock, SpareDataNs);
  if (Guard) {
    All->Pending.swap(Dropped);
    All->How.MayWrite = false;
  }
  return 0;
}

} // namespace specrt
