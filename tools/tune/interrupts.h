//===- tools/tune/interrupts.h - Ctrl-C ends the tuning, not the summary --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_TUNE_INTERRUPTS_H
#define SPECRT_TOOLS_TUNE_INTERRUPTS_H

#include <csignal>
#include <sys/types.h>

namespace specrt::tools {

/// While it exists, SIGINT and SIGTERM are recorded instead of ending this process. The program
/// that runs ends with them: a terminal sends SIGINT to both processes, and a signal that another
/// process sends is passed on. A second signal kills the program. One object at a time.
class Interrupts {
public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;

  bool happened() const;
  /// The program that runs; 0: none. It must not be waited for before this is 0 again, so that its
  /// number is not reused meanwhile.
  void setProgram(pid_t Process);

private:
  struct sigaction OldInt{}, OldTerm{};
};

} // namespace specrt::tools

#endif
