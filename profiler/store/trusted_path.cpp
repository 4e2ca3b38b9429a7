//===- profiler/store/trusted_path.cpp - finds paths that other users cannot redirect ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/trusted_path.h"

#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace specrt {
namespace {

/// Returns whether only the user and root can rename, remove or add entries of this directory. In a
/// sticky one others can add entries of their own, but cannot change those of the user and of root.
bool isTrusted(const struct stat &Directory) {
  const bool IsOurs = Directory.st_uid == 0 || Directory.st_uid == geteuid();
  const bool MayOthersWrite = (Directory.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  return S_ISDIR(Directory.st_mode) && IsOurs &&
         (!MayOthersWrite || (Directory.st_mode & S_ISVTX) != 0);
}

/// Returns the kernel's path, without links; "" if there is none below this process's root.
std::string pathOf(const Descriptor &File) {
  char Path[PATH_MAX];
  // The link is that of the thread, because the worker has a descriptor table of its own.
  const std::string Link = "/proc/thread-self/fd/" + std::to_string(File.get());
  const ssize_t Length = readlink(Link.c_str(), Path, sizeof(Path));
  const bool IsComplete = Length > 0 && Length < static_cast<ssize_t>(sizeof(Path));
  return IsComplete && Path[0] == '/' ? std::string(Path, static_cast<size_t>(Length)) : "";
}

} // namespace

std::string trustedPathOf(const Descriptor &File) {
  std::string Path = pathOf(File);
  struct stat Opened, Named;
  if (Path.empty() || fstat(File.get(), &Opened) != 0)
    return "";
  // The check begins at the root, because a directory keeps its place only if those before it do.
  for (size_t Slash = 0; Slash != std::string::npos; Slash = Path.find('/', Slash + 1))
    if (lstat(Slash == 0 ? "/" : Path.substr(0, Slash).c_str(), &Named) != 0 || !isTrusted(Named))
      return "";
  // A sticky directory protects only entries of the user or root.
  const bool IsSame = lstat(Path.c_str(), &Named) == 0 && Named.st_dev == Opened.st_dev &&
                      Named.st_ino == Opened.st_ino;
  return IsSame && (Named.st_uid == 0 || Named.st_uid == geteuid()) ? Path : "";
}

Descriptor openTrustedDirectory(const std::string &Path, std::string &Error) {
  Descriptor Directory(open(Path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!Directory) {
    if (errno != ENOENT)
      Error = "the directory " + Path + " is not used: " + std::strerror(errno);
    return Descriptor();
  }
  struct stat Status;
  if (fstat(Directory.get(), &Status) == 0 && (Status.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
      !trustedPathOf(Directory).empty())
    return Directory;
  Error = "the directory " + Path + " is not used: it and those above it must belong to the user " +
          "or root and be writable by nobody else";
  return Descriptor();
}

} // namespace specrt
