//===- runtime/server/courtesy.h - when a compile makes room for programs -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowest priority does not suffice: threads that wait for each other, at OpenMP's barriers for
// example, yield to whoever is there while they wait, and then all of them wait for the one that
// got its processor back late. So a compile that no call waits for runs where a processor is free,
// and rests while none is, but for a share of the time: a small one, and a larger one when a single
// thread runs, which loses what is taken and no more.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_SERVER_COURTESY_H
#define SPECRT_RUNTIME_SERVER_COURTESY_H

#include <cstdint>
#include <functional>
#include <span>
#include <sys/types.h>

namespace specrt {

/// What compiles that nobody waits for may take of the machine.
class Courtesy {
public:
  /// How often mustRest is to be asked, and at the least while no processor is free: a look takes
  /// some 50 us of one, and threads that meet lose that several times over.
  static constexpr uint64_t LookNs = 2'000'000, SeldomNs = 10 * LookNs;

  /// What Courtesy looks at.
  struct Machine {
    unsigned Processors;
    /// See othersThatRun.
    std::function<unsigned(std::span<const pid_t> Ours)> Others;
    std::function<uint64_t()> NowNs;
  };
  static Machine thisMachine();

  explicit Courtesy(Machine Here = thisMachine());

  /// Should the processes \p Ours rest until the next look? \p UsedNs is the processor time that
  /// they have had since the last one.
  bool mustRest(std::span<const pid_t> Ours, uint64_t UsedNs);

  /// Processor time taken so far while no processor was free.
  uint64_t takenNs() const { return TakenNs; }

  /// When to look next.
  uint64_t pauseNs() const { return PauseNs; }

private:
  void look(std::span<const pid_t> Ours);
  /// Of the time so far, may some be taken from threads that would use it?
  bool mayDisturb(uint64_t Ns) const;

  const Machine Here;
  const uint64_t BeginNs;
  uint64_t TakenNs = 0;
  uint64_t LookedNs = 0;
  uint64_t PauseNs = LookNs;
  bool IsFree = false;  ///< is a processor?
  bool IsAlone = false; ///< is it a single thread that is disturbed?
  /// For how long a processor has been free; time without one counts several times against that.
  uint64_t FreeNs = 0;
};

} // namespace specrt

#endif
