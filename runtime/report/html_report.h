//===- runtime/report/html_report.h - the report as a page for a browser --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_REPORT_HTML_REPORT_H
#define SPECRT_RUNTIME_REPORT_HTML_REPORT_H

#include <string>

namespace specrt {

/// Returns a self-contained page with Json (a report as JSON text) inside. Names in the report
/// cannot end the script element that contains them, whatever they are. Thread-safe.
std::string htmlReport(const std::string &Json);

} // namespace specrt

#endif
