//===- runtime/compile/server_start.cpp - starts a compile server ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compile/server_start.h"
#include "runtime/base/config.h"
#include "runtime/compile/library_path.h"
#include "runtime/protocol/endpoint.h"
#include "runtime/protocol/frames.h"
#include "support/process/own_descriptors.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace specrt {
namespace {

/// Returns the environment as it was when the process began, because the program's threads may be
/// changing it now. Empty in set-user-id programs, where it is not trusted.
std::string firstEnvironment() {
  std::string Text;
  if (!environmentIsTrusted())
    return Text;
  const Descriptor File(open("/proc/self/environ", O_RDONLY | O_CLOEXEC));
  char Part[4096];
  for (ssize_t Bytes = 0; File && (Bytes = read(File.get(), Part, sizeof(Part))) > 0;)
    Text.append(Part, static_cast<size_t>(Bytes));
  Text += '\0';
  return Text;
}

/// Returns whether the server gets a variable: those that locate files and libraries or configure a
/// sanitizer. Others must not influence the code that is compiled for other programs.
bool isKept(std::string_view Variable) {
  constexpr std::string_view Kept[] = {
      "PATH=",         "HOME=",         "USER=",          "LOGNAME=",
      "TMPDIR=",       "LANG=",         "LC_ALL=",        "ASAN_OPTIONS=",
      "LSAN_OPTIONS=", "TSAN_OPTIONS=", "UBSAN_OPTIONS=", "LD_LIBRARY_PATH="};
  for (const std::string_view Name : Kept)
    if (Variable.starts_with(Name))
      return true;
  return false;
}

/// Input and output of the new processes, which share this one's memory until they call execve.
struct Launch {
  const char *Path = nullptr;
  char *const *Arguments = nullptr;
  char *const *Environment = nullptr;
  int Connection = -1;
  int Problem = 0; ///< an error number, written by the new process
  char *Stack = nullptr;
  size_t StackBytes = 0; ///< of each of the two processes
};

/// Arranges the descriptors of the server: /dev/null as 0 to 2 and the connection as 3. Returns
/// false, with errno set, on failure.
bool arrangeDescriptors(int Connection) {
  const int Nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (Nothing < 0)
    return false;
  // Moves the connection out of the range that is assigned below.
  const int High = fcntl(Connection, F_DUPFD_CLOEXEC, InheritedConnection + 1);
  if (High < 0)
    return false;
  for (int Number = 0; Number < InheritedConnection; ++Number)
    if (Nothing == Number ? fcntl(Number, F_SETFD, 0) != 0 : dup2(Nothing, Number) < 0)
      return false;
  if (dup2(High, InheritedConnection) < 0)
    return false;
  // The program may have opened descriptors without O_CLOEXEC.
  closeFrom(InheritedConnection + 1);
  return true;
}

/// Runs in the process that becomes the server. Makes system calls only, because it shares memory.
int becomeServer(void *Argument) {
  auto &L = *static_cast<Launch *>(Argument);
  if (!arrangeDescriptors(L.Connection) || chdir("/") != 0 ||
      execve(L.Path, L.Arguments, L.Environment) != 0)
    L.Problem = errno;
  _exit(1);
}

/// Runs in the server's parent, which ends at once so that init adopts the server. It was cloned
/// without an exit signal, so that the program's wait() does not return it.
int leaveServer(void *Argument) {
  auto &L = *static_cast<Launch *>(Argument);
  if (setsid() < 0 || clone(becomeServer, L.Stack + 2 * L.StackBytes,
                            CLONE_VM | CLONE_VFORK | SIGCHLD, Argument) < 0)
    L.Problem = errno;
  _exit(0);
}

/// Returns 0 or an error number.
int launch(Launch &L) {
  constexpr size_t StackBytes = size_t{64} << 10; // system calls need a fraction of it
  void *Memory = mmap(nullptr, 2 * StackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (Memory == MAP_FAILED)
    return errno;
  L.Stack = static_cast<char *>(Memory);
  L.StackBytes = StackBytes;
  // The program's signal handlers must not run in the processes that share its memory.
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  const int Child = clone(leaveServer, L.Stack + StackBytes, CLONE_VM | CLONE_VFORK, &L);
  const int Problem = Child < 0 ? errno : 0;
  if (Child > 0)
    while (waitpid(Child, nullptr, __WCLONE) < 0 && errno == EINTR) {
    }
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  munmap(Memory, 2 * StackBytes);
  return Problem ? Problem : L.Problem;
}

} // namespace

ServerStart startServer(const std::string &CacheDirectory, bool Listens) {
  const std::string Path = libraryDirectory() + "/specrt-server", Library = libraryPath();
  const std::array<const char *, 5> Arguments = {
      Path.c_str(), Library.c_str(), Listens ? "listen" : "serve", CacheDirectory.c_str(), nullptr};
  std::vector<char *> Environment;
  std::string Variables = firstEnvironment();
  for (char *Next = Variables.data(); *Next; Next += std::strlen(Next) + 1)
    if (isKept(Next))
      Environment.push_back(Next);
  Environment.push_back(nullptr);
  int Ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends) != 0) {
    return {.Connection = Descriptor(),
            .Why = std::string("there is no socket: ") + std::strerror(errno),
            .IsLasting = false};
  }
  Descriptor Mine(Ends[0]);
  const Descriptor Theirs(Ends[1]);
  announceSenders(Theirs.get()); // before anything is sent
  Launch L{.Path = Path.c_str(),
           .Arguments = const_cast<char *const *>(Arguments.data()),
           .Environment = Environment.data(),
           .Connection = Theirs.get()};
  if (const int Problem = launch(L))
    return {.Connection = Descriptor(),
            .Why = Path + " cannot be started: " + std::strerror(Problem),
            .IsLasting = Problem != EAGAIN && Problem != ENOMEM && Problem != EMFILE};
  return {.Connection = std::move(Mine), .Why = ""};
}

} // namespace specrt
