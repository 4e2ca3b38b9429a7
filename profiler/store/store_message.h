//===- profiler/store/store_message.h - messages of stores ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_STORE_STORE_MESSAGE_H
#define SPECRT_PROFILER_STORE_STORE_MESSAGE_H

#include <functional>
#include <string>
#include <utility>

namespace specrt {

/// A problem as one sentence.
struct StoreMessage {
  enum class Kind : uint8_t {
    General,     ///< concerns the whole store, such as a directory that cannot be used
    UnusableFile ///< a file that was read cannot be used; there may be many
  };

  StoreMessage(std::string Text, Kind Is = Kind::General) : Text(std::move(Text)), Is(Is) {}
  operator const std::string &() const { return Text; }

  std::string Text;
  Kind Is;
};

/// Receives each problem, on the thread that calls the store.
using StoreReporter = std::function<void(const StoreMessage &)>;

} // namespace specrt

#endif
