//===- runtime/report/summary.cpp - the table at exit ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/words.h"
#include "runtime/base/clock.h"
#include "runtime/base/text.h"
#include "runtime/decide/verdict.h"
#include "runtime/report/region_figures.h"
#include "runtime/report/report.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

namespace specrt {

namespace {

struct SummaryRow {
  std::string Name, State;
  RegionFigures Figures;

  /// Returns the time of the region's calls without versions: the larger, the more interesting.
  double impactNs() const { return Figures.OriginalNs * static_cast<double>(Figures.Calls); }
};

/// Returns one aligned line of the table, without blanks at the end.
std::string line(const char *Name, const char *State, const char *Versions, const char *Hits,
                 const char *Misses, const char *Original, const char *Version, const char *Gain) {
  char Text[256];
  std::snprintf(Text, sizeof(Text), "specrt: %-30s %-11s %8s %9s %8s %9s %9s %6s\n", Name, State,
                Versions, Hits, Misses, Original, Version, Gain);
  return Text;
}

/// Returns a time per call, marked if an earlier run measured it.
std::string timeText(double Ns, bool IsEarlier) { return formatNs(Ns) + (IsEarlier ? "*" : ""); }

std::string line(const SummaryRow &Row) {
  const RegionFigures &F = Row.Figures;
  char Gain[32] = "-";
  if (F.BestNs > 0 && F.OriginalNs > 0)
    std::snprintf(Gain, sizeof(Gain), "%.2fx", F.OriginalNs / F.BestNs);
  std::string Text =
      line(shortenedName(Row.Name, 30).c_str(), Row.State.c_str(),
           std::to_string(F.Versions).c_str(), std::to_string(F.Hits).c_str(),
           std::to_string(F.Misses).c_str(), timeText(F.OriginalNs, F.IsOriginalEarlier).c_str(),
           F.BestNs > 0 ? timeText(F.BestNs, F.IsBestEarlier).c_str() : "-", Gain);
  if (!F.Reason.empty() && F.Versions == 0)
    Text += "specrt:   " + F.Reason.substr(0, 300) + "\n";
  return Text;
}

} // namespace

std::string summaryText(Registry &R) {
  std::vector<SummaryRow> Rows;
  std::map<std::string, size_t> Unseen; // by reason
  size_t NeverHot = 0;
  ProgramFigures Program;
  {
    RegistryLock Guard(R, /*TimeoutMs=*/1000);
    if (!Guard.owns_lock())
      return "";
    R.forEach(Guard, [&](const Registry::View &V) {
      if (isUnseen(V))
        ++Unseen[figuresOf(Guard, V).Reason];
      if (!V.Detail && V.State->Calls.load(std::memory_order_relaxed) == 0)
        return;
      SummaryRow Row{titleOf(*V.Region),
                     phaseName(V.State->CurrentPhase.load(std::memory_order_relaxed)),
                     figuresOf(Guard, V)};
      Program.add(V, Row.Figures);
      if (isHot(V) || !Row.Figures.Reason.empty())
        Rows.push_back(std::move(Row));
      else
        ++NeverHot;
    });
  }
  std::sort(Rows.begin(), Rows.end(),
            [](const SummaryRow &A, const SummaryRow &B) { return A.impactNs() > B.impactNs(); });
  std::string Text;
  if (!Rows.empty())
    Text = line("region", "state", "versions", "hits", "misses", "original", "version", "gain");
  for (const SummaryRow &Row : Rows)
    Text += line(Row);
  if (std::any_of(Rows.begin(), Rows.end(), [](const SummaryRow &Row) {
        return Row.Figures.IsOriginalEarlier || Row.Figures.IsBestEarlier;
      }))
    Text += "specrt: * an earlier run measured it\n";
  if (NeverHot > 0)
    Text += "specrt: " + std::to_string(NeverHot) +
            (NeverHot == 1 ? " region was" : " regions were") + " called but never became hot\n";
  for (const auto &[Reason, Number] : Unseen)
    Text += "specrt: " + std::to_string(Number) +
            (Number == 1 ? " region runs its" : " regions run their") + " original: " + Reason +
            "\n";
  const auto RanNs = static_cast<double>(monotonicNs() - R.StartNs);
  if (const std::string Line = Program.text(RanNs); !Line.empty())
    Text += "specrt: " + Line + "\n";
  return Text;
}

} // namespace specrt
