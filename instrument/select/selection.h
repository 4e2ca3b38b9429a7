//===- instrument/select/selection.h - functions that the user includes or excludes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Users include and exclude functions by the macros of specrt/annotations.h, and by a name filter
// from -mllvm -specrt-filter=<list> and the environment variable SPECRT_INSTRUMENT_FILTER. The list
// holds glob patterns separated by commas, matched against the mangled and the qualified name.
// "!glob" excludes; the last matching pattern decides. A list without an including pattern starts
// with everything included. Marked functions ignore the filter.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_SELECTION_H
#define SPECRT_INSTRUMENT_SELECT_SELECTION_H

#include "analysis/pipeline_positions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/GlobPattern.h"
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace specrt {

/// Returns "space::function", without parameters, for C++ names; otherwise the name itself.
std::string qualifiedName(llvm::StringRef Mangled);

class Selection {
public:
  /// Reads the options, the environment and the annotations of \p M. A pattern that is not a glob
  /// is reported through M's context as a warning and ignored.
  explicit Selection(llvm::Module &M);
  Selection(const Selection &) = delete;
  Selection &operator=(const Selection &) = delete;

  bool isRequested(const llvm::Function &F) const { return Requested.contains(&F); }
  /// Returns the positions of the nests of \p F that take turns (specrt/pipeline.hpp); nothing if
  /// it has none.
  llvm::ArrayRef<GivenPositions> pipelineOf(const llvm::Function &F) const {
    const auto At = Pipelines.find(&F);
    return At == Pipelines.end() ? llvm::ArrayRef<GivenPositions>() : At->second;
  }
  /// Returns why the user excludes \p F; "" if it is included.
  std::string reasonAgainst(const llvm::Function &F) const;

private:
  struct Pattern {
    llvm::GlobPattern Glob;
    bool Exclude;
  };
  void readFilter(llvm::Module &M);
  void readAnnotations(llvm::Module &M);

  llvm::DenseSet<const llvm::Function *> Requested, Refused;
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<GivenPositions>> Pipelines;
  /// Owns the text that the patterns point into.
  std::string List;
  std::vector<Pattern> Patterns;
  bool IncludedByDefault = true;
};

} // namespace specrt

#endif
