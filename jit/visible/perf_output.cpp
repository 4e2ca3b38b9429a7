//===- jit/visible/perf_output.cpp - files that tell perf about generated code ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/visible/perf_output.h"
#include "support/write_all.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FormatVariadic.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace specrt {
namespace {

Error failed(const Twine &What, StringRef Path) {
  return createStringError("cannot " + What + " " + Path + ": " + strerror(errno));
}

template <typename T> void put(std::string &Bytes, T Value) {
  Bytes.append(reinterpret_cast<const char *>(&Value), sizeof(Value));
}

void putText(std::string &Bytes, StringRef Text) {
  Bytes.append(Text.begin(), Text.end());
  Bytes.push_back('\0');
}

/// The clock of perf record -k 1.
uint64_t timestamp() {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return uint64_t(Now.tv_sec) * 1'000'000'000 + uint64_t(Now.tv_nsec);
}

class MapOutput final : public PerfOutput {
public:
  MapOutput(int Descriptor, std::string Path) : PerfOutput(Descriptor, std::move(Path)) {}

private:
  std::string encode(const GeneratedFunction &F) override {
    return formatv("{0:x-} {1:x-} {2}\n", F.Address, F.Code.size(), F.Name).str();
  }
};

/// The format is that of tools/perf/Documentation/jitdump-specification.txt in Linux.
class JitDumpOutput final : public PerfOutput {
public:
  JitDumpOutput(int Descriptor, std::string Path) : PerfOutput(Descriptor, std::move(Path)) {}

  Error writeHeader() {
    std::string Bytes;
    put<uint32_t>(Bytes, 0x4A695444); // "JiTD"
    put<uint32_t>(Bytes, 1);          // version
    put<uint32_t>(Bytes, 40);         // size of this header
    put<uint32_t>(Bytes, ELF::EM_X86_64);
    put<uint32_t>(Bytes, 0);
    put<uint32_t>(Bytes, getpid());
    put<uint64_t>(Bytes, timestamp());
    put<uint64_t>(Bytes, 0); // flags
    return append(Bytes);
  }

private:
  enum class Record : uint32_t { Load = 0, DebugInfo = 2 };

  static std::string seal(Record Kind, const std::string &Payload) {
    std::string Bytes;
    put<uint32_t>(Bytes, static_cast<uint32_t>(Kind));
    put<uint32_t>(Bytes, Payload.size() + 16);
    put<uint64_t>(Bytes, timestamp());
    return Bytes + Payload;
  }

  std::string encode(const GeneratedFunction &F) override {
    std::string Lines, Load;
    put<uint64_t>(Lines, F.Address);
    put<uint64_t>(Lines, F.Lines.size());
    for (const GeneratedLine &L : F.Lines) {
      put<uint64_t>(Lines, L.Address);
      put<uint32_t>(Lines, L.Line);
      put<uint32_t>(Lines, 0); // discriminator
      putText(Lines, L.File);
    }
    put<uint32_t>(Load, getpid());
    put<uint32_t>(Load, gettid());
    put<uint64_t>(Load, F.Address);
    put<uint64_t>(Load, F.Address);
    put<uint64_t>(Load, F.Code.size());
    put<uint64_t>(Load, NumFunctions++);
    putText(Load, F.Name);
    Load.append(F.Code.begin(), F.Code.end());
    // The lines belong to the next code that is loaded.
    return (F.Lines.empty() ? "" : seal(Record::DebugInfo, Lines)) + seal(Record::Load, Load);
  }

  uint64_t NumFunctions = 0;
};

/// A new folder of our own for one dump.
Expected<std::string> makeDumpFolder() {
  const char *Base = getenv("JITDUMPDIR");
  if (!Base || !*Base)
    Base = getenv("HOME");
  if (!Base || !*Base)
    return createStringError("neither JITDUMPDIR nor HOME is set");
  std::string Folder = Base;
  for (const char *Next : {"/.debug", "/jit"}) {
    Folder += Next;
    if (mkdir(Folder.c_str(), 0700) != 0 && errno != EEXIST)
      return failed("make the folder", Folder);
  }
  Folder += "/specrt-XXXXXX";
  if (!mkdtemp(Folder.data()))
    return failed("make the folder", Folder);
  return Folder;
}

/// perf record notices the file because a page of it is mapped as code.
Error announce(int Descriptor, StringRef Path) {
  // The mapping stays for the life of the process.
  void *Marker = mmap(nullptr, static_cast<size_t>(sysconf(_SC_PAGESIZE)), PROT_READ | PROT_EXEC,
                      MAP_PRIVATE, Descriptor, 0);
  return Marker == MAP_FAILED ? failed("map", Path) : Error::success();
}

} // namespace

PerfOutput::PerfOutput(int Descriptor, std::string Path)
    : Descriptor(Descriptor), Path(std::move(Path)), Process(getpid()) {}

PerfOutput::~PerfOutput() {
  if (Descriptor >= 0)
    close(Descriptor);
}

Error PerfOutput::append(StringRef Bytes) {
  if (writeAll(Descriptor, Bytes))
    return Error::success();
  Error Problem = failed("write", Path);
  close(Descriptor);
  Descriptor = -1;
  return Problem;
}

Error PerfOutput::write(ArrayRef<GeneratedFunction> Functions) {
  if (Descriptor < 0 || getpid() != Process)
    return Error::success();
  std::string Bytes;
  for (const GeneratedFunction &F : Functions)
    Bytes += encode(F);
  return append(Bytes);
}

Expected<std::unique_ptr<PerfOutput>> PerfOutput::openMap() {
  std::string Path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  // Anyone may put anything into /tmp: neither a link nor somebody else's file is written to.
  int File =
      open(Path.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (File < 0)
    return failed("open", Path);
  auto Output = std::make_unique<MapOutput>(File, Path);
  struct stat Status;
  if (fstat(File, &Status) != 0)
    return failed("look at", Path);
  if (!S_ISREG(Status.st_mode) || Status.st_uid != geteuid() || Status.st_nlink != 1)
    return createStringError(Path + " belongs to somebody else");
  return Output;
}

Expected<std::unique_ptr<PerfOutput>> PerfOutput::openJitDump() {
  Expected<std::string> Folder = makeDumpFolder();
  if (!Folder)
    return Folder.takeError();
  std::string Path = *Folder + "/jit-" + std::to_string(getpid()) + ".dump";
  int File = open(Path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (File < 0)
    return failed("open", Path);
  auto Output = std::make_unique<JitDumpOutput>(File, Path);
  if (Error Problem = Output->writeHeader())
    return std::move(Problem);
  if (Error Problem = announce(File, Path))
    return std::move(Problem);
  return Output;
}

} // namespace specrt
