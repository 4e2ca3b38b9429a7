//===- support/per_process.h - an object per process that forks do not inherit ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_PER_PROCESS_H
#define SPECRT_SUPPORT_PER_PROCESS_H

#include <atomic>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace specrt {

/// Holds a T that is made on first use and lives until the process ends. A forked child begins
/// without one, whatever the parent's threads were doing with theirs, and however it was forked:
/// the address is in a page that the kernel wipes on fork. Handlers of pthread_atfork would miss
/// some children. Objects that were given up, and those of the parent, stay reachable.
template <typename T> class PerProcess {
public:
  /// Returns the object, or null if there is none yet. Costs some loads.
  T *known() const {
    const Anchor *Place = Page.load(std::memory_order_acquire);
    Node *Here = Place ? Place->load(std::memory_order_acquire) : nullptr;
    return Here ? &Here->Of : nullptr;
  }

  /// Returns the object, and makes it if there is none, with T(T *Before), where Before is this
  /// process's object that was given up, or its parent's, or null. Returns null without memory, or
  /// on a kernel where a child cannot be told from its parent. May throw std::bad_alloc.
  T *get() {
    if (T *Known = known())
      return Known;
    Anchor *Place = Page.load(std::memory_order_acquire);
    if (!Place)
      Place = makePage();
    if (!Place)
      return nullptr;
    Node *Before = Newest.load(std::memory_order_acquire);
    auto *Made = new Node(Before);
    Node *Known = nullptr;
    if (!Place->compare_exchange_strong(Known, Made, std::memory_order_acq_rel)) {
      delete Made;
      return &Known->Of;
    }
    Newest.store(Made, std::memory_order_release);
    return &Made->Of;
  }

  /// Makes the next call of get() create another object if \p Of is still the current one.
  /// Allocates nothing.
  void giveUp(const T &Of) {
    Anchor *Place = Page.load(std::memory_order_acquire);
    Node *Here = Place ? Place->load(std::memory_order_acquire) : nullptr;
    if (Here && &Here->Of == &Of)
      Place->compare_exchange_strong(Here, nullptr, std::memory_order_acq_rel);
  }

private:
  struct Node {
    explicit Node(Node *Before) : Before(Before), Of(Before ? &Before->Of : nullptr) {}
    Node *const Before;
    T Of;
  };
  using Anchor = std::atomic<Node *>;

  Anchor *makePage() {
    const auto Bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void *New = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (New == MAP_FAILED)
      return nullptr;
    Anchor *Before = nullptr;
    if (madvise(New, Bytes, MADV_WIPEONFORK) == 0) {
      auto *Made = new (New) Anchor(nullptr);
      if (Page.compare_exchange_strong(Before, Made, std::memory_order_acq_rel))
        return Made;
    }
    munmap(New, Bytes);
    return Before;
  }

  std::atomic<Anchor *> Page{nullptr};
  std::atomic<Node *> Newest{nullptr};
};

} // namespace specrt

#endif
