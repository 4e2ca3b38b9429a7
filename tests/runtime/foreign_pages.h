//===- tests/runtime/foreign_pages.h - pages that nobody else may read ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_RUNTIME_FOREIGN_PAGES_H
#define SPECRT_TESTS_RUNTIME_FOREIGN_PAGES_H

#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace specrt {

enum class Foreign : uint8_t { BeyondItsFile, Protected, FilledByAHandler };

inline std::string nameOf(Foreign Kind) {
  return Kind == Foreign::BeyondItsFile ? "BeyondItsFile"
         : Kind == Foreign::Protected   ? "Protected"
                                        : "FilledByAHandler";
}

/// Puts pages of somebody else where a test wants them. Reading one ends the process with SIGBUS or
/// SIGSEGV, or is counted.
class ForeignPages {
public:
  explicit ForeignPages(Foreign Kind) : Kind(Kind) {
    if (Kind == Foreign::BeyondItsFile)
      File = memfd_create("empty", MFD_CLOEXEC);
    else if (Kind == Foreign::FilledByAHandler)
      listen();
  }
  ~ForeignPages() {
    if (Handler.joinable()) {
      close(Stop[1]); // the handler wakes up
      Handler.join();
      close(Stop[0]);
    }
    if (File >= 0)
      close(File);
  }
  ForeignPages(const ForeignPages &) = delete;
  ForeignPages &operator=(const ForeignPages &) = delete;

  /// Does the kernel have such pages, and may we use them?
  bool arePossible() const { return Kind == Foreign::Protected || File >= 0; }

  /// In place of the \p Bytes bytes at \p At, which are whole pages.
  void put(std::byte *At, size_t Bytes) const {
    const int Flags =
        MAP_FIXED | (Kind == Foreign::BeyondItsFile ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS);
    const int Access = Kind == Foreign::Protected ? PROT_NONE : PROT_READ | PROT_WRITE;
    if (mmap(At, Bytes, Access, Flags, Kind == Foreign::BeyondItsFile ? File : -1, 0) != At ||
        (Kind == Foreign::FilledByAHandler && !isRegistered(At, Bytes)))
      std::abort();
  }

  /// Pages that somebody waited for.
  unsigned numRead() const { return NumRead; }

  /// Registers pages with the handler. False where another one has them.
  bool isRegistered(std::byte *At, size_t Bytes) const {
    uffdio_register Register{};
    Register.range = {.start = reinterpret_cast<uintptr_t>(At), .len = Bytes};
    Register.mode = UFFDIO_REGISTER_MODE_MISSING;
    return ioctl(File, UFFDIO_REGISTER, &Register) == 0;
  }

private:
  void listen() {
    constexpr int UserModeOnly = 1;
    File = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK));
    if (File < 0)
      File = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UserModeOnly));
    uffdio_api Api{};
    Api.api = UFFD_API;
    if (File < 0 || ioctl(File, UFFDIO_API, &Api) != 0 || pipe2(Stop, O_CLOEXEC) != 0)
      return;
    Handler = std::thread([this] {
      pollfd Both[] = {{File, POLLIN, 0}, {Stop[0], POLLIN, 0}};
      while (poll(Both, 2, -1) > 0 && Both[1].revents == 0)
        fill();
    });
  }
  void fill() {
    uffd_msg Message;
    if (read(File, &Message, sizeof(Message)) != sizeof(Message) ||
        Message.event != UFFD_EVENT_PAGEFAULT)
      return;
    ++NumRead;
    const auto PageBytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    uffdio_zeropage Zero{};
    Zero.range = {.start = Message.arg.pagefault.address & ~(PageBytes - 1), .len = PageBytes};
    ioctl(File, UFFDIO_ZEROPAGE, &Zero);
  }

  const Foreign Kind;
  int File = -1; ///< the empty one, or the handler's
  int Stop[2] = {-1, -1};
  std::thread Handler;
  std::atomic<unsigned> NumRead{0};
};

} // namespace specrt

#endif
