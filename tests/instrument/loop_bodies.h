//===- tests/instrument/loop_bodies.h - the loops in assembly -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the loops of a function out of what clang writes with -S, to compare how two compilations
// of one source compute them. Comments in that text say which block belongs to which loop.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_INSTRUMENT_LOOP_BODIES_H
#define SPECRT_TESTS_INSTRUMENT_LOOP_BODIES_H

#include <string>
#include <vector>

namespace specrt {

/// The instructions of each innermost loop of \p Function, one a line, sorted. Of operands the
/// shapes are left: registers are only as wide as they are, labels and constants have no numbers,
/// places in memory no addresses. What only computes addresses or counts in 64-bit registers, and
/// jumps that depend on nothing, are left out.
std::vector<std::string> innermostLoops(const std::string &Assembly, const std::string &Function);

} // namespace specrt

#endif
