//===- runtime/cache/stored_bodies.h - candidates from and to the store ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two ways between a region's candidates and the folder of compiled versions.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CACHE_STORED_BODIES_H
#define SPECRT_RUNTIME_CACHE_STORED_BODIES_H

#include "runtime/cache/version_key.h"
#include "runtime/cache/version_store.h"
#include "runtime/call/compiled_body.h"
#include "runtime/compile/jit_library.h"
#include <memory>
#include <string>
#include <vector>

namespace specrt {

/// Adds the candidates that are stored under Key to Found, only the one named Only unless that is
/// "". False when there are none, or the gate is closed: parallel bodies start TBB, for Threads
/// threads.
bool loadBodies(ExitGate &Gate, VersionStore &Store, const VersionKey &Key,
                const specrt_region &Region, const std::string &Only, uint32_t Threads,
                std::vector<CompiledBody> &Found);

/// The candidate called Name, the winner of an earlier run, from the file that holds it alone or
/// from that of all candidates.
bool loadProven(ExitGate &Gate, VersionStore &Store, const specrt_region &Region,
                const Assumptions &Assumed, const std::string &Name, const Config &Settings,
                std::vector<CompiledBody> &Found);

/// Links candidates of one compilation and stores them under Key. Worker only. A failure costs a
/// message.
void storeBodies(JitLibrary &Jit, VersionStore &Store, const VersionKey &Key,
                 const specrt_region &Region, const Assumptions &Assumed,
                 const specrt_jit_candidate *Candidates, uint32_t NumCandidates);

} // namespace specrt

#endif
