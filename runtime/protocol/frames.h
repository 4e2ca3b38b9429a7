//===- runtime/protocol/frames.h - messages in a stream of bytes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PROTOCOL_FRAMES_H
#define SPECRT_RUNTIME_PROTOCOL_FRAMES_H

#include "runtime/protocol/messages.h"
#include <optional>
#include <string>

namespace specrt {

struct Frame {
  MessageKind Kind{};
  std::string Body; ///< for restore()
};

/// The bytes of a message on the wire.
std::string frameOf(MessageKind Kind, const std::string &Body);
template <class T> std::string frameOf(MessageKind Kind, const T &Message) {
  return frameOf(Kind, archive(Message));
}

/// Puts received bytes together to frames.
class FrameReader {
public:
  static constexpr uint64_t MaxBody = uint64_t{1} << 28;

  /// Reads what is there, without waiting, or as much as suits. False at the end of the stream, on
  /// errors, and for what is no frame. OfThisUser: also when it was sent by another user's process,
  /// for which announceSenders was called.
  bool receive(int From, bool OfThisUser = false);
  /// The next frame, if all of it is there.
  std::optional<Frame> next();

private:
  std::string Bytes;
  size_t Done = 0; ///< bytes of frames that were taken
  bool Broken = false;
};

/// Has the kernel tell, from now on, whose process has sent what comes on a connection: who opened
/// it may have handed it on, or have given up its rights since.
void announceSenders(int Connection);

/// Sends without SIGPIPE, as far as it goes without waiting: returns the bytes that are sent, or
/// nothing when nobody receives any more.
std::optional<size_t> sendSome(int To, const char *Bytes, size_t Size);

} // namespace specrt

#endif
