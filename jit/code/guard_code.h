//===- jit/code/guard_code.h - guards as machine code ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes the entry of a published version: a function with the region's signature that
// checks the guards on its actual arguments and continues in the version's body or in the next
// version. The last entry of the chain may be the thunk, which needs the region's record: entries
// pass it on in the register of the static chain.
//
//     for each guard: if (!holds) goto Miss;            in the order given
//   Hit:   n = state->shards[my shard].hits++;          sampled: tail call state->sampler
//          tail call state->body, unless it is null
//   Miss:  n = state->shards[my shard].misses++;        sampled: tail call state->sampler
//   Next:  tail call state->next
//
// Guards mean what guards/ says: polynomials are evaluated term by term with overflow checks.
// Constant polynomials are folded, and bytes that several guards read are loaded once. A guard of a
// kind without code here is checked by a call of state->holds.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_CODE_GUARD_CODE_H
#define SPECRT_JIT_CODE_GUARD_CODE_H

#include "guards/guard_list.h"
#include "specrt/jit_api.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>

namespace specrt {

/// Describes how an entry accesses data outside of its code.
struct EntrySurroundings {
  llvm::Constant *State = nullptr; ///< address of the specrt_version_state
  /// Returns the address (a pointer) of the descriptor's symbol, computed at B's insertion point.
  std::function<llvm::Value *(llvm::IRBuilderBase &B, unsigned Symbol)> SymbolAddress;
  bool ChecksByCalls = false; ///< checks guards of all kinds by calls, for tests
};

/// Declares the entry of a version of \p Region in \p M.
llvm::Expected<llvm::Function *> declareEntry(const specrt_region &Region, llvm::StringRef Name,
                                              llvm::Module &M);

/// Gives \p F, which declareEntry() has made, the body of an entry. With \p ExactInside the entry
/// calls the version's body, instead of a tail call, between two sequentially consistent changes of
/// the shard's `inside`, and reads `body` after the first one: once body is null and all counts are
/// zero, no thread is in the body or enters it. Fails for a guard that has a problem; F has a body
/// all the same.
llvm::Error emitEntry(llvm::Function &F, const specrt_region &Region, GuardView Guards,
                      bool ExactInside, const EntrySurroundings &Surroundings);

} // namespace specrt

#endif
