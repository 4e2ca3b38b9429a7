//===- profiler/store/profile_json.h - profiles as JSON -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The readable form of a profile, for the store and for reports; values as in value_json.h.
// Addresses mean nothing outside their process: of pointers only the alignment is written.
//
// Reading trusts nothing: what has the wrong type, does not fit the region or contradicts itself
// makes the whole profile unreadable; unknown fields are ignored.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_STORE_PROFILE_JSON_H
#define SPECRT_PROFILER_STORE_PROFILE_JSON_H

#include "profiler/values/region_profile.h"
#include <nlohmann/json_fwd.hpp>

namespace specrt {

/// May throw std::bad_alloc.
nlohmann::json toJson(const RegionProfile &Profile);
/// Replaces the contents of Profile, which gives the shape. False, with its contents unspecified,
/// when Json is not the profile of a region with the same arguments, accesses and loops.
bool readProfile(const nlohmann::json &Json, RegionProfile &Profile);

} // namespace specrt

#endif
