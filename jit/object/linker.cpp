//===- jit/object/linker.cpp - shared objects, by lld in this process -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/object/linker.h"
#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "support/thread.h"
#include "support/write_all.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

// These replace functions of libLLVM that lld's archives call (cmake/SpecrtLLVM.cmake), because
// their effects are for a program and must not happen in a host.
extern "C" {
/// cl::ResetAllOptionOccurrences would reset options that a host with the same libLLVM has parsed.
void __wrap__ZN4llvm2cl25ResetAllOptionOccurrencesEv() {}
/// llvm_shutdown precedes lld's own exit.
void __wrap__ZN4llvm13llvm_shutdownEv() {}
/// sys::Process::Exit(int, bool) follows a fatal error, which is contained like those of LLVM.
[[noreturn]] void __wrap__ZN4llvm3sys7Process4ExitEib(int, bool) {
  llvm::report_fatal_error("lld gave up");
}
}

using namespace llvm;

namespace specrt {
namespace {

Error systemError(const char *What) {
  return createStringError(Twine(What) + ": " + std::strerror(errno));
}

/// A file that exists only in memory and has a path.
class MemoryFile {
public:
  MemoryFile() : Fd(memfd_create("specrt", MFD_CLOEXEC)) {}
  MemoryFile(MemoryFile &&Other) noexcept : Fd(std::exchange(Other.Fd, -1)) {}
  ~MemoryFile() {
    if (Fd >= 0)
      close(Fd);
  }
  std::string path() const { return "/proc/thread-self/fd/" + std::to_string(Fd); }

  Error write(StringRef Bytes) {
    if (Fd < 0)
      return systemError("no file in memory");
    return writeAll(Fd, Bytes) ? Error::success()
                               : systemError("the objects to link cannot be written");
  }

private:
  int Fd;
};

} // namespace

LinkerOutput::LinkerOutput(int To) : To(To) {
  constexpr size_t StackBytes = size_t{256} << 10; // four times drain's buffer
  Reading = pipe2(Ends, O_CLOEXEC) == 0 && fcntl(Ends[0], F_SETFL, O_NONBLOCK) == 0 &&
            startThread(Reader, StackBytes, drain, this) == 0;
}

LinkerOutput::~LinkerOutput() {
  finish();
  for (int End : Ends)
    if (End >= 0)
      close(End);
}

std::string LinkerOutput::path() const { return "/proc/thread-self/fd/" + std::to_string(Ends[1]); }

int LinkerOutput::finish() {
  Written.store(true);
  if (std::exchange(Reading, false))
    pthread_join(Reader, nullptr);
  return Problem;
}

/// Ends when the writer is done and the pipe is empty, not at the end of the file: a child that the
/// host forked meanwhile has the other end open, too.
void *LinkerOutput::drain(void *This) {
  auto &Self = *static_cast<LinkerOutput *>(This);
  char Buffer[1 << 16];
  while (true) {
    bool Last = Self.Written.load(); // read before the pipe is looked at
    ssize_t Count = read(Self.Ends[0], Buffer, sizeof(Buffer));
    if (Count > 0) {
      // The pipe is emptied even after an error, because lld waits for that.
      if (!writeAll(Self.To, {Buffer, static_cast<size_t>(Count)}) && Self.Problem == 0)
        Self.Problem = errno;
      continue;
    }
    if (Count == 0 || (errno == EAGAIN && Last))
      return nullptr;
    pollfd Waiting{Self.Ends[0], POLLIN, 0};
    poll(&Waiting, 1, /*timeout=*/1);
  }
}

Error linkShared(ArrayRef<MemoryBufferRef> Objects, LinkerOutput &Output) {
  SmallVector<MemoryFile> Inputs(Objects.size());
  if (!Output.good())
    return systemError("no pipe for the linker");
  // lld uses one thread, because the processors are the host's.
  std::vector<std::string> Words = {"ld.lld",         "-shared",          "--threads=1",
                                    "--no-undefined", "-Bsymbolic",       "--eh-frame-hdr",
                                    "--build-id",     "--hash-style=gnu", "-o",
                                    Output.path()};
  for (const auto &[Object, Input] : zip_equal(Objects, Inputs)) {
    if (Error E = Input.write(Object.getBuffer()))
      return E;
    Words.push_back(Input.path());
  }
  SmallVector<const char *> Arguments;
  for (const std::string &Word : Words)
    Arguments.push_back(Word.c_str());
  SmallString<0> Messages;
  raw_svector_ostream Stream(Messages);
  // lld sets the strategy of a libLLVM that the host may use, too, so it is restored.
  const ThreadPoolStrategy Before = parallel::strategy;
  bool Linked = lld::elf::link(Arguments, Stream, Stream, /*exitEarly=*/false,
                               /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  parallel::strategy = Before;
  if (!Linked)
    return createStringError("lld: " + StringRef(Messages).rtrim().split('\n').first);
  errno = Output.finish();
  if (errno != 0)
    return systemError("the linked object cannot be written");
  return Error::success();
}

} // namespace specrt
