//===- tools/other_process.h - work that this process might not survive ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_OTHER_PROCESS_H
#define SPECRT_TOOLS_OTHER_PROCESS_H

#include <functional>
#include <string>
#include <sys/types.h>

namespace specrt::tools {

/// A copy of this process that does one thing and hands back text: what the compiler library does
/// not survive, damaged bitcode above all, ends the copy only.
class OtherProcess {
public:
  /// Starts it. \p Work handles its own errors; what it throws all the same ends the copy, as does
  /// \p Seconds without an end. Throws CommandError where there is no process to be had.
  OtherProcess(unsigned Seconds, const std::function<std::string()> &Work);
  ~OtherProcess();
  OtherProcess(const OtherProcess &) = delete;
  OtherProcess &operator=(const OtherProcess &) = delete;

  struct Result {
    std::string Text;  ///< all that Work returned, if Death is empty
    std::string Death; ///< else what became of it, in a few words
  };
  /// Waits for its end. Once.
  Result result();

private:
  pid_t Process = -1;
  int From = -1;
};

} // namespace specrt::tools

#endif
