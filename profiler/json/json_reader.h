//===- profiler/json/json_reader.h - reads untrusted JSON -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every accessor checks the type and returns a harmless value if it is wrong; the reader records
// the error. So readers need no checks of their own, and good() tells at the end whether the values
// are valid. Nothing here throws for any input.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_JSON_JSON_READER_H
#define SPECRT_PROFILER_JSON_JSON_READER_H

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

namespace specrt {

class JsonReader {
public:
  using json = nlohmann::json;

  /// The limit of counters: sums of several, and the arithmetic of space_saving.h, do not overflow.
  static constexpr uint64_t MaxCount = uint64_t{1} << 59;

  bool good() const { return Good; }
  /// Records an error unless \p Condition holds; returns \p Condition.
  bool require(bool Condition) {
    Good &= Condition;
    return Condition;
  }

  const json &member(const json &J, const char *Name) {
    static const json Null;
    if (!require(J.is_object()))
      return Null;
    auto Found = J.find(Name);
    return require(Found != J.end()) ? *Found : Null;
  }
  const json &object(const json &J, const char *Name) {
    static const json Empty = json::object();
    const json &M = member(J, Name);
    return require(M.is_object()) ? M : Empty;
  }
  const json &array(const json &J, const char *Name) {
    static const json Empty = json::array();
    const json &M = member(J, Name);
    return require(M.is_array()) ? M : Empty;
  }
  std::string string(const json &J, const char *Name) {
    const json &M = member(J, Name);
    return require(M.is_string()) ? M.get_ref<const std::string &>() : std::string();
  }
  bool boolean(const json &J, const char *Name) {
    const json &M = member(J, Name);
    return require(M.is_boolean()) && M.get<bool>();
  }
  /// Returns a finite number.
  double number(const json &J, const char *Name) {
    const json &M = member(J, Name);
    double Value = require(M.is_number()) ? M.get<double>() : 0;
    return require(std::isfinite(Value)) ? Value : 0;
  }

  int64_t integer(const json &J) {
    if (!require(J.is_number_integer()))
      return 0;
    bool Fits = !J.is_number_unsigned() || J.get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX);
    return require(Fits) ? J.get<int64_t>() : 0;
  }
  uint64_t unsignedInteger(const json &J) {
    return require(J.is_number_unsigned()) ? J.get<uint64_t>() : 0;
  }
  uint64_t count(const json &J) {
    uint64_t Value = unsignedInteger(J);
    return require(Value <= MaxCount) ? Value : 0;
  }
  uint64_t count(const json &J, const char *Name) { return count(member(J, Name)); }

  /// Returns the value of a string "0x" with 1 to 16 hexadecimal digits.
  uint64_t hexadecimal(const json &J) {
    if (!require(J.is_string()))
      return 0;
    const std::string &Text = J.get_ref<const std::string &>();
    bool Wellformed = Text.size() > 2 && Text.size() <= 18 && Text[0] == '0' && Text[1] == 'x' &&
                      Text.find_first_not_of("0123456789abcdef", 2) == std::string::npos;
    return require(Wellformed) ? std::strtoull(Text.c_str() + 2, nullptr, 16) : 0;
  }

private:
  bool Good = true;
};

} // namespace specrt

#endif
