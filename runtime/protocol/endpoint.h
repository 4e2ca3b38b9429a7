//===- runtime/protocol/endpoint.h - the socket of a compile server -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A server listens on a socket in the user's cache directory, which other users cannot write to.
// The socket's name contains a hash of the build of libspecrt and the kind of processor: different
// builds, and different machines that share a home directory, have different servers.
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

/// The descriptor on which a new server finds the connection to the program that started it.
inline constexpr int InheritedConnection = 3;

class Endpoint {
public:
  /// Opens \p CacheDirectory, and creates it if necessary. \p Identity is that of Greeting.
  Endpoint(const std::string &CacheDirectory, const std::string &Identity);

  /// Returns false, with problem() set, when the directory cannot be used.
  bool good() const { return static_cast<bool>(Directory); }
  const std::string &problem() const { return Problem; }

  /// Connects to the server that listens, without waiting. Returns no descriptor when there is none
  /// of this user.
  Descriptor connect() const;

  enum class Outcome : uint8_t {
    Listens,
    IsTaken, ///< another server listens
    Failed   ///< problem() says why
  };
  /// Makes this process the only listener for as long as the object exists.
  Outcome listen(Descriptor &Listener);
  /// Returns whether the name still leads to the listener, so that programs find it.
  bool isReachable() const;
  /// Removes the name. Only for the process that listens.
  void remove() const;

private:
  std::string Problem; ///< declared before Directory, whose initialisation sets it
  Descriptor Directory, Lock;
  std::string Name;
  uint64_t Inode = 0; ///< of the socket that listens
};

/// Returns the processes that listen in a cache directory, of all builds of libspecrt; none when
/// the directory cannot be used.
std::vector<pid_t> serversIn(const std::string &CacheDirectory);

/// Returns whether the process at the other end belongs to this user.
bool isOfThisUser(int Connection);

} // namespace specrt

#endif
