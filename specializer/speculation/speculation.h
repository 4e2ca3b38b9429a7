//===- specializer/speculation/speculation.h - knowledge that has to be guarded -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A speculation changes a region's function by something that need not be true of every call, and
// says under which guards it is, and which memory must stay as it is during the call. One file
// each in this folder; driver.cpp runs them, all or nothing for each. To add one: a file here, a
// line there.
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

/// Memory that a speculation has read ahead: nothing that the function writes may touch it.
struct UnwrittenRange {
  specrt_range Bytes;
  std::string Name;  ///< "the size in memory at s + 8"
  std::string Given; ///< what is told of it when that can be promised: "is taken to be 5"
};

/// Two arrays that the changed function presumes not to overlap.
struct SeparateArrays {
  specrt_base A, B;
};

/// Under which conditions a function that was changed computes what the original does.
struct Premises {
  GuardList Guards;
  std::vector<UnwrittenRange> Unwritten; ///< no guard sees to these yet
  std::vector<SeparateArrays> Separate;  ///< no guard sees to these yet
  Notes Told;                            ///< one per decision

  /// Does the function presume nothing that no guard sees to?
  bool areGuarded() const { return Unwritten.empty() && Separate.empty(); }
};

/// What a speculation works on.
struct Speculative {
  llvm::Function &F; ///< its arguments are the region's; in canonical form
  const specrt_jit_request &Request;
  Optimizer &Passes; ///< no analyses are cached when a speculation begins or ends
  Premises &Known;   ///< what came before it; it adds its own

  const specrt_region &region() const { return *Request.region; }
};

enum class Applied {
  Nothing,   ///< F and Known are as they were
  Done,      ///< F is another one, under more premises
  Impossible ///< some of Known.Unwritten or Known.Separate cannot be promised, a note says why: all
             ///< is to be discarded
};

class Speculation {
public:
  /// May a later speculation find it impossible? Then a copy of the function is kept. Only such
  /// ones may add to Known.Unwritten and Known.Separate.
  virtual bool isTentative() const { return false; }
  virtual Applied apply(Speculative &On) const = 0;

protected:
  ~Speculation() = default;
};

/// When a speculation has its turn.
enum class Stage {
  Embedded, ///< on the bitcode as the plugin wrote it
  Canonical ///< when callees are inlined and loops are in canonical form
};

/// Applies the speculations of a stage to the region of \p Request in \p M and adds what they rely
/// on to \p Known. One that proves impossible leaves nothing behind but its notes. May replace the
/// module.
void speculate(Stage Now, std::unique_ptr<llvm::Module> &M, const specrt_jit_request &Request,
               Optimizer &Passes, Premises &Known);

/// The same with \p These, in their order.
void speculate(std::unique_ptr<llvm::Module> &M, const specrt_jit_request &Request,
               Optimizer &Passes, Premises &Known, llvm::ArrayRef<const Speculation *> These);

} // namespace specrt

#endif
