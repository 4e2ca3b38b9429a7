//===- runtime/process/attend.h - what a process with regions needs -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PROCESS_ATTEND_H
#define SPECRT_RUNTIME_PROCESS_ATTEND_H

namespace specrt {

class Registry;

/// To be called after an image registered or a setting changed: sees to the end of the process, to
/// children that it forks, and to a worker once a call wants one. \p Image: an address in the image
/// that registered, or null. Any thread.
void attend(Registry &R, const void *Image = nullptr);

} // namespace specrt

#endif
