//===- runtime/compile/server_start.h - starts a compile server -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_COMPILE_SERVER_START_H
#define SPECRT_RUNTIME_COMPILE_SERVER_START_H

#include "profiler/store/store_file.h"
#include <string>

namespace specrt {

/// The result of startServer.
struct ServerStart {
  Descriptor Connection; ///< none on failure
  std::string Why;       ///< on failure, one sentence
  bool IsLasting = true; ///< on failure: another attempt would fail, too
};

/// Starts specrt-server from the folder of libspecrt.so. It stores compiled versions in
/// \p CacheDirectory, "" for none, and with \p Listens accepts other programs there.
///
/// The program is not affected: the server is no child that wait() could return; it has a session,
/// a working directory and descriptors of its own; of the program's environment it gets only what
/// locates files and libraries; all signals are at their defaults. No signal handler and no atfork
/// handler of the program runs. Any thread.
ServerStart startServer(const std::string &CacheDirectory, bool Listens);

} // namespace specrt

#endif
