//===- runtime/decide/publish.h - publishes bodies as versions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_PUBLISH_H
#define SPECRT_RUNTIME_DECIDE_PUBLISH_H

#include "runtime/decide/registry.h"

namespace specrt {

/// Returns a version that runs Winner's body, with the entry and the state of its object; null when
/// another version has them. Region is a copy that is never freed. BodyNs 0: not measured. Does not
/// need the registry's mutex.
std::unique_ptr<Version> makeVersion(const specrt_region &Region, const Assumptions &Assumed,
                                     const CompiledBody &Winner, double BaselineNs, double BodyNs);

/// Returns the ticks in the original after which a region with versions is reviewed again. They
/// double with each review, because values that keep changing must not keep the worker busy. Never
/// 0, however soon regions are hot.
uint64_t missTicksToReview(const RegionWork &Work);

/// Links V into D's versions, before those that gain less, and makes the region's calls reach it.
/// Changes the slot of Live.
void installVersion(const RegistryLock &Guard, RegionDetail &D, std::unique_ptr<Version> V,
                    specrt_region &Live);

} // namespace specrt

#endif
