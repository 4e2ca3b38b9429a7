//===- tests/jit/entry_in_memory.h - an entry for this process ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_JIT_ENTRY_IN_MEMORY_H
#define SPECRT_TESTS_JIT_ENTRY_IN_MEMORY_H

#include "jit/code/guard_code.h"
#include "specializer/module/region_module.h"

namespace specrt {

/// Name of the function in the module that buildEntry returns.
constexpr llvm::StringLiteral EntryName = "specrt_entry";

/// The entry as a module of \p Context for this process: the addresses of \p State and of the
/// region's symbols are part of the code.
inline llvm::Expected<std::unique_ptr<llvm::Module>>
buildEntry(const specrt_region &Region, GuardView Guards, bool ExactInside,
           specrt_version_state *State, llvm::LLVMContext &Context, bool ChecksByCalls = false) {
  using namespace llvm;
  auto M = std::make_unique<Module>("specrt_entry", Context);
  Expected<Function *> F = declareEntry(Region, EntryName, *M);
  if (!F)
    return F.takeError();
  auto Address = [&Context](const void *P) -> Constant * {
    return ConstantExpr::getIntToPtr(
        ConstantInt::get(Type::getInt64Ty(Context), reinterpret_cast<uint64_t>(P)),
        PointerType::get(Context, 0));
  };
  EntrySurroundings Here{Address(State),
                         [&](IRBuilderBase &, unsigned Symbol) -> Value * {
                           return Address(Region.symbols[Symbol].address);
                         },
                         ChecksByCalls};
  if (Error E = emitEntry(**F, Region, Guards, ExactInside, Here))
    return std::move(E);
  return M;
}

} // namespace specrt

#endif
