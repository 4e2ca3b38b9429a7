//===- runtime/decide/publish.h - from a body to a version in use ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_PUBLISH_H
#define SPECRT_RUNTIME_DECIDE_PUBLISH_H

#include "runtime/decide/registry.h"

namespace specrt {

/// A version that runs Winner's body, with the entry and the state of its object; null when a
/// version has them already. Region: a copy that is never freed. BodyNs 0: not measured. The
/// registry's mutex is not needed.
std::unique_ptr<Version> makeVersion(const specrt_region &Region, const Assumptions &Assumed,
                                     const CompiledBody &Winner, double BaselineNs, double BodyNs);

/// Ticks in the original, of a region that has versions, that lead to its next review: values that
/// keep changing must not keep the worker busy, so each look takes twice as long. Never 0, however
/// soon regions are hot.
uint64_t missTicksToReview(const RegionWork &Work);

/// Links V into D's versions, before those that gain less, and makes the region's calls go there.
/// The slot of Live changes.
void installVersion(const RegistryLock &Guard, RegionDetail &D, std::unique_ptr<Version> V,
                    specrt_region &Live);

} // namespace specrt

#endif
