//===- support/own_descriptors.cpp - a descriptor table for our own threads ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/own_descriptors.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace specrt {
namespace {

/// Initial-exec: it is read in signal handlers, where the loader must not allocate.
thread_local bool HasOwn __attribute__((tls_model("initial-exec"))) = false;

// The kernel's numbers, which the headers of the build may lack.
constexpr long CloseRangeCall = 436, PidfdOpenCall = 434, PidfdGetfdCall = 438;
constexpr unsigned CloseRangeUnshare = 2;

/// Valgrind finds the file of a mapping through the main thread's table: what is loaded by threads
/// with another one would have no names in its reports. The sequence of instructions does nothing
/// on a processor and is a question to Valgrind (valgrind.h, VG_USERREQ__RUNNING_ON_VALGRIND).
bool runsOnValgrind() {
  uint64_t Answer = 0;
#if defined(__x86_64__)
  const uint64_t Question[6] = {0x1001};
  asm volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi;"
               "xchgq %%rbx, %%rbx"
               : "+d"(Answer)
               : "a"(&Question[0])
               : "cc", "memory");
#endif
  return Answer != 0;
}

/// Closes all descriptors of the calling thread's table, which is its own. For kernels before 5.9.
void closeAll() {
  const std::unique_ptr<DIR, int (*)(DIR *)> Open(opendir("/proc/thread-self/fd"), closedir);
  if (!Open)
    return;
  while (const dirent *Entry = readdir(Open.get()))
    if (const long File = std::strtol(Entry->d_name, nullptr, 10);
        Entry->d_name[0] != '.' && File != dirfd(Open.get()))
      close(static_cast<int>(File));
}

/// Whoever writes to standard output or error from here on writes to nobody's file.
void occupyStandardNumbers() {
  int File = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (File < 0)
    File = open("/", O_PATH | O_CLOEXEC); // reading and writing fail
  while (File >= 0 && File < STDERR_FILENO)
    File = fcntl(File, F_DUPFD_CLOEXEC, File);
}

int copyOfProgram(int Number) {
  const pid_t Process = getpid();
  if (const int Handle = static_cast<int>(syscall(PidfdOpenCall, Process, 0)); Handle >= 0) {
    const int Copy = static_cast<int>(syscall(PidfdGetfdCall, Handle, Number, 0));
    close(Handle);
    if (Copy >= 0)
      return Copy;
  }
  // The path leads to the table of the main thread. A file is opened anew, with a place of its own.
  char Path[64];
  std::snprintf(Path, sizeof(Path), "/proc/%d/fd/%d", static_cast<int>(Process), Number);
  return open(Path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
}

} // namespace

void takeOwnDescriptors() {
  if (HasOwn || runsOnValgrind())
    return;
  // In one step, so that no descriptor of the program is held open here for a moment.
  if (syscall(CloseRangeCall, 0U, UINT_MAX, CloseRangeUnshare) != 0) {
    if (unshare(CLONE_FILES) != 0)
      return;
    closeAll();
  }
  HasOwn = true;
  occupyStandardNumbers();
}

void closeFrom(int First) {
  constexpr int UsualLimit = 1024;
  if (syscall(CloseRangeCall, static_cast<unsigned>(First), UINT_MAX, 0U) == 0)
    return;
  for (int File = First; File < UsualLimit; ++File)
    close(File);
}

int moveUp(int Descriptor) {
  constexpr rlim_t Wanted = 960;
  rlimit Limit{};
  if (Descriptor < 0 || getrlimit(RLIMIT_NOFILE, &Limit) != 0)
    return Descriptor;
  const rlim_t Least = std::min(Wanted, Limit.rlim_cur > 64 ? Limit.rlim_cur - 64 : 0);
  const int Moved = fcntl(Descriptor, F_DUPFD_CLOEXEC, static_cast<int>(Least));
  if (Moved < 0)
    return Descriptor;
  close(Descriptor);
  return Moved;
}

void shareOwnDescriptorsOf(bool CreatorHasOwn) { HasOwn = CreatorHasOwn; }

bool hasOwnDescriptors() { return HasOwn; }

ProgramDescriptor::ProgramDescriptor(int Number)
    : File(HasOwn ? copyOfProgram(Number) : Number), IsCopy(HasOwn) {}

ProgramDescriptor::~ProgramDescriptor() {
  if (IsCopy && File >= 0)
    close(File);
}

} // namespace specrt
