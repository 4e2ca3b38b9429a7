//===- runtime/server/serve_request.h - one request, in a process of its own ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_SERVER_SERVE_REQUEST_H
#define SPECRT_RUNTIME_SERVER_SERVE_REQUEST_H

#include "runtime/protocol/frames.h"
#include "specrt/jit_api.h"
#include <string>

namespace specrt {

/// Does what \p Request asks and writes the frames of the answer to \p To. What is to be kept goes
/// to
/// \p CacheDirectory, unless that is "". The compiler has been started. Whatever happens here
/// happens to this process alone: it may crash, run out of memory, or not come to its end.
void serveRequest(const specrt_jit_api &Api, const Frame &Request,
                  const std::string &CacheDirectory, int To);

/// What the compiler logs goes to whoever waits for the request that is served.
void logFromCompiler(int Level, const char *Message);

} // namespace specrt

#endif
