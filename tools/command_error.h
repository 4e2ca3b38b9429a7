//===- tools/command_error.h - how a command reports failure --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_COMMAND_ERROR_H
#define SPECRT_TOOLS_COMMAND_ERROR_H

#include <stdexcept>
#include <string>

namespace specrt::tools {

/// Exit codes of `specrt`; documented in docs/tools.md and specrt(1).
enum ExitCode : int {
  ExitSuccess = 0,
  ExitNothing = 1, ///< nothing found, or something wrong was found
  ExitUsage = 2    ///< wrong usage, or input that cannot be read
};

/// Ends the command: main prints what() as one line and exits with code(). The tool may throw,
/// unlike the library, because it is a program.
class CommandError : public std::runtime_error {
public:
  CommandError(ExitCode Code, const std::string &Message)
      : std::runtime_error(Message), Code(Code) {}
  ExitCode code() const { return Code; }

private:
  ExitCode Code;
};

} // namespace specrt::tools

#endif
