//===- tests/specializer/describe_test.cpp - code of wrapped functions ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/module_bytes.h"
#include "specializer/module/host_target.h"
#include "specializer/wrapping/describe.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "gmock/gmock.h"

using namespace llvm;
using testing::HasSubstr;
using testing::Not;

namespace {

/// Returns the code of the region that describe() makes of x[i] = (x[i] + y) - x[i], with \p Flags.
std::string described(const std::string &Flags, specrt_fp_mode Mode) {
  const std::string Text = "define void @f(i64 %n, double %y, ptr noalias %x) {\n"
                           "entry:\n  br label %loop\n"
                           "loop:\n"
                           "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
                           "  %at = getelementptr double, ptr %x, i64 %i\n"
                           "  %v = load double, ptr %at\n"
                           "  %s = fadd " +
                           Flags +
                           " double %v, %y\n"
                           "  %d = fsub " +
                           Flags +
                           " double %s, %v\n"
                           "  store double %d, ptr %at\n"
                           "  %next = add nuw nsw i64 %i, 1\n"
                           "  %last = icmp eq i64 %next, %n\n"
                           "  br i1 %last, label %end, label %loop\n"
                           "end:\n  ret void\n}\n";
  LLVMContext Context;
  SMDiagnostic Problem;
  const std::unique_ptr<Module> M = parseAssemblyString(Text, Problem, Context);
  if (!M)
    report_fatal_error(Problem.getMessage());
  const std::unique_ptr<TargetMachine> Target = cantFail(specrt::createHostTarget());
  M->setTargetTriple(Target->getTargetTriple());
  M->setDataLayout(Target->createDataLayout());
  SmallVector<char, 0> Bytes;
  specrt::writeModule(*M, Bytes);
  const auto Type = [](uint8_t Kind, uint32_t Size, const char *Name) {
    specrt_c_type T{};
    T.kind = Kind;
    T.size = T.alignment = Size;
    T.text = Name;
    return T;
  };
  const specrt_c_type None = Type(SPECRT_KIND_VOID, 0, "void");
  const specrt_c_type Arguments[] = {Type(SPECRT_KIND_I64, 8, "i64"),
                                     Type(SPECRT_KIND_F64, 8, "f64"),
                                     Type(SPECRT_KIND_POINTER, 8, "ptr")};
  specrt_describe_request Request{};
  Request.bitcode = Bytes.data();
  Request.bitcode_size = Bytes.size();
  Request.function = "f";
  Request.result = &None;
  Request.arguments = Arguments;
  Request.num_arguments = 3;
  Request.fp_mode = Mode;
  specrt::CompileBudget Budget(std::chrono::seconds(60));
  specrt::Description Result;
  specrt::describe(Request, *Target, Budget, Result);
  if (Result.status != SPECRT_DESCRIBE_OK)
    return Result.error;
  const std::unique_ptr<Module> Made = cantFail(parseBitcodeFile(
      MemoryBufferRef(StringRef(Result.Bitcode.data(), Result.Bitcode.size()), "region"), Context));
  std::string Out;
  raw_string_ostream Stream(Out);
  Made->print(Stream, nullptr);
  return Out;
}

/// docs/fast.md lists what the mode changes.
TEST(Describe, TheFastModeDoesNotRegroup) {
  EXPECT_THAT(described("", SPECRT_FP_STRICT), HasSubstr("fsub double"));
  EXPECT_THAT(described("", SPECRT_FP_FAST), HasSubstr("fsub double"));
}

/// The function's own flags hold, as in functions that the plugin sees after clang's passes.
TEST(Describe, TheFastModeKeepsTheFlagsOfTheFunction) {
  EXPECT_THAT(described("fast", SPECRT_FP_STRICT), HasSubstr("-ffast-math"));
  EXPECT_THAT(described("fast", SPECRT_FP_FAST), Not(HasSubstr("fsub")));
}

} // namespace
