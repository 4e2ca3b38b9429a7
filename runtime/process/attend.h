//===- runtime/process/attend.h - prepares a process that contains regions ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PROCESS_ATTEND_H
#define SPECRT_RUNTIME_PROCESS_ATTEND_H

namespace specrt {

class Registry;

/// Must be called after an image registered or a setting changed. Installs handlers for the end of
/// the process and for forks, and makes calls able to start a worker. \p Image is an address in the
/// image that registered, or null. Any thread.
void attend(Registry &R, const void *Image = nullptr);

} // namespace specrt

#endif
