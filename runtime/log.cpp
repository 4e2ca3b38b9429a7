//===- runtime/log.cpp - one line to standard error, or nothing -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/log.h"

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

void writeAll(const char *Text, size_t Size) {
  while (Size > 0) {
    ssize_t Written = ::write(STDERR_FILENO, Text, Size);
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return;
    Text += Written;
    Size -= static_cast<size_t>(Written);
  }
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
    writeAll(Line, Size + 1);
  }
  errno = SavedErrno;
}

void logText(LogLevel Level, const std::string &Text) {
  if (!logs(Level))
    return;
  int SavedErrno = errno;
  writeAll(Text.data(), Text.size());
  errno = SavedErrno;
}

} // namespace specrt
