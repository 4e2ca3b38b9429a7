//===- runtime/protocol/endpoint.cpp - the socket of a compile server -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/protocol/endpoint.h"
#include "support/content_hash.h"

#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace specrt {
namespace {

/// The number of connections that the server has not accepted yet. A program that finds them all
/// used starts a server of its own.
constexpr int Backlog = 64;

Descriptor newSocket(int Flags = 0) {
  return Descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | Flags, 0));
}

/// Returns false when \p Path is too long for a socket.
bool setAddress(sockaddr_un &Address, const std::string &Path) {
  Address = {};
  Address.sun_family = AF_UNIX;
  if (Path.size() >= sizeof(Address.sun_path))
    return false;
  std::memcpy(Address.sun_path, Path.c_str(), Path.size());
  return true;
}

const sockaddr *plain(const sockaddr_un &Address) {
  return reinterpret_cast<const sockaddr *>(&Address);
}

constexpr const char *NamePrefix = "server-";

/// Returns the process at the other end of a connection, as it was when it connected or listened.
std::optional<ucred> peerOf(int Connection) {
  ucred Peer{};
  socklen_t Size = sizeof(Peer);
  if (getsockopt(Connection, SOL_SOCKET, SO_PEERCRED, &Peer, &Size) != 0)
    return std::nullopt;
  return Peer;
}

/// Returns a path through the descriptor: paths of sockets are limited to 107 characters, and the
/// directory may be renamed.
std::string pathIn(const Descriptor &Directory, const std::string &Name) {
  return "/proc/thread-self/fd/" + std::to_string(Directory.get()) + "/" + Name;
}

/// Returns no descriptor when no process of this user listens, or its backlog is full.
Descriptor connectTo(const Descriptor &Directory, const std::string &Name) {
  sockaddr_un Address;
  struct stat Status;
  if (!Directory || !setAddress(Address, pathIn(Directory, Name)) ||
      fstatat(Directory.get(), Name.c_str(), &Status, AT_SYMLINK_NOFOLLOW) != 0 ||
      !S_ISSOCK(Status.st_mode) || Status.st_uid != geteuid())
    return Descriptor();
  Descriptor Socket = newSocket(SOCK_NONBLOCK);
  if (!Socket || connect(Socket.get(), plain(Address), sizeof(Address)) != 0 ||
      !isOfThisUser(Socket.get()))
    return Descriptor();
  return Socket;
}

} // namespace

bool isOfThisUser(int Connection) {
  const std::optional<ucred> Peer = peerOf(Connection);
  return Peer && Peer->uid == geteuid();
}

Endpoint::Endpoint(const std::string &CacheDirectory, const std::string &Identity)
    : Directory(openPrivateDirectory(CacheDirectory, /*Create=*/true, Problem)),
      Name(NamePrefix + contentHash(Identity).text().substr(0, 16)) {}

Descriptor Endpoint::connect() const { return connectTo(Directory, Name); }

std::vector<pid_t> serversIn(const std::string &CacheDirectory) {
  std::string Problem;
  const Descriptor Directory = openPrivateDirectory(CacheDirectory, /*Create=*/false, Problem);
  std::vector<pid_t> Found;
  const int Copy = Directory ? fcntl(Directory.get(), F_DUPFD_CLOEXEC, 0) : -1;
  const std::unique_ptr<DIR, int (*)(DIR *)> Names(Copy >= 0 ? fdopendir(Copy) : nullptr, closedir);
  while (const dirent *Entry = Names ? readdir(Names.get()) : nullptr) {
    const std::string Name = Entry->d_name;
    if (!Name.starts_with(NamePrefix))
      continue;
    const Descriptor Socket = connectTo(Directory, Name);
    if (const std::optional<ucred> Peer = Socket ? peerOf(Socket.get()) : std::nullopt)
      Found.push_back(Peer->pid);
  }
  return Found;
}

Endpoint::Outcome Endpoint::listen(Descriptor &Listener) {
  const auto Fail = [this](const char *What) {
    Problem = std::string(What) + ": " + std::strerror(errno);
    return Outcome::Failed;
  };
  Lock = Descriptor(openat(Directory.get(), (Name + ".lock").c_str(),
                           O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!Lock)
    return Fail("the lock cannot be created");
  if (flock(Lock.get(), LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK ? Outcome::IsTaken : Fail("the lock cannot be locked");
  sockaddr_un Address;
  Listener = newSocket(SOCK_NONBLOCK);
  if (!Listener || !setAddress(Address, pathIn(Directory, Name)))
    return Fail("there is no socket");
  // A server that was killed leaves its socket behind.
  unlinkat(Directory.get(), Name.c_str(), 0);
  const mode_t Before = umask(S_IRWXG | S_IRWXO);
  const bool IsBound = bind(Listener.get(), plain(Address), sizeof(Address)) == 0;
  umask(Before);
  struct stat Status{};
  if (!IsBound || ::listen(Listener.get(), Backlog) != 0 ||
      fstatat(Directory.get(), Name.c_str(), &Status, AT_SYMLINK_NOFOLLOW) != 0)
    return Fail("the socket cannot be used");
  Inode = Status.st_ino;
  return Outcome::Listens;
}

bool Endpoint::isReachable() const {
  struct stat Status{};
  return fstatat(Directory.get(), Name.c_str(), &Status, AT_SYMLINK_NOFOLLOW) == 0 &&
         Status.st_ino == Inode;
}

void Endpoint::remove() const {
  if (isReachable())
    unlinkat(Directory.get(), Name.c_str(), 0);
}

} // namespace specrt
