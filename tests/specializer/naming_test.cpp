//===- tests/specializer/naming_test.cpp - names that people can read -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/host_target.h"
#include "specializer/module/naming.h"
#include "specializer/module/region_module.h"
#include "specializer/specialize.h"
#include "tests/guards/test_guards.h"
#include "tests/specializer/test_region.h"
#include "gmock/gmock.h"

using namespace specrt;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::Not;

namespace {

/// The functions that candidate \p Only of \p R defines, the entry first.
std::vector<std::string> namesOf(TestRegion &R, const char *Only) {
  auto TM = llvm::cantFail(createHostTarget());
  CompileBudget Budget(std::chrono::milliseconds(10000));
  Dump Files(R.request());
  R.request().only = Only;
  std::vector<std::string> Names;
  llvm::cantFail(specialize(R.request(), *TM, Budget, Files, [&](CandidateModule C) {
    Names.push_back(nameFunctions(*C.M, regionFunction(*C.M, R.region()),
                                  nameOfCandidate(R.request(), C.Name)));
    for (const llvm::Function &F : *C.M)
      if (!F.isDeclarationForLinker() && F.hasLocalLinkage())
        Names.push_back(F.getName().str());
  }));
  return Names;
}

TEST(Naming, TellsRegionCandidateAndConstants) {
  auto R = TestRegion::fromKernel("gemm");
  R->region().name = "space::gemm:27";
  for (unsigned I = 0; I < 3; ++I)
    R->constant(I, 64 + I);
  EXPECT_THAT(namesOf(*R, "contraction"),
              ElementsAre("space::gemm:27.contraction[size1=64,size2=65,size3=66]",
                          "space::gemm:27.contraction[size1=64,size2=65,size3=66].part"))
      << "the body and its kernel";
}

TEST(Naming, OutlinedLoopsAreLocalAndCalledAfterTheirFunction) {
  auto R = TestRegion::fromKernel("gemm");
  R->region().name = "gemm:27";
  R->request().threads = 2;
  for (unsigned I = 0; I < 3; ++I)
    R->constant(I, 300);
  EXPECT_THAT(namesOf(*R, "source-order-parallel"),
              ElementsAre("gemm:27.source-order-parallel[size1=300,size2=300,size3=300]",
                          "gemm:27.source-order-parallel[size1=300,size2=300,size3=300].loop",
                          "gemm:27.source-order-parallel[size1=300,size2=300,size3=300].worker"));
}

TEST(Naming, EntriesAreNamedAfterTheirGuards) {
  auto R = TestRegion::fromKernel("axpy");
  R->region().name = "axpy:8";
  EXPECT_EQ(nameOfEntry(R->region(), GuardView()), "axpy:8.guards");
  EXPECT_EQ(nameOfEntry(R->region(), listOf(EqualGuard(1, packedFloat(0.5f)))),
            "axpy:8.guards[number1=0.5]");
}

TEST(Naming, LongNamesKeepTheirLine) {
  auto R = TestRegion::fromKernel("gemm");
  std::string Long = "f<" + std::string(500, 'x') + "@\n>:27";
  R->region().name = Long.c_str();
  for (unsigned I = 0; I < 3; ++I)
    R->constant(I, INT64_MAX - 1);
  std::string Name = nameOfCandidate(R->request(), "source-order");
  EXPECT_LT(Name.size(), 250u);
  EXPECT_THAT(Name, testing::HasSubstr("__>:27.source-order[size1=9223372036854775806,"));
  EXPECT_THAT(Name, EndsWith(",...]"));
  EXPECT_THAT(Name, Not(Contains('@')));
}

TEST(Naming, ANameThatTheRegionRefersToIsLeftAlone) {
  auto R = TestRegion::fromIR("declare void @\"f.constants\"()\n"
                              "define void @f(i32 %n) {\n"
                              "  call void @\"f.constants\"()\n  ret void\n}",
                              "f");
  std::vector<std::string> Names = namesOf(*R, "constants");
  ASSERT_EQ(Names.size(), 1u);
  EXPECT_NE(Names[0], "f.constants");
}

} // namespace
