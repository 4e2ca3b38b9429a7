//===- tools/tune/progress_line.h - shows the progress of specrt tune -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_TUNE_PROGRESS_LINE_H
#define SPECRT_TOOLS_TUNE_PROGRESS_LINE_H

#include <string>

namespace specrt::tools {

/// On a terminal, one line of standard error that is replaced repeatedly; otherwise one line for
/// each run that has ended.
class ProgressLine {
public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  /// Replaces the line by \p Text, the current activity. Has no effect unless this is a terminal.
  void show(const std::string &Text);
  /// Shows \p Text, a finished step: in the line on a terminal, otherwise on a line of its own.
  void report(const std::string &Text);
  /// Removes the line, so that other text can be printed.
  void clear();

private:
  void draw(const std::string &Text);

  bool IsTerminal, IsDrawn = false;
};

} // namespace specrt::tools

#endif
