//===- tools/explain/region_search.cpp - finds the region that a user names ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/explain/region_search.h"
#include "guards/words.h"
#include "runtime/base/nearest.h"
#include "tools/terminal.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fnmatch.h>
#include <optional>

namespace specrt::tools {
namespace {

/// The parts of "heat.cpp:12" or "Heat::step:12".
struct Position {
  std::string Of;
  uint64_t Line;
};

std::optional<Position> positionIn(const std::string &Wanted) {
  const size_t Colon = Wanted.rfind(':');
  if (Colon == std::string::npos || Colon == 0 || Wanted[Colon - 1] == ':')
    return std::nullopt;
  Position Found{Wanted.substr(0, Colon), 0};
  const char *End = Wanted.data() + Wanted.size();
  auto [Rest, Problem] = std::from_chars(Wanted.data() + Colon + 1, End, Found.Line);
  return Rest == End && Problem == std::errc() ? std::optional(Found) : std::nullopt;
}

bool matches(const std::string &Name, const std::string &Glob) {
  return Name == Glob || fnmatch(Glob.c_str(), Name.c_str(), 0) == 0;
}

/// Returns whether \p Glob names the file, with or without its folders.
bool isFile(const std::string &File, const std::string &Glob) {
  return !File.empty() && (matches(File, Glob) || matches(File, "*/" + Glob));
}

/// Returns whether \p Glob names the function, with or without its namespaces.
bool isFunction(const std::string &Function, const std::string &Glob) {
  return matches(Function, Glob) || matches(Function, "*::" + Glob) ||
         matches(Function.substr(0, Function.find_first_of("<(")), Glob);
}

uint64_t distance(const ReportedPlace &P, uint64_t Line) {
  return Line < P.First ? P.First - Line : Line > P.Last ? Line - P.Last : 0;
}

std::string withoutLine(const std::string &Name) { return Name.substr(0, Name.rfind(':')); }

/// Returns all names of the region, without lines.
std::vector<std::string> functionsOf(const ReportedRegion &R) {
  std::vector<std::string> Names = {withoutLine(R.shortTitle()), withoutLine(R.Name), R.Function,
                                    demangled(R.Function)};
  for (const ReportedPlace &P : R.Places)
    Names.push_back(P.Function);
  return Names;
}

bool isLineOf(const ReportedRegion &R, const Position &At) {
  auto Contains = [&](const ReportedPlace &P) {
    return distance(P, At.Line) == 0 && (isFile(P.File, At.Of) || isFunction(P.Function, At.Of));
  };
  return std::any_of(R.Places.begin(), R.Places.end(), Contains);
}

struct Near {
  const ReportedRegion *Region = nullptr;
  const ReportedPlace *Place = nullptr;
  uint64_t Distance = UINT64_MAX;
};

/// Returns the nearest place in the file or function that At names.
Near nearestPlace(const std::vector<ReportedRegion> &Regions, const Position &At) {
  Near Best;
  for (const ReportedRegion &R : Regions)
    for (const ReportedPlace &P : R.Places)
      if ((isFile(P.File, At.Of) || isFunction(P.Function, At.Of)) &&
          distance(P, At.Line) < Best.Distance)
        Best = {&R, &P, distance(P, At.Line)};
  return Best;
}

} // namespace

bool isMeant(const ReportedRegion &R, const std::string &Word) {
  std::string Wanted = Word; // tables shorten names with "..."
  for (size_t At = 0; (At = Wanted.find("...", At)) != std::string::npos;)
    Wanted.replace(At, 3, "*");
  for (const std::string &Name : {R.Name, R.Title, R.shortTitle(), R.place()})
    if (matches(Name, Wanted))
      return true;
  for (const std::string &Function : functionsOf(R))
    if (!Function.empty() && isFunction(Function, Wanted))
      return true;
  if (fnmatch(("*/" + Wanted).c_str(), R.place().c_str(), 0) == 0)
    return true;
  const std::optional<Position> At = positionIn(Wanted);
  return At && isLineOf(R, *At);
}

std::string nearestMeant(const std::vector<ReportedRegion> &Regions, const std::string &Wanted) {
  const std::optional<Position> At = positionIn(Wanted);
  if (At)
    if (Near Found = nearestPlace(Regions, *At); Found.Place) {
      const std::string File = Found.Place->File.substr(Found.Place->File.rfind('/') + 1);
      return fmt::format("the nearest in the source is '{}', {}:{} to {}",
                         printable(Found.Region->shortTitle()), printable(File), Found.Place->First,
                         Found.Place->Last);
    }
  std::vector<std::string> Names;
  for (const ReportedRegion &R : Regions)
    for (const std::string &Function : functionsOf(R))
      if (!Function.empty())
        Names.push_back(Function);
  const std::string Nearest = nearestName(At ? At->Of : Wanted, Names);
  const ReportedRegion *Best = nullptr;
  for (const ReportedRegion &R : Regions) {
    const std::vector<std::string> Functions = functionsOf(R);
    auto Away = [&](const ReportedRegion &Of) {
      return At ? std::max(Of.Line, At->Line) - std::min(Of.Line, At->Line) : 0;
    };
    if (std::find(Functions.begin(), Functions.end(), Nearest) != Functions.end() &&
        (!Best || Away(R) < Away(*Best)))
      Best = &R;
  }
  return Best ? fmt::format("did you mean '{}'?", printable(Best->shortTitle())) : "";
}

} // namespace specrt::tools
