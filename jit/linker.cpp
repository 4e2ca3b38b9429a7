//===- jit/linker.cpp - shared objects, by lld in this process ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/linker.h"
#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace specrt {
namespace {

Error systemError(const char *What) {
  return createStringError(Twine(What) + ": " + std::strerror(errno));
}

Error writeAll(int File, StringRef Bytes) {
  while (!Bytes.empty()) {
    ssize_t Count = ::write(File, Bytes.data(), Bytes.size());
    if (Count < 0 && errno != EINTR)
      return systemError("the linked object cannot be written");
    Bytes = Bytes.drop_front(std::max<ssize_t>(Count, 0));
  }
  return Error::success();
}

/// A file that exists only in memory, with a path for those who want one.
class MemoryFile {
public:
  MemoryFile() : Fd(memfd_create("specrt", MFD_CLOEXEC)) {}
  MemoryFile(MemoryFile &&Other) noexcept : Fd(std::exchange(Other.Fd, -1)) {}
  ~MemoryFile() {
    if (Fd >= 0)
      close(Fd);
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(Fd); }

  Error write(StringRef Bytes) {
    if (Fd < 0)
      return systemError("no file in memory");
    return writeAll(Fd, Bytes);
  }

private:
  int Fd;
};

/// Collects what is written to its path. lld keeps its output in memory until it is complete when
/// that path is a pipe, instead of creating temporary files and signal handlers that remove them.
class PipeReader {
public:
  PipeReader() {
    // Not std::thread, which throws when there is no thread to be had.
    Reading = pipe2(Ends, O_CLOEXEC) == 0 && pthread_create(&Reader, nullptr, drain, this) == 0;
  }
  ~PipeReader() {
    finish();
    if (Ends[0] >= 0)
      close(Ends[0]);
  }
  bool good() const { return Reading; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(Ends[1]); }

  /// Everything, once the writers are done.
  StringRef finish() {
    if (Ends[1] >= 0)
      close(std::exchange(Ends[1], -1));
    if (std::exchange(Reading, false))
      pthread_join(Reader, nullptr);
    return Bytes;
  }

private:
  static void *drain(void *This) {
    auto &Self = *static_cast<PipeReader *>(This);
    char Buffer[1 << 16];
    while (ssize_t Count = read(Self.Ends[0], Buffer, sizeof(Buffer)))
      if (Count > 0)
        Self.Bytes.append(Buffer, Buffer + Count);
      else if (errno != EINTR)
        break;
    return nullptr;
  }

  int Ends[2] = {-1, -1};
  SmallString<0> Bytes;
  pthread_t Reader{};
  bool Reading = false;
};

} // namespace

Error linkShared(ArrayRef<MemoryBufferRef> Objects, int File) {
  SmallVector<MemoryFile> Inputs(Objects.size());
  PipeReader Output;
  if (!Output.good())
    return systemError("no pipe for the linker");
  // One thread, because the host's processors belong to the host.
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
  bool Linked = lld::elf::link(Arguments, Stream, Stream, /*exitEarly=*/false,
                               /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  if (!Linked)
    return createStringError("lld: " + StringRef(Messages).rtrim().split('\n').first);
  return writeAll(File, Output.finish());
}

} // namespace specrt
