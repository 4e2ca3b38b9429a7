//===- runtime/watch/page_record.cpp - the kernel's record of written pages ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/watch/page_record.h"
#include "runtime/watch/mappings.h"
#include "support/process/own_descriptors.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace specrt {
namespace {

/// The limit of mappings in a range; more are a range of many small mappings.
constexpr int MostMappings = 16;
/// The bytes that one page of a page table describes, for pages of 4 KB.
constexpr uintptr_t TableBytes = uintptr_t{2} << 20;

bool isAtLeastKernel(int Major, int Minor) {
  utsname Name;
  if (uname(&Name) != 0)
    return false;
  char *Point;
  const long HasMajor = std::strtol(Name.release, &Point, 10);
  const long HasMinor = *Point == '.' ? std::strtol(Point + 1, nullptr, 10) : 0;
  return HasMajor > Major || (HasMajor == Major && HasMinor >= Minor);
}

/// Makes the scan find pages that were written, and missing ones, because a page that the program
/// gave back (MADV_DONTNEED) counts neither as written nor as protected. Takes 2 ns per page.
void setThorough(kernel::ScanArguments &Scan) {
  Scan.Inverted = kernel::PagePresent;
  Scan.AnyOf = kernel::PageWritten | kernel::PagePresent;
  Scan.Returned =
      kernel::PageIsRegistered; // the same category for all, so that neighbours become one region
}

} // namespace

size_t pageBytes() {
  static const size_t Bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return Bytes;
}

std::atomic<bool> &pageRecordIsMissing() {
  static std::atomic<bool> Missing{false};
  return Missing;
}

std::unique_ptr<PageRecord> PageRecord::open() {
  const std::optional<ProcessStatus> Status = processStatus();
  if (!Status || Status->IsFiltered)
    return nullptr;
  std::unique_ptr<PageRecord> Record(new PageRecord());
  if (!Record->openFiles())
    return nullptr;
  // If only written pages are requested, the kernel scans page tables in a special loop, which
  // takes a third of the time and also finds empty entries, but not missing tables. Before 6.9 it
  // misinterpreted entries of pages that were being moved.
  Record->HasQuickScan = isAtLeastKernel(6, 9);
  if (Record->works())
    return Record;
  Record->HasQuickScan = false;
  return Record->works() ? std::move(Record) : nullptr;
}

PageRecord::~PageRecord() {
  if (Userfault >= 0)
    close(Userfault);
  if (Pagemap >= 0)
    close(Pagemap);
}

bool PageRecord::openFiles() {
  Userfault = moveUp(
      static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | kernel::UserModeOnly)));
  if (Userfault < 0)
    return false;
  uffdio_api Api{};
  Api.api = UFFD_API;
  Api.features = kernel::WriteProtectAsync | kernel::WriteProtectUnpopulated;
  if (ioctl(Userfault, UFFDIO_API, &Api) != 0)
    return false;
  Pagemap = moveUp(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  return Pagemap >= 0;
}

/// Tests the required behaviour with pages of its own, so that a kernel with another behaviour
/// counts as one without a record.
bool PageRecord::works() const {
  constexpr size_t Count = 4; // pages
  const size_t Size = pageBytes();
  void *Memory =
      mmap(nullptr, Count * Size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Memory == MAP_FAILED)
    return false;
  madvise(Memory, Count * Size, MADV_DONTFORK); // makes it a separate mapping
  auto *Bytes = static_cast<volatile char *>(Memory);
  const auto Begin = reinterpret_cast<uintptr_t>(Memory);
  auto Pages = [&](size_t From, size_t To) {
    return PageRun{Begin + From * Size, Begin + To * Size};
  };
  auto Ask = [&](size_t From, size_t To) {
    const auto *First = static_cast<const std::byte *>(Memory) + From * Size;
    return anyWritten(Pages(From, To), {&First, 1});
  };
  Bytes[0] = 1; // the other pages do not exist yet
  bool Works = prepare(Pages(0, Count)) && protectAll(Pages(0, Count));
  for (size_t I = 1; I < Count; ++I)
    static_cast<void>(Bytes[I * Size]); // now they are pages of zeros
  Works = Works && Ask(0, 2) == Answer::Clean;
  madvise(static_cast<char *>(Memory) + Size, Size, MADV_DONTNEED);
  Bytes[2 * Size] = 1;
  Works = Works && Ask(0, 1) == Answer::Clean && Ask(0, 2) == Answer::Written &&
          Ask(2, 3) == Answer::Written && Ask(3, 4) == Answer::Clean;
  size_t Again = 0;
  Works = Works && protectWritten(Pages(0, Count), [&](PageRun Run) { Again += Run.bytes(); });
  static_cast<void>(Bytes[Size]);
  Works = Works && Again == 2 * Size && Ask(0, Count) == Answer::Clean;
  munmap(Memory, Count * Size);
  return Works;
}

