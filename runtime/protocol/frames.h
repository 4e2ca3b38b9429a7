//===- runtime/protocol/frames.h - messages in a stream of bytes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PROTOCOL_FRAMES_H
#define SPECRT_RUNTIME_PROTOCOL_FRAMES_H

#include "profiler/store/store_file.h"
#include "runtime/protocol/messages.h"
#include <deque>
#include <optional>
#include <string>
#include <sys/socket.h>

namespace specrt {

struct Frame {
  MessageKind Kind{};
  std::string Body; ///< for restore()
};

/// Returns the bytes of a message on the wire.
std::string frameOf(MessageKind Kind, const std::string &Body);
template <class T> std::string frameOf(MessageKind Kind, const T &Message) {
  return frameOf(Kind, archive(Message));
}

/// Assembles received bytes to frames. Not thread-safe.
class FrameReader {
public:
  /// The limit in bytes: much more than the bitcode of any region, and small enough for a buffer.
  static constexpr uint64_t MaxBody = uint64_t{1} << 28;

  /// Reads what has arrived, at most 256 KiB, without waiting. Returns false at the end of the
  /// stream, on errors and for malformed frames; with \p OfThisUser also for bytes from another
  /// user's process, which requires announceSenders.
  bool receive(int From, bool OfThisUser = false);
  /// Returns the next frame if it is complete.
  std::optional<Frame> next();
  /// Returns the file that was attached to the frame that next() has just returned; none if there
  /// was none. Each must be taken: a stream with more than two that were not is malformed. Files
  /// are received with \p OfThisUser only.
  Descriptor takeAttached();

private:
  void keepAttached(msghdr &Message);

  std::string Bytes;
  size_t Done = 0; ///< bytes of the frames that next() has returned
  bool Broken = false;
  std::deque<Descriptor> Attached;
};

/// Makes the kernel attach the sender's user to all data on a connection, or on those that a
/// listener accepts: the process that opened a connection may have passed it on, or have given up
/// its rights since.
void announceSenders(int Connection);

/// Sends without waiting and without SIGPIPE, and attaches the file \p Attached unless that is
/// negative. Returns the number of bytes sent, which may be 0; or nothing when the connection is
/// broken.
std::optional<size_t> sendSome(int To, const char *Bytes, size_t Size, int Attached = -1);

} // namespace specrt

#endif
