//===- runtime/base/processors.cpp - counts threads that need processors --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/processors.h"
#include "support/file_start.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <dirent.h>
#include <memory>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace specrt {
namespace {

/// Returns the number of runnable threads of the whole machine.
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

bool wantsProcessor(pid_t Id) {
  char Path[64], Text[128];
  std::snprintf(Path, sizeof(Path), "/proc/%d/stat", Id);
  // 12 (name) R ...
  std::string_view Read = readStart(Path, Text);
  size_t Name = Read.rfind(')');
  return Name != Read.npos && Read.substr(Name).starts_with(") R");
}

void listThreads(pid_t Process, std::vector<pid_t> &To) {
  char Path[64], Text[512];
  std::snprintf(Path, sizeof(Path), "/proc/%d/task", Process);
  const std::unique_ptr<DIR, int (*)(DIR *)> Threads(opendir(Path), closedir);
  while (const dirent *Entry = Threads ? readdir(Threads.get()) : nullptr) {
    pid_t Thread = 0;
    const std::string_view Name = Entry->d_name;
    if (std::from_chars(Name.data(), Name.data() + Name.size(), Thread).ec != std::errc())
      continue;
    To.push_back(Thread);
    std::snprintf(Path, sizeof(Path), "/proc/%d/task/%d/children", Process, Thread);
    std::string_view Left = readStart(Path, Text);
    for (pid_t Child = 0;
         std::from_chars(Left.data(), Left.data() + Left.size(), Child).ec == std::errc();) {
      listThreads(Child, To);
      Left.remove_prefix(std::min(Left.find(' '), Left.size() - 1) + 1);
    }
  }
}

unsigned othersThatRun(std::span<const pid_t> Ours) {
  const unsigned Runnable = runnableThreads().value_or(0);
  unsigned Known = 1; // the caller
  for (const pid_t Id : Ours)
    Known += wantsProcessor(Id);
  return Runnable - std::min(Runnable, Known);
}

bool isProcessorFree(std::span<const pid_t> Ours) {
  const long Processors = sysconf(_SC_NPROCESSORS_ONLN);
  return Processors <= 0 || othersThatRun(Ours) < static_cast<unsigned>(Processors);
}

} // namespace specrt
