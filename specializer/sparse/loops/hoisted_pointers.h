//===- specializer/sparse/loops/hoisted_pointers.h - pointers that a loop reads again -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a matrix is a structure that is passed by reference, loops may read the pointers to its
// arrays in each row: a compiler must not read them before where the structure might be written to,
// or need not be there. A version for rows exists only where what is read is apart from what is
// written, so for it, pointers are values from outside of the loop.
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

/// As long as it lives its loop uses pointers that were read in the preheader, where that cannot
/// fault, provided that the loop leaves them as they are. The loads stay where they are, and what
/// they read is used again afterwards, so that the loop is as it was.
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
  /// Is \p I one of the loads? Nothing may have been written there before it is executed.
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
