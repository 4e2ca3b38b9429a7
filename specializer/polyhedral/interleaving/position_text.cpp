//===- specializer/polyhedral/interleaving/position_text.cpp - describes positions -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/interleaving/position_text.h"
#include "polly/ScopInfo.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace specrt {
namespace {

const polly::ScopStmt &statementOf(const isl::map &Map, isl::dim Side) {
  return *static_cast<const polly::ScopStmt *>(Map.get_tuple_id(Side).get_user());
}

std::string nameOf(const polly::ScopArrayInfo &Array, NameOfArray Names) {
  const Value *Base = Array.getBasePtr();
  const std::string Name = Names && Base ? Names(*Base) : "";
  return Name.empty() ? Array.getName() : Name;
}

std::string lineOf(const polly::MemoryAccess &Access) {
  const Instruction *I = Access.getAccessInstruction();
  const DebugLoc At = I ? I->getDebugLoc() : DebugLoc();
  return At ? " in line " + std::to_string(At.getLine()) : "";
}

/// Two accesses to the same element, Second in a later iteration. At least one of them writes.
struct Conflict {
  const polly::MemoryAccess *First = nullptr, *Second = nullptr;
};

Conflict conflictOf(const isl::map &Pairs) {
  for (const polly::MemoryAccess *First : statementOf(Pairs, isl::dim::in))
    for (const polly::MemoryAccess *Second : statementOf(Pairs, isl::dim::out)) {
      if (!(First->isWrite() || Second->isWrite()) ||
          First->getLatestScopArrayInfo() != Second->getLatestScopArrayInfo())
        continue;
      const isl::map Meet =
          First->getLatestAccessRelation().apply_range(Second->getLatestAccessRelation().reverse());
      if (Pairs.intersect(Meet).is_empty().is_false())
        return {First, Second};
    }
  return {};
}

unsigned numberOf(const polly::ScopStmt &Stmt, ArrayRef<PlacedNest> Nests) {
  const auto *const At =
      find_if(Nests, [&](const PlacedNest &Nest) { return is_contained(Nest.Statements, &Stmt); });
  return unsigned(At - Nests.begin()) + 1;
}

} // namespace

std::string textOfOffsets(ArrayRef<PlacedNest> Nests) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const PlacedNest &Nest : Nests) {
    OS << (Text.empty() ? "" : " ");
    for (const auto [D, At] : enumerate(Nest.Positions)) {
      OS << (D ? "," : "[") << At.Offset;
      if (At.Grain != 1)
        OS << "+" << At.Grain << "k";
    }
    OS << "]";
  }
  return Text;
}

std::string describeRefusal(const isl::union_map &Backwards, ArrayRef<PlacedNest> Nests,
                            NameOfArray Names) {
  std::string Text = "illegal offsets " + textOfOffsets(Nests);
  const isl::map_list All = Backwards.get_map_list();
  if (All.is_null() || count(All.size()) == 0)
    return Text;
  const isl::map Pairs = All.get_at(0);
  const Conflict Found = conflictOf(Pairs);
  if (!Found.First)
    return Text;
  raw_string_ostream OS(Text);
  OS << ": nest " << numberOf(statementOf(Pairs, isl::dim::out), Nests) << " would "
     << (Found.Second->isWrite() ? "write " : "read ")
     << nameOf(*Found.First->getLatestScopArrayInfo(), Names) << lineOf(*Found.Second)
     << " before nest " << numberOf(statementOf(Pairs, isl::dim::in), Nests)
     << (Found.First->isWrite() ? " writes" : " reads") << " the element" << lineOf(*Found.First);
  return Text;
}

} // namespace specrt
