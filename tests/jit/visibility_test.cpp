//===- tests/jit/visibility_test.cpp - what debuggers and perf are told ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/visible/debugger_plugin.h"
#include "jit/visible/perf_output.h"
#include "tests/jit/shared_compiler.h"
#include "tests/specializer/test_region.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"
#include "gmock/gmock.h"
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace specrt;
using testing::HasSubstr;
using testing::MatchesRegex;

namespace {

/// "function file:line" of the code at \p Address according to \p Object; "" when it has none.
std::string describeCode(llvm::StringRef Object, void *Code) {
  auto File = llvm::cantFail(llvm::object::ObjectFile::createObjectFile({Object, "jit"}));
  auto Debug = llvm::DWARFContext::create(*File);
  auto Address = reinterpret_cast<uint64_t>(Code);
  std::string Text;
  uint64_t Section = llvm::object::SectionedAddress::UndefSection;
  for (const llvm::object::SymbolRef &Symbol : File->symbols())
    if (llvm::cantFail(Symbol.getType()) == llvm::object::SymbolRef::ST_Function &&
        llvm::cantFail(Symbol.getAddress()) == Address) {
      Text = llvm::cantFail(Symbol.getName()).str();
      Section = llvm::cantFail(Symbol.getSection())->getIndex();
    }
  if (auto Line = Debug->getLineInfoForAddress({Address, Section}))
    Text += " " + Line->FileName + ":" + std::to_string(Line->Line);
  return Text;
}

TEST(Debugger, SeesCodeUntilItIsReleased) {
  auto R = TestRegion::fromKernel("gemm");
  R->region().name = "gemm:9";
  R->region().file = "kernels.c";
  R->region().line = 9;
  R->request().only = "constants";
  size_t Before = objectsForDebuggers().size();
  const specrt_jit_result *Result = sharedCompiler().compile(R->request());
  ASSERT_EQ(Result->num_candidates, 1u);
  std::vector<llvm::StringRef> Objects = objectsForDebuggers();
  ASSERT_EQ(Objects.size(), Before + 1);
  // Where the nest begins, or the loop inside.
  EXPECT_THAT(describeCode(Objects.front(), Result->candidates[0].body),
              MatchesRegex("gemm:9.constants kernels.c:(9|1[0-2])"));
  sharedCompiler().release(Result->candidates[0].handle);
  EXPECT_EQ(objectsForDebuggers().size(), Before);
  delete CompileResult::from(Result);
}

std::string contents(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  std::ostringstream Text;
  Text << In.rdbuf();
  return Text.str();
}

class PerfMap : public testing::Test {
protected:
  PerfMap() { std::filesystem::remove(Path); }
  ~PerfMap() override { std::filesystem::remove(Path); }
  const std::string Path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
};

TEST_F(PerfMap, HasALinePerFunction) {
  auto Map = llvm::cantFail(PerfOutput::openMap());
  const char Code[] = {1, 2, 3};
  llvm::cantFail(Map->write({{"f:1.tiled[n=3]", 0x7f0000001000, Code, {}}, {"g", 16, Code, {}}}));
  llvm::cantFail(Map->write({{"h", 0x20, Code, {}}}));
  EXPECT_EQ(contents(Path), "7f0000001000 3 f:1.tiled[n=3]\n10 3 g\n20 3 h\n");
}

TEST_F(PerfMap, IsNotWrittenThroughALink) {
  std::string Victim = testing::TempDir() + "victim-" + std::to_string(getpid());
  std::ofstream(Victim) << "precious";
  std::filesystem::create_symlink(Victim, Path);
  auto Map = PerfOutput::openMap();
  ASSERT_FALSE(Map);
  EXPECT_THAT(llvm::toString(Map.takeError()), HasSubstr(Path));
  std::filesystem::remove(Path);
  std::filesystem::create_hard_link(Victim, Path);
  Map = PerfOutput::openMap();
  ASSERT_FALSE(Map);
  EXPECT_THAT(llvm::toString(Map.takeError()), HasSubstr("somebody else"));
  EXPECT_EQ(contents(Victim), "precious");
  std::filesystem::remove(Victim);
}

TEST(JitDump, StatesWhyItCannotBeWritten) {
  setenv("JITDUMPDIR", "/proc/none", 1);
  auto Dump = PerfOutput::openJitDump();
  unsetenv("JITDUMPDIR");
  ASSERT_FALSE(Dump);
  EXPECT_THAT(llvm::toString(Dump.takeError()), HasSubstr("/proc/none/.debug"));
}

} // namespace
