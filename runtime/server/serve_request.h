//===- runtime/server/serve_request.h - one request, in a process of its own ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_SERVER_SERVE_REQUEST_H
#define SPECRT_RUNTIME_SERVER_SERVE_REQUEST_H

#include "runtime/protocol/frames.h"
#include "specrt/jit_api.h"
#include <string>

namespace specrt {

/// Serves \p Request and writes the frames of the answer to the descriptor \p To. Stores candidates
/// in \p CacheDirectory; "" stores nothing. \p Capture is a captured call, on which candidates are
/// replayed, or negative. The compiler must have been started. To be called in a process of its
/// own: it may crash, run out of memory, exit, or never return.
void serveRequest(const specrt_jit_api &Api, const Frame &Request,
                  const std::string &CacheDirectory, int To, int Capture);

/// Sends a message of the compiler to the clients of the request that is being served. Any thread.
void logFromCompiler(int Level, const char *Message);

} // namespace specrt

#endif
