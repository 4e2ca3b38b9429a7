//===- support/thread.cpp - threads of the library's own ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/thread.h"

#include <csignal>

namespace specrt {

int startThread(pthread_t &Thread, size_t StackBytes, void *(*Main)(void *), void *Argument) {
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_attr_setstacksize(&Attributes, StackBytes);
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  int Problem = pthread_create(&Thread, &Attributes, Main, Argument);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  pthread_attr_destroy(&Attributes);
  return Problem;
}

} // namespace specrt
