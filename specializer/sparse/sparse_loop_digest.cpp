//===- specializer/sparse/sparse_loop_digest.cpp - digests that identify equal row loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/sparse_loop_digest.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace specrt {
namespace {

/// The text of a function without names.
class PlainText {
public:
  explicit PlainText(const Function &F);

  /// Returns false if the function refers to something without a meaning in other modules.
  bool isWhole() const { return IsWhole; }
  std::string take() { return std::move(Text); }

private:
  void number(const Value &V) { Numbers.try_emplace(&V, unsigned(Numbers.size())); }
  void add(const Instruction &I);
  void add(const Value &Operand);

  std::string Text;
  raw_string_ostream Out{Text};
  DenseMap<const Value *, unsigned> Numbers;
  bool IsWhole = true;
};

PlainText::PlainText(const Function &F) {
  for (const Argument &A : F.args())
    number(A);
  for (const BasicBlock &BB : F) {
    number(BB);
    for (const Instruction &I : BB)
      number(I);
  }
  for (const BasicBlock &BB : F)
    for (const Instruction &I : BB)
      add(I);
}

void PlainText::add(const Instruction &I) {
  Out << '\n' << I.getOpcodeName() << ' ' << *I.getType();
  if (const auto *Compare = dyn_cast<CmpInst>(&I))
    Out << ' ' << unsigned(Compare->getPredicate());
  if (const auto *Gep = dyn_cast<GetElementPtrInst>(&I))
    Out << ' ' << *Gep->getSourceElementType();
  if (const auto *Room = dyn_cast<AllocaInst>(&I))
    Out << ' ' << *Room->getAllocatedType();
  for (const Value *Operand : I.operands())
    add(*Operand);
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    for (const BasicBlock *From : Phi->blocks())
      add(*From);
}

void PlainText::add(const Value &Operand) {
  if (const auto At = Numbers.find(&Operand); At != Numbers.end()) {
    Out << " %" << At->second;
  } else if (isa<ConstantData>(Operand)) {
    Out << ' ';
    Operand.printAsOperand(Out);
  } else if (const auto *Callee = dyn_cast<Function>(&Operand); Callee && Callee->isIntrinsic()) {
    Out << ' ' << Callee->getName();
  } else {
    IsWhole = false;
  }
}

} // namespace

std::array<uint64_t, 2> digestOf(const Function &Inspector, ArrayRef<uint32_t> Description,
                                 ArrayRef<specrt_row_class> Classes) {
  PlainText Code(Inspector);
  if (!Code.isWhole())
    return {};
  std::string Text = Code.take();
  raw_string_ostream Out(Text);
  for (const uint32_t Number : Description)
    Out << ' ' << Number;
  for (const specrt_row_class &Class : Classes) {
    Out << '\n' << Class.step << ' ' << Class.min_rows;
    for (const specrt_row_entry &E : ArrayRef(Class.entries, Class.num_entries))
      Out << ' ' << E.kind << '.' << E.mode << '.' << E.number << '.' << E.ties << '.' << E.beside
          << '.' << E.apart;
  }
  const XXH128_hash_t Hash = xxh3_128bits(arrayRefFromStringRef(Text));
  return {Hash.low64, Hash.high64};
}

} // namespace specrt
