//===- specializer/polyhedral/dataflow/conditional_program.cpp - filtered statements ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/dataflow/conditional_program.h"
#include <algorithm>

namespace specrt {

unsigned ConditionalProgram::numShared(unsigned A, unsigned B) const {
  const std::vector<int> &Left = Statements[A].Position, &Right = Statements[B].Position;
  const size_t Most = std::min(Left.size(), Right.size()) - 1;
  size_t Shared = 0;
  while (Shared < Most && Left[Shared] == Right[Shared])
    ++Shared;
  return unsigned(Shared);
}

bool ConditionalProgram::isBefore(unsigned A, unsigned B) const {
  const unsigned Shared = numShared(A, B);
  return Statements[A].Position[Shared] < Statements[B].Position[Shared];
}

} // namespace specrt
