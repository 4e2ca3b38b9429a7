//===- runtime/summary.cpp - the table at exit ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/clock.h"
#include "runtime/persistence.h"
#include "runtime/report.h"
#include "runtime/verdict.h"

#include <algorithm>
#include <cstdio>

namespace specrt {

RegionFigures figuresOf(const Registry::View &V) {
  RegionFigures F;
  RegionState &S = *V.State;
  F.Calls = S.Calls.load(std::memory_order_relaxed);
  if (const char *Reason = S.StaticReason.load(std::memory_order_relaxed))
    F.Reason = Reason;
  if (S.tryLock()) {
    if (S.Samples > 0)
      F.OriginalNs =
          static_cast<double>(S.SampledTicks) / static_cast<double>(S.Samples) * nsPerTick();
    S.unlock();
  }
  if (!V.Detail)
    return F;
  const RegionDetail &D = *V.Detail;
  if (!D.Reason.empty())
    F.Reason = D.Reason;
  for (const auto &Version : D.Versions) {
    F.Hits += Version->hits();
    if (!Version->EndReason.empty())
      continue;
    ++F.Versions;
    F.OriginalNs = Version->BaselineNs > 0 ? Version->BaselineNs : F.OriginalNs;
    if (Version->BodyNs > 0 && (F.BestNs == 0 || Version->BodyNs < F.BestNs))
      F.BestNs = Version->BodyNs;
  }
  for (const Version *Last = S.Versions.load(std::memory_order_acquire); Last;
       Last = Last->Next.load(std::memory_order_acquire))
    F.Misses = Last->misses();
  F.Calls = std::max(F.Calls, F.Hits + F.Misses);
  return F;
}

std::string summaryText(Registry &R) {
  std::string Text;
  char Line[512];
  std::unique_lock Lock = lockRegistry(R, 1000);
  if (!Lock.owns_lock())
    return Text;
  R.forEach([&](const Registry::View &V) {
    RegionFigures F = figuresOf(V);
    std::snprintf(Line, sizeof(Line), "specrt: %-32s %-11s %8u %10llu %10llu %10s %10s  %s\n",
                  V.Region->name, phaseName(V.State->CurrentPhase.load(std::memory_order_relaxed)),
                  F.Versions, static_cast<unsigned long long>(F.Hits),
                  static_cast<unsigned long long>(F.Misses), formatNs(F.OriginalNs).c_str(),
                  F.BestNs > 0 ? formatNs(F.BestNs).c_str() : "-", F.Reason.substr(0, 200).c_str());
    Text += Line;
  });
  if (Text.empty())
    return Text;
  std::snprintf(Line, sizeof(Line), "specrt: %-32s %-11s %8s %10s %10s %10s %10s  %s\n", "region",
                "state", "versions", "hits", "misses", "original", "version", "reason");
  return Line + Text;
}

} // namespace specrt
