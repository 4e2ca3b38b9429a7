//===- runtime/cache/version_file.h - the format of a stored version ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     a shared object (specrt/version_object.h)
//     its description in JSON, for people and tools; the key is in it
//     a footer: what the two are and a checksum over everything before it
//
// Loaders of shared objects ignore what follows them, so the file can be opened as it is.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CACHE_VERSION_FILE_H
#define SPECRT_RUNTIME_CACHE_VERSION_FILE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace specrt {

struct StoredCandidate {
  std::string Name;
  std::vector<std::string> Guards; ///< in words
};

/// The result of one candidate that was replayed on a captured call.
struct StoredReplay {
  std::string Name;
  double Ns = 0; ///< the time of a call, in nanoseconds; 0 if it was not measured
  /// Half a sentence that says why the candidate must not be used; "" if it left the same bytes as
  /// the program's call.
  std::string Problem = {};
};

/// The results of a plan's candidates, all replayed on one captured call.
struct StoredReplays {
  double CallNs = 0; ///< the time of the call in the program, in the original, in nanoseconds
  /// Half a sentence that says why the results decide nothing; "" if they do.
  std::string Problem = {};
  std::vector<StoredReplay> Candidates = {}; ///< the reference first, if there is one

  /// Returns whether a candidate that may be used was not timed, because too few processors were
  /// free, and none of the others is faster than the program's call.
  bool lackTimes() const;
};

/// The description of a file that can be read without loading its code.
struct VersionDescription {
  std::string Key = {}; ///< VersionKey::Text
  std::string Region = {}, Function = {}, File = {};
  std::string Title = {}; ///< the region's title for people
  uint32_t Line = 0;
  std::string Plan = {}; ///< the assumptions in words
  std::vector<StoredCandidate> Candidates = {};
  /// Absent, Complete and Replays belong to an index, which has no object: see stored_plan.h.
  std::vector<std::string> Absent = {};
  bool Complete = false;
  std::optional<StoredReplays> Replays = {};
  uint64_t Created = 0; ///< seconds since 1970
};

/// Returns the file for Object.
std::string encodeVersion(std::string_view Object, const VersionDescription &Description);

/// Splits a file into its parts. Returns "", or why it is invalid, as half a sentence for "the file
/// ...".
std::string decodeVersion(std::string_view Bytes, VersionDescription &Description,
                          std::string_view &Object);

} // namespace specrt

#endif
