//===- runtime/parallel/quiet_arena.h - threads of TBB that handle no signals -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PARALLEL_QUIET_ARENA_H
#define SPECRT_RUNTIME_PARALLEL_QUIET_ARENA_H

#include "support/quiet_time.h"
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>

namespace specrt {

/// Handlers of the program run on threads of the program.
class WithoutSignals : public tbb::task_scheduler_observer {
public:
  explicit WithoutSignals(tbb::task_arena &Arena) : task_scheduler_observer(Arena) {
    observe(true);
  }
  ~WithoutSignals() override { observe(false); }
  WithoutSignals(const WithoutSignals &) = delete;
  WithoutSignals &operator=(const WithoutSignals &) = delete;

  void on_scheduler_entry(bool IsWorker) override {
    if (IsWorker)
      blockSignals();
  }
};

/// An observer that is destroyed because its arena could not be made ends the process, so the arena
/// is complete before there is one.
struct QuietArena {
  explicit QuietArena(unsigned Threads)
      : Arena(static_cast<int>(Threads), 1), Observer(initialized(Arena)) {}

  tbb::task_arena Arena;
  WithoutSignals Observer;

private:
  static tbb::task_arena &initialized(tbb::task_arena &Arena) {
    Arena.initialize();
    return Arena;
  }
};

} // namespace specrt

#endif
