//===- specializer/module/lines.cpp - source lines of generated code -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/lines.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

/// A line of a file. Columns are omitted; they would only enlarge the table.
struct Place {
  StringRef File;
  unsigned Line = 0;
};

Place placeOf(const Instruction &I) {
  const DILocation *Location = I.getDebugLoc().get();
  return Location ? Place{Location->getFilename(), Location->getLine()} : Place();
}

template <typename Range> Place firstPlace(const Range &Instructions) {
  for (const Instruction &I : Instructions)
    if (Place P = placeOf(I); P.Line)
      return P;
  return {};
}

Place firstPlace(const Module &M) {
  for (const Function &F : M)
    if (Place P = firstPlace(instructions(F)); P.Line)
      return P;
  return {};
}

class LineWriter {
public:
  LineWriter(Module &M, Place Region) : Debug(M), Region(Region), File(file(Region.File)) {
    Debug.createCompileUnit(DISourceLanguageName(dwarf::DW_LANG_C99), File, "libspecrt",
                            /*isOptimized=*/true, "", 0, "", DICompileUnit::LineTablesOnly, 0,
                            /*SplitDebugInlining=*/false, /*DebugInfoForProfiling=*/false,
                            DICompileUnit::DebugNameTableKind::None);
  }

  void write(Function &F);
  void finish() { Debug.finalize(); }

private:
  DIFile *file(StringRef Name) { return Debug.createFile(Name, ""); }
  void write(BasicBlock &Block, Place Current);
  DILocation *location(Place P);

  DIBuilder Debug;
  Place Region;
  DIFile *File;
  /// Subprogram of the current function.
  DISubprogram *Scope = nullptr;
};

DILocation *LineWriter::location(Place P) {
  DIScope *In = Scope;
  if (P.File != Region.File)
    In = Debug.createLexicalBlockFile(Scope, file(P.File));
  return DILocation::get(Scope->getContext(), P.Line, 0, In);
}

/// Sets the lines of \p Block; code before its first known line gets \p Current.
void LineWriter::write(BasicBlock &Block, Place Current) {
  DILocation *Location = location(Current);
  for (Instruction &I : Block) {
    if (Place P = placeOf(I); P.Line && (P.Line != Current.Line || P.File != Current.File)) {
      Current = P;
      Location = location(P);
    }
    I.setDebugLoc(Location);
    // Loop metadata refers to functions that no longer exist.
    updateLoopMetadataDebugLocations(
        I, [](Metadata *MD) { return isa<DILocation>(MD) ? nullptr : MD; });
  }
}

void LineWriter::write(Function &F) {
  Scope = Debug.createFunction(File, F.getName(), "", File, Region.Line,
                               Debug.createSubroutineType(Debug.getOrCreateTypeArray({})),
                               Region.Line, DINode::FlagZero,
                               DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
  F.setSubprogram(Scope);
  // Loads and computations ahead belong to the statement that follows, so successors come first:
  // the loads of a register tile are in a block of their own before its loop.
  DenseMap<const BasicBlock *, Place> Starts;
  for (BasicBlock *Block : post_order(&F)) {
    Place &Start = Starts[Block] = firstPlace(*Block);
    for (const BasicBlock *Successor : successors(Block))
      if (!Start.Line)
        Start = Starts.lookup(Successor);
    write(*Block, Start.Line ? Start : Region);
  }
}

/// Returns \p P with strings that outlive the debug info.
Place keep(Place P, LLVMContext &Context) {
  return {MDString::get(Context, P.File)->getString(), P.Line};
}

} // namespace

void giveLines(Module &M, const specrt_region &Region) {
  Place Start{Region.file, Region.line};
  if (Start.File.empty() || !Start.Line)
    Start = keep(firstPlace(M), M.getContext());
  if (Start.File.empty()) {
    StripDebugInfo(M);
    return;
  }
  if (NamedMDNode *Units = M.getNamedMetadata("llvm.dbg.cu"))
    M.eraseNamedMetadata(Units);
  if (!M.getModuleFlag("Debug Info Version"))
    M.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
  LineWriter Writer(M, Start);
  for (Function &F : M)
    if (!F.isDeclarationForLinker())
      Writer.write(F);
  Writer.finish();
}

} // namespace specrt
