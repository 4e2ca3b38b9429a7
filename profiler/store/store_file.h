//===- profiler/store/store_file.h - file operations that several processes share ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are the file operations that the profile store needs. They use open descriptors, so that
// nobody can exchange a directory between a check and its use. Failures are sentences, not
// exceptions.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_STORE_STORE_FILE_H
#define SPECRT_PROFILER_STORE_STORE_FILE_H

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace specrt {

/// Owns a file descriptor.
class Descriptor {
public:
  explicit Descriptor(int Fd = -1) : Fd(Fd) {}
  Descriptor(Descriptor &&Other) noexcept : Fd(std::exchange(Other.Fd, -1)) {}
  Descriptor &operator=(Descriptor &&Other) noexcept {
    std::swap(Fd, Other.Fd);
    return *this;
  }
  ~Descriptor();
  int get() const { return Fd; }
  /// Returns the descriptor and gives up its ownership.
  int release() { return std::exchange(Fd, -1); }
  explicit operator bool() const { return Fd >= 0; }

private:
  int Fd;
};

/// Owns an exclusive lock on a file, or none.
class FileLock {
public:
  FileLock() = default;
  FileLock(FileLock &&Other) noexcept : Place(std::exchange(Other.Place, nullptr)) {}
  FileLock &operator=(FileLock &&Other) noexcept {
    std::swap(Place, Other.Place);
    return *this;
  }
  /// Unlocks explicitly, because a child forked meanwhile may still have the descriptor open.
  ~FileLock();
  explicit operator bool() const { return Place != nullptr; }

  /// Must be called in a forked child: a lock belongs to the open file, which the child has
  /// inherited, and would outlive a parent that is killed. Closes the child's descriptors of all
  /// locks; those of the parent stay locked. Async-signal-safe.
  static void forgetAfterFork();

private:
  friend FileLock lockFile(const Descriptor &, const std::string &, unsigned, std::string &);
  explicit FileLock(std::atomic<int> *Place) : Place(Place) {}

  /// entry in the table of open locks, which contains the descriptor
  std::atomic<int> *Place = nullptr;
};

/// Opens directory Path; with Create, makes it and its parents with mode 0700. It must belong to
/// the user, be no link and not be writable by others. Returns an empty Descriptor on failure, with
/// Error set to one sentence; Error is empty when it does not exist and Create is false.
Descriptor openPrivateDirectory(const std::string &Path, bool Create, std::string &Error);

enum class ReadResult : uint8_t {
  Ok,
  Missing,
  Unreadable, ///< an I/O error or no permission: the file may be good
  Bad         ///< not a regular file, of another owner, writable by others, or too large
};

/// The owners whose files and directories are trusted.
enum class Owners : uint8_t { User, UserOrRoot };

/// Returns the name of the file with data of one program: its base name for people, a hash of the
/// absolute path of its executable, and ".json".
std::string storeFileName(const std::string &Executable);

/// Returns whether \p Name is such a name, for a program with the base name of the one that \p
/// FileName is for.
bool isForSameBaseName(const std::string &Name, const std::string &FileName);

/// Opens a file for reading that only its owner can write. Sets Error to one sentence unless the
/// result is Ok or Missing.
ReadResult openPrivateFile(const Descriptor &Directory, const std::string &Name, uint64_t MaxBytes,
                           Descriptor &File, std::string &Error, Owners Whose = Owners::User);

/// Reads an open file to its end. Returns false, with Error set, on failure.
bool readAll(const Descriptor &File, std::string &Text, std::string &Error);

/// Does what openPrivateFile and readAll do.
ReadResult readPrivateFile(const Descriptor &Directory, const std::string &Name, uint64_t MaxBytes,
                           std::string &Text, std::string &Error, Owners Whose = Owners::User);

struct ReplaceOptions {
  /// The file is forced to disk before the rename, which may take some milliseconds: even a crash
  /// of the machine leaves either the old content or the new.
  bool Durable = true;
  /// The mode is 0600. Otherwise it is that of the replaced file, or follows the umask.
  bool Private = true;
  /// For files that every run writes at its exit: the old file is kept beside the new one, and is
  /// overwritten the next time (spare_file.h). Useless with Durable, or without Private.
  bool KeepSpare = false;
};

/// Replaces the file by Text: another file is written and renamed, so that a reader gets the old
/// content or the new. Returns "" or one sentence.
[[nodiscard]] std::string replaceFile(const Descriptor &Directory, const std::string &Name,
                                      const std::string &Text, ReplaceOptions Options = {});

/// Waits at most TimeoutMs for the exclusive lock on file Name. Returns no lock, with Error set, on
/// failure. A process holds few locks at a time.
FileLock lockFile(const Descriptor &Directory, const std::string &Name, unsigned TimeoutMs,
                  std::string &Error);

/// Moves a file aside to "<Name>.bad", over an older one. Returns false when that is impossible.
bool setAside(const Descriptor &Directory, const std::string &Name);

} // namespace specrt

#endif
