//===- jit/object/entries.cpp - the entries of stored versions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/object/entries.h"
#include "jit/code/guard_code.h"
#include "jit/code/symbol_table.h"
#include "specializer/module/naming.h"
#include "specializer/module/region_module.h"
#include "specrt/version_object.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace specrt {

static void hide(GlobalValue &Defined) {
  Defined.setVisibility(GlobalValue::HiddenVisibility);
  Defined.setDSOLocal(true);
}

Expected<std::unique_ptr<Module>> defineEntries(const specrt_region &Region,
                                                const GuardList &Guards, LLVMContext &Context,
                                                VersionEntries &Defined) {
  auto M = std::make_unique<Module>("specrt_entries", Context);
  const specrt_guards &Plain = GuardView(Guards).plain();
  // The name contains a hash, because different guards may have the same description.
  const std::string Name =
      nameOfEntry(Region, Guards) + "." +
      utohexstr(xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(Plain.first), Plain.bytes)),
                /*LowerCase=*/true);
  Defined = {Name, Name + ".exact", Name + ".state"};
  Type *Bytes = ArrayType::get(Type::getInt8Ty(Context), sizeof(specrt_version_state));
  auto *State = new GlobalVariable(*M, Bytes, /*isConstant=*/false, GlobalValue::ExternalLinkage,
                                   ConstantAggregateZero::get(Bytes), Defined.State);
  State->setAlignment(Align(64));
  hide(*State);
  SymbolTable Symbols(*M, Region, GuardSymbolsName.str());
  const EntrySurroundings Here{
      State, [&](IRBuilderBase &B, unsigned Symbol) { return Symbols.load(B, Symbol); }};
  for (const bool ExactInside : {false, true}) {
    Expected<Function *> F =
        declareEntry(Region, ExactInside ? Defined.ExactEntry : Defined.Entry, *M);
    if (!F)
      return F.takeError();
    hide(**F);
    if (Error E = emitEntry(**F, Region, Guards, ExactInside, Here))
      return std::move(E);
  }
  if (GlobalVariable *Table = Symbols.global()) {
    Table->setInitializer(nullptr);
    hide(*Table);
    Defined.ReadsSymbols = true;
  }
  return M;
}

std::string textOfSignature(const specrt_region &Region) {
  std::string Text = std::string(Region.name) + ":" + std::to_string(Region.num_symbols) + ":" +
                     std::to_string(Region.return_kind);
  for (unsigned I = 0; I < Region.num_args; ++I)
    Text += "," + std::to_string(Region.arg_kinds[I]);
  return Text;
}

bool EntriesObject::isFor(const specrt_region &Region, const GuardList &Wanted) const {
  return Guards == Wanted && RegionText == textOfSignature(Region);
}

} // namespace specrt
