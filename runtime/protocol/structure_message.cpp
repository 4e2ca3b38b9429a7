//===- runtime/protocol/structure_message.cpp - array structures in messages ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/protocol/structure_message.h"
#include "support/nullable_text.h"

#include <algorithm>
#include <iterator>

namespace specrt {

std::vector<ArrayMessage> messagesOf(std::span<const specrt_array_structure> Arrays) {
  std::vector<ArrayMessage> Messages;
  for (const specrt_array_structure &A : Arrays) {
    ArrayMessage &New = Messages.emplace_back();
    New.Name = orEmpty(A.array);
    New.NumDimensions = A.num_dimensions;
    New.IsEverywhere = A.is_everywhere != 0;
    New.IsRead = A.is_read != 0;
    New.IsWritten = A.is_written != 0;
    New.Boxes.assign(A.boxes, A.boxes + A.num_boxes);
    New.Extent.assign(std::begin(A.extent), std::end(A.extent));
  }
  return Messages;
}

std::vector<ParameterMessage> messagesOf(std::span<const specrt_parameter> Parameters) {
  std::vector<ParameterMessage> Messages;
  for (const specrt_parameter &P : Parameters)
    Messages.push_back({orEmpty(P.name), P.value});
  return Messages;
}

std::optional<std::vector<specrt_array_structure>> plain(const std::vector<ArrayMessage> &Arrays) {
  std::vector<specrt_array_structure> Plain;
  for (const ArrayMessage &A : Arrays) {
    specrt_array_structure &New = Plain.emplace_back();
    if (A.Extent.size() != std::size(New.extent))
      return std::nullopt;
    New.array = A.Name.c_str();
    New.num_dimensions = A.NumDimensions;
    New.is_everywhere = A.IsEverywhere;
    New.is_read = A.IsRead;
    New.is_written = A.IsWritten;
    New.num_boxes = A.Boxes.size();
    New.boxes = A.Boxes.data();
    std::copy(A.Extent.begin(), A.Extent.end(), New.extent);
  }
  return Plain;
}

std::vector<specrt_parameter> plain(const std::vector<ParameterMessage> &Parameters) {
  std::vector<specrt_parameter> Plain;
  Plain.reserve(Parameters.size());
  for (const ParameterMessage &P : Parameters)
    Plain.push_back({P.Name.c_str(), P.Value});
  return Plain;
}

} // namespace specrt
