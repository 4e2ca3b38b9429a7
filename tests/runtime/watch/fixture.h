//===- tests/runtime/watch/fixture.h - memory to be watched ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_RUNTIME_WATCH_FIXTURE_H
#define SPECRT_TESTS_RUNTIME_WATCH_FIXTURE_H

#include "runtime/base/tuning.h"
#include "runtime/watch/memory_copy.h"
#include "runtime/watch/process_watches.h"
#include "runtime/watch/watch.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace specrt {

/// Pages of private anonymous memory with bytes that differ.
struct Pages {
  explicit Pages(size_t Count, int Flags = MAP_PRIVATE | MAP_ANONYMOUS, int File = -1)
      : Size(Count * pageBytes()),
        Data(
            static_cast<std::byte *>(mmap(nullptr, Size, PROT_READ | PROT_WRITE, Flags, File, 0))) {
    if (Data == MAP_FAILED)
      std::abort();
    fill();
  }
  ~Pages() { munmap(Data, Size); }
  Pages(const Pages &) = delete;

  void fill() {
    for (size_t I = 0; I < std::min(Size, pageBytes()); ++I)
      Data[I] = static_cast<std::byte>(I * 7 + I / 256);
    for (size_t I = pageBytes(); I < Size; I += pageBytes())
      std::memcpy(Data + I, Data, pageBytes());
  }
  std::byte &operator[](size_t I) { return Data[I]; }
  std::byte *page(size_t I) { return Data + I * pageBytes(); }
  std::byte *end() { return Data + Size; }

  const size_t Size;
  std::byte *const Data;
};

inline std::unique_ptr<Watch> armed(const void *Begin, size_t Bytes) {
  const WatchedRange Range = {static_cast<const std::byte *>(Begin), Bytes};
  return Watch::arm({&Range, 1});
}
inline std::unique_ptr<Watch> armed(const Pages &P) { return armed(P.Data, P.Size); }

/// Does the kernel of this machine keep a record of pages, and may we ask for it?
inline bool hasPageRecord() { return ProcessWatches::current()->pages(); }

/// Runs F in a forked child; was its answer yes?
inline bool inChild(const std::function<bool()> &F) {
  const pid_t Child = fork();
  if (Child == 0)
    _exit(F() ? 0 : 1);
  int Status = -1;
  waitpid(Child, &Status, 0);
  return WIFEXITED(Status) && WEXITSTATUS(Status) == 0;
}

struct WithMode {
  explicit WithMode(WatchMode M) { tuning().Watching = M; }
  ~WithMode() { tuning().Watching = WatchMode::Pages; }
};

} // namespace specrt

#endif
