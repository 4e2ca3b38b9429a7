//===- jit/contained_constructors.h - libraries that find no memory while they start ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libLLVM and what it needs run more than a thousand constructors when they are loaded, which
// allocate. An exception that leaves one of them passes through the loader, whose lock is held for
// ever then: the program's next dlopen would wait for it. So they run contained, as compiles do.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_CONTAINED_CONSTRUCTORS_H
#define SPECRT_JIT_CONTAINED_CONSTRUCTORS_H

namespace specrt {

using Constructor = void (*)(int, char **, char **);

/// From now on the constructors of what was loaded together with this library run contained, and
/// those of this library that come behind \p Caller, one of them, which calls this on the loading
/// thread before any of the others has run. After the first one that fails no others run.
void containConstructors(Constructor Caller);

/// Has one failed? Then nothing of these libraries may be used.
bool haveConstructorsFailed();

} // namespace specrt

#endif
