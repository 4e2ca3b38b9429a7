//===- profiler/store/spare_file.cpp - replaces files without waiting for the disk ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/spare_file.h"
#include "support/write_all.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace specrt {
namespace {

bool exchange(const Descriptor &Directory, const std::string &A, const std::string &B) {
  return renameat2(Directory.get(), A.c_str(), Directory.get(), B.c_str(), RENAME_EXCHANGE) == 0;
}

/// Returns whether the file belongs to this user and has no other name.
bool isOurs(const Descriptor &File) {
  struct stat Status;
  return fstat(File.get(), &Status) == 0 && S_ISREG(Status.st_mode) && Status.st_nlink == 1 &&
         Status.st_uid == geteuid() && (Status.st_mode & 077) == 0;
}

bool isNamed(const Descriptor &File, const Descriptor &Directory, const std::string &Name) {
  struct stat Opened, Named;
  return fstat(File.get(), &Opened) == 0 &&
         fstatat(Directory.get(), Name.c_str(), &Named, AT_SYMLINK_NOFOLLOW) == 0 &&
         Opened.st_ino == Named.st_ino && Opened.st_dev == Named.st_dev;
}

} // namespace

bool replaceBySpare(const Descriptor &Directory, const std::string &Name, const std::string &Text) {
  const std::string Spare = Name + SpareEnding;
  const int Before = errno;
  const Descriptor File(
      openat(Directory.get(), Spare.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  // The name is compared after each lock: before, another process could have exchanged this file
  // with the one that is read. From the exchange on it is read, so it is locked as readers lock it
  // before.
  const bool Done = File && flock(File.get(), LOCK_EX | LOCK_NB) == 0 && isOurs(File) &&
                    isNamed(File, Directory, Spare) && writeAll(File.get(), Text) &&
                    ftruncate(File.get(), static_cast<off_t>(Text.size())) == 0 &&
                    flock(File.get(), LOCK_SH | LOCK_NB) == 0 && isNamed(File, Directory, Spare) &&
                    exchange(Directory, Spare, Name);
  errno = Before;
  return Done;
}

bool replaceKeepingSpare(const Descriptor &Directory, const std::string &Temporary,
                         const std::string &Name) {
  const std::string Spare = Name + SpareEnding;
  const int Before = errno;
  if (exchange(Directory, Temporary, Name)) {
    if (renameat2(Directory.get(), Temporary.c_str(), Directory.get(), Spare.c_str(),
                  RENAME_NOREPLACE) != 0)
      unlinkat(Directory.get(), Temporary.c_str(), 0);
    errno = Before;
    return true;
  }
  // There is no spare file yet, or the file system does not support the exchange.
  return renameat(Directory.get(), Temporary.c_str(), Directory.get(), Name.c_str()) == 0;
}

bool holdForReading(const Descriptor &File) {
  const int Before = errno;
  const bool IsWritten = flock(File.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  errno = Before;
  return !IsWritten;
}

} // namespace specrt
