//===- runtime/compile/function_table.cpp - finds the code of functions by address ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compile/function_table.h"
#include "specrt/packed_region.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace specrt {
namespace {

// Limits of the functions that become part of one region.
constexpr size_t MaxCallees = 8;

const specrt_symbol *symbolsOf(const specrt_function &F) {
  return reinterpret_cast<const specrt_symbol *>(&F + 1);
}

/// Returns the functions of other files that R calls, according to its descriptor.
std::vector<specrt_symbol> callsOf(const specrt_region &R) {
  std::vector<specrt_symbol> Calls;
  const uint8_t *At = R.arg_kinds + R.num_args;
  for (uint64_t Left = specrt_unpack_number(&At); Left > 0; --Left)
    Calls.push_back(R.symbols[specrt_unpack_number(&At)]);
  return Calls;
}

bool callsOthers(const specrt_region &R) {
  constexpr uint32_t Flags = SPECRT_REGION_CALLS | SPECRT_REGION_PACKED;
  return (R.flags & Flags) == Flags;
}

} // namespace

/// Collects the callees of a region, then adds the symbols that they refer to.
class DistantCodeBuilder {
public:
  DistantCodeBuilder(const FunctionTable &Table, MissingCode &Missing)
      : Table(Table), Missing(Missing) {}

  /// Adds a callee and the functions it calls. Returns false when one is missing; Missing says why.
  bool collect(const specrt_symbol &Call) {
    const specrt_function *F = Table.find(Call);
    if (!F)
      return miss(MissingCode::Cause::NotKnown, Call);
    if (auto Known = State.find(F); Known != State.end())
      return Known->second == Done || miss(MissingCode::Cause::CallsItself, Call);
    if (State.size() == MaxCallees)
      return miss(MissingCode::Cause::TooMany, Call);
    State[F] = Open;
    const specrt_symbol *Symbols = symbolsOf(*F);
    if (!std::all_of(Symbols, Symbols + F->num_calls,
                     [&](const specrt_symbol &S) { return collect(S); }))
      return false;
    State[F] = Done;
    Order.push_back(F);
    return true;
  }

  /// Returns null when two names mean one thing, which the compiler would take for two.
  std::shared_ptr<const DistantCode> build(const specrt_region &R);

private:
  enum Visit { Open, Done };

  bool miss(MissingCode::Cause Why, const specrt_symbol &Call) {
    Missing = {Why, Call.name, Call.address};
    return false;
  }
  bool place(const specrt_symbol &Symbol, uint32_t &Position);
  const char *keep(const std::string &Text) { return Code->Names.emplace_back(Text).c_str(); }
  bool addCallee(const specrt_function &F);
  const specrt_function_file *copy(const specrt_function_file &File);

  const FunctionTable &Table;
  MissingCode &Missing;
  std::map<const specrt_function *, Visit> State;
  std::vector<const specrt_function *> Order; ///< callees before callers
  std::shared_ptr<DistantCode> Code;
  std::map<const specrt_function_file *, const specrt_function_file *> Files;
};

/// Sets Position to that of a symbol among the region's symbols, to which it adds a new one. Files
/// may use one name for different things: static variables and functions, and a symbol that each
/// image has. Returns false when the region has the address under another name.
bool DistantCodeBuilder::place(const specrt_symbol &Symbol, uint32_t &Position) {
  auto &All = Code->Symbols;
  auto IsTaken = [&](const std::string &Name) {
    return std::any_of(All.begin(), All.end(), [&](const auto &S) { return Name == S.name; });
  };
  for (Position = 0; Position < All.size(); ++Position) {
    const bool SameName = !std::strcmp(All[Position].name, Symbol.name);
    if (All[Position].address == Symbol.address && (SameName || Symbol.address))
      return SameName;
  }
  std::string Name = Symbol.name;
  for (size_t Number = 1; IsTaken(Name); ++Number)
    Name = std::string(Symbol.name) + "." + std::to_string(Number);
  All.push_back({keep(Name), Symbol.address});
  return true;
}

const specrt_function_file *DistantCodeBuilder::copy(const specrt_function_file &File) {
  const specrt_function_file *&Copy = Files[&File];
  if (!Copy) {
    const size_t Bytes = sizeof(File) + File.bitcode_size;
    auto Memory = std::make_unique<char[]>(Bytes);
    std::memcpy(Memory.get(), &File, Bytes);
    Copy = reinterpret_cast<const specrt_function_file *>(Memory.get());
    Code->Files.push_back(std::move(Memory));
  }
  return Copy;
}

