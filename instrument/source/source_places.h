//===- instrument/source/source_places.h - source lines of a nest, for people -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop may have been written in another function than the one that contains it: it was inlined,
// or OpenMP moved it into a function of its own. Reports name the function in the source; the
// region's identity depends on the containing function's symbol.
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

/// A range of lines of one function.
struct SourcePlace {
  std::string Function; ///< readable, see readableName
  std::string File;
  unsigned First = 0, Last = 0;
};

/// Returns "solver::Grid<double>::relax" for a mangled name, without the suffixes of functions that
/// compilers derive from others.
std::string readableName(llvm::StringRef Symbol);

/// Returns the function of the source that contains \p L: the inlined one, if any. For library
/// code, returns the library function that the program calls. Null when unknown.
const llvm::DISubprogram *writtenIn(const llvm::Loop &L);

/// Returns whether \p File belongs to the system, so that users do not change its code.
bool isSystemFile(llvm::StringRef File);

/// Returns the source lines of \p L: first those of the function that it was written in, then of
/// functions inlined into it, the user's before the system's. Empty without line numbers.
std::vector<SourcePlace> findPlaces(const llvm::Loop &L);

/// Returns the line of the call in \p L's function through which the code of \p L was inlined; 0 if
/// there is none or it is unknown.
unsigned inlinedCallLine(const llvm::Loop &L);

/// Returns "Heat::step:10, inlined into main:40" or "jacobi (OpenMP loop, heat.cpp:7)". \p Where:
/// the result of findPlaces. \p Number: distinguishes loops of one line, "#1", or "". \p CallLine:
/// the result of inlinedCallLine.
std::string titleOf(const llvm::Function &Parent, llvm::ArrayRef<SourcePlace> Where, unsigned Line,
                    llvm::StringRef Number, unsigned CallLine);

/// Adds the symbols of functions to their debug scopes where these have no linkage name. Functions
/// that are inlined everywhere no longer exist when the instrumentation runs.
class NameScopesPass : public llvm::PassInfoMixin<NameScopesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace specrt

#endif
