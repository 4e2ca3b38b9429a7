//===- runtime/protocol/region_message.cpp - region descriptors in messages ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/protocol/region_message.h"
#include "support/nullable_text.h"

#include <cstring>
#include <map>
#include <utility>

namespace specrt {
namespace {

RegionMessage::File fileOf(const specrt_function_file &From) {
  return {.Low = From.bitcode_hash[0],
          .High = From.bitcode_hash[1],
          .Bitcode = std::string(reinterpret_cast<const char *>(&From + 1), From.bitcode_size)};
}

} // namespace

RegionMessage::RegionMessage(const specrt_region &R)
    : Name(orEmpty(R.name)), Function(orEmpty(R.function)), SourceFile(orEmpty(R.file)),
      EntrySymbol(orEmpty(R.entry_symbol)), Pipeline(orEmpty(R.pipeline)), Line(R.line),
      Flags(R.flags), ReturnKind(R.return_kind), ArgKinds(R.arg_kinds, R.arg_kinds + R.num_args),
      Bitcode(static_cast<const char *>(R.bitcode), R.bitcode ? R.bitcode_size : 0),
      HashLow(R.bitcode_hash[0]), HashHigh(R.bitcode_hash[1]),
      Accesses(R.accesses, R.accesses + R.num_accesses), Loops(R.loops, R.loops + R.num_loops),
      Cells(R.cells, R.cells + R.num_cells) {
  if (R.title)
    Title = R.title;
  for (uint32_t I = 0; I < R.num_args; ++I)
    ArgNames.push_back(R.arg_names ? orEmpty(R.arg_names[I]) : "");
  for (uint32_t I = 0; I < R.num_symbols; ++I)
    Symbols.push_back({R.symbols[I].name, R.symbols[I].address != nullptr});
  std::map<const specrt_function_file *, uint32_t> Known;
  for (uint64_t I = 0; I < R.num_callees; ++I) {
    const specrt_callee &From = R.callees[I];
    const auto [Found, IsNew] = Known.emplace(From.file, static_cast<uint32_t>(Files.size()));
    if (IsNew)
      Files.push_back(fileOf(*From.file));
    Callee &To = Callees.emplace_back();
    To.Name = From.name;
    To.Function = From.function;
    To.File = Found->second;
    To.Symbols.assign(From.symbols, From.symbols + From.num_symbols);
    To.Positions.assign(From.positions, From.positions + From.num_symbols);
  }
  for (uint64_t I = 0; I < R.num_places; ++I) {
    const specrt_place &P = R.places[I];
    Places.push_back({orEmpty(P.function), orEmpty(P.file), P.first_line, P.last_line});
  }
  for (uint64_t I = 0; I < R.num_memory_names; ++I) {
    const specrt_memory_name &N = R.memory_names[I];
    MemoryNames.push_back({N.base, N.begin, orEmpty(N.text)});
  }
}

ReceivedRegion::ReceivedRegion(RegionMessage From) : Message(std::move(From)) {
  const RegionMessage &M = Message;
  for (const std::string &Name : M.ArgNames)
    Names.push_back(Name.c_str());
  for (const RegionMessage::Symbol &S : M.Symbols)
    // The address is never dereferenced.
    Symbols.push_back(
        {S.Name.c_str(), S.HasAddress ? const_cast<char *>(S.Name.c_str()) : nullptr});
  for (const RegionMessage::Place &P : M.Places)
    Places.push_back({P.Function.c_str(), P.File.c_str(), P.FirstLine, P.LastLine});
  for (const RegionMessage::MemoryName &N : M.MemoryNames)
    MemoryNames.push_back({N.Base, N.Begin, N.Text.c_str()});
  Valid = addCallees() && M.ArgNames.size() == M.ArgKinds.size() &&
          M.ArgKinds.size() <= SPECRT_MAX_ARGUMENTS && M.Cells.size() <= SPECRT_MAX_CELLS;
  View.abi_version = SPECRT_ABI_VERSION;
  View.size = sizeof(specrt_region);
  View.name = M.Name.c_str();
  View.function = M.Function.c_str();
  View.file = M.SourceFile.c_str();
  View.line = M.Line;
  View.flags = M.Flags;
  View.num_args = static_cast<uint32_t>(M.ArgKinds.size());
  View.return_kind = M.ReturnKind;
  View.arg_kinds = M.ArgKinds.data();
  View.arg_names = Names.data();
  View.bitcode = M.Bitcode.data();
  View.bitcode_size = M.Bitcode.size();
  View.bitcode_hash[0] = M.HashLow;
  View.bitcode_hash[1] = M.HashHigh;
  View.entry_symbol = M.EntrySymbol.c_str();
  View.pipeline = M.Pipeline.c_str();
  View.symbols = Symbols.data();
  View.accesses = M.Accesses.data();
  View.loops = M.Loops.data();
  View.num_symbols = static_cast<uint32_t>(Symbols.size());
  View.num_accesses = static_cast<uint32_t>(M.Accesses.size());
  View.num_loops = static_cast<uint32_t>(M.Loops.size());
  View.num_cells = static_cast<uint32_t>(M.Cells.size());
  View.cells = M.Cells.data();
  View.callees = Callees.data();
  View.num_callees = Callees.size();
  View.title = M.Title ? M.Title->c_str() : nullptr;
  View.places = Places.data();
  View.num_places = Places.size();
  View.memory_names = MemoryNames.data();
  View.num_memory_names = MemoryNames.size();
}

bool ReceivedRegion::addCallees() {
  for (const RegionMessage::File &From : Message.Files) {
    const size_t Bytes = sizeof(specrt_function_file) + From.Bitcode.size();
    auto Memory = std::make_unique<uint64_t[]>(Bytes / sizeof(uint64_t) + 1);
    const specrt_function_file Head = {{From.Low, From.High}, From.Bitcode.size()};
    std::memcpy(Memory.get(), &Head, sizeof(Head));
    std::memcpy(reinterpret_cast<char *>(Memory.get()) + sizeof(Head), From.Bitcode.data(),
                From.Bitcode.size());
    Files.push_back(std::move(Memory));
  }
  for (const RegionMessage::Callee &From : Message.Callees) {
    if (From.File >= Files.size() || From.Symbols.size() != From.Positions.size())
      return false;
    for (const uint32_t Position : From.Positions)
      if (Position >= Message.Symbols.size())
        return false;
    std::vector<const char *> &Theirs = CalleeSymbols.emplace_back();
    for (const std::string &Symbol : From.Symbols)
      Theirs.push_back(Symbol.c_str());
    Callees.push_back({From.Name.c_str(), From.Function.c_str(),
                       reinterpret_cast<const specrt_function_file *>(Files[From.File].get()),
                       Theirs.data(), From.Positions.data(), From.Positions.size()});
  }
  return true;
}

} // namespace specrt
