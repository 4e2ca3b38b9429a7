//===- profiler/store/store_message.h - what stores have to say to people ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_STORE_STORE_MESSAGE_H
#define SPECRT_PROFILER_STORE_STORE_MESSAGE_H

#include <functional>
#include <string>
#include <utility>

namespace specrt {

/// One problem as one sentence.
struct StoreMessage {
  enum class Kind : uint8_t {
    General,     ///< concerns all that is kept, such as a directory that cannot be used
    UnusableFile ///< a file that was read cannot be used, and there may be many
  };

  StoreMessage(std::string Text, Kind Is = Kind::General) : Text(std::move(Text)), Is(Is) {}
  operator const std::string &() const { return Text; }

  std::string Text;
  Kind Is;
};

/// Receives each problem. Stores call it from the threads that call them.
using StoreReporter = std::function<void(const StoreMessage &)>;

} // namespace specrt

#endif
