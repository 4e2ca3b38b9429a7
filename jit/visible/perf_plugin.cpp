//===- jit/visible/perf_plugin.cpp - shows linked code to perf ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/visible/perf_plugin.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/ExecutionEngine/Orc/Debugging/DebugInfoSupport.h"

using namespace llvm;

namespace specrt {
namespace {

std::vector<GeneratedLine> linesOf(DWARFContext &Debug, uint64_t Address, uint64_t Size) {
  DILineInfoSpecifier Wanted(DILineInfoSpecifier::FileLineInfoKind::RawValue);
  std::vector<GeneratedLine> Lines;
  for (const auto &[At, Info] : Debug.getLineInfoForAddressRange(
           {Address, object::SectionedAddress::UndefSection}, Size, Wanted))
    if (Info.Line)
      Lines.push_back({At, Info.Line, Info.FileName});
  return Lines;
}

/// The functions of a graph whose addresses are final.
Expected<std::vector<GeneratedFunction>> functionsOf(jitlink::LinkGraph &G) {
  auto Debug = orc::createDWARFContext(G);
  if (!Debug)
    return Debug.takeError();
  std::vector<GeneratedFunction> Functions;
  for (jitlink::Symbol *Symbol : G.defined_symbols())
    if (Symbol->hasName() && Symbol->isCallable() && Symbol->getSize()) {
      uint64_t Address = Symbol->getAddress().getValue();
      Functions.push_back({(*Symbol->getName()).str(), Address, Symbol->getSymbolContent(),
                           linesOf(*Debug->first, Address, Symbol->getSize())});
    }
  return Functions;
}

} // namespace

void PerfPlugin::modifyPassConfig(orc::MaterializationResponsibility &, jitlink::LinkGraph &,
                                  jitlink::PassConfiguration &Passes) {
  Passes.PrePrunePasses.push_back(orc::preserveDebugSections);
  // Local functions have names that no relocation needs; they would be forgotten.
  Passes.PrePrunePasses.push_back([](jitlink::LinkGraph &G) {
    for (jitlink::Symbol *Symbol : G.defined_symbols())
      if (Symbol->hasName() && Symbol->isCallable())
        Symbol->setLive(true);
    return Error::success();
  });
  Passes.PostFixupPasses.push_back([this](jitlink::LinkGraph &G) {
    Expected<std::vector<GeneratedFunction>> Functions = functionsOf(G);
    if (Error Problem = Functions ? Output->write(*Functions) : Functions.takeError()) {
      std::string Sentence = toString(std::move(Problem));
      if (!std::exchange(Warned, true))
        Warn(Sentence);
    }
    return Error::success();
  });
}

} // namespace specrt