bool PageRecord::prepare(PageRun Pages) const {
  const Mappings All;
  for (int I = 0; I < MostMappings; ++I) {
    const std::optional<Mapping> M = All.at(Pages.Begin);
    if (!M || !M->IsPrivateAnonymous)
      return false;
    // The whole mapping is registered: a part of it would become a mapping of its own, and mremap
    // refuses to resize a range in two mappings.
    uffdio_register Register{};
    Register.range = {.start = M->Begin, .len = M->End - M->Begin};
    Register.mode = UFFDIO_REGISTER_MODE_WP;
    if (ioctl(Userfault, UFFDIO_REGISTER, &Register) != 0)
      return false;
    if (M->End >= Pages.End)
      return true;
    Pages.Begin = M->End;
  }
  return false;
}

/// This is not done by a scan for written pages: memory that was moved (mremap) loses its
/// registration but, before Linux 6.13, keeps old flags, which a scan would use.
bool PageRecord::protectAll(PageRun Pages) const {
  uffdio_writeprotect Protect{};
  Protect.range = {.start = Pages.Begin, .len = Pages.bytes()};
  Protect.mode = UFFDIO_WRITEPROTECT_MODE_WP;
  return ioctl(Userfault, UFFDIO_WRITEPROTECT, &Protect) == 0;
}

bool PageRecord::mayMissWrites() {
  const std::optional<ProcessStatus> Status = processStatus();
  return !Status || Status->HasPinnedMemory;
}

std::vector<const std::byte *> PageRecord::inTables(PageRun Pages,
                                                    std::span<const WatchedRange> Ranges) {
  std::vector<const std::byte *> Found;
  uintptr_t NextTable = Pages.Begin;
  for (const WatchedRange &R : Ranges)
    while (NextTable < Pages.End) {
      const auto *From = reinterpret_cast<const std::byte *>(NextTable);
      const std::byte *First = nullptr;
      R.forEachPiece(From, reinterpret_cast<const std::byte *>(Pages.End),
                     [&](const std::byte *Piece, size_t) {
                       First = Piece;
                       return false;
                     });
      if (!First)
        break;
      Found.push_back(First);
      NextTable = (reinterpret_cast<uintptr_t>(First) | (TableBytes - 1)) + 1;
    }
  return Found;
}

PageRecord::Answer PageRecord::anyWritten(PageRun Pages,
                                          std::span<const std::byte *const> InTables) const {
  kernel::PageRegion Region;
  kernel::ScanArguments Scan;
  if (HasQuickScan) {
    // Not all kernels report missing page tables; a page that was read has one.
    for (const std::byte *At : InTables)
      static_cast<void>(*reinterpret_cast<const volatile std::byte *>(At));
    Scan.Mask = Scan.Returned = kernel::PageWritten;
  } else {
    setThorough(Scan);
  }
  Scan.Flags = kernel::OnlyRegistered;
  Scan.Begin = Pages.Begin;
  Scan.End = Pages.End;
  Scan.Regions = reinterpret_cast<uintptr_t>(&Region);
  Scan.NumRegions = Scan.MaxPages = 1;
  const int Count = ioctl(Pagemap, kernel::ScanPages, &Scan);
  return Count < 0 ? Answer::Unknown : Count == 0 ? Answer::Clean : Answer::Written;
}

long PageRecord::protectSome(PageRun &Pages, kernel::PageRegion *Regions) const {
  kernel::ScanArguments Scan;
  setThorough(Scan);
  Scan.Flags = kernel::OnlyRegistered | kernel::ProtectMatching;
  Scan.Begin = Pages.Begin;
  Scan.End = Pages.End;
  Scan.Regions = reinterpret_cast<uintptr_t>(Regions);
  Scan.NumRegions = NumRegions;
  const int Count = ioctl(Pagemap, kernel::ScanPages, &Scan);
  if (Count < 0 || Scan.WalkEnd <= Pages.Begin)
    return -1;
  Pages.Begin = Scan.WalkEnd;
  return Count;
}

} // namespace specrt
