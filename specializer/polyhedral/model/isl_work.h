//===- specializer/polyhedral/model/isl_work.h - what another thread may interrupt ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl counts operations, and gives up beyond a quota. But an operation on numbers of hundreds of
// digits takes a thousand times as long as one on small ones, so that no quota is a limit in time.
// Whoever watches the clock can make isl give up as well: then what is left of the quota is taken
// away.
//
// Only of a quota: Polly sets one around what stands null results, and no other operation may fail.
// isl_ctx_abort would let all fail, and leave accesses without relations that Polly then looks
// into. As Polly also ends its quotas, only the thread that works with isl can tell whether there
// is one. So it is that thread which takes the quota away, in a function that isl calls all the
// time.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_ISL_WORK_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_ISL_WORK_H

struct isl_ctx;

namespace specrt {

/// A time in which this thread works with isl and may be interrupted.
class IslWork {
public:
  explicit IslWork(isl_ctx *Context);
  ~IslWork();
  IslWork(const IslWork &) = delete;
  IslWork &operator=(const IslWork &) = delete;

private:
  isl_ctx *Outer;
};

/// Any thread: from now on isl gives up where it has a quota.
void interruptIsl();

/// Within isl's operations, on the thread that works: obeys.
void obeyInterruptOfIsl();

/// Before and after a compile. What one left behind when LLVM failed is forgotten.
void expectNoIslWork();

/// Did isl have to give up since then?
bool wasIslInterrupted();

} // namespace specrt

#endif
