//===- runtime/protocol/endpoint.h - where a server is found --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A server listens on a socket in the user's cache directory, which nobody else can write to. Its
// name has a hash of what both ends must have in common: builds of libspecrt, and kinds of
// processors that share a home, have servers of their own.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_PROTOCOL_ENDPOINT_H
#define SPECRT_RUNTIME_PROTOCOL_ENDPOINT_H

#include "profiler/store/store_file.h"
#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace specrt {

/// The descriptor that a server is started with: the connection to who has started it.
inline constexpr int InheritedConnection = 3;

class Endpoint {
public:
  /// In CacheDirectory, which is made where there is none, of ends that are of this Identity (see
  /// Greeting).
  Endpoint(const std::string &CacheDirectory, const std::string &Identity);

  /// Is the directory as it must be? Otherwise problem() says what is wrong.
  bool good() const { return static_cast<bool>(Directory); }
  const std::string &problem() const { return Problem; }

  /// A connection to the server that listens, which is a process of the same user; none when there
  /// is no such server.
  Descriptor connect() const;

  enum class Outcome : uint8_t {
    Listens,
    IsTaken, ///< another server does
    Failed   ///< as problem() says
  };
  /// Makes this the only listener, until it is destroyed.
  Outcome listen(Descriptor &Listener);
  /// Does the name still lead to the listener, so that programs find it?
  bool isReachable() const;
  /// Removes the name. For who listens.
  void remove() const;

private:
  std::string Problem; ///< before Directory, which may have some
  Descriptor Directory, Lock;
  std::string Name;
  uint64_t Inode = 0; ///< of the socket that listens
};

/// The processes that listen in a cache directory, whatever build of libspecrt they are of. None
/// where the directory is not as it must be.
std::vector<pid_t> serversIn(const std::string &CacheDirectory);

/// Does the process at the other end belong to this user?
bool isOfThisUser(int Connection);

} // namespace specrt

#endif
