//===- jit/load.cpp - what libspecrt-jit.so does before LLVM's constructors ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See jit/late_destructors.h. In the library only: programs that contain the compiler, as tests do,
// have their libLLVM's objects destroyed, and their own.
//
//===----------------------------------------------------------------------===//
#include "jit/late_destructors.h"

namespace {

/// libLLVM is relocated, but none of its constructors has run.
[[gnu::constructor]] void beforeLLVM() { specrt::dropLateDestructors(); }

} // namespace

/// Stands in for __cxa_atexit in this library, which contains lld: a compile uses its objects, too.
extern "C" int __wrap___cxa_atexit(void (*)(void *), void *, void *) { return 0; }
