//===- tests/tools/html_report_test.cpp - data cannot break out of the page ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report/html_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace specrt {
namespace {

/// The text of the element that holds the report.
std::string embedded(const std::string &Page) {
  const std::string Begin = "id=\"report\">";
  size_t At = Page.find(Begin);
  EXPECT_NE(At, std::string::npos);
  At += Begin.size();
  return Page.substr(At, Page.find("</script>", At) - At);
}

TEST(HtmlReport, HoldsTheReportUnchanged) {
  nlohmann::json Report = {{"name", "</script><script>alert(1)</script>"},
                           {"comment", "<!-- & --> \"quoted\" \\ ü \u2028"}};
  std::string Page = htmlReport(Report.dump());
  EXPECT_EQ(nlohmann::json::parse(embedded(Page)), Report);
}

TEST(HtmlReport, NothingInTheDataLooksLikeMarkup) {
  std::string Data = embedded(htmlReport(R"({"a": "<b>&amp;</b>"})"));
  EXPECT_EQ(Data.find_first_of("<>&"), std::string::npos) << Data;
}

} // namespace
} // namespace specrt
