//===- specializer/speculation/known_loads.h - loads whose values are known ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of the uses of facts about sequences in memory: which loads may be replaced, how
// guards name what they read, and how a value replaces a load.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_KNOWN_LOADS_H
#define SPECRT_SPECIALIZER_SPECULATION_KNOWN_LOADS_H

#include "specializer/speculation/element_walk.h"
#include "specializer/speculation/speculation.h"

namespace specrt {

/// One function, its analyses, and the facts of a request.
class KnownLoads {
public:
  KnownLoads(Speculative &On, Notes &Refused);

  /// Returns the fact about \p Load, or null.
  const specrt_sequence_fact *factAbout(const llvm::LoadInst &Load) const;
  bool isCandidate(const llvm::LoadInst &Load) const;
  void refuse(const llvm::LoadInst &Load, specrt_note_code Code, const llvm::Twine &Why);
  std::optional<specrt_base> baseOf(const llvm::Value &Pointer) const;
  void keepBase(const specrt_base &Loaded);
  /// Replaces \p Load by \p Known. \p Range: the range of the values as mathematical integers, if
  /// known.
  static void replace(llvm::LoadInst &Load, llvm::Value &Known,
                      std::optional<std::pair<int64_t, int64_t>> Range);

  Speculative &On;
  llvm::Function &F;
  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  const CertainReads Certain;

private:
  Notes &Refused;
  const bool SetsErrno;
};

} // namespace specrt

#endif
