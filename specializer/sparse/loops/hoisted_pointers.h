//===- specializer/sparse/loops/hoisted_pointers.h - hoists pointers that a loop reloads -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If a matrix is a structure that is passed by reference, loops may reload the pointers to its
// arrays in each row: a compiler must not hoist the loads if the structure might be written, or
// need not exist. A version for rows exists only if its reads are apart from its writes, so there
// such pointers count as inputs from outside of the loop.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_LOOPS_HOISTED_POINTERS_H
#define SPECRT_SPECIALIZER_SPARSE_LOOPS_HOISTED_POINTERS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class DominatorTree;
class Loop;
} // namespace llvm

namespace specrt {

/// While this object lives, its loop uses pointers that are loaded in the preheader, if that cannot
/// fault, on the condition that the loop does not write them. The original loads stay in place, and
/// destruction restores their uses, so that the loop is unchanged.
class HoistedPointers {
public:
  HoistedPointers() = default;
  HoistedPointers(const llvm::Loop &L, const llvm::DominatorTree &DT);
  ~HoistedPointers();
  HoistedPointers(HoistedPointers &&Other) noexcept : All(std::move(Other.All)) {
    Other.All.clear();
  }
  HoistedPointers &operator=(HoistedPointers &&Other) noexcept {
    std::swap(All, Other.All);
    return *this;
  }

  bool empty() const { return All.empty(); }
  /// Returns whether \p I is one of the loads. Their memory must not have been written before.
  bool contains(const llvm::Instruction &I) const {
    return llvm::any_of(All, [&](const Hoisted &Each) { return Each.Load == &I; });
  }

private:
  struct Hoisted {
    llvm::LoadInst *Load, *Before;
    llvm::SmallVector<llvm::Use *> Uses;
  };

  bool hoist(llvm::LoadInst &Load, const llvm::Loop &L, const llvm::DominatorTree &DT);

  llvm::SmallVector<Hoisted> All;
};

} // namespace specrt

#endif
