//===- profiler/store/store_file.cpp - file operations that several processes share ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/store_file.h"
#include "profiler/store/spare_file.h"
#include "support/process/own_descriptors.h"
#include "support/write_all.h"

#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace specrt {
namespace {

std::string failure(const std::string &What, int Code) {
  char Buffer[128];
  errno = Code;
  std::snprintf(Buffer, sizeof(Buffer), "%m");
  return What + ": " + Buffer;
}

/// Does mkdir -p with mode 0700. Returns 0 or why the last directory could not be made.
int makeDirectories(const std::string &Path) {
  for (size_t Slash = Path.find('/', 1);; Slash = Path.find('/', Slash + 1)) {
    int Code = mkdir(Path.substr(0, Slash).c_str(), 0700) == 0 ? 0 : errno;
    if (Slash == std::string::npos)
      return Code == EEXIST ? 0 : Code;
  }
}

uint64_t hashPath(const std::string &Path) { // FNV-1a: stable across runs, for a file name only
  uint64_t Hash = 0xcbf29ce484222325;
  for (unsigned char C : Path)
    Hash = (Hash ^ C) * 0x100000001b3;
  return Hash;
}

bool isPrivate(const struct stat &Status, Owners Whose = Owners::User) {
  const bool IsOwned =
      Status.st_uid == geteuid() || (Whose == Owners::UserOrRoot && Status.st_uid == 0);
  return IsOwned && (Status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Returns a name that is unique among processes on one machine and among the threads of this one;
/// the time distinguishes machines that share the directory, and reused process numbers.
std::string temporaryName(const std::string &Name) {
  static std::atomic<unsigned> Serial{0};
  timespec Now{};
  clock_gettime(CLOCK_REALTIME, &Now);
  char Suffix[96];
  std::snprintf(Suffix, sizeof(Suffix), ".tmp-%ld-%u-%lld%09ld", static_cast<long>(getpid()),
                Serial.fetch_add(1), static_cast<long long>(Now.tv_sec), Now.tv_nsec);
  return "." + Name + Suffix;
}

/// The files of all locks that this process holds or waits for: a descriptor plus 1, or one of
/// these constants. A child has to close those that it inherits. An entry is negative, minus 1, if
/// the locking thread has a descriptor table of its own, which a child does not inherit.
constexpr int Free = 0, Reserved = -1;
constinit std::array<std::atomic<int>, 16> OpenLocks{};

int entryOf(int File) { return hasOwnDescriptors() ? -(File + 2) : File + 1; }
int fileOf(int Entry) { return Entry > Free ? Entry - 1 : Entry < Reserved ? -Entry - 2 : -1; }

std::atomic<int> *reservePlace() {
  for (std::atomic<int> &Place : OpenLocks) {
    int Expected = Free;
    if (Place.compare_exchange_strong(Expected, Reserved))
      return &Place;
  }
  return nullptr;
}

} // namespace

Descriptor::~Descriptor() {
  if (Fd >= 0)
    close(Fd);
}

FileLock::~FileLock() {
  const int File = fileOf(Place ? Place->exchange(Free) : Free);
  if (File < 0) // none, or forgotten after a fork
    return;
  flock(File, LOCK_UN);
  close(File);
}

void FileLock::forgetAfterFork() {
  for (std::atomic<int> &Place : OpenLocks)
    if (const int Entry = Place.exchange(Free); Entry > Free)
      close(fileOf(Entry));
}

Descriptor openPrivateDirectory(const std::string &Path, bool Create, std::string &Error) {
  constexpr int Flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  Descriptor Directory(open(Path.c_str(), Flags));
  if (!Directory && errno == ENOENT && Create) {
    if (int Code = makeDirectories(Path)) {
      Error = failure("cannot create the directory " + Path, Code);
      return Descriptor();
    }
    Directory = Descriptor(open(Path.c_str(), Flags));
  }
  if (!Directory) {
    if (Create || errno != ENOENT)
      Error = failure("cannot open the directory " + Path, errno);
    return Descriptor();
  }
  struct stat Status;
  if (fstat(Directory.get(), &Status) != 0 || !isPrivate(Status)) {
    Error = "the directory " + Path + " is not used: it must belong to the user and be writable " +
            "by nobody else";
    return Descriptor();
  }
  return Directory;
}

std::string storeFileName(const std::string &Executable) {
  std::string Base = Executable.substr(Executable.rfind('/') + 1).substr(0, 80);
  for (char &C : Base)
    if (!std::isalnum(static_cast<unsigned char>(C)) && C != '-' && C != '_' && C != '.')
      C = '_';
  char Hash[32];
  std::snprintf(Hash, sizeof(Hash), "-%016" PRIx64 ".json", hashPath(Executable));
  return Base + Hash;
}

bool isForSameBaseName(const std::string &Name, const std::string &FileName) {
  constexpr size_t DigitsAndEnding = sizeof("0123456789abcdef.json") - 1;
  return Name.size() == FileName.size() && Name.size() > DigitsAndEnding &&
         Name.compare(0, Name.size() - DigitsAndEnding, FileName, 0,
                      Name.size() - DigitsAndEnding) == 0 &&
         Name.ends_with(".json") &&
         Name.find_first_not_of("0123456789abcdef", Name.size() - DigitsAndEnding) ==
             Name.size() - (sizeof(".json") - 1);
}

ReadResult openPrivateFile(const Descriptor &Directory, const std::string &Name, uint64_t MaxBytes,
                           Descriptor &File, std::string &Error, Owners Whose) {
  // The flag is non-blocking, because a FIFO in the file's place would otherwise stop the program.
  File = Descriptor(
      openat(Directory.get(), Name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!File) {
    int Code = errno;
    if (Code == ENOENT)
      return ReadResult::Missing;
    Error = failure("cannot be opened", Code);
    return Code == ELOOP ? ReadResult::Bad : ReadResult::Unreadable;
  }
  struct stat Status;
  if (fstat(File.get(), &Status) != 0) {
    Error = failure("cannot be examined", errno);
    return ReadResult::Unreadable;
  }
  if (!S_ISREG(Status.st_mode) || !isPrivate(Status, Whose)) {
    Error = Whose == Owners::User ? "is not a regular file that only the user can write"
                                  : "is not a regular file that only the user or root can write";
    return ReadResult::Bad;
  }
  if (static_cast<uint64_t>(Status.st_size) > MaxBytes) {
    Error = "is too large";
    return ReadResult::Bad;
  }
  return ReadResult::Ok;
}

bool readAll(const Descriptor &File, std::string &Text, std::string &Error) {
  struct stat Status;
  if (fstat(File.get(), &Status) != 0) {
    Error = failure("cannot be examined", errno);
    return false;
  }
  Text.resize(static_cast<size_t>(Status.st_size));
  size_t Done = 0;
  while (Done < Text.size()) {
    ssize_t Count =
        pread(File.get(), Text.data() + Done, Text.size() - Done, static_cast<off_t>(Done));
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count < 0) {
      Error = failure("cannot be read", errno);
      return false;
    }
    if (Count == 0)
      break;
    Done += static_cast<size_t>(Count);
  }
  Text.resize(Done);
  return true;
}

ReadResult readPrivateFile(const Descriptor &Directory, const std::string &Name, uint64_t MaxBytes,
                           std::string &Text, std::string &Error, Owners Whose) {
  constexpr int MostTries = 100; // each after the file was replaced twice since it was opened
  for (int Try = 0; Try < MostTries; ++Try) {
    Descriptor File;
    ReadResult Opened = openPrivateFile(Directory, Name, MaxBytes, File, Error, Whose);
    if (Opened != ReadResult::Ok)
      return Opened;
    if (holdForReading(File))
      return readAll(File, Text, Error) ? ReadResult::Ok : ReadResult::Unreadable;
  }
  Error = "is replaced all the time";
  return ReadResult::Unreadable;
}

std::string replaceFile(const Descriptor &Directory, const std::string &Name,
                        const std::string &Text, ReplaceOptions Options) {
  const bool KeepSpare = Options.KeepSpare && Options.Private && !Options.Durable;
  if (KeepSpare && replaceBySpare(Directory, Name, Text))
    return "";
  std::string Temporary = temporaryName(Name);
  Descriptor File(openat(Directory.get(), Temporary.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                         Options.Private ? 0600 : 0666));
  if (!File)
    return failure("cannot be created", errno);
  struct stat Old;
  if (!Options.Private && fstatat(Directory.get(), Name.c_str(), &Old, AT_SYMLINK_NOFOLLOW) == 0)
    (void)fchmod(File.get(), Old.st_mode & 0777);
  // fsync precedes rename: otherwise a crash could leave the new name without its content.
  if (writeAll(File.get(), Text) && (!Options.Durable || fsync(File.get()) == 0) &&
      (KeepSpare
           ? replaceKeepingSpare(Directory, Temporary, Name)
           : renameat(Directory.get(), Temporary.c_str(), Directory.get(), Name.c_str()) == 0))
    return "";
  int Code = errno;
  unlinkat(Directory.get(), Temporary.c_str(), 0);
  return failure("cannot be written", Code);
}

/// Returns whether the open file is the one that has the name. A process that cleans the directory
/// may remove locks, too, and a lock file without a name is ineffective.
static bool isStillNamed(int File, const Descriptor &Directory, const std::string &Name) {
  struct stat Opened, Named;
  return fstat(File, &Opened) == 0 &&
         fstatat(Directory.get(), Name.c_str(), &Named, AT_SYMLINK_NOFOLLOW) == 0 &&
         Opened.st_dev == Named.st_dev && Opened.st_ino == Named.st_ino;
}

FileLock lockFile(const Descriptor &Directory, const std::string &Name, unsigned TimeoutMs,
                  std::string &Error) {
  // This polls, because flock has no timeout and an alarm would disturb the program.
  for (unsigned Waited = 0;; ++Waited) {
    FileLock Lock(reservePlace());
    if (!Lock) {
      Error = "cannot be locked: too many locks at a time";
      return FileLock();
    }
    int File =
        openat(Directory.get(), Name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (File < 0) {
      Error = failure("cannot be created", errno);
      return FileLock();
    }
    // The entry is set before the file is locked, so that a child finds every locked file in the
    // table.
    Lock.Place->store(entryOf(File));
    int Problem = flock(File, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    if (Problem == 0 && isStillNamed(File, Directory, Name))
      return Lock;
    if ((Problem != 0 && Problem != EWOULDBLOCK && Problem != EINTR) || Waited >= TimeoutMs) {
      Error = failure("cannot be locked", Problem ? Problem : EWOULDBLOCK);
      return FileLock();
    }
    timespec Pause{0, 1000000};
    nanosleep(&Pause, nullptr);
  }
}

bool setAside(const Descriptor &Directory, const std::string &Name) {
  return renameat(Directory.get(), Name.c_str(), Directory.get(), (Name + ".bad").c_str()) == 0;
}

} // namespace specrt
