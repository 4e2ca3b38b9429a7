//===- tools/other_process.h - does work in another process ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_OTHER_PROCESS_H
#define SPECRT_TOOLS_OTHER_PROCESS_H

#include <functional>
#include <string>
#include <sys/types.h>

namespace specrt::tools {

/// A fork of this process that does one task and returns text. A crash of the compiler library, for
/// example because of damaged bitcode, ends only the fork.
class OtherProcess {
public:
  /// Starts the process. \p Work handles its own errors; an exception that escapes it ends the
  /// process, as does a run of more than \p Seconds. Throws CommandError when no process can be
  /// started.
  OtherProcess(unsigned Seconds, const std::function<std::string()> &Work);
  ~OtherProcess();
  OtherProcess(const OtherProcess &) = delete;
  OtherProcess &operator=(const OtherProcess &) = delete;

  struct Result {
    std::string Text;  ///< the result of Work, if Death is empty
    std::string Death; ///< else how the process ended, in a few words
  };
  /// Waits for the end of the process. Must be called at most once.
  Result result();

private:
  pid_t Process = -1;
  int From = -1;
};

} // namespace specrt::tools

#endif
