//===- runtime/decide/osr/osr_report.cpp - reports of on-stack replacements ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/osr/osr_report.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/reasons.h"
#include "runtime/decide/verdict.h"

#include <algorithm>

namespace specrt {

/// Returns a text such as "tiled at iteration 230 of 1000: 0.21 s in the original, then 0.02 s
/// instead of an estimated 0.70 s to 0.72 s".
static std::string describe(const OsrTarget &T) {
  auto Time = [](double Ticks) { return formatNs(Ticks * nsPerTick()); };
  std::string Text = T.Name + " at iteration " + std::to_string(T.Iteration);
  if (T.Iterations)
    Text += " of " + std::to_string(T.Iterations);
  Text += ": " + Time(static_cast<double>(T.TicksBefore.load(std::memory_order_relaxed))) +
          " in the original, then " +
          Time(static_cast<double>(T.TicksAfter.load(std::memory_order_relaxed)));
  if (double AtLeast = T.AtLeast.load(std::memory_order_relaxed); AtLeast > 0)
    Text += " instead of an estimated " + Time(AtLeast) + " to " +
            Time(T.AtMost.load(std::memory_order_relaxed));
  if (T.WasSlow.load(std::memory_order_relaxed))
    Text += "; up to iteration " + std::to_string(T.Probe->End) +
            " it was slower than the original, whose order was kept from there on";
  return Text;
}

/// Charges the time by which a candidate was slower than the original to the region's account. If
/// it was clearly slower, records a decision, so that the next run does not begin with it.
static void recordLoss(RegionDetail &D, const OsrTarget &T) {
  double After = static_cast<double>(T.TicksAfter.load(std::memory_order_relaxed));
  double AtMost = T.AtMost.load(std::memory_order_relaxed);
  if (AtMost <= 0) // it took over too early for an estimate
    AtMost = T.ExpectedNs / nsPerTick();
  if (AtMost <= 0)
    return;
  D.Account->invest(std::max(After - AtMost, 0.0) * nsPerTick());
  const Evidence E = {.New = spreadOf(After), .Old = spreadOf(AtMost)};
  if (!E.isLoss() && !T.WasSlow.load(std::memory_order_relaxed))
    return;
  double Before = static_cast<double>(T.TicksBefore.load(std::memory_order_relaxed));
  const double Ns = (Before + After) * nsPerTick();
  const char *Why = words(Reason::SlowerInACall);
  D.History.Retired.push_back(
      {.Name = T.Name, .Reason = Why, .Assumed = T.Assumed, .Ns = Ns, .CompileMs = T.CompileMs});
  addDecision(D, {.Assumed = T.Assumed,
                  .Result = StoredDecision::Outcome::SlowerInACall,
                  .Candidate = T.Name,
                  .OriginalNs = (Before + AtMost) * nsPerTick(),
                  .CandidateNs = Ns,
                  .CompileMs = T.CompileMs,
                  .Reason = Why});
}

void tellOsr(const RegistryLock &Guard, RegionDetail &D) {
  for (const auto &T : D.History.OsrTargets) {
    if (T->Told || !T->Done.load(std::memory_order_acquire))
      continue;
    T->Told = true;
    D.History.Events.add(Event::HandedOver, describe(*T), T->AtNs);
    recordLoss(D, *T);
    logLine(LogLevel::Debug, "%s: handed over to %s", D.Copy.region().name, describe(*T).c_str());
  }
}

} // namespace specrt
