//===- runtime/compile/server_start.h - from no server to one -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_COMPILE_SERVER_START_H
#define SPECRT_RUNTIME_COMPILE_SERVER_START_H

#include "profiler/store/store_file.h"
#include <string>

namespace specrt {

/// Starts specrt-server from the folder of libspecrt.so and returns the connection to it; none,
/// with Why set to one sentence, on failure. CacheDirectory: where it listens for other programs,
/// too; "": it serves this connection alone.
///
/// The program does not notice: the server is no child of it that wait() could meet, has a session,
/// a working directory and descriptors of its own, nothing of the program's environment but what
/// finds files and libraries, and every signal at its default. No handler of the program runs for
/// it, and none of its atfork handlers. Any thread.
Descriptor startServer(const std::string &CacheDirectory, std::string &Why);

} // namespace specrt

#endif
