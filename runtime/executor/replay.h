//===- runtime/executor/replay.h - runs candidates on a captured call -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     compiling process ──starts──> executor ──forks──> one process per candidate
//       region, objects ──────────>   maps the            restores the captured bytes, runs the
//       <────────── results            program's pages    candidate, compares, measures
//
// Each candidate runs in its own process, on the captured bytes at their addresses. No other memory
// of the program is mapped. A candidate is refused if it leaves other bytes than the program's
// call, or accesses other memory.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_EXECUTOR_REPLAY_H
#define SPECRT_RUNTIME_EXECUTOR_REPLAY_H

#include "runtime/cache/stored_plan.h"
#include "runtime/protocol/region_message.h"
#include <cstdint>
#include <string>
#include <vector>

namespace specrt {

/// The request to an executor.
struct ReplayRequest {
  RegionMessage Region;
  /// The candidates, in the order in which they are replayed.
  std::vector<StoredObject> Objects;
  uint32_t Threads = 1;     ///< of parallel candidates
  uint32_t MaxMs = 0;       ///< real time for all candidates, without pauses of the server
  bool ComparesBits = true; ///< false if SPECRT_FP allows other results
  template <class Archive> void fields(Archive &A) {
    A(Region, Objects, Threads, MaxMs, ComparesBits);
  }
};

/// The result of replaying one candidate.
struct ReplayResult {
  enum class Outcome : uint32_t {
    Same,      ///< left the same bytes as the program's call
    Differs,   ///< left other bytes
    Faulted,   ///< accessed memory that was not captured, or crashed
    Unguarded, ///< has guards that do not hold for the call
    NotRun,    ///< could not be loaded, took several times as long as the call, or lacked memory
    Late       ///< was not reached within ReplayRequest::MaxMs
  };
  std::string Name;
  Outcome Is = Outcome::NotRun;
  std::string Why; ///< half a sentence; "" for Same
  double Ns = 0;   ///< the least time of a call; 0 if too few processors were free to measure it
  template <class Archive> void fields(Archive &A) { A(Name, Is, Why, Ns); }
};

/// Replays \p Asked's candidates on the captured call in the file \p Capture, in other processes.
/// Returns a result for each candidate, in their order. Returns none, and sets \p Why to half a
/// sentence, if nothing could be replayed. Throws std::bad_alloc.
std::vector<ReplayResult> replay(const ReplayRequest &Asked, int Capture, std::string &Why);

/// Returns the time of the captured call in the program, in nanoseconds; 0 if the file contains no
/// complete call.
double capturedNs(int Capture);

/// The descriptors of a new executor: the connection to the process that started it, and the file.
inline constexpr int ExecutorConnection = 3, ExecutorCapture = 4;

/// Serves one request as an executor. Returns the exit status of the process, which is
/// AddressesTaken if it has mapped other memory at the program's addresses. Another executor may
/// have other addresses.
int runExecutor();
inline constexpr int AddressesTaken = 3;

} // namespace specrt

#endif