bool DistantCodeBuilder::addCallee(const specrt_function &F) {
  specrt_callee Callee{};
  uint32_t Position = 0;
  if (!place({F.name, F.address}, Position))
    return false;
  Callee.name = Code->Symbols[Position].name;
  Callee.function = keep(F.name);
  Callee.file = copy(*F.file);
  auto &Theirs = Code->Theirs.emplace_back();
  auto &Positions = Code->Positions.emplace_back();
  for (uint32_t I = 0; I < F.num_symbols; ++I) {
    const specrt_symbol &Symbol = symbolsOf(F)[I];
    if (!place(Symbol, Position))
      return false;
    Theirs.push_back(keep(Symbol.name));
    Positions.push_back(Position);
  }
  Callee.symbols = Theirs.data();
  Callee.positions = Positions.data();
  Callee.num_symbols = Theirs.size();
  Code->Callees.push_back(Callee);
  return true;
}

std::shared_ptr<const DistantCode> DistantCodeBuilder::build(const specrt_region &R) {
  Code = std::make_shared<DistantCode>();
  for (uint32_t I = 0; I < R.num_symbols; ++I)
    Code->Symbols.push_back({keep(R.symbols[I].name), R.symbols[I].address});
  for (const specrt_function *F : Order)
    if (!addCallee(*F))
      return nullptr;
  return Code;
}

void FunctionTable::add(const specrt_function *Begin, const specrt_function *End) {
  if (Begin >= End ||
      std::any_of(Images.begin(), Images.end(), [=](const Image &I) { return I.Begin == Begin; }))
    return;
  Images.push_back({Begin, End});
  Indexed = false;
}

void FunctionTable::remove(const specrt_function *Begin) {
  std::erase_if(Images, [=](const Image &I) { return I.Begin == Begin; });
  Index.clear();
  Indexed = false;
}

const specrt_function *FunctionTable::find(const specrt_symbol &Symbol) const {
  auto ByAddress = [](const specrt_function *A, const specrt_function *B) {
    return std::less<>()(A->address, B->address);
  };
  if (!Indexed) {
    Index.clear();
    for (const Image &I : Images)
      for (const auto *At = reinterpret_cast<const char *>(I.Begin),
                      *End = reinterpret_cast<const char *>(I.End);
           At < End;) {
        const auto *F = reinterpret_cast<const specrt_function *>(At);
        // The linker may leave gaps.
        const uint32_t Bytes = F->abi_version ? F->size : sizeof(uint64_t);
        if (F->abi_version == SPECRT_ABI_VERSION)
          Index.push_back(F);
        At += std::max<uint32_t>(Bytes, sizeof(uint64_t));
      }
    std::sort(Index.begin(), Index.end(), ByAddress);
    Indexed = true;
  }
  specrt_function Wanted{};
  Wanted.address = Symbol.address;
  const specrt_function *Found = nullptr;
  for (auto [At, End] = std::equal_range(Index.begin(), Index.end(), &Wanted, ByAddress); At != End;
       ++At)
    if (!std::strcmp((*At)->name, Symbol.name)) {
      if (Found)
        return nullptr; // two files claim to define it
      Found = *At;
    }
  return Found;
}

bool FunctionTable::covers(const specrt_region &R) const {
  return !callsOthers(R) || codeFor(R) != nullptr;
}

std::optional<MissingCode> FunctionTable::missingFor(const specrt_region &R) const {
  MissingCode Missing;
  if (!callsOthers(R) || assemble(R, Missing))
    return std::nullopt;
  return Missing;
}

std::shared_ptr<const DistantCode> FunctionTable::codeFor(const specrt_region &R) const {
  MissingCode Missing;
  return callsOthers(R) ? assemble(R, Missing) : nullptr;
}

std::shared_ptr<const DistantCode> FunctionTable::assemble(const specrt_region &R,
                                                           MissingCode &Missing) const {
  DistantCodeBuilder Builder(*this, Missing);
  for (const specrt_symbol &Call : callsOf(R))
    if (!Builder.collect(Call))
      return nullptr;
  auto Code = Builder.build(R);
  if (!Code)
    Missing = {.Why = MissingCode::Cause::Ambiguous, .Symbol = "", .Address = nullptr};
  return Code;
}

} // namespace specrt
