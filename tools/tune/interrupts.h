//===- tools/tune/interrupts.h - records signals during tuning ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_TUNE_INTERRUPTS_H
#define SPECRT_TOOLS_TUNE_INTERRUPTS_H

#include <csignal>
#include <sys/types.h>

namespace specrt::tools {

/// While an object exists, SIGINT and SIGTERM are recorded instead of ending this process, so that
/// a summary can be printed. The tuned program ends with them: a terminal sends SIGINT to both
/// processes, and a signal from another process is passed on. A second signal kills the program.
/// There may be one object at a time.
class Interrupts {
public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;

  bool happened() const;
  /// Sets the running program; 0: none. The caller must not reap it before it has set 0, so that
  /// its process number is not reused.
  void setProgram(pid_t Process);

private:
  struct sigaction OldInt{}, OldTerm{};
};

} // namespace specrt::tools

#endif
