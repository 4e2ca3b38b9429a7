//===- runtime/base/processors.cpp - does anybody wait for a processor? ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/processors.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <sched.h>
#include <string_view>
#include <unistd.h>

namespace specrt {
namespace {

/// The beginning of a small file; empty when it cannot be read.
template <size_t Size> std::string_view readStart(const char *Path, char (&Text)[Size]) {
  int File = open(Path, O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return {};
  ssize_t Bytes = read(File, Text, Size);
  close(File);
  return {Text, Bytes > 0 ? static_cast<size_t>(Bytes) : 0};
}

/// Threads of the whole machine that run or would.
std::optional<unsigned> runnableThreads() {
  // 0.20 0.18 0.12 3/345 11206
  char Text[128];
  std::string_view Read = readStart("/proc/loadavg", Text);
  size_t End = Read.find('/');
  size_t Begin = End == Read.npos ? Read.npos : Read.rfind(' ', End);
  unsigned Number = 0;
  if (Begin == Read.npos ||
      std::from_chars(Read.data() + Begin + 1, Read.data() + End, Number).ec != std::errc())
    return std::nullopt;
  return Number;
}

} // namespace

bool wantsProcessor(pid_t Thread) {
  char Path[64], Text[128];
  std::snprintf(Path, sizeof(Path), "/proc/self/task/%d/stat", Thread);
  // 12 (name) R ...
  std::string_view Read = readStart(Path, Text);
  size_t Name = Read.rfind(')');
  return Name != Read.npos && Read.substr(Name).starts_with(") R");
}

unsigned otherThreadsThatRun(pid_t Background, unsigned Enough) {
  const std::unique_ptr<DIR, int (*)(DIR *)> Tasks(opendir("/proc/self/task"), closedir);
  unsigned Number = 0;
  while (dirent *Entry = Tasks && Number < Enough ? readdir(Tasks.get()) : nullptr) {
    auto Thread = static_cast<pid_t>(std::strtol(Entry->d_name, nullptr, 10));
    Number += Thread > 0 && Thread != Background && Thread != gettid() && wantsProcessor(Thread);
  }
  return Number;
}

bool isProcessorFree(pid_t Background) {
  const std::optional<unsigned> Runnable = runnableThreads();
  const long Processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (!Runnable || Processors <= 0)
    return true;
  if (*Runnable >= static_cast<unsigned>(Processors) + 1 + wantsProcessor(Background))
    return false;
  cpu_set_t Mask;
  if (sched_getaffinity(0, sizeof(Mask), &Mask) != 0 || CPU_COUNT(&Mask) >= Processors)
    return true;
  const auto Usable = static_cast<unsigned>(CPU_COUNT(&Mask));
  return otherThreadsThatRun(Background, Usable) < Usable;
}

} // namespace specrt
