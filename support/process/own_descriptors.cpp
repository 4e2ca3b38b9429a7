//===- support/process/own_descriptors.cpp - a descriptor table for our own threads ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/process/own_descriptors.h"

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

/// The model is initial-exec because signal handlers read it, and the loader must not allocate
/// there.
thread_local bool HasOwn __attribute__((tls_model("initial-exec"))) = false;

// Numbers of system calls, which the headers of the build may lack.
constexpr long CloseRangeCall = 436, PidfdOpenCall = 434, PidfdGetfdCall = 438;
constexpr unsigned CloseRangeUnshare = 2;

/// Returns whether the process runs on Valgrind. Valgrind finds the file of a mapping through the
/// main thread's descriptor table, so code that threads with another table load would have no names
/// in its reports. The instructions below have no effect on a processor and are a request to
/// Valgrind (valgrind.h, VG_USERREQ__RUNNING_ON_VALGRIND).
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

/// Closes all descriptors of the calling thread's own table, on kernels before 5.9.
void closeAll() {
  const std::unique_ptr<DIR, int (*)(DIR *)> Open(opendir("/proc/thread-self/fd"), closedir);
  if (!Open)
    return;
  while (const dirent *Entry = readdir(Open.get()))
    if (const long File = std::strtol(Entry->d_name, nullptr, 10);
        Entry->d_name[0] != '.' && File != dirfd(Open.get()))
      close(static_cast<int>(File));
}

/// Opens /dev/null as descriptors 0 to 2, so that writes to standard output or error reach no other
/// file.
void occupyStandardNumbers() {
  int File = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (File < 0)
    File = open("/", O_PATH | O_CLOEXEC); // Reads and writes of such a descriptor fail.
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
  // The path names a descriptor of the main thread's table. Opening it gives a new file description
  // with its own offset.
  char Path[64];
  std::snprintf(Path, sizeof(Path), "/proc/%d/fd/%d", static_cast<int>(Process), Number);
  return open(Path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
}

} // namespace

void takeOwnDescriptors() {
  if (HasOwn || runsOnValgrind())
    return;
  // A single call, so that this table never holds a descriptor of the program open.
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
