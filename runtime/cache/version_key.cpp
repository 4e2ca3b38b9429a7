//===- runtime/cache/version_key.cpp - keys of compiled versions ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/version_key.h"
#include "support/content_hash.h"

#include <cinttypes>
#include <cstdio>

namespace specrt {
namespace {

template <typename... T> std::string format(const char *Pattern, T... Values) {
  char Text[160];
  std::snprintf(Text, sizeof(Text), Pattern, Values...);
  return Text;
}

/// Quotes a name for the key, which is printable ASCII: a line break in a name must not begin a new
/// field.
std::string quoted(const char *Text) {
  std::string Out;
  for (; *Text; ++Text)
    if (static_cast<unsigned char>(*Text - 0x20) >= 0x5f || *Text == '\\')
      Out += format("\\x%02x", static_cast<unsigned char>(*Text));
    else
      Out += *Text;
  return Out;
}

/// Returns the symbols in their order, because code refers to a symbol by its number.
std::string symbolsText(const specrt_region &Region) {
  std::string Text;
  for (uint32_t I = 0; I < Region.num_symbols; ++I)
    Text += quoted(Region.symbols[I].name) + " ";
  return Text;
}

/// Returns the code in other files that the region calls.
std::string calleesText(const specrt_region &Region) {
  std::string Text;
  for (uint64_t I = 0; I < Region.num_callees; ++I) {
    const specrt_callee &Callee = Region.callees[I];
    const uint64_t *Hash = Callee.file->bitcode_hash;
    Text += quoted(Callee.name) + format(" %016" PRIx64 "%016" PRIx64, Hash[1], Hash[0]);
    for (uint64_t J = 0; J < Callee.num_symbols; ++J)
      Text += format(" %" PRIu32, Callee.positions[J]);
    Text += "; ";
  }
  return Text;
}

const char *modeName(FpMode Mode) {
  switch (Mode) {
  case FpMode::Strict:
    return "strict";
  case FpMode::Finite:
    return "finite";
  case FpMode::Fast:
    return "fast";
  }
  return "strict";
}

} // namespace

VersionKey versionKey(const Identity &Who, const specrt_region &Region, const Assumptions &Assumed,
                      const std::string &Candidate, const Config &Settings) {
  VersionKey Key;
  auto Add = [&](const char *Name, const std::string &Value) {
    Key.Text += std::string(Name) + "=" + Value + "\n";
  };
  std::string Wanted = Candidate;
  if (Wanted.empty())
    Wanted = workerThreads(Settings) > 1 ? "all" : "all serial";
  Add("format", format("%u abi %u", CacheFormat, SPECRT_ABI_VERSION));
  Add("runtime", Who.Runtime);
  Add("compiler", Who.Compiler);
  Add("llvm", Who.Llvm);
  Add("target", Who.Target);
  Add("cpu", Who.Cpu);
  Add("region", quoted(Region.name));
  Add("bitcode",
      format("%016" PRIx64 "%016" PRIx64, Region.bitcode_hash[1], Region.bitcode_hash[0]));
  Add("symbols", symbolsText(Region));
  Add("callees", calleesText(Region));
  Add("pipeline", quoted(Region.pipeline) + format(" flags %" PRIx32 " ", Region.flags) + Wanted);
  Add("assumptions", Assumed.text());
  Add("fp", modeName(Settings.Fp));
  return Key;
}

std::string VersionKey::fileName() const { return contentHash(Text).text() + ".so"; }

} // namespace specrt
