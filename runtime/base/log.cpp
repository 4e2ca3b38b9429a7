//===- runtime/base/log.cpp - writes lines to standard error --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/log.h"
#include "support/process/own_descriptors.h"
#include "support/write_all.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace specrt {
namespace {

std::atomic<LogLevel> Threshold{LogLevel::Warning};

const char *label(LogLevel Level) {
  switch (Level) {
  case LogLevel::Error:
    return "error: ";
  case LogLevel::Warning:
    return "warning: ";
  case LogLevel::Debug:
    return "debug: ";
  default:
    return "";
  }
}

/// Prints a line. A failure is ignored, because there is no other place to report it.
void print(std::string_view Text) {
  const ProgramDescriptor Errors(STDERR_FILENO);
  (void)writeAll(Errors.get(), Text);
}

} // namespace

void setLogLevel(LogLevel Level) { Threshold.store(Level, std::memory_order_relaxed); }

bool logs(LogLevel Level) {
  return Level != LogLevel::Off && Level <= Threshold.load(std::memory_order_relaxed);
}

void logLine(LogLevel Level, const char *Format, ...) {
  if (!logs(Level))
    return;
  int SavedErrno = errno;
  char Line[2048];
  int Prefix = std::snprintf(Line, sizeof(Line), "specrt: %s", label(Level));
  va_list Arguments;
  va_start(Arguments, Format);
  int Length = std::vsnprintf(Line + Prefix, 2000 - Prefix, Format, Arguments);
  va_end(Arguments);
  if (Length >= 0) {
    size_t Size = std::strlen(Line);
    // A line break inside a message (a path, a compiler's text) would look like a second line.
    std::replace(Line, Line + Size, '\n', ' ');
    Line[Size] = '\n';
    print({Line, Size + 1});
  }
  errno = SavedErrno;
}

void logText(LogLevel Level, const std::string &Text) {
  if (!logs(Level))
    return;
  int SavedErrno = errno;
  print(Text);
  errno = SavedErrno;
}

} // namespace specrt
