//===- runtime/rows/kept_tables.cpp - what is known of rows, from run to run ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/kept_tables.h"
#include "runtime/base/brief_lock.h"
#include "runtime/base/config.h"
#include "runtime/base/per_process.h"
#include "runtime/base/reasons.h"
#include "runtime/cache/version_store.h"
#include "runtime/call/work_queue.h"
#include "runtime/rows/row_listener.h"
#include "runtime/rows/table_image.h"

#include <cinttypes>
#include <cstdio>
#include <utility>

namespace specrt {
namespace {

/// Fewer rows are walked in less time than looking for a file takes.
constexpr uint64_t LeastRows = 1024;
/// So many are kept of a loop for matrices of the same size that take turns.
constexpr uint64_t Variants = 4;
/// Of a process.
constexpr size_t MaxTables = 64, MaxBytes = size_t{128} << 20;
/// Of a table.
constexpr size_t MaxImageBytes = size_t{32} << 20;
/// Nobody waits longer for what can be found out again.
constexpr uint64_t PatienceNs = 1'000'000;
/// What can be said of a table changes when this does.
constexpr unsigned TableFormat = 1;

struct Waiting {
  VersionKey Key;
  std::shared_ptr<const SiteCopy> Of;
  std::shared_ptr<RowTable> Table;
};

/// What \p Lock guards.
struct Keeper {
  /// A child has what its parent has, but writes nothing that waits there.
  explicit Keeper(Keeper *Parents) {
    if (Parents && BriefLock(Parents->Lock)) {
      Where = Parents->Where;
      MayWrite = Parents->MayWrite;
      Kept = Parents->Kept;
      KeptBytes = Parents->KeptBytes;
    }
  }

  std::atomic_flag Lock;
  std::shared_ptr<VersionStore> Where;
  bool MayWrite = false;
  std::vector<Waiting> Some;
  size_t Kept = 0, KeptBytes = 0;
};

constinit PerProcess<Keeper> TheKeeper;

std::string hexadecimal(uint64_t Number) {
  char Text[17];
  std::snprintf(Text, sizeof(Text), "%016" PRIx64, Number);
  return Text;
}

/// Of a loop that begins with inputs that decide, without that for which pointers stand.
/// \p KeyOf: RowGrounds::Key.
VersionKey keyOf(const specrt_rows_site &Site, const std::vector<uint64_t> &KeyOf,
                 uint64_t Variant) {
  const Identity &Who = identity();
  std::string Inputs;
  size_t Next = 0;
  for (uint32_t I = 0; I < Site.num_inputs; ++I)
    if (Site.deciding[I]) {
      const uint64_t Value = KeyOf[Next++];
      if (Site.deciding[I] != SPECRT_ROWS_DECIDING_BY_CONTENT)
        Inputs += " " + hexadecimal(Value);
    }
  const std::string Threads =
      Site.is_parallel ? std::to_string(usableProcessors()) : std::string("1");
  return {"rows=" + std::to_string(TableFormat) + "\nruntime=" + Who.Runtime +
          "\ncompiler=" + Who.Compiler + "\ncpu=" + Who.Cpu + "\nthreads=" + Threads + "\nloop=" +
          hexadecimal(Site.digest[1]) + hexadecimal(Site.digest[0]) + "\ninputs=" + Inputs +
          "\nnumber=" + hexadecimal(KeyOf.back()) + "\nvariant=" + std::to_string(Variant) + "\n"};
}

std::shared_ptr<VersionStore> storeFor(const specrt_rows_site &Site) {
  Keeper *const All = mayBeKept(Site) ? TheKeeper.get() : nullptr;
  if (!All)
    return nullptr;
  std::shared_ptr<VersionStore> Where;
  if (const BriefLock Guard(All->Lock, PatienceNs); Guard)
    Where = All->Where;
  return Where && identity().Runtime != "none" ? Where : nullptr;
}

size_t bytesOf(const RowTable &T) {
  return T.Segments.size() * sizeof(specrt_rows_segment) +
         sizeof(int64_t) * (T.Origins.size() + T.LaneOrigins.size() + T.PatternOrigins.size()) +
         sizeof(uint32_t) * T.NarrowOrigins.size();
}

bool isWorthKeeping(const RowTable &T) {
  return !T.Contents.empty() && bytesOf(T) <= MaxImageBytes &&
         T.Problem != words(Reason::NoMemoryForRows);
}

} // namespace

std::atomic<double> &leastKeptNs() {
  static std::atomic<double> Ns = 5e6;
  return Ns;
}

void keepTables(std::shared_ptr<VersionStore> Where, bool MayWrite) {
  Keeper *const All = Where || TheKeeper.known() ? TheKeeper.get() : nullptr;
  if (!All)
    return;
  std::vector<Waiting> Dropped; // freed without the lock
  const BriefLock Guard(All->Lock, PatienceNs);
  if (!Guard)
    return;
  All->Where.swap(Where);
  All->MayWrite = MayWrite;
  All->Some.swap(Dropped);
  All->Kept = All->KeptBytes = 0;
}

InspectedRows recallTable(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows,
                          WatchCopies Copies) {
  if (Rows < LeastRows)
    return {};
  const std::shared_ptr<VersionStore> Where = storeFor(Site);
  if (!Where)
    return {};
  RowGrounds Call;
  Call.setKey(Site, Inputs, Rows);
  for (uint64_t Variant = 0; Variant < Variants; ++Variant) {
    const VersionKey Key = keyOf(Site, Call.Key, Variant);
    StoredVersion Found;
    if (!Where->has(Key) || !Where->find(Key, Found))
      continue;
    if (std::shared_ptr<RowTable> T = decodeTable(Site, Inputs, Rows, Found.Object, Copies)) {
      T->IsKept = true;
      const char *Problem = T->Problem;
      return {.Table = std::move(T), .Problem = Problem, .Source = RowSource::EarlierRun};
    }
  }
  return {};
}

bool keepForOthers(const specrt_rows_site &Site, const InspectedRows &Found) {
  const std::shared_ptr<RowTable> &T = Found.Table;
  if (!T || !isWorthKeeping(*T) || !storeFor(Site))
    return false;
  if (T->IsKept.exchange(true))
    return true;
  const uint64_t Variant = T->Contents.back().Low % Variants;
  Waiting New = {keyOf(Site, T->Key, Variant), std::make_shared<SiteCopy>(Site), T};
  Keeper &All = *TheKeeper.known();
  {
    const BriefLock Guard(All.Lock, PatienceNs);
    if (!Guard || !All.MayWrite || All.Kept == MaxTables || All.KeptBytes > MaxBytes)
      return false;
    All.Some.push_back(std::move(New));
    ++All.Kept;
    All.KeptBytes += bytesOf(*T);
  }
  wakeWorker();
  return true;
}

void writeKeptTables() {
  Keeper *const All = TheKeeper.known();
  if (!All)
    return;
  for (;;) {
    std::shared_ptr<VersionStore> Where;
    Waiting Next;
    {
      const BriefLock Guard(All->Lock, PatienceNs);
      if (!Guard || !All->Where || All->Some.empty())
        return;
      Where = All->Where;
      Next = std::move(All->Some.back());
      All->Some.pop_back();
    }
    const std::string Image = encodeTable(Next.Of->site(), *Next.Table);
    if (!Where->hasRoomFor(Image.size()))
      continue;
    VersionDescription About;
    About.Title = "rows of a loop";
    About.Candidates.push_back(
        {"table of " + std::to_string(Next.Table->Key.back()) + " rows", {}});
    Where->put(Next.Key, std::move(About), Image, /*Durable=*/false);
  }
}

} // namespace specrt
