//===- runtime/compile/server_start.h - from no server to one -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_COMPILE_SERVER_START_H
#define SPECRT_RUNTIME_COMPILE_SERVER_START_H

#include "profiler/store/store_file.h"
#include <string>

namespace specrt {

/// What came of starting a server.
struct ServerStart {
  Descriptor Connection; ///< none on failure
  std::string Why;       ///< one sentence, on failure
  bool IsLasting = true; ///< another try is of no use
};

/// Starts specrt-server from the folder of libspecrt.so. CacheDirectory: where it keeps what it
/// makes;
/// "": nowhere. Listens: there, for other programs, too; otherwise it serves this one alone.
///
/// The program does not notice: the server is no child of it that wait() could meet, has a session,
/// a working directory and descriptors of its own, nothing of the program's environment but what
/// finds files and libraries, and every signal at its default. No handler of the program runs for
/// it, and none of its atfork handlers. Any thread.
ServerStart startServer(const std::string &CacheDirectory, bool Listens);

} // namespace specrt

#endif
