//===- tools/explain/zeros_text.cpp - describes zeros in dense loops in words ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/explain/zeros_text.h"
#include "tools/terminal.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace specrt::tools {
namespace {

std::vector<std::string> linesOf(std::string_view Text) {
  std::vector<std::string> Lines;
  while (!Text.empty()) {
    const size_t End = std::min(Text.find('\n'), Text.size());
    if (End > 0)
      Lines.push_back(printable(Text.substr(0, End)));
    Text.remove_prefix(std::min(End + 1, Text.size()));
  }
  return Lines;
}

double percent(uint64_t Part, uint64_t All) {
  return All ? 100 * static_cast<double>(Part) / static_cast<double>(All) : 0;
}

std::string listText(const ListedNonzeros &L) {
  return wrapped(
      "  " + printable(L.Array) + ": ",
      fmt::format("{} of {} elements are not zero, {:.3g} %; listed in {} row{}{}",
                  grouped(L.Listed), grouped(L.Elements), percent(L.Listed, L.Elements),
                  grouped(L.Rows), L.Rows == 1 ? "" : "s",
                  L.WhyNotKept.empty() ? "" : " anew in each call: " + printable(L.WhyNotKept)));
}

std::string predictionText(const PredictedNonzeros &P) {
  std::string Text =
      fmt::format("of {} elements that the loops write {} may be nonzero, {:.3g} %",
                  grouped(P.Elements), grouped(P.Nonzero), percent(P.Nonzero, P.Elements));
  if (P.IfZeroBefore)
    Text += ", if all were zero before";
  if (P.Words > 0)
    Text += fmt::format("; {} of {} words that were looked at after a call were not zero",
                        P.Words - std::min(P.Zero, P.Words), P.Words);
  return wrapped("  " + printable(P.Array) + ": ", Text);
}

} // namespace

std::string zerosText(const ZerosOfRegion &Of) {
  std::string Text;
  for (const ListedNonzeros &L : Of.Lists)
    Text += listText(L);
  for (const PredictedNonzeros &P : Of.Predicted)
    Text += predictionText(P);
  if (!Of.WhyNotPredicted.empty())
    Text += wrapped("  what it writes: ", "not predicted, " + printable(Of.WhyNotPredicted));
  for (const std::string &Line : linesOf(Of.Skips))
    Text += wrapped("  -> ", Line);
  for (const std::string &Line : linesOf(Of.Equations)) {
    const size_t Begin = std::min(Line.find_first_not_of(' '), Line.size());
    Text += wrapped("  " + std::string(Begin, ' '), Line.substr(Begin));
  }
  return Text;
}

} // namespace specrt::tools
