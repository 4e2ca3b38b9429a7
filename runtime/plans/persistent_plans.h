//===- runtime/plans/persistent_plans.h - stores execution plans for later runs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computing the row-dependence DAG of a loop takes as long as some hundred calls. A persistent plan
// is an execution plan (RowTable) that is stored in the cache directory
// (runtime/cache/version_store.h) because its inspection took long. For each loop, and the inputs
// that decide about it, one file has the grounds of a few plans: the places that the loop reads to
// decide, and a hash of their contents. A later run that would read the same contents uses the
// plan, which is a file of its own.
//
// Every function here may fail to find or to store a plan. The rows are inspected then.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_PLANS_PERSISTENT_PLANS_H
#define SPECRT_RUNTIME_PLANS_PERSISTENT_PLANS_H

#include <cstddef>
#include <memory>

namespace specrt {

class VersionStore;

struct PersistentPlanSettings {
  std::shared_ptr<VersionStore> Where = nullptr; ///< null: no plan is stored or read
  bool MayWrite = false;                         ///< store new plans, too
  bool (*AreBuildsKnown)() = nullptr;            ///< called before anything is read
};
/// Sets where plans are stored from now on. Plans that are not written yet are dropped. Any thread.
void setPersistentPlans(const PersistentPlanSettings &How);

/// Writes one of the pending plans. Returns the number of its bytes, or 0 if there is none. Takes
/// some milliseconds; any thread.
size_t writePersistentPlan();

} // namespace specrt

#endif
