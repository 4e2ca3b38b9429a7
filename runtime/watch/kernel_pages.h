//===- runtime/watch/kernel_pages.h - kernel interfaces that system headers may lack ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's interface for written pages (6.7) and mappings (6.11), under names of our own: the
// headers of the system that libspecrt is built on may be older than the kernel that it runs on.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_WATCH_KERNEL_PAGES_H
#define SPECRT_RUNTIME_WATCH_KERNEL_PAGES_H

#include <cstdint>
#include <sys/ioctl.h>

namespace specrt::kernel {

// userfaultfd(2)
constexpr int UserModeOnly = 1;
constexpr uint64_t WriteProtectUnpopulated = uint64_t{1} << 13;
constexpr uint64_t WriteProtectAsync = uint64_t{1} << 15;

// /proc/PID/pagemap
enum PageCategory : uint64_t { PageIsRegistered = 1, PageWritten = 2, PagePresent = 8 };
enum ScanFlag : uint64_t { ProtectMatching = 1, OnlyRegistered = 2 };

struct PageRegion {
  uint64_t Begin, End, Categories;
};

/// A page matches if it has all categories of Mask and one of AnyOf, after those of Inverted were
/// inverted.
struct ScanArguments {
  uint64_t Size = sizeof(ScanArguments);
  uint64_t Flags = 0, Begin = 0, End = 0, WalkEnd = 0;
  uint64_t Regions = 0, NumRegions = 0, MaxPages = 0;
  uint64_t Inverted = 0, Mask = 0, AnyOf = 0, Returned = 0;
};
constexpr unsigned long ScanPages = _IOWR('f', 16, ScanArguments);

// /proc/PID/maps
enum MappingFlag : uint64_t { MappingReadable = 1, MappingShared = 8 };

struct MappingQuery {
  uint64_t Size = sizeof(MappingQuery);
  uint64_t Flags = 0, Address = 0;
  uint64_t Begin = 0, End = 0, MappingFlags = 0, PageSize = 0, Offset = 0, Inode = 0;
  uint32_t DeviceMajor = 0, DeviceMinor = 0;
  uint32_t NameSize = 0, BuildIdSize = 0;
  uint64_t Name = 0, BuildId = 0;
};
constexpr unsigned long QueryMapping = _IOWR('f', 17, MappingQuery);

} // namespace specrt::kernel

#endif
