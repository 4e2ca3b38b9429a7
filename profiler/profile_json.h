//===- profiler/profile_json.h - profiles and plans as JSON ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The readable form of a profile, for the store and for reports. Integers are decimal numbers,
// floating-point values the string of their bits ("0x3ff0000000000000") so that they come back
// exactly. Addresses mean nothing outside their process: of pointers only the alignment is written.
//
// Reading trusts nothing: what has the wrong type, does not fit the region or contradicts itself
// makes the whole profile unreadable; unknown fields are ignored.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_PROFILE_JSON_H
#define SPECRT_PROFILER_PROFILE_JSON_H

#include "profiler/plan.h"
#include "profiler/region_profile.h"
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

namespace specrt {

/// May throw std::bad_alloc.
nlohmann::json toJson(const RegionProfile &Profile);
/// Nothing when Json is not the profile of a region with Region's arguments, accesses and loops.
std::optional<RegionProfile> profileFromJson(const nlohmann::json &Json,
                                             const specrt_region &Region);
/// Replaces the contents of Profile, which gives the shape; false leaves it unspecified.
bool readProfile(const nlohmann::json &Json, RegionProfile &Profile);

nlohmann::json toJson(const std::vector<specrt_fact> &Facts, const std::vector<uint8_t> &Kinds);
/// Facts about arguments of these kinds, one per argument; nothing when Json is something else.
std::optional<std::vector<specrt_fact>> factsFromJson(const nlohmann::json &Json,
                                                      const std::vector<uint8_t> &Kinds);

} // namespace specrt

#endif
