//===- specializer/sparse/zeros/sparse_arrays.cpp - arrays observed to be mostly zero -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/zeros/sparse_arrays.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace specrt {
namespace {

bool isBase(const specrt_region &Region, const specrt_base &Base, const Value &Array) {
  const auto *Argument = dyn_cast<llvm::Argument>(&Array);
  return Base.kind == SPECRT_BASE_ARGUMENT ? Argument && Argument->getArgNo() == Base.index
         : Base.kind == SPECRT_BASE_SYMBOL
             ? isa<GlobalValue>(Array) && Array.getName() == Region.symbols[Base.index].name
             : isa<LoadInst>(Array);
}

} // namespace

std::optional<uint32_t> accessOf(const specrt_region &Region, const Value &Array) {
  for (uint32_t A = 0; A < Region.num_accesses; ++A)
    if (isBase(Region, Region.accesses[A].range.base, Array))
      return A;
  return std::nullopt;
}

uint32_t sparseArray(const specrt_jit_request &Request, const Value &Array) {
  const specrt_region &Region = *Request.region;
  for (uint32_t A = 0; A < Region.num_accesses; ++A)
    if (Request.zeros[A] && isBase(Region, Region.accesses[A].range.base, Array))
      return specrt_zeros_array(Region.bitcode_hash[0], A);
  return 0;
}

} // namespace specrt
