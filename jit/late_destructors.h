//===- jit/late_destructors.h - LLVM's statics outlive a compile at exit --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exit() runs handlers in the reverse order of their registration. The handler that stops the
// compile thread is registered when the compiler starts; LLVM's function-local statics that come to
// life in a later compile register their destructors after it, hence are destroyed before the
// thread has stopped, under its hands. No order of our own handlers can repair that: the compile in
// flight may register one more at any time. So libLLVM's later registrations are dropped instead,
// and the objects live until the process is gone.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_LATE_DESTRUCTORS_H
#define SPECRT_JIT_LATE_DESTRUCTORS_H

namespace specrt {

/// From now on libLLVM's calls of __cxa_atexit in this process have no effect. Destructors that are
/// registered already still run, after every handler registered until now. Returns false when the
/// library's relocations do not have the expected form; then nothing has changed. Call once, before
/// the first compile.
bool dropLateDestructors();

} // namespace specrt

#endif
