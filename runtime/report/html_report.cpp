//===- runtime/report/html_report.cpp - the report as a page for a browser ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report/html_report.h"

#include <string_view>

namespace specrt {
namespace {

/// The text of report_page.html, which contains the mark at the place of the data.
constexpr std::string_view Page =
#include "report_page.inc"
    ;
constexpr std::string_view Mark = "@SPECRT_REPORT@";
static_assert(Page.find(Mark) != std::string_view::npos);

} // namespace

std::string htmlReport(const std::string &Json) {
  constexpr size_t At = Page.find(Mark);
  std::string Text(Page.substr(0, At));
  // In JSON these characters occur only inside strings, where an escape has the same meaning.
  // Without '<' no text can look like the end of the script element or like a comment.
  for (char C : Json)
    if (C == '<')
      Text += "\\u003c";
    else if (C == '>')
      Text += "\\u003e";
    else if (C == '&')
      Text += "\\u0026";
    else
      Text += C;
  return Text.append(Page.substr(At + Mark.size()));
}

} // namespace specrt
