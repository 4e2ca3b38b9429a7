//===- tests/jit/frame_watch_test.cpp - how much stack generated code takes ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/code/engine.h"
#include "jit/code/frame_watch.h"
#include "specializer/module/region_module.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace specrt;

namespace {

uint64_t largestFrame(const std::string &Bytes) {
  static Engine &E = *llvm::cantFail(Engine::create()).release();
  const std::string Text = "declare void @use(ptr)\n"
                           "define void @f() {\n"
                           "  %p = alloca [" +
                           Bytes +
                           " x i8], align 64\n"
                           "  call void @use(ptr %p)\n"
                           "  ret void\n"
                           "}\n";
  auto Context = createQuietContext();
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(Text, Problem, *Context);
  EXPECT_TRUE(M) << Problem.getMessage().str();
  const FrameWatch Frames(*M);
  llvm::cantFail(E.compile(*M));
  return Frames.largest();
}

TEST(FrameWatch, NotesLargeFramesOnly) {
  EXPECT_EQ(largestFrame("3000"), 0u);
  EXPECT_GE(largestFrame("6000"), 6000u);
  EXPECT_LT(largestFrame("6000"), 6400u);
}

} // namespace
