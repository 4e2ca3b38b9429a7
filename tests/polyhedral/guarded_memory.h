//===- tests/polyhedral/guarded_memory.h - arrays between pages that are no memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_POLYHEDRAL_GUARDED_MEMORY_H
#define SPECRT_TESTS_POLYHEDRAL_GUARDED_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace specrt {

/// Where an array lies in its pages.
enum class Side { Begin, End };

/// An array that touches a page without access at one of its ends; there is such a page at the
/// other end, too. In rows, every second page is without access, and so each row has its own page.
class GuardedArray {
public:
  static constexpr size_t PageBytes = 4096;

  static GuardedArray dense(size_t Bytes, Side S) {
    size_t Pages = Bytes / PageBytes + 1;
    return GuardedArray(Pages, 1, S == Side::Begin ? 0 : Pages * PageBytes - Bytes);
  }
  /// Row r begins \p Offset bytes behind the begin of page 2r.
  static GuardedArray rows(size_t Rows, size_t Offset) { return GuardedArray(Rows, 2, Offset); }

  GuardedArray(GuardedArray &&Other)
      : Start(std::exchange(Other.Start, nullptr)), Total(Other.Total),
        Accessible(std::move(Other.Accessible)), Data(Other.Data) {}
  GuardedArray &operator=(GuardedArray &&) = delete;
  ~GuardedArray() {
    if (Start)
      munmap(Start, Total);
  }

  void *data() const { return Data; }
  /// Everything that may be accessed, the rests of pages included.
  std::span<const std::span<char>> parts() const { return Accessible; }

  void copyFrom(const GuardedArray &Other) {
    for (size_t P = 0; P < Accessible.size(); ++P)
      std::memcpy(Accessible[P].data(), Other.Accessible[P].data(), Accessible[P].size());
  }

  void makeReadOnly() {
    for (std::span<char> Part : Accessible)
      mprotect(Part.data(), Part.size(), PROT_READ);
  }

private:
  GuardedArray(size_t Pages, size_t Distance, size_t Offset) {
    Total = (Pages * Distance + 2) * PageBytes;
    Start = static_cast<char *>(
        mmap(nullptr, Total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    char *First = Start + PageBytes;
    if (Distance == 1)
      Accessible.push_back({First, Pages * PageBytes});
    else
      for (size_t P = 0; P < Pages; ++P)
        Accessible.push_back({First + P * Distance * PageBytes, PageBytes});
    for (std::span<char> Part : Accessible)
      mprotect(Part.data(), Part.size(), PROT_READ | PROT_WRITE);
    Data = First + Offset;
  }

  char *Start;
  size_t Total;
  std::vector<std::span<char>> Accessible;
  char *Data;
};

} // namespace specrt

#endif
