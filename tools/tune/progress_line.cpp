//===- tools/tune/progress_line.cpp - shows the progress of specrt tune ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tune/progress_line.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace specrt::tools {
namespace {

size_t widthOfTerminal() {
  constexpr size_t Usual = 80;
  winsize Size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &Size) == 0 && Size.ws_col > 1 ? Size.ws_col : Usual;
}

} // namespace

ProgressLine::ProgressLine() : IsTerminal(isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(const std::string &Text) {
  if (IsTerminal)
    draw(Text);
}

void ProgressLine::report(const std::string &Text) {
  if (IsTerminal)
    draw(Text);
  else
    fmt::print(stderr, "specrt: {}\n", Text);
}

void ProgressLine::clear() {
  if (IsDrawn)
    fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  IsDrawn = false;
}

void ProgressLine::draw(const std::string &Text) {
  // A line that wraps could not be replaced.
  fmt::print(stderr, "\r\033[K{}", ("specrt: " + Text).substr(0, widthOfTerminal() - 1));
  std::fflush(stderr);
  IsDrawn = true;
}

} // namespace specrt::tools
