//===- runtime/cache/store_problems.cpp - collects problems of a cache directory ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/store_problems.h"
#include "runtime/base/log.h"

#include <chrono>
#include <unistd.h>

namespace specrt {
namespace {

constexpr std::chrono::seconds Patience(1);

} // namespace

void StoreProblems::add(const StoreMessage &Message) {
  const std::unique_lock Guard(Mutex, Patience);
  if (!Guard.owns_lock())
    return;
  if (Message.Is == StoreMessage::Kind::General) {
    if (Said.insert(Message.Text.substr(0, Message.Text.find(": "))).second)
      logLine(LogLevel::Warning, "%s", Message.Text.c_str());
    return;
  }
  if (FilesOf != getpid())
    Files.clear();
  FilesOf = getpid();
  if (Files.empty())
    First = Message.Text;
  if (Files.insert(Message.Text).second)
    logLine(LogLevel::Debug, "%s", Message.Text.c_str());
}

void StoreProblems::warnOfFiles() {
  const std::unique_lock Guard(Mutex, Patience);
  if (!Guard.owns_lock() || Files.empty() || FilesOf != getpid())
    return;
  if (Files.size() == 1)
    logLine(LogLevel::Warning, "%s", First.c_str());
  else
    logLine(LogLevel::Warning,
            "%zu files in %s could not be used and are made anew (SPECRT_LOG=debug names them), "
            "the first one because %s",
            Files.size(), CacheDirectory.c_str(), First.c_str());
  Files.clear();
}

} // namespace specrt
