//===- tools/tune/program_runs.h - runs a program repeatedly --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_TUNE_PROGRAM_RUNS_H
#define SPECRT_TOOLS_TUNE_PROGRAM_RUNS_H

#include "profiler/store/store_file.h"
#include "tools/tune/interrupts.h"
#include <string>
#include <vector>

namespace specrt::tools {

/// The options of one run.
struct RunTerms {
  bool IsShown = false;    ///< its output is passed on
  bool IsOriginal = false; ///< with SPECRT_DISABLE=1
  bool IsReported = false; ///< it writes a report to ProgramRuns::reportPath()
};

/// Runs of one command line in the environment of this process. Not thread-safe.
///
/// Each run reads standard input from the offset at which this process found it, if that is a file,
/// and no input otherwise. The output of hidden runs goes to a temporary folder, which the
/// destructor removes.
class ProgramRuns {
public:
  /// \p Command is the program, found as a shell finds it, and its arguments. Throws CommandError
  /// when it cannot create a temporary folder.
  ProgramRuns(std::vector<std::string> Command, Interrupts &Signals);
  ~ProgramRuns();
  ProgramRuns(const ProgramRuns &) = delete;
  ProgramRuns &operator=(const ProgramRuns &) = delete;

  /// Runs the program to its end and returns the seconds this took. Throws CommandError when it
  /// cannot be started, and when it fails without an interrupt. After an interrupt the result is
  /// meaningless.
  double run(const RunTerms &Terms);

  const std::string &reportPath() const { return ReportPath; }
  const std::string &program() const { return Command.front(); }

private:
  pid_t start(const RunTerms &Terms);
  void throwFailure(int Status, const RunTerms &Terms) const;
  std::vector<std::string> environment(const RunTerms &Terms) const;

  std::vector<std::string> Command;
  Interrupts &Signals;
  std::string Folder, ReportPath, ErrorPath;
  off_t InputBegin = -1; ///< offset of standard input; -1: it is no file
};

} // namespace specrt::tools

#endif
