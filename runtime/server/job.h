//===- runtime/server/job.h - one request and the process that serves it --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_SERVER_JOB_H
#define SPECRT_RUNTIME_SERVER_JOB_H

#include "profiler/store/store_file.h"
#include "runtime/protocol/frames.h"
#include "specrt/jit_api.h"
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace specrt {

/// The part of a request that the server acts on.
struct JobTerms {
  std::string SharedKey = {}; ///< requests of equal keys share one job; "": not shared
  bool IsKept = false;        ///< its candidates go into the store
  bool ReadsStore = false;
  uint32_t BudgetMs = 0;    ///< processor time of the compile
  uint32_t AfterExitMs = 0; ///< processor time after the last client has left; 0: the job ends then
  bool IsAwaited = false;   ///< a call of the program waits for it
  bool HasCapture = false;  ///< candidates are replayed; no background job runs at the same time
};

/// Returns the terms of \p Request; nothing when it is malformed or no request.
std::optional<JobTerms> termsOf(const Frame &Request);

/// Frees the memory of a captured call by emptying its file, which the program may still have open.
/// Does nothing without a file.
void emptyCapture(const Descriptor &Capture);

/// A request and, from begin() on, the process that serves it. Kills the process, if it still runs,
/// when destroyed. Not thread-safe.
class Job {
public:
  /// \p Capture is the captured call if JobTerms::HasCapture. The destructor empties it.
  Job(Frame Request, JobTerms Terms, Descriptor Capture = Descriptor())
      : Request(std::move(Request)), Terms(std::move(Terms)), Capture(std::move(Capture)) {}
  ~Job();
  Job(const Job &) = delete;
  Job &operator=(const Job &) = delete;

  const JobTerms &terms() const { return Terms; }
  bool hasBegun() const { return Process > 0; }
  pid_t process() const { return Process; }
  /// Appends the ids of the threads of the job's processes to \p To.
  void listThreads(std::vector<pid_t> &To) const;
  /// The descriptor to poll for input before receive().
  int output() const { return Output.get(); }

  /// Starts the process. Returns 0 or an error number.
  int begin(const specrt_jit_api &Api, const std::string &CacheDirectory);

  /// Reads what the process has written and appends whole frames to \p To. Returns false when the
  /// process has closed its end or the answer is complete.
  bool receive(std::string &To);
  /// The store keys of the candidates received so far.
  const std::vector<std::string> &candidateKeys() const { return Keys; }
  bool isAnswered() const { return Answered; }
  /// Waits for the end of a process that has not answered. Returns whether it lacked memory or was
  /// killed from outside, so that its end says nothing about the request.
  bool lackedResources();
  /// Waits for the end of the process. Returns how it ended, in a few words.
  std::string howItEnded();

  /// From now on a call of a program waits for the job.
  void await();

  /// Stops or continues the processes of a job that no call waited for when it began. Returns
  /// whether that is a change. A process that has only just begun cannot be stopped yet.
  bool pause(bool Pauses);
  bool isPaused() const { return Paused; }

  /// Processor time of the process since the last call, in nanoseconds.
  uint64_t usedNs();
  /// Processor time of the process up to the last call of usedNs(), in nanoseconds.
  uint64_t allUsedNs() const { return LastUsedNs; }
  /// Returns whether the process exceeds its budget by so much that it will not end by itself. Time
  /// in which it got no processor does not count. \p UsedNs is what usedNs() has just returned.
  bool isEndless(uint64_t UsedNs);

private:
  bool signalGroup(int Number) const;
  std::string lastErrorLine() const;
  void awaitEnd();

  const Frame Request;
  JobTerms Terms;
  const Descriptor Capture;
  pid_t Process = 0;
  int Status = 0; ///< from waitpid, once the process has ended
  Descriptor Output, ErrorOutput;
  FrameReader Incoming;
  std::vector<std::string> Keys;
  bool HasGroup = false; ///< whether the process gets a group of its own, with those that replay
  bool Answered = false, Paused = false;
  uint64_t LastUsedNs = 0, LastCheckNs = 0;
  uint64_t OwnNs = 0; ///< time since it began, without that in which it was starved
};

} // namespace specrt

#endif
