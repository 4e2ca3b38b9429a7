//===- tests/specializer/formats_test.cpp - formats, and how segments find their code ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/formats/format.h"
#include "specializer/sparse/formats/segment_switch.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace specrt;

namespace {

TEST(Formats, AreThoseOfTheKindsInTheirOrder) {
  for (auto [I, Each] : enumerate(allFormats()))
    EXPECT_EQ(Each->kind(), I);
}

/// A function that returns, for a record, the number of the block to which it branches: 1 + kind +
/// 100 * class, or 0.
class Branches {
public:
  explicit Branches(unsigned NumClasses) {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    auto Context = std::make_unique<LLVMContext>();
    auto M = std::make_unique<Module>("m", *Context);
    IRBuilder<> B(*Context);
    auto *F = Function::Create(FunctionType::get(B.getInt32Ty(), {B.getPtrTy()}, false),
                               GlobalValue::ExternalLinkage, "f", *M);
    const auto BlockOf = [&](uint32_t Number) {
      auto *Block = BasicBlock::Create(*Context, "", F);
      ReturnInst::Create(*Context, B.getInt32(Number), Block);
      return Block;
    };
    auto *Entry = BasicBlock::Create(*Context, "entry", F);
    B.SetInsertPoint(Entry);
    SegmentSwitch Which(B, F->getArg(0), NumClasses, BlockOf(0));
    for (const Format *Each : allFormats())
      for (unsigned Class = 0; Class < (Each->hasClass() ? NumClasses : 1); ++Class)
        Which.add(Each->kind(), Class, BlockOf(1 + Each->kind() + 100 * Class));
    EXPECT_FALSE(verifyModule(*M, &errs()));
    const auto *Switch = cast<SwitchInst>(Entry->getTerminator());
    for (const auto &Case : Switch->cases())
      Last = std::max(Last, Case.getCaseValue()->getZExtValue());
    Jit = cantFail(orc::LLJITBuilder().create());
    M->setDataLayout(Jit->getDataLayout());
    cantFail(Jit->addIRModule(orc::ThreadSafeModule(std::move(M), std::move(Context))));
    Code = cantFail(Jit->lookup("f")).toPtr<uint32_t (*)(const specrt_rows_segment *)>();
  }

  uint32_t of(uint32_t Kind, uint32_t Class) const {
    const specrt_rows_segment S = {
        .origins = nullptr, .first = 0, .count = 1, .kind = Kind, .class_index = Class};
    return Code(&S);
  }
  /// The largest case.
  uint64_t Last = 0;

private:
  std::unique_ptr<orc::LLJIT> Jit;
  uint32_t (*Code)(const specrt_rows_segment *) = nullptr;
};

TEST(SegmentSwitch, LeadsToTheCodeOfKindAndClass) {
  for (const unsigned NumClasses : {0, 1, 2, 7}) {
    const Branches To(NumClasses);
    for (const Format *Each : allFormats())
      for (unsigned Class = 0; Class < (Each->hasClass() ? NumClasses : 1); ++Class)
        EXPECT_EQ(To.of(Each->kind(), Class), 1 + Each->kind() + 100 * Class)
            << NumClasses << " classes";
    EXPECT_EQ(To.of(uint32_t(allFormats().size()), 0), 0U);
  }
}

TEST(SegmentSwitch, HasCasesCloseTogether) {
  for (const unsigned NumClasses : {1, 2, 7})
    EXPECT_LT(Branches(NumClasses).Last, allFormats().size() * NumClasses)
        << "so that it is one jump table";
}

} // namespace
