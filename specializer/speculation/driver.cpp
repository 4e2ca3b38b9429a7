//===- specializer/speculation/driver.cpp - applies speculations completely or not at all -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/optimize.h"
#include "specializer/module/region_module.h"
#include "specializer/speculation/disjointness.h"
#include "specializer/speculation/errno_math.h"
#include "specializer/speculation/facts.h"
#include "specializer/speculation/fp_environment.h"
#include "specializer/speculation/memory/memory_calls.h"
#include "specializer/speculation/memory/memory_values.h"
#include "specializer/speculation/sequences.h"
#include "specializer/speculation/speculation.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace specrt {
namespace {

/// Applies speculations to one request.
class Driver {
public:
  Driver(std::unique_ptr<Module> &M, const specrt_jit_request &Request, Optimizer &Passes,
         Premises &Known)
      : M(M), Request(Request), Passes(Passes), Known(Known) {}

  bool apply(ArrayRef<const Speculation *> These);

private:
  Applied applyOne(const Speculation &One) {
    Speculative On{regionFunction(*M, *Request.region), Request, Passes, Known};
    return One.apply(On);
  }

  std::unique_ptr<Module> &M;
  const specrt_jit_request &Request;
  Optimizer &Passes;
  Premises &Known;
};

/// Applies \p These. Returns false if a premise from before \p These cannot be guaranteed: that
/// memory which was read ahead stays unchanged, or that arrays are separate.
bool Driver::apply(ArrayRef<const Speculation *> These) {
  if (These.empty())
    return Known.areGuarded();
  const Speculation &First = *These.front();
  const ArrayRef<const Speculation *> Others = These.drop_front();
  if (!First.isTentative())
    return applyOne(First) != Applied::Impossible && apply(Others);

  std::unique_ptr<Module> Before = std::exchange(M, CloneModule(*M));
  Premises KnownBefore = Known;
  const Applied What = applyOne(First);
  if (What == Applied::Done && apply(Others))
    return true;
  Passes.forget();
  M = std::move(Before);
  KnownBefore.Told = std::move(Known.Told);
  Known = std::move(KnownBefore);
  return apply(Others);
}

} // namespace

void speculate(std::unique_ptr<Module> &M, const specrt_jit_request &Request, Optimizer &Passes,
               Premises &Known, ArrayRef<const Speculation *> These) {
  Driver(M, Request, Passes, Known).apply(These);
}

void speculate(Stage Now, std::unique_ptr<Module> &M, const specrt_jit_request &Request,
               Optimizer &Passes, Premises &Known) {
  // Constants determine which loads each call executes. Constant sizes bound the accessed ranges
  // and the elements of a block. Values that are read ahead must be known before the written ranges
  // are compared.
  const Speculation *const Canonical[] = {&errnoMath(),   &argumentFacts(), &memoryValues(),
                                          &memoryCalls(), &separateMoves(), &sequences(),
                                          &disjointness()};
  const Speculation *const Embedded[] = {&fpEnvironment()};
  speculate(M, Request, Passes, Known,
            Now == Stage::Embedded ? ArrayRef(Embedded) : ArrayRef(Canonical));
}

} // namespace specrt
