//===- tests/jit/shared_compiler.h - one compiler for a test program ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_JIT_SHARED_COMPILER_H
#define SPECRT_TESTS_JIT_SHARED_COMPILER_H

#include "jit/compiler.h"

/// The last message that the compiler logged.
inline std::string &lastLog() {
  static std::string Message;
  return Message;
}

inline specrt::Compiler &sharedCompiler() {
  static specrt::Compiler &C = *[] {
    specrt_jit_config Config = {[](int, const char *Message) { lastLog() = Message; },
                                SPECRT_TEST_LIBRARIES,
                                nullptr,
                                nullptr,
                                nullptr,
                                nullptr,
                                nullptr};
    return llvm::cantFail(specrt::Compiler::create(Config)).release();
  }();
  return C;
}

#endif
