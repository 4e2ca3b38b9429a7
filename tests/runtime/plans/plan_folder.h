//===- tests/runtime/plans/plan_folder.h - a temporary store of persistent plans ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_RUNTIME_PLANS_PLAN_FOLDER_H
#define SPECRT_TESTS_RUNTIME_PLANS_PLAN_FOLDER_H

#include "runtime/cache/version_store.h"
#include "runtime/plans/persistent_plans.h"
#include "runtime/rows/plan_store.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace specrt {

/// An empty cache, in which all plans are stored, however little time they took.
struct PlanFolder {
  PlanFolder() {
    std::string Pattern = testing::TempDir() + "specrt-plans-XXXXXX";
    Path = mkdtemp(Pattern.data());
    use();
  }
  ~PlanFolder() {
    setPersistentPlans({});
    leastPersistentNs() = Before;
    std::filesystem::remove_all(Path);
  }
  PlanFolder(const PlanFolder &) = delete;
  PlanFolder &operator=(const PlanFolder &) = delete;

  void use(bool MayWrite = true) { useIn(Path, MayWrite); }
  /// With an own cache that is empty, and this one to read.
  void useAsFurther() {
    useIn(Path + "/own", /*MayWrite=*/true);
    Store->readAlso({Path});
  }
  void useIn(const std::string &Cache, bool MayWrite) {
    Store = std::make_shared<VersionStore>(
        Cache, uint64_t{1} << 30, [this](const std::string &Message) { Said += Message + "\n"; },
        MayWrite, RowsRoom);
    setPersistentPlans({Store, MayWrite, [] { return true; }});
  }
  /// Returns the number of plans.
  size_t plans() const {
    const std::vector<VersionEntry> All = Store->list();
    return static_cast<size_t>(std::count_if(All.begin(), All.end(), isPlan));
  }
  static bool isPlan(const VersionEntry &Each) {
    return Each.Problem.empty() && Each.Description.Key.find("contents=") != std::string::npos;
  }
  /// As the end of a run has it.
  static void write() {
    while (writePersistentPlan() > 0) {
    }
  }

  std::string Path, Said;
  std::shared_ptr<VersionStore> Store;
  const double Before = leastPersistentNs().exchange(0);
};

} // namespace specrt

#endif
