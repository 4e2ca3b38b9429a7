//===- tests/runtime/spinner.h - a thread that wants a processor ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_RUNTIME_SPINNER_H
#define SPECRT_TESTS_RUNTIME_SPINNER_H

#include <atomic>
#include <sys/types.h>
#include <thread>
#include <unistd.h>

namespace specrt {

/// Takes a processor while it lives.
class Spinner {
public:
  ~Spinner() {
    Stop = true;
    Thread.join();
  }
  pid_t id() const {
    while (Id == 0)
      usleep(100);
    return Id;
  }

private:
  std::atomic<bool> Stop{false};
  std::atomic<pid_t> Id{0};
  std::thread Thread{[this] {
    Id = gettid();
    while (!Stop) {
    }
  }};
};

} // namespace specrt

#endif
