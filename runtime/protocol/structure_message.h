//===- runtime/protocol/structure_message.h - array structures in messages ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PROTOCOL_STRUCTURE_MESSAGE_H
#define SPECRT_RUNTIME_PROTOCOL_STRUCTURE_MESSAGE_H

#include "runtime/protocol/messages.h"
#include "specrt/structure.h"
#include <optional>
#include <span>
#include <vector>

namespace specrt {

std::vector<ArrayMessage> messagesOf(std::span<const specrt_array_structure> Arrays);
std::vector<ParameterMessage> messagesOf(std::span<const specrt_parameter> Parameters);

/// Returns the plain structures, which point into the messages; nothing when a message is
/// malformed.
std::optional<std::vector<specrt_array_structure>> plain(const std::vector<ArrayMessage> &Arrays);
std::vector<specrt_parameter> plain(const std::vector<ParameterMessage> &Parameters);

} // namespace specrt

#endif
