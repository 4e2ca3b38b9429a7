//===- jit/load.cpp - what libspecrt-jit.so does before LLVM's constructors ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See jit/late_destructors.h and jit/contained_constructors.h. In the library only: programs that
// contain the compiler, as tests do, have their libLLVM's objects destroyed, and their own.
//
//===----------------------------------------------------------------------===//
#include "jit/allocation_points.h"
#include "jit/contained_constructors.h"
#include "jit/containment.h"
#include "jit/late_destructors.h"

namespace {

/// libLLVM is relocated, but none of its constructors has run, nor any other of this library.
[[gnu::constructor(101)]] void beforeLLVM(int, char **, char **) {
  specrt::dropLateDestructors();
  specrt::installContainment();
  specrt::stopCompilesWhereTheyAllocate();
  specrt::containConstructors(&beforeLLVM);
}

/// A variable of libLLVM.
extern "C" __thread unsigned threadIndexOfLLVM asm("_ZN4llvm8parallel11threadIndexE");

/// A library that is opened has its thread-local variables allocated when a thread comes to the
/// first of them, and the C library ends the process when there is no memory then. A reference of
/// this dialect to one of them makes the loader put all of libLLVM's, which take 64 bytes, beside
/// those of the program, where every thread has room from its start; when no room is left there
/// they stay as they are.
[[gnu::used]] unsigned *placeThreadLocalsOfLLVM() { return &threadIndexOfLLVM; }

} // namespace

/// Stands in for __cxa_thread_atexit in this library. The C library ends the process where it has
/// no memory to remember a destructor, and compiling threads never end.
extern "C" int __wrap___cxa_thread_atexit(void (*)(void *), void *, void *) { return 0; }

/// Stands in for __cxa_atexit in this library, which contains lld: a compile uses its objects, too.
extern "C" int __wrap___cxa_atexit(void (*)(void *), void *, void *) { return 0; }
