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

/// What the server has to know of a request.
struct JobTerms {
  std::string SharedKey = {}; ///< "": of one program alone
  bool IsKept = false;        ///< in the cache
  bool ReadsStore = false;
  uint32_t BudgetMs = 0;    ///< of processor time, for the compile itself
  uint32_t AfterExitMs = 0; ///< of processor time when nobody waits any more; 0: it ends then
  bool IsAwaited = false;   ///< a call waits
};

/// Terms of a request; nothing for what is none.
std::optional<JobTerms> termsOf(const Frame &Request);

/// A request, and from begin() on a process that serves it, which is killed at the latest when the
/// job is destroyed.
class Job {
public:
  Job(Frame Request, JobTerms Terms) : Request(std::move(Request)), Terms(std::move(Terms)) {}
  ~Job();
  Job(const Job &) = delete;
  Job &operator=(const Job &) = delete;

  const JobTerms &terms() const { return Terms; }
  bool hasBegun() const { return Process > 0; }
  pid_t process() const { return Process; }
  /// Readable when there is something to receive.
  int output() const { return Output.get(); }

  /// Starts the process. Returns 0 or an error number.
  int begin(const specrt_jit_api &Api, const std::string &CacheDirectory);

  /// Reads what the process has written, and appends whole frames to \p To. False when it has
  /// ended, or the last frame of the answer was among them.
  bool receive(std::string &To);
  /// Of all candidates so far.
  const std::vector<std::string> &candidateKeys() const { return Keys; }
  /// Was the answer complete?
  bool isAnswered() const { return Answered; }
  /// Of a process that has ended without an answer: did it lack something, or did somebody else end
  /// it? Then that says nothing about the request.
  bool lackedSomething();
  /// How it has ended, in a few words.
  std::string howItEnded();

  /// A call waits for it now, too.
  void await();

  /// Stops the process until rest(false).
  void rest(bool Rests);
  bool rests() const { return Rests; }

  /// Processor time since the last look, and since the job began; nanoseconds.
  uint64_t usedNs();
  uint64_t allUsedNs() const { return LastUsedNs; }
  /// Has it taken so long, without the time in which it got no processor, that it will not end? To
  /// be asked after usedNs, with what that returned.
  bool isEndless(uint64_t UsedNs);

private:
  std::string lastWords() const;
  void awaitEnd();

  const Frame Request;
  JobTerms Terms;
  pid_t Process = 0;
  int Status = 0; ///< of the process when it has ended
  Descriptor Output, LastWords;
  FrameReader Incoming;
  std::vector<std::string> Keys;
  bool Answered = false, Rests = false;
  uint64_t LastUsedNs = 0, LastLookNs = 0, OwnNs = 0;
};

} // namespace specrt

#endif
