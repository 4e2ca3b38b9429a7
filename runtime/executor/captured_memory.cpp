//===- runtime/executor/captured_memory.cpp - restores a captured call in memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/captured_memory.h"
#include "support/content_hash.h"
#include "support/memory/pages.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace specrt {
namespace {

/// Reads exactly \p Bytes bytes. Returns false if there are fewer.
bool readAt(int File, void *To, size_t Bytes, uint64_t Offset) {
  auto *Next = static_cast<char *>(To);
  while (Bytes > 0) {
    const ssize_t Read = pread(File, Next, Bytes, static_cast<off_t>(Offset));
    if (Read <= 0)
      return false;
    Next += Read;
    Offset += static_cast<uint64_t>(Read);
    Bytes -= static_cast<size_t>(Read);
  }
  return true;
}

std::string_view bytesAt(uint64_t Address, uint64_t Bytes) {
  return {reinterpret_cast<const char *>(Address), Bytes};
}

/// The value of bytes that were not captured. It is not zero, so that reading too far changes
/// results, and storing a common value beside an array is detected.
constexpr char Uncaptured = static_cast<char>(0xa5);

bool isUntouched(uint64_t Begin, uint64_t End) {
  const std::string_view Bytes = bytesAt(Begin, End - Begin);
  return std::all_of(Bytes.begin(), Bytes.end(), [](char Byte) { return Byte == Uncaptured; });
}

} // namespace

bool CapturedMemory::read() {
  // The limit is a second: a clone copies 256 MB in a tenth of that, unless it is stopped.
  constexpr int MaxTries = 500;
  constexpr useconds_t PauseUs = 2000;
  for (int Try = 0; Try < MaxTries; ++Try) {
    if (!readAt(File, &Call, sizeof(Call), 0) || Call.Magic != CapturedCall::Expected)
      return false;
    if (Call.IsComplete)
      break;
    usleep(PauseUs);
  }
  if (!Call.IsComplete || Call.NumSegments > CapturedCall::MaxSegments ||
      Call.NumArguments > SPECRT_MAX_ARGUMENTS)
    return false;
  uint64_t Last = 0;
  for (uint32_t I = 0; I < Call.NumSegments; ++I) {
    const CapturedSegment &Segment = Call.Segments[I];
    if (Segment.Begin < Last || Segment.End <= Segment.Begin)
      return false;
    Last = Segment.End;
    const uint64_t Begin = pageOf(Segment.Begin), End = wholePages(Segment.End);
    if (!Pages.empty() && Begin < Pages.back().End) {
      Pages.back().End = End;
      Pages.back().IsWritten |= Segment.IsWritten;
    } else {
      Pages.push_back({Begin, End, Segment.IsWritten});
    }
  }
  return true;
}

std::optional<std::vector<uint64_t>> CapturedMemory::symbols() const {
  std::vector<uint64_t> Found(Call.NumSymbols);
  if (!readAt(File, Found.data(), Found.size() * sizeof(uint64_t), Call.Symbols))
    return std::nullopt;
  return Found;
}

bool CapturedMemory::reserve() {
  for (const PageRange &Range : Pages) {
    void *const At = reinterpret_cast<void *>(Range.Begin);
    const size_t Bytes = Range.End - Range.Begin;
    void *const Got =
        mmap(At, Bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (Got == At)
      continue;
    if (Got != MAP_FAILED) // the kernel does not know MAP_FIXED_NOREPLACE
      munmap(Got, Bytes);
    return false;
  }
  return true;
}

/// Calls Visit(Begin, End) for all bytes of the pages that were not captured. Stops and returns
/// false when a call returns false.
template <class F> bool CapturedMemory::forEachEdge(F Visit) const {
  const CapturedSegment *Next = Call.Segments, *const Last = Next + Call.NumSegments;
  for (const PageRange &Range : Pages) {
    uint64_t At = Range.Begin;
    for (; Next != Last && Next->End <= Range.End; ++Next) {
      if (!Visit(At, Next->Begin))
        return false;
      At = Next->End;
    }
    if (!Visit(At, Range.End))
      return false;
  }
  return true;
}

bool CapturedMemory::load(const CapturedSegment &From) const {
  return readAt(File, reinterpret_cast<void *>(From.Begin), From.size(), From.Bytes);
}

bool CapturedMemory::fill() {
  forEachEdge([](uint64_t Begin, uint64_t End) {
    std::memset(reinterpret_cast<void *>(Begin), Uncaptured, End - Begin);
    return true;
  });
  for (uint32_t I = 0; I < Call.NumSegments; ++I)
    if (!load(Call.Segments[I]))
      return false;
  return std::all_of(Pages.begin(), Pages.end(), [](const PageRange &Range) {
    return Range.IsWritten ||
           mprotect(reinterpret_cast<void *>(Range.Begin), Range.End - Range.Begin, PROT_READ) == 0;
  });
}

bool CapturedMemory::refill() {
  return std::all_of(Call.Segments, Call.Segments + Call.NumSegments,
                     [&](const CapturedSegment &S) { return !S.IsWritten || load(S); });
}

/// Returns whether the segment is the place of a result that the program did not write.
bool CapturedMemory::isUnwrittenResult(const CapturedSegment &Of) const {
  uint8_t Before[16]; // at least the size of any result
  ContentHash After;
  return Of.MayBeResult && Of.size() <= sizeof(Before) &&
         readAt(File, Before, Of.size(), Of.Bytes) &&
         readAt(File, &After, sizeof(After), Of.Hashes) &&
         contentHash({reinterpret_cast<const char *>(Before), Of.size()}) == After;
}

std::string CapturedMemory::firstDifference() const {
  if (!forEachEdge(isUntouched))
    return "writes beside the memory that the call writes";
  for (uint32_t I = 0; I < Call.NumSegments; ++I) {
    const CapturedSegment &Segment = Call.Segments[I];
    if (!Segment.IsWritten || isUnwrittenResult(Segment))
      continue;
    uint64_t Offset = Segment.Hashes;
    for (uint64_t At = Segment.Begin; At < Segment.End; At += CapturedCall::HashedBytes) {
      ContentHash Expected;
      if (!readAt(File, &Expected, sizeof(Expected), Offset))
        return "cannot be compared";
      Offset += sizeof(Expected);
      const uint64_t Bytes = std::min(CapturedCall::HashedBytes, Segment.End - At);
      if (contentHash(bytesAt(At, Bytes)) == Expected)
        continue;
      return "gives other results within bytes " + std::to_string(At - Segment.Begin) + " to " +
             std::to_string(At - Segment.Begin + Bytes) + " of what is written at " +
             std::to_string(Segment.Begin);
    }
  }
  return "";
}

std::vector<uint8_t> CapturedMemory::results() const {
  std::vector<uint8_t> All;
  for (uint32_t I = 0; I < Call.NumSegments; ++I)
    if (const CapturedSegment &Segment = Call.Segments[I]; isUnwrittenResult(Segment)) {
      const std::string_view Bytes = bytesAt(Segment.Begin, Segment.size());
      All.insert(All.end(), Bytes.begin(), Bytes.end());
    }
  return All;
}

} // namespace specrt
