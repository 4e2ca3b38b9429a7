//===- specializer/module/region_module.cpp - a region's code as an LLVM module --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/region_module.h"
#include "analysis/kinds.h"
#include "specializer/module/access_numbers.h"
#include "specializer/module/callees.h"
#include "specializer/module/host_target.h"
#include "specializer/rounding/extrema.h"
#include "specializer/rounding/fusion.h"
#include "specializer/rounding/loop_hints.h"
#include "specrt/packed_region.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace specrt {
namespace {

struct QuietDiagnostics final : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
};

} // namespace

std::unique_ptr<LLVMContext> createQuietContext() {
  auto Context = std::make_unique<LLVMContext>();
  Context->setDiagnosticHandler(std::make_unique<QuietDiagnostics>());
  return Context;
}

Expected<FunctionType *> regionType(const specrt_region &Region, LLVMContext &Context) {
  SmallVector<Type *, 16> Arguments;
  for (unsigned I = 0; I < Region.num_args; ++I) {
    Type *T = typeOf(Region.arg_kinds[I], Context);
    if (!T || T->isVoidTy())
      return createStringError("argument " + Twine(I) + " has an unknown kind");
    Arguments.push_back(T);
  }
  Type *Return = typeOf(Region.return_kind, Context);
  if (!Return)
    return createStringError("the return value has an unknown kind");
  return FunctionType::get(Return, Arguments, /*isVarArg=*/false);
}

/// Compares bitcode with its hash, reads and verifies it.
static Expected<std::unique_ptr<Module>> readBitcode(const void *Bitcode, uint64_t Size,
                                                     const uint64_t (&Expected)[2],
                                                     LLVMContext &Context) {
  ArrayRef<uint8_t> Bytes(static_cast<const uint8_t *>(Bitcode), Size);
  XXH128_hash_t Hash = xxh3_128bits(Bytes);
  if (Hash.low64 != Expected[0] || Hash.high64 != Expected[1])
    return createStringError("the region's bitcode is damaged: its hash differs");
  auto M = parseBitcodeFile(MemoryBufferRef(toStringRef(Bytes), "specrt"), Context);
  if (!M)
    return createStringError("the region's bitcode cannot be read: " + toString(M.takeError()));
  std::string Why;
  raw_string_ostream Stream(Why);
  if (verifyModule(**M, &Stream))
    return createStringError("the region's bitcode is not valid: " + Why);
  return M;
}

/// Makes decisions explicit that depend on the original's compiler flags, and drops the flags.
static Error prepare(Module &M, const TargetMachine &TM) {
  decideFusion(M);
  settleExtrema(M);
  dropVectorHints(M);
  return retarget(M, TM);
}

Expected<std::unique_ptr<Module>> loadRegion(const specrt_region &Region, const TargetMachine &TM,
                                             LLVMContext &Context) {
  if (!Region.bitcode || !Region.bitcode_size || !Region.entry_symbol)
    return createStringError("the region has no bitcode");
  auto Read = [&](const void *Bitcode, uint64_t Size, const uint64_t (&Hash)[2]) {
    return readBitcode(Bitcode, Size, Hash, Context);
  };
  Expected<std::unique_ptr<Module>> M =
      Read(Region.bitcode, Region.bitcode_size, Region.bitcode_hash);
  if (!M)
    return M.takeError();
  Function *F = (*M)->getFunction(Region.entry_symbol);
  if (!F || F->isDeclaration())
    return createStringError(Twine("the bitcode does not define ") + Region.entry_symbol);
  Expected<FunctionType *> Type = regionType(Region, Context);
  if (!Type)
    return Type.takeError();
  if (F->getFunctionType() != *Type)
    return createStringError("the region's function and its descriptor disagree about arguments");
  numberAccesses(*F);
  if (!(Region.flags & SPECRT_REGION_OPEN))
    fuseProducts(*F);
  if (Error E = prepare(**M, TM))
    return std::move(E);
  if (Error E = linkCallees(**M, Region, Read, [&](Module &File) { return prepare(File, TM); }))
    return std::move(E);
  F->setLinkage(GlobalValue::ExternalLinkage);
  return M;
}

Function &regionFunction(Module &M, const specrt_region &Region) {
  return *M.getFunction(Region.entry_symbol);
}

std::optional<unsigned> symbolNumber(const specrt_region &Region, const GlobalValue &GV) {
  for (unsigned I = 0; I < Region.num_symbols; ++I)
    if (GV.getName() == Region.symbols[I].name)
      return I;
  return std::nullopt;
}

} // namespace specrt
