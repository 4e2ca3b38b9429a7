//===- tests/runtime/kept/kept_folder.h - where tables are kept for a while ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_RUNTIME_KEPT_KEPT_FOLDER_H
#define SPECRT_TESTS_RUNTIME_KEPT_KEPT_FOLDER_H

#include "runtime/cache/version_store.h"
#include "runtime/kept/kept_tables.h"
#include "runtime/rows/table_keeper.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace specrt {

/// An empty cache, in which all tables are kept, however little time they took.
struct KeptFolder {
  KeptFolder() {
    std::string Pattern = testing::TempDir() + "specrt-kept-XXXXXX";
    Path = mkdtemp(Pattern.data());
    use();
  }
  ~KeptFolder() {
    keepTables({});
    leastKeptNs() = Before;
    std::filesystem::remove_all(Path);
  }
  KeptFolder(const KeptFolder &) = delete;
  KeptFolder &operator=(const KeptFolder &) = delete;

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
    keepTables({Store, MayWrite, [] { return true; }});
  }
  /// Of tables, but for what they are for.
  size_t tables() const {
    const std::vector<VersionEntry> All = Store->list();
    return static_cast<size_t>(std::count_if(All.begin(), All.end(), isTable));
  }
  static bool isTable(const VersionEntry &Each) {
    return Each.Problem.empty() && Each.Description.Key.find("contents=") != std::string::npos;
  }
  /// As the end of a run has it.
  static void write() {
    while (writeKeptTable() > 0) {
    }
  }

  std::string Path, Said;
  std::shared_ptr<VersionStore> Store;
  const double Before = leastKeptNs().exchange(0);
};

} // namespace specrt

#endif
