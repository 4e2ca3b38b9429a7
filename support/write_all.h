//===- support/write_all.h - bytes to a file descriptor -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_WRITE_ALL_H
#define SPECRT_SUPPORT_WRITE_ALL_H

#include <string_view>

namespace specrt {

/// Writes all of Bytes; signals do not interrupt it, and it raises none (SIGPIPE, SIGXFSZ). Returns
/// false on failure, with errno set. A non-blocking pipe that accepts nothing for WaitMs
/// milliseconds is a failure, too. Async-signal-safe.
[[nodiscard]] bool writeAll(int File, std::string_view Bytes, int WaitMs = 0);

} // namespace specrt

#endif
