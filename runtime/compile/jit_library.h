//===- runtime/compile/jit_library.h - libspecrt-jit.so, opened on demand -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only place that calls into the compiler. Every call passes a gate (runtime/base/exit_gate.h).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_COMPILE_JIT_LIBRARY_H
#define SPECRT_RUNTIME_COMPILE_JIT_LIBRARY_H

#include "guards/guard_list.h"
#include "runtime/base/config.h"
#include "runtime/base/exit_gate.h"
#include "runtime/compile/compile_thread.h"
#include "runtime/compile/courtesy.h"
#include "runtime/compile/settled_candidate.h"
#include "specrt/jit_api.h"
#include <atomic>
#include <functional>
#include <new>
#include <string>
#include <utility>

namespace specrt {

/// What is to be done with what a compile settles before it ends.
struct CompileProgress {
  CandidateKeys Keys; ///< null: nothing is linked or told
  /// On the thread that waits for the compile.
  std::function<void(std::vector<SettledCandidate>)> Take;
};

/// Used by the worker only, except close, wasBusyAtFork, setLimit and the counters.
class JitLibrary {
public:
  /// Opens the library at the first call: from the folder of libspecrt.so, never from a search
  /// path, with the settings of then. Returns "" or why there is no compiler; the answer does not
  /// change any more. Idle: a moment is awaited in which a processor has nothing to do.
  const std::string &open(const Config &Settings, Priority P);

  /// compile, makeEntry and describe return null when the gate is closed, and then the worker
  /// should end. compile runs in a thread of its own, with this priority. When it neither ends nor
  /// can be interrupted well after its budget, null is returned and the compiler is lost with that
  /// thread. Throws std::bad_alloc when the compiler has no memory, also when it had none for
  /// another request: it is not used any more then.
  const specrt_jit_result *compile(const specrt_jit_request &Request, Priority P,
                                   const CompileProgress &Progress = {});
  /// As compile, for the version that writes to Into. Should the compiler be lost, Into must stay
  /// for ever.
  const specrt_jit_instrumented *instrument(const specrt_jit_request &Request, Priority P,
                                            specrt_recording &Into);
  /// See Courtesy. Until it is called again.
  void hurry(uint32_t CutShort) { Manner.hurry(CutShort); }
  void setLimit(Courtesy::Limit New) { Manner.setLimit(std::move(New)); }
  bool mayTake(uint64_t Ns) { return Manner.mayTake(Ns); }
  bool mayCompile() { return Manner.mayCompile(); }
  bool findsNoProcessor() { return Manner.findsNoProcessor(); }
  void freeInstrumented(const specrt_jit_instrumented *Result);
  void *makeEntry(const specrt_region &Region, GuardView Guards, bool ExactInside,
                  specrt_version_state &State);
  void freeResult(const specrt_jit_result *Result);
  const specrt_describe_result *describe(const specrt_describe_request &Request);
  void freeDescription(const specrt_describe_result *Result);
  void release(void *Handle);

  /// Closes the gate for ever and waits until nobody is inside, or who is has parked, or does no
  /// harm there while the process ends. True on success, false after a second. Any thread.
  bool close();

  /// Closes the gate for ever; a running compile drains. Any thread.
  void drain();
  /// Ends the threads that compile, which are idle. Worker only, as its last step.
  void endThreads() {
    Thread.end();
    IdleThread.end();
  }

  /// A compile did not come back: there is no compiler any more.
  bool isLost() const { return Lost; }
  bool isOpen() const { return Api.load(std::memory_order_acquire) != nullptr; }
  bool isClosed() const { return Gate.isClosed(); }
  bool isBusy() const { return Gate.isBusy(); }
  /// Also for what else must be over before exit goes on.
  ExitGate &gate() { return Gate; }

  /// In a forked child: the thread that was inside does not exist here, and the locks it held are
  /// held for ever. The compiler is unavailable from now on.
  void abandon(const char *Why);
  /// In every forked child.
  void forgetThreadsAfterFork() {
    Thread.forget();
    IdleThread.forget();
  }

  std::atomic<uint64_t> NumCompiles{0};
  /// See Courtesy.
  uint64_t takenNs() const { return Manner.takenNs(); }

  /// What else the worker has to do, and can do while it waits for a compile. May not throw.
  void (*Meanwhile)() = nullptr;

private:
  class Visit;

  /// When the gate is closed nothing is given back to the compiler any more. What is in hand then
  /// stays where leak checkers find it.
  class Remains {
  public:
    void add(const void *Left) {
      auto *New = new (std::nothrow) One{Left, nullptr};
      if (!New)
        return; // a leak checker reports it
      New->Next = Latest.load(std::memory_order_relaxed);
      while (!Latest.compare_exchange_weak(New->Next, New, std::memory_order_release,
                                           std::memory_order_relaxed)) {
      }
    }

  private:
    struct One {
      const void *Left;
      One *Next;
    };
    std::atomic<One *> Latest{nullptr};
  };

  void awaitFreeProcessor();
  bool runCompile(const specrt_jit_api &A, const specrt_jit_request &Request, Priority P,
                  std::function<void()> Work, const std::function<void()> &Meanwhile);
  void lose(const specrt_jit_api &A, const char *Region);

  CompileThread Thread{Priority::Normal}, IdleThread{Priority::Idle};
  Courtesy Manner;
  std::atomic<const specrt_jit_api *> Api{nullptr};
  std::atomic<uint64_t> ClosedNs{0}; ///< when the gate was
  ExitGate Gate;
  Remains AtExit;
  std::atomic<bool> Compiling{false}; ///< inside what has checkpoints
  bool Tried = false, Lost = false;
  std::string Error;
};

/// Logs, once, that parallel loops have found no memory for threads.
void tellFailedLoops();

/// The file that libspecrt.so was loaded from; "" when unknown. Found while it is loaded, because
/// the loader's lock must not be waited for later on.
const char *libraryPath();

/// The folder that libspecrt.so was loaded from, without a slash at the end; "" when unknown.
std::string libraryDirectory();

/// Opens libspecrt-jit.so beside it, and LLVM with that, and asks for its functions, which somebody
/// has to start before they are used. Null: \p Why says why not.
const specrt_jit_api *openCompiler(std::string &Why);

} // namespace specrt

#endif
