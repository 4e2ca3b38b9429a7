//===- runtime/executor/replay.h - candidates on a captured call ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     compiling process ──starts──> executor ──forks──> one process per candidate
//       the region, objects ────>  reserves the         fills the captured bytes in, runs the
//       <──── one result each      program's addresses  candidate, compares, and takes times
//
// A candidate runs in a process of its own, on the captured bytes at their own addresses, with
// nothing else of the program in memory. What differs from what the program's own call has left, or
// touches other memory, is refused.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_EXECUTOR_REPLAY_H
#define SPECRT_RUNTIME_EXECUTOR_REPLAY_H

#include "runtime/protocol/region_message.h"
#include <cstdint>
#include <string>
#include <vector>

namespace specrt {

/// A compiled candidate.
struct ReplayedObject {
  std::string Name, Key;
  std::string Object; ///< the shared object
  template <class Archive> void fields(Archive &A) { A(Name, Key, Object); }
};

/// What an executor is asked. Objects: the first one is the reference, see ReplayResult.
struct ReplayRequest {
  RegionMessage Region;
  std::vector<ReplayedObject> Objects;
  uint32_t Threads = 1;
  uint32_t MaxMs = 0;           ///< real time for all of it
  bool ComparesBits = true;     ///< false where the user allows other bits
  bool AwaitsProcessors = true; ///< no call is timed while too few processors are free
  template <class Archive> void fields(Archive &A) {
    A(Region, Objects, Threads, MaxMs, ComparesBits, AwaitsProcessors);
  }
};

struct ReplayResult {
  enum class Outcome : uint32_t {
    Same,      ///< left what the program's call has left
    Differs,   ///< left something else
    Faulted,   ///< touched memory that was not captured, or crashed
    Unguarded, ///< its guards do not hold for the call
    NotRun,    ///< could not be loaded, took much longer than the program's call, or lacked memory
    Late       ///< there was no time for it
  };
  std::string Name;
  Outcome Is = Outcome::NotRun;
  std::string Why; ///< half a sentence, unless Is is Same
  double Ns = 0;   ///< the least time of a call; 0: not timed
  template <class Archive> void fields(Archive &A) { A(Name, Is, Why, Ns); }
};

/// Replays \p Asked's objects on the captured call in the file \p Capture, in other processes.
/// Returns a result for each object, in their order; none, with \p Why set, when the call could not
/// be replayed at all. Throws std::bad_alloc.
std::vector<ReplayResult> replay(const ReplayRequest &Asked, int Capture, std::string &Why);

/// Returns the time of the captured call in the program, in nanoseconds; 0 when the file is none.
double capturedNs(int Capture);

/// The descriptors of a new executor: the connection to the process that started it, and the file.
inline constexpr int ExecutorConnection = 3, ExecutorCapture = 4;

/// The executor: serves one request. Returns its exit status: AddressesTaken when memory of its own
/// lies where the program's did, after which another one may succeed.
int runExecutor();
inline constexpr int AddressesTaken = 3;

} // namespace specrt

#endif
