//===- jit/late_destructors.h - LLVM's statics outlive a compile at exit --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exit() does not wait for a compile: one that nobody leaves a processor to would keep it for as
// long as that lasts. So a compile may be under way until the process is gone, and what it uses
// must not be destroyed before. libLLVM registers the destructors of its static objects like any
// library, when it is loaded (those of options) and in the midst of later compiles (those of
// function-local objects). Both registrations are dropped, and the objects live until the process
// is gone.
//
// The former come before anybody can do anything, but for one thing: the loader runs constructors
// of a library with DF_1_INITFIRST, libspecrt-jit.so, before those of all others that it loads
// along with it. When the program had loaded libLLVM already, its objects are the program's, and
// are destroyed. Then exit has to wait.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_LATE_DESTRUCTORS_H
#define SPECRT_JIT_LATE_DESTRUCTORS_H

namespace specrt {

/// From now on libLLVM's calls of __cxa_atexit in this process have no effect. Destructors that are
/// registered already still run, after every handler registered until now. Returns false when the
/// library's relocations do not have the expected form; then nothing has changed. Call before the
/// first compile; once more does no harm.
bool dropLateDestructors();

/// Has libLLVM been loaded after that call, so that none of its objects is ever destroyed? To be
/// asked before anybody uses it.
bool droppedAllDestructors();

} // namespace specrt

#endif
