//===- tests/specializer/test_region.cpp - regions made in a test ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/specializer/test_region.h"
#include "analysis/kinds.h"
#include "analysis/memory/memory_cells.h"
#include "analysis/memory/object_size.h"
#include "analysis/module_bytes.h"
#include "profiler/observations/cell_values.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace {

/// Leaves the region and what it calls, the callees only for inlining, as the plugin does.
void isolate(Module &M, const std::string &Name) {
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (Function &F : make_early_inc_range(M))
      if (F.getName() != Name && F.use_empty()) {
        F.eraseFromParent();
        Changed = true;
      }
  }
  for (Function &F : M)
    if (F.getName() != Name && !F.isDeclaration())
      F.setLinkage(GlobalValue::AvailableExternallyLinkage);
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    if (G.use_empty())
      G.eraseFromParent();
    else if (!G.isConstant()) {
      specrt::keepObjectBytes(G, G);
      G.setInitializer(nullptr);
      G.setLinkage(GlobalValue::ExternalLinkage);
    }
  }
}

} // namespace

std::unique_ptr<TestRegion> TestRegion::fromKernel(const std::string &Function,
                                                   std::map<std::string, void *> Symbols) {
  return fromBitcode(SPECRT_TEST_KERNELS, Function, std::move(Symbols));
}

std::unique_ptr<TestRegion> TestRegion::fromBitcode(const std::string &File,
                                                    const std::string &Function,
                                                    std::map<std::string, void *> Symbols) {
  LLVMContext Context;
  auto Buffer = cantFail(errorOrToExpected(MemoryBuffer::getFile(File)));
  auto M = cantFail(parseBitcodeFile(*Buffer, Context));
  isolate(*M, Function);
  std::unique_ptr<TestRegion> R(new TestRegion());
  R->setModule(*M, Function, Symbols);
  return R;
}

std::unique_ptr<TestRegion> TestRegion::fromIR(StringRef Text, const std::string &Function,
                                               std::map<std::string, void *> Symbols) {
  LLVMContext Context;
  SMDiagnostic Problem;
  auto M = parseAssemblyString(Text, Problem, Context);
  if (!M) {
    Problem.print("test", errs());
    abort();
  }
  M->setTargetTriple(Triple("x86_64-unknown-linux-gnu"));
  std::unique_ptr<TestRegion> R(new TestRegion());
  R->setModule(*M, Function, Symbols);
  return R;
}

std::unique_ptr<TestRegion> TestRegion::fromKinds(std::vector<uint8_t> Kinds, uint8_t ReturnKind) {
  std::unique_ptr<TestRegion> R(new TestRegion());
  R->Name = "signature";
  R->setKinds(std::move(Kinds), ReturnKind);
  return R;
}

void TestRegion::setModule(Module &M, const std::string &Function,
                           const std::map<std::string, void *> &Given) {
  Name = Function;
  Known = Given;
  std::array<uint64_t, 2> Hash = specrt::writeModule(M, Bitcode);
  std::copy(Hash.begin(), Hash.end(), Region.bitcode_hash);
  Region.bitcode = Bitcode.data();
  Region.bitcode_size = Bitcode.size();
  llvm::Function *F = M.getFunction(Function);
  std::vector<uint8_t> K;
  for (Argument &A : F->args())
    K.push_back(*specrt::kindOf(A.getType()));
  setKinds(std::move(K), *specrt::kindOf(F->getReturnType()));
  Cells = specrt::describeCells(*F, [&](const GlobalValue &V) -> std::optional<unsigned> {
    auto Found = find_if(Symbols, [&](const specrt_symbol &S) { return V.getName() == S.name; });
    return Found == Symbols.end() ? std::nullopt : std::optional<unsigned>(Found - Symbols.begin());
  });
  Region.cells = Cells.data();
  Region.num_cells = Cells.size();
  for (Instruction &I : instructions(*F))
    if (isa<LoadInst, StoreInst>(I))
      Accesses.push_back(specrt::kindOf(I.getType()).value_or(SPECRT_KIND_VOID));
}

void TestRegion::setKinds(std::vector<uint8_t> K, uint8_t ReturnKind) {
  Kinds = std::move(K);
  ArgumentNames.assign(Kinds.size(), "");
  Facts.assign(Kinds.size(), specrt_fact{});
  for (auto &[SymbolName, Address] : Known)
    Symbols.push_back({SymbolName.c_str(), Address});
  Region.abi_version = SPECRT_ABI_VERSION;
  Region.size = sizeof(specrt_region);
  Region.name = Region.function = Region.entry_symbol = Name.c_str();
  Region.file = "";
  Region.pipeline = "O2";
  Region.num_args = Kinds.size();
  Region.arg_kinds = Kinds.data();
  Region.arg_names = ArgumentNames.data();
  Region.return_kind = ReturnKind;
  Region.symbols = Symbols.data();
  Region.num_symbols = Symbols.size();
  Request.region = &Region;
  Request.facts = Facts.data();
  Request.threads = 1;
  Request.budget_ms = 10000;
}

void TestRegion::constant(unsigned Argument, uint64_t Packed) {
  Facts[Argument].flags |= SPECRT_FACT_CONSTANT;
  Facts[Argument].value = Packed;
}

void TestRegion::range(unsigned Argument, int64_t Low, int64_t High) {
  Facts[Argument].flags |= SPECRT_FACT_RANGE;
  Facts[Argument].low = Low;
  Facts[Argument].high = High;
}

void TestRegion::aligned(unsigned Argument, uint32_t Bytes) {
  Facts[Argument].flags |= SPECRT_FACT_ALIGNED;
  Facts[Argument].alignment = Bytes;
}

void TestRegion::sequence(unsigned Access, std::vector<specrt_sequence_piece> OfAccess) {
  Pieces.push_back(std::move(OfAccess));
  Sequences.push_back({Access, static_cast<uint32_t>(Pieces.back().size()), Pieces.back().data()});
  Request.sequences = Sequences.data();
  Request.num_sequences = Sequences.size();
}

std::vector<unsigned> TestRegion::loadsOf(uint8_t Kind) const {
  std::vector<unsigned> Numbers;
  for (unsigned I = 0; I < Accesses.size(); ++I)
    if (Accesses[I] == Kind)
      Numbers.push_back(I);
  return Numbers;
}

void TestRegion::sample(const std::vector<uint64_t> &Packed) {
  specrt::CellValues Values = specrt::readCells(Region, Packed.data());
  CellFacts.clear();
  for (size_t I = 0; I < Cells.size(); ++I)
    CellFacts.push_back({Cells[I], Values[I]});
  Request.cells = CellFacts.data();
  Request.num_cells = CellFacts.size();
}

uint64_t packed(double Value) {
  uint64_t Bits;
  std::memcpy(&Bits, &Value, sizeof(Bits));
  return Bits;
}

uint64_t packedFloat(float Value) {
  uint32_t Bits;
  std::memcpy(&Bits, &Value, sizeof(Bits));
  return Bits;
}
