//===- runtime/protocol/frames.cpp - messages in a stream of bytes --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/protocol/frames.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace specrt {
namespace {

struct Head {
  static constexpr uint32_t Expected = 0x54525053; // "SPRT"
  uint32_t Magic = Expected;
  MessageKind Kind{};
  uint64_t Size = 0; ///< bytes that follow
};

/// Returns whether the kernel says that this user's process has sent the message.
bool isFromThisUser(msghdr &Message) {
  for (cmsghdr *Head = CMSG_FIRSTHDR(&Message); Head; Head = CMSG_NXTHDR(&Message, Head))
    if (ucred Sender{}; Head->cmsg_level == SOL_SOCKET && Head->cmsg_type == SCM_CREDENTIALS) {
      std::memcpy(&Sender, CMSG_DATA(Head), sizeof(Sender));
      return Sender.uid == geteuid();
    }
  return false;
}

} // namespace

std::string frameOf(MessageKind Kind, const std::string &Body) {
  const Head First{.Kind = Kind, .Size = Body.size()};
  std::string Bytes(reinterpret_cast<const char *>(&First), sizeof(First));
  return Bytes += Body;
}

void announceSenders(int Connection) {
  const int Yes = 1;
  setsockopt(Connection, SOL_SOCKET, SO_PASSCRED, &Yes, sizeof(Yes));
}

bool FrameReader::receive(int From, bool OfThisUser) {
  constexpr size_t Step = size_t{256} << 10; // larger than the buffer of a socket, 208 KiB
  Bytes.erase(0, std::exchange(Done, 0));
  const size_t Before = Bytes.size();
  Bytes.resize(Before + Step);
  iovec Room{.iov_base = Bytes.data() + Before, .iov_len = Step};
  // A message has at most one file.
  alignas(cmsghdr) char Control[CMSG_SPACE(sizeof(ucred)) + CMSG_SPACE(sizeof(int))];
  msghdr Message{};
  Message.msg_iov = &Room;
  Message.msg_iovlen = 1;
  Message.msg_control = OfThisUser ? Control : nullptr;
  Message.msg_controllen = OfThisUser ? sizeof(Control) : 0;
  const ssize_t Received = recvmsg(From, &Message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (Received > 0 && OfThisUser)
    keepAttached(Message);
  const bool IsOver = Received == 0 || (Received < 0 && errno != EAGAIN && errno != EINTR) ||
                      (Received > 0 && OfThisUser && !isFromThisUser(Message));
  Bytes.resize(Before + static_cast<size_t>(Received > 0 ? Received : 0));
  return !IsOver && !Broken;
}

void FrameReader::keepAttached(msghdr &Message) {
  for (cmsghdr *Head = CMSG_FIRSTHDR(&Message); Head; Head = CMSG_NXTHDR(&Message, Head))
    if (Head->cmsg_level == SOL_SOCKET && Head->cmsg_type == SCM_RIGHTS) {
      int File = -1;
      std::memcpy(&File, CMSG_DATA(Head), sizeof(File));
      Attached.emplace_back(File);
    }
  // Two are allowed: the file of the frame that is being received, and that of the next one.
  Broken = Broken || Attached.size() > 2;
}

Descriptor FrameReader::takeAttached() {
  Descriptor First;
  if (!Attached.empty()) {
    First = std::move(Attached.front());
    Attached.pop_front();
  }
  return First;
}

std::optional<Frame> FrameReader::next() {
  Head First;
  if (Broken || Bytes.size() - Done < sizeof(First))
    return std::nullopt;
  std::memcpy(&First, Bytes.data() + Done, sizeof(First));
  Broken = First.Magic != Head::Expected || First.Size > MaxBody;
  if (Broken || Bytes.size() - Done - sizeof(First) < First.Size)
    return std::nullopt;
  Frame Found{First.Kind, Bytes.substr(Done + sizeof(First), First.Size)};
  Done += sizeof(First) + First.Size;
  return Found;
}

std::optional<size_t> sendSome(int To, const char *Bytes, size_t Size, int Attached) {
  iovec Part{.iov_base = const_cast<char *>(Bytes), .iov_len = Size};
  alignas(cmsghdr) char Control[CMSG_SPACE(sizeof(Attached))] = {};
  msghdr Message{};
  Message.msg_iov = &Part;
  Message.msg_iovlen = 1;
  if (Attached >= 0) {
    Message.msg_control = Control;
    Message.msg_controllen = sizeof(Control);
    cmsghdr *const Head = CMSG_FIRSTHDR(&Message);
    Head->cmsg_level = SOL_SOCKET;
    Head->cmsg_type = SCM_RIGHTS;
    Head->cmsg_len = CMSG_LEN(sizeof(Attached));
    std::memcpy(CMSG_DATA(Head), &Attached, sizeof(Attached));
  }
  const ssize_t Sent = sendmsg(To, &Message, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (Sent >= 0)
    return static_cast<size_t>(Sent);
  if (errno == EAGAIN || errno == EINTR)
    return 0;
  return std::nullopt;
}

} // namespace specrt
