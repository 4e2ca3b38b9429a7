//===- specializer/polyhedral/isl_work.h - what another thread may interrupt ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl counts operations, and gives up beyond a quota. But an operation on numbers of hundreds of
// digits takes a thousand times as long as one on small ones, so that no quota is a limit in time.
// Whoever watches the clock can make isl give up as well: its next operation fails, and all that
// follow, as beyond a quota.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_ISL_WORK_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_ISL_WORK_H

struct isl_ctx;

namespace specrt {

/// A time in which isl may be interrupted: only around what stands null results, as it must under a
/// quota. One at a time.
class IslWork {
public:
  explicit IslWork(isl_ctx *Context);
  ~IslWork();
  IslWork(const IslWork &) = delete;
  IslWork &operator=(const IslWork &) = delete;
};

/// Any thread: makes isl give up if it may be interrupted now. Its context stays useless.
void interruptIsl();

/// Before a compile. What an earlier one left behind when LLVM failed is forgotten.
void expectNoIslWork();

/// Was isl interrupted since then?
bool wasIslInterrupted();

} // namespace specrt

#endif
