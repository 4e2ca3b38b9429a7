//===- runtime/cache/stored_plan.h - stores and loads the candidates of a plan ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every candidate has a file of its own, written as soon as its code exists. An index lists which
// candidates exist, which the region does not have, and whether the list is complete. So a later
// compilation continues one that was interrupted, and candidates that do not exist are tried once.
// for once.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CACHE_STORED_PLAN_H
#define SPECRT_RUNTIME_CACHE_STORED_PLAN_H

#include "guards/guard_list.h"
#include "runtime/cache/version_key.h"
#include "runtime/cache/version_store.h"
#include "runtime/call/compiled_body.h"
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace specrt {

class ExitGate;

/// The results of compiling the candidates of one plan.
struct CandidateIndex {
  std::set<std::string> Present = {}, Absent = {};
  bool Complete = false;                     ///< no other candidate is worth compiling beside these
  std::optional<StoredReplays> Replays = {}; ///< nothing: no call was captured
};

/// The candidates that must be compiled before a request can be served.
struct MissingCandidates {
  bool Any = false;
  std::string Only = {};                  ///< only the first of these that exists; "": all
  std::string Existing = {}, Absent = {}; ///< those that need not be built
};

/// A candidate's shared object.
struct StoredObject {
  std::string Name, Key, Bytes;
  template <class Archive> void fields(Archive &A) { A(Name, Key, Bytes); }
};

/// A shared object that a server has sent. It refers to the message.
struct SentObject {
  const std::string &Bytes, &Key;
};
/// Loads candidate \p Name of \p Sent and adds it to \p Found. Returns false, with \p Why set, on
/// failure.
bool addVersion(const SentObject &Sent, const std::string &Name, const specrt_region &Region,
                uint32_t Threads, ExitGate &Gate, std::vector<CompiledBody> &Found,
                std::string &Why);

/// The stored candidates of a plan. Requires builds that can be distinguished, see Identity::known.
class StoredPlan {
public:
  /// All arguments but Settings must outlive the object.
  StoredPlan(VersionStore &Store, const specrt_region &Region, const Assumptions &Assumed,
             const Config &Settings);

  const CandidateIndex &index() const { return Index; }
  /// Reads the index, after another process may have changed it.
  void refresh();

  /// Returns whether the first of these names that exists is stored, so that it need only be
  /// loaded. Returns false when a name before it is not settled.
  bool isReady(std::span<const std::string> Names);

  /// Returns what has to be compiled before a request can be served, as take() does, without
  /// loading anything.
  MissingCandidates missing(std::span<const std::string> Names, bool All);

  /// Adds the stored candidates that serve a request to Found, unless they are in it: the first of
  /// Names that exists, or all. Adds none when the gate is closed, because parallel bodies start
  /// TBB.
  MissingCandidates take(ExitGate &Gate, std::span<const std::string> Names, bool All,
                         std::vector<CompiledBody> &Found);

  /// Adds the candidate of this name to Found. Returns false when it cannot be used.
  bool load(ExitGate &Gate, const std::string &Name, std::vector<CompiledBody> &Found);

  /// Returns what has to be compiled so that the store has all candidates.
  MissingCandidates missing();
  /// Returns whether a captured call would give more information: none was replayed, or the machine
  /// was too busy to time some candidates and the others do not pay.
  bool needsReplay() const;
  /// Returns the objects of the candidates that the store has.
  std::vector<StoredObject> objects();

  /// These functions record the progress of a compile: a candidate was made; the region has none of
  /// this name; the compile has ended, and if it was for \p All, others are not worth compiling.
  /// The data are on disk when a function returns; the store reports failures.
  void add(const std::string &Name, const VersionKey &Key, const GuardList &Guards,
           std::string_view Object);
  void addAbsent(const std::string &Name);
  void end(bool All);
  /// Stores the results of replaying the candidates. From then on the store counts a candidate with
  /// a problem as one that the region does not have.
  void addReplays(StoredReplays Of);

private:
  template <class Predicate>
  MissingCandidates missingOf(std::span<const std::string> Names, bool All,
                              Predicate IsThere) const;
  VersionKey keyOf(const std::string &Name) const;
  VersionKey indexKey() const;
  bool isVerified(const std::string &Name) const;
  VersionDescription description() const;
  void saveIndex();

  VersionStore &Store;
  const specrt_region &Region;
  const Assumptions &Assumed;
  const Config Settings;
  CandidateIndex Index;
};

} // namespace specrt

#endif
