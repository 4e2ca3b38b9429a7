//===- runtime/base/log.h - writes lines to standard error ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each message is one write(2), so lines of several threads and processes do not mix. Logging
// never fails loudly: a closed or full standard error loses the line. errno is preserved.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_BASE_LOG_H
#define SPECRT_RUNTIME_BASE_LOG_H

#include "runtime/base/config.h"

namespace specrt {

void setLogLevel(LogLevel Level);
bool logs(LogLevel Level);

/// Writes "specrt: warning: ..." and a newline. Lines longer than 2000 bytes are cut. Thread-safe.
[[gnu::format(printf, 2, 3)]] void logLine(LogLevel Level, const char *Format, ...);

/// Writes text without a prefix, for tables; only at Level. Thread-safe.
void logText(LogLevel Level, const std::string &Text);

} // namespace specrt

#endif
