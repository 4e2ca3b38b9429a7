//===- runtime/protocol/endpoint.cpp - where a server is found ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/protocol/endpoint.h"
#include "support/content_hash.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace specrt {
namespace {

constexpr int Waiting = 64; ///< connections that the server has not come to yet

Descriptor newSocket(int Flags = 0) {
  return Descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | Flags, 0));
}

/// False when the path is too long.
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

} // namespace

bool isOfThisUser(int Connection) {
  ucred Peer{};
  socklen_t Size = sizeof(Peer);
  return getsockopt(Connection, SOL_SOCKET, SO_PEERCRED, &Peer, &Size) == 0 &&
         Peer.uid == geteuid();
}

Endpoint::Endpoint(const std::string &CacheDirectory, const std::string &Identity)
    : Directory(openPrivateDirectory(CacheDirectory, /*Create=*/true, Problem)),
      Name("server-" + contentHash(Identity).text().substr(0, 16)) {}

/// The path of a socket has little room, and a directory may be renamed: so it leads through the
/// descriptor.
std::string Endpoint::pathOfSocket() const {
  return "/proc/thread-self/fd/" + std::to_string(Directory.get()) + "/" + Name;
}

Descriptor Endpoint::connect() const {
  sockaddr_un Address;
  struct stat Status;
  if (!Directory || !setAddress(Address, pathOfSocket()) ||
      fstatat(Directory.get(), Name.c_str(), &Status, AT_SYMLINK_NOFOLLOW) != 0 ||
      !S_ISSOCK(Status.st_mode) || Status.st_uid != geteuid())
    return Descriptor();
  Descriptor Socket = newSocket();
  if (!Socket || ::connect(Socket.get(), plain(Address), sizeof(Address)) != 0 ||
      !isOfThisUser(Socket.get()))
    return Descriptor();
  return Socket;
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
  if (!Listener || !setAddress(Address, pathOfSocket()))
    return Fail("there is no socket");
  // One that a server left behind which was killed.
  unlinkat(Directory.get(), Name.c_str(), 0);
  const mode_t Before = umask(S_IRWXG | S_IRWXO);
  const bool IsBound = bind(Listener.get(), plain(Address), sizeof(Address)) == 0;
  umask(Before);
  struct stat Status{};
  if (!IsBound || ::listen(Listener.get(), Waiting) != 0 ||
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
