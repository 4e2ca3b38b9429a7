//===- instrument/source/source_places.h - where a nest comes from, for people ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that a symbol belongs to is not always the one that somebody wrote: loops are
// inlined, and OpenMP's are moved into functions of their own. What people read says what was
// written; the region's identity stays with the symbol.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SOURCE_SOURCE_PLACES_H
#define SPECRT_INSTRUMENT_SOURCE_SOURCE_PLACES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include <string>
#include <vector>

namespace llvm {
class DISubprogram;
class Function;
class Loop;
} // namespace llvm

namespace specrt {

/// The lines of one function.
struct SourcePlace {
  std::string Function; ///< readable, see readableName
  std::string File;
  unsigned First = 0, Last = 0;
};

/// "solver::Grid<double>::relax" for a mangled name; without what compilers append to names of
/// functions that they make out of others.
std::string readableName(llvm::StringRef Symbol);

/// The function of the source that \p L was written in: the one that was inlined, if any; of
/// library code the function that the program calls. Null when unknown.
const llvm::DISubprogram *writtenIn(const llvm::Loop &L);

/// Does \p File belong to the system: its code is not the user's to change?
bool isSystemFile(llvm::StringRef File);

/// Where the code of \p L comes from: the function that it was written in, then those that were
/// inlined into it, the user's first. Empty without line numbers.
std::vector<SourcePlace> findPlaces(const llvm::Loop &L);

/// The line of the call in \p L's function through which the code of \p L was inlined; 0: none, or
/// unknown.
unsigned inlinedCallLine(const llvm::Loop &L);

/// "Heat::step:10, inlined into main:40", "jacobi (OpenMP loop, heat.cpp:7)". \p Where: of
/// findPlaces. \p Number: tells loops of one line apart, "#1"; "" otherwise. \p CallLine: of
/// inlinedCallLine.
std::string titleOf(const llvm::Function &Parent, llvm::ArrayRef<SourcePlace> Where, unsigned Line,
                    llvm::StringRef Number, unsigned CallLine);

/// Remembers the symbols of functions in their debug scopes where nothing is written of these:
/// functions that are inlined everywhere are gone when the instrumentation looks.
class NameScopesPass : public llvm::PassInfoMixin<NameScopesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace specrt

#endif
