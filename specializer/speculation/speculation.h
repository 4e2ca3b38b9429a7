//===- specializer/speculation/speculation.h - transformations that need guards -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A speculation transforms a region's function under an assumption that need not hold for every
// call. It adds guards for the assumption, and says which memory must stay unchanged during the
// call. Each has one file in this folder; driver.cpp applies them, each completely or not at all. A
// new speculation needs a file here and a line there.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_SPECULATION_H
#define SPECRT_SPECIALIZER_SPECULATION_SPECULATION_H

#include "guards/guard_list.h"
#include "guards/polynomial.h"
#include "specializer/module/notes.h"
#include "specrt/jit_api.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace specrt {

class Optimizer;

/// Memory that a speculation has read ahead; nothing that the function writes may touch it.
struct UnwrittenRange {
  specrt_range Bytes;
  std::string Name;  ///< "the size in memory at s + 8"
  std::string Given; ///< continues Name in a note if that can be guaranteed: "is taken to be 5"
};

/// Two arrays that the transformed function presumes not to overlap.
struct SeparateArrays {
  specrt_base A, B;
};

/// The conditions under which a transformed function computes what the original does.
struct Premises {
  GuardList Guards;
  std::vector<UnwrittenRange> Unwritten; ///< not yet covered by guards
  std::vector<SeparateArrays> Separate;  ///< not yet covered by guards
  Notes Told;                            ///< one note per decision

  /// Returns whether guards cover everything that the function presumes.
  bool areGuarded() const { return Unwritten.empty() && Separate.empty(); }
};

/// The function and context of a speculation.
struct Speculative {
  llvm::Function &F; ///< its arguments are the region's; in canonical form
  const specrt_jit_request &Request;
  Optimizer &Passes; ///< no analyses are cached when a speculation begins or ends
  Premises &Known;   ///< premises so far, to which it adds its own

  const specrt_region &region() const { return *Request.region; }
};

enum class Applied {
  Nothing,   ///< F and Known are unchanged
  Done,      ///< F was transformed, under more premises
  Impossible ///< some of Known.Unwritten or Known.Separate cannot be guaranteed, as a note says; F
             ///< and Known must be discarded
};

class Speculation {
public:
  /// Returns whether a later speculation may make this one impossible; then a copy of the function
  /// is kept. Only such speculations may add to Known.Unwritten and Known.Separate.
  virtual bool isTentative() const { return false; }
  virtual Applied apply(Speculative &On) const = 0;

protected:
  ~Speculation() = default;
};

/// The point of the optimisation at which a speculation is applied.
enum class Stage {
  Embedded, ///< to the bitcode as the plugin wrote it
  Canonical ///< after inlining, when loops are in canonical form
};

/// Applies the speculations of a stage to the region of \p Request in \p M and adds their premises
/// to \p Known. A speculation that proves impossible leaves only its notes. May replace the module.
void speculate(Stage Now, std::unique_ptr<llvm::Module> &M, const specrt_jit_request &Request,
               Optimizer &Passes, Premises &Known);

/// Applies \p These, in their order.
void speculate(std::unique_ptr<llvm::Module> &M, const specrt_jit_request &Request,
               Optimizer &Passes, Premises &Known, llvm::ArrayRef<const Speculation *> These);

} // namespace specrt

#endif
