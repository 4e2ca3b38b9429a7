//===- tools/tune/interrupts.cpp - records signals during tuning ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tune/interrupts.h"

#include <atomic>

namespace specrt::tools {
namespace {

// The only data that the signal handler uses.
std::atomic<int> NumSignals{0};
std::atomic<pid_t> Program{0};
static_assert(std::atomic<pid_t>::is_always_lock_free);

void receive(int Signal, siginfo_t *Info, void *) {
  const bool IsFirst = NumSignals.fetch_add(1) == 0;
  const pid_t Process = Program.load();
  if (Process == 0)
    return;
  // The terminal sends its signals (SI_KERNEL) to the program as well.
  if (!IsFirst)
    kill(Process, SIGKILL);
  else if (Info->si_code != SI_KERNEL)
    kill(Process, Signal);
}

} // namespace

Interrupts::Interrupts() {
  NumSignals = 0;
  Program = 0;
  struct sigaction Action{};
  Action.sa_sigaction = receive;
  Action.sa_flags = SA_SIGINFO;
  sigemptyset(&Action.sa_mask);
  sigaction(SIGINT, &Action, &OldInt);
  sigaction(SIGTERM, &Action, &OldTerm);
}

Interrupts::~Interrupts() {
  sigaction(SIGINT, &OldInt, nullptr);
  sigaction(SIGTERM, &OldTerm, nullptr);
}

bool Interrupts::happened() const { return NumSignals.load() > 0; }

void Interrupts::setProgram(pid_t Process) {
  Program = Process;
  // The signal arrived before there was a program to pass it to.
  if (Process != 0 && NumSignals.load() > 0)
    kill(Process, SIGTERM);
}

} // namespace specrt::tools
