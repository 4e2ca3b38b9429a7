//===- tools/tune/progress_line.h - what specrt tune is doing -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_TUNE_PROGRESS_LINE_H
#define SPECRT_TOOLS_TUNE_PROGRESS_LINE_H

#include <string>

namespace specrt::tools {

/// On a terminal one line of standard error that is replaced again and again; elsewhere one line
/// for each run that has ended.
class ProgressLine {
public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  /// Replaces the line by \p Text, the present activity. Does nothing unless this is a terminal.
  void show(const std::string &Text);
  /// Shows \p Text, a finished step: on a terminal in the line, otherwise as a line of its own.
  void report(const std::string &Text);
  /// Removes the line, so that something else can be printed.
  void clear();

private:
  void draw(const std::string &Text);

  bool IsTerminal, IsDrawn = false;
};

} // namespace specrt::tools

#endif
