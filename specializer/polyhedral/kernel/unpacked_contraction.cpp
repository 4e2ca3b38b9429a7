//===- specializer/polyhedral/kernel/unpacked_contraction.cpp - small contractions in place -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/kernel/unpacked_contraction.h"
#include "specializer/polyhedral/kernel/contraction_function.h"
#include "specializer/polyhedral/kernel/contraction_sizes.h"
#include "specializer/polyhedral/kernel/packed_contraction.h"
#include "specializer/polyhedral/kernel/vector_tree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <optional>
#include <utility>

using namespace llvm;

namespace specrt {
namespace {

/// Limits on vector updates in a block without a loop over k, and in one round of such a loop:
/// enough to hide the loop, and few enough for the cache of decoded instructions.
constexpr int64_t MaxStraight = 256, MaxRound = 64;

std::optional<int64_t> constant(const Value *V) {
  auto *Number = dyn_cast<ConstantInt>(V);
  return Number ? std::optional(Number->getSExtValue()) : std::nullopt;
}

std::optional<int64_t> constant(ArrayRef<RowTerm> Terms, bool Upper) {
  std::optional<int64_t> Bound;
  for (const RowTerm &Term : Terms) {
    std::optional<int64_t> Base = constant(Term.Base);
    if (!Base || Term.Slope != 0)
      return std::nullopt;
    Bound = !Bound ? *Base : Upper ? std::min(*Bound, *Base) : std::max(*Bound, *Base);
  }
  return Bound;
}

/// Returns the iterations of \p Block if all its bounds are constants and it is a nonempty box.
std::optional<ConstantBlock> asConstant(const ContractionBlock &Block) {
  auto Begin = constant(Block.ColumnBegin, false), End = constant(Block.ColumnEnd, true);
  auto ReducedBegin = constant(Block.ReducedBegin), ReducedEnd = constant(Block.ReducedEnd);
  auto RowBegin = Block.RowBegin ? constant(Block.RowBegin) : 0;
  auto RowEnd = Block.RowEnd ? constant(Block.RowEnd) : 1;
  if (!Begin || !End || !ReducedBegin || !ReducedEnd || !RowBegin || !RowEnd)
    return std::nullopt;
  ConstantBlock Result{*RowBegin, *Begin, *ReducedBegin};
  if (SubOverflow(*RowEnd, *RowBegin, Result.Rows) || SubOverflow(*End, *Begin, Result.Columns) ||
      SubOverflow(*ReducedEnd, *ReducedBegin, Result.Reduced) || Result.Rows <= 0 ||
      Result.Columns <= 0 || Result.Reduced <= 0)
    return std::nullopt;
  return Result;
}

/// One vector of a row of results. Lanes is a power of two; lanes from Active on are not results.
/// There are at least as many lanes as in the smallest register: LLVM would legalise smaller
/// vectors with moves in every iteration.
struct ColumnVector {
  unsigned Lanes, Active;
};

/// The address of an operand: Base + place * PerPlace + k * PerK.
struct OperandPlace {
  Value *Base = nullptr;
  int64_t PerPlace = 0, PerK = 0;
};

class UnpackedBuilder : private ContractionFunction {
public:
  UnpackedBuilder(const Contraction &C, const ContractionBlock &Outside,
                  const ConstantBlock &Extent, const RegisterBlock &Registers,
                  const TilingTarget &Target, const Function &User, IRBuilderBase &Caller)
      : ContractionFunction(C, Outside, Target, User, Caller), Extent(Extent),
        Registers(Registers) {}

  void run(BaseOf baseOf, UniformOf uniform);

private:
  void placeOperands();
  void allocate(int64_t Elements);
  void emitPacked();
  void computeRows(Value *Operand, const OperandPlace &Place);
  void computeColumns(Value *Operand, const OperandPlace &Place);

  void emitColumns(const EqualPieces &Columns, bool HasLast);
  void emitRows(Value *J0, ArrayRef<ColumnVector> Vectors);
  void emitTile(Value *I0, Value *J0, int64_t Height, ArrayRef<ColumnVector> Vectors);
  void emitSteps(ArrayRef<Value *> RowsAt, ArrayRef<Value *> ColumnsAt, int64_t Height,
                 ArrayRef<ColumnVector> Vectors, MutableArrayRef<Value *> Sums);
  /// Emits one k, which updates \p Sums.
  void emitStep(ArrayRef<Value *> RowsAt, ArrayRef<Value *> ColumnsAt, Value *K, int64_t Ahead,
                int64_t Height, ArrayRef<ColumnVector> Vectors, MutableArrayRef<Value *> Sums);

  /// Returns null if all lanes are results.
  Value *maskOf(const ColumnVector &V);
  Instruction *load(const ColumnVector &V, Value *From) {
    return loadVector(V.Lanes, From, maskOf(V));
  }
  /// Marks a load of an operand as not aliasing results: all dependences of a block are along k,
  /// and recognizeContraction excludes operands that are the result they are combined with.
  Instruction *asOperand(Instruction *Load) {
    Load->setMetadata(LLVMContext::MD_noalias, Results);
    return Load;
  }
  Instruction *asResult(Instruction *Access) {
    Access->setMetadata(LLVMContext::MD_alias_scope, Results);
    return Access;
  }
  Value *ahead(Value *Base, int64_t Distance) { return B.CreatePtrAdd(Base, number(Distance)); }
  /// Returns the first \p Count lanes of \p Wide.
  Value *narrow(Value *Wide, unsigned Count);

  ConstantBlock Extent;
  RegisterBlock Registers;
  Value *Buffer = nullptr;
  SmallVector<OperandPlace, 2> Rows, Columns; ///< as in Contraction
  MDNode *Results = nullptr;                  ///< scope of all accesses to results
};

void UnpackedBuilder::run(BaseOf baseOf, UniformOf uniform) {
  begin(baseOf, uniform);
  MDBuilder Scopes(B.getContext());
  Results = MDNode::get(B.getContext(),
                        Scopes.createAnonymousAliasScope(
                            Scopes.createAnonymousAliasScopeDomain("contraction"), "results"));
  placeOperands();
  int64_t NumVectors = (Extent.Columns + Lanes - 1) / Lanes;
  SmallVector<EqualPieces, 2> Widths = cutEvenly(NumVectors, Registers.Nv);
  for (const EqualPieces &Columns : Widths)
    emitColumns(Columns, &Columns == &Widths.back());
  giveScratch();
  B.CreateRetVoid();
  finish();
}

/// Decides where operands are read, and computes those that are not in place.
void UnpackedBuilder::placeOperands() {
  int64_t Elements = 0;
  auto Reserve = [&](int64_t Count) {
    return number(
        std::exchange(Elements, Elements + int64_t(alignTo(uint64_t(Count), Target.LineBytes))));
  };
  SmallVector<std::pair<OperandPlace *, Value *>, 4> RowsToDo, ColumnsToDo;
  Rows.resize(C.Rows.size());
  Columns.resize(C.Columns.size());
  Value *I0 = number(Extent.RowBegin), *J0 = number(Extent.ColumnBegin),
        *K0 = number(Extent.ReducedBegin);
  for (auto [Operand, Place] : zip(C.Rows, Rows)) {
    if (isRowInPlace(C, Operand)) {
      const LinearAddress &Address = C.Loads.find(Operand)->second;
      Place = {address(Address, I0, nullptr, K0), C.Row < 0 ? 0 : Address.PerDim[unsigned(C.Row)],
               Address.PerDim[C.Reduced]};
    } else {
      Place = {Reserve(Extent.Rows * Extent.Reduced), Extent.Reduced * Bytes, Bytes};
      RowsToDo.push_back({&Place, Operand});
    }
  }
  for (auto [Operand, Place] : zip(C.Columns, Columns)) {
    if (isColumnInPlace(C, Operand, Extent, Target)) {
      const LinearAddress &Address = C.Loads.find(Operand)->second;
      Place = {address(Address, nullptr, J0, K0), Bytes, Address.PerDim[C.Reduced]};
    } else {
      // An odd number of vectors avoids a distance of a power of two.
      int64_t PerK = ((Extent.Columns + Lanes - 1) / Lanes | 1) * Lanes;
      Place = {Reserve(PerK * Extent.Reduced), Bytes, PerK * Bytes};
      ColumnsToDo.push_back({&Place, Operand});
    }
  }
  if (Elements == 0)
    return;
  allocate(Elements);
  for (auto [Place, Operand] : RowsToDo) {
    Place->Base = B.CreateGEP(Element, Buffer, Place->Base);
    computeRows(Operand, *Place);
  }
  for (auto [Place, Operand] : ColumnsToDo) {
    Place->Base = B.CreateGEP(Element, Buffer, Place->Base);
    computeColumns(Operand, *Place);
  }
}

void UnpackedBuilder::allocate(int64_t Elements) {
  if (Elements * Bytes <= MaxStackBytes) {
    Buffer = takeStack(Elements);
    return;
  }
  Buffer = takeScratch(Elements);
  auto *Without = BasicBlock::Create(B.getContext(), "without", F);
  auto *With = BasicBlock::Create(B.getContext(), "with", F);
  B.CreateCondBr(B.CreateIsNull(Buffer), Without, With);
  B.SetInsertPoint(Without);
  emitPacked();
  B.CreateRetVoid();
  B.SetInsertPoint(With);
}

/// Falls back to the packed form, which needs no memory.
void UnpackedBuilder::emitPacked() {
  emitPackedContraction(
      B, C, Block, Target, User, [&](const LinearAddress &Address) { return base(Address); },
      [&](Value *V) { return uniformAt(V); });
}

void UnpackedBuilder::computeRows(Value *Operand, const OperandPlace &Place) {
  loop(number(0), number(Extent.Rows), number(1), "rows.i", [&](Value *I) {
    Value *Row = place(Place.Base, B.CreateMul(I, number(Extent.Reduced)));
    loop(number(0), number(Extent.Reduced), number(1), "rows.k", [&](Value *K) {
      B.CreateStore(scalarAt(Operand, B.CreateAdd(number(Extent.RowBegin), I), nullptr,
                             B.CreateAdd(number(Extent.ReducedBegin), K)),
                    place(Row, K));
    });
  });
}

void UnpackedBuilder::computeColumns(Value *Operand, const OperandPlace &Place) {
  Value *J0 = number(Extent.ColumnBegin), *K0 = number(Extent.ReducedBegin);
  int64_t PerK = Place.PerK / Bytes;
  if (isTransposed(Operand)) {
    Value *Last = number(Extent.Columns - 1);
    loop(number(0), number(Extent.Columns), number(Lanes), "columns.j", [&](Value *J) {
      SmallVector<Value *, 16> Js;
      for (unsigned L = 0; L < Lanes; ++L)
        Js.push_back(B.CreateAdd(J0, minimum(B.CreateAdd(J, number(L)), Last)));
      transposeInto(Operand, Js, K0, number(Extent.Reduced), place(Place.Base, J), PerK);
    });
    return;
  }
  loop(number(0), number(Extent.Reduced), number(1), "columns.k", [&](Value *K) {
    Value *Row = place(Place.Base, B.CreateMul(K, number(PerK)));
    loop(number(0), number(Extent.Columns), number(1), "columns.j", [&](Value *J) {
      B.CreateStore(scalarAt(Operand, nullptr, B.CreateAdd(J0, J), B.CreateAdd(K0, K)),
                    place(Row, J));
    });
  });
}

/// Emits a piece of columns, counted in vectors. The last vector of the last piece may be partial.
void UnpackedBuilder::emitColumns(const EqualPieces &Columns, bool HasLast) {
  SmallVector<ColumnVector, 8> Vectors;
  for (int64_t V = 0; V < Columns.Size; ++V)
    Vectors.push_back({Lanes, Lanes});
  int64_t Begin = Extent.ColumnBegin + Columns.Begin * Lanes, Step = Columns.Size * Lanes;
  unsigned Rest = HasLast ? unsigned(Extent.Columns % Lanes) : 0;
  int64_t Count = Columns.Count - (Rest > 0);
  auto Emit = [&](Value *J0) { emitRows(J0, Vectors); };
  if (Count == 1)
    Emit(number(Begin));
  else if (Count > 1)
    loop(number(Begin), number(Begin + Count * Step), number(Step), "columns", Emit);
  if (Rest == 0)
    return;
  Vectors.back().Lanes = std::max(unsigned(PowerOf2Ceil(Rest)), unsigned(SmallestVector / Bytes));
  Vectors.back().Active = Rest;
  Emit(number(Begin + Count * Step));
}

void UnpackedBuilder::emitRows(Value *J0, ArrayRef<ColumnVector> Vectors) {
  for (const EqualPieces &Rows : cutEvenly(Extent.Rows, Registers.Mr)) {
    int64_t Begin = Extent.RowBegin + Rows.Begin;
    auto Emit = [&](Value *I0) { emitTile(I0, J0, Rows.Size, Vectors); };
    if (Rows.Count == 1)
      Emit(number(Begin));
    else
      loop(number(Begin), number(Begin + Rows.Count * Rows.Size), number(Rows.Size), "rows", Emit);
  }
}

Value *UnpackedBuilder::maskOf(const ColumnVector &V) {
  if (V.Active == V.Lanes)
    return nullptr;
  SmallVector<Constant *, 16> Bits;
  for (unsigned L = 0; L < V.Lanes; ++L)
    Bits.push_back(B.getInt1(L < V.Active));
  return ConstantVector::get(Bits);
}

Value *UnpackedBuilder::narrow(Value *Wide, unsigned Count) {
  if (cast<FixedVectorType>(Wide->getType())->getNumElements() == Count)
    return Wide;
  return B.CreateShuffleVector(Wide, to_vector(seq<int>(0, int(Count))));
}

void UnpackedBuilder::emitStep(ArrayRef<Value *> RowsAt, ArrayRef<Value *> ColumnsAt, Value *K,
                               int64_t Ahead, int64_t Height, ArrayRef<ColumnVector> Vectors,
                               MutableArrayRef<Value *> Sums) {
  auto At = [&](Value *Base, const OperandPlace &Place, int64_t Distance) {
    Value *AtK = B.CreatePtrAdd(Base, B.CreateMul(K, number(Place.PerK)));
    return ahead(AtK, Ahead * Place.PerK + Distance);
  };
  DenseMap<std::pair<const Value *, unsigned>, Value *> ColumnValues;
  for (unsigned Index = 0; Index < Columns.size(); ++Index)
    for (auto [Number, V] : enumerate(Vectors))
      ColumnValues[{C.Columns[Index], unsigned(Number)}] =
          asOperand(load(V, At(ColumnsAt[Index], Columns[Index], int64_t(Number) * Lanes * Bytes)));
  // The first vector is the widest.
  unsigned Widest = Vectors.front().Lanes;
  for (int64_t M = 0; M < Height; ++M) {
    DenseMap<const Value *, Value *> RowValues;
    for (unsigned Index = 0; Index < Rows.size(); ++Index) {
      Value *One = asOperand(B.CreateAlignedLoad(
          Element, At(RowsAt[Index], Rows[Index], M * Rows[Index].PerPlace), Align(1)));
      RowValues[C.Rows[Index]] = B.CreateVectorSplat(Widest, One);
    }
    for (auto [Number, V] : enumerate(Vectors)) {
      Value *&Sum = Sums[size_t(M) * Vectors.size() + Number];
      Sum = update(V.Lanes, Sum, [&](Value *Leaf) -> Value * {
        if (Value *Row = RowValues.lookup(Leaf))
          return narrow(Row, V.Lanes);
        return ColumnValues.lookup({Leaf, unsigned(Number)});
      });
    }
  }
}

/// Emits all k. Iterations that do not fill a round come first, where no stores are near that could
/// delay loads.
void UnpackedBuilder::emitSteps(ArrayRef<Value *> RowsAt, ArrayRef<Value *> ColumnsAt,
                                int64_t Height, ArrayRef<ColumnVector> Vectors,
                                MutableArrayRef<Value *> Sums) {
  int64_t PerStep = int64_t(Sums.size()) * std::max(1U, C.NumOperations);
  int64_t Round = std::clamp<int64_t>(MaxRound / PerStep, 1, Extent.Reduced);
  int64_t First = Extent.Reduced * PerStep <= MaxStraight ? Extent.Reduced : Extent.Reduced % Round;
  auto Steps = [&](Value *K, int64_t Count) {
    for (int64_t Ahead = 0; Ahead < Count; ++Ahead)
      emitStep(RowsAt, ColumnsAt, K, Ahead, Height, Vectors, Sums);
  };
  Steps(number(0), First);
  if (First == Extent.Reduced)
    return;
  reduce(number(First), number(Extent.Reduced), Round, Sums, "multiply",
         [&](Value *K) { Steps(K, Round); });
}

void UnpackedBuilder::emitTile(Value *I0, Value *J0, int64_t Height,
                               ArrayRef<ColumnVector> Vectors) {
  const int64_t Width = int64_t(Vectors.size());
  auto VectorOf = [&](size_t N) -> const ColumnVector & { return Vectors[N % Vectors.size()]; };
  SmallVector<Value *, 32> Sums;
  forVectors(C.Result, I0, J0, Height, Width,
             [&](size_t N, Value *Place) { Sums.push_back(asResult(load(VectorOf(N), Place))); });

  // Operand bases are those of the first row and column.
  SmallVector<Value *, 2> RowsAt, ColumnsAt;
  Value *I = B.CreateSub(I0, number(Extent.RowBegin));
  Value *J = B.CreateSub(J0, number(Extent.ColumnBegin));
  for (const OperandPlace &Place : Rows)
    RowsAt.push_back(B.CreatePtrAdd(Place.Base, B.CreateMul(I, number(Place.PerPlace))));
  for (const OperandPlace &Place : Columns)
    ColumnsAt.push_back(B.CreatePtrAdd(Place.Base, B.CreateMul(J, number(Place.PerPlace))));

  emitSteps(RowsAt, ColumnsAt, Height, Vectors, Sums);
  forWrites(I0, J0, Height, Width, [&](size_t N, Value *Place) {
    asResult(storeVector(Sums[N], Place, maskOf(VectorOf(N))));
  });
}

} // namespace

bool emitUnpackedContraction(IRBuilderBase &Builder, const Contraction &C,
                             const ContractionBlock &Block, const TilingTarget &Target,
                             const Function &User, BaseOf baseOf, UniformOf uniform) {
  std::optional<ConstantBlock> Extent = asConstant(Block);
  if (!Extent)
    return false;
  std::optional<RegisterBlock> Registers = chooseUnpacked(C, *Extent, Target);
  if (!Registers)
    return false;
  UnpackedBuilder(C, Block, *Extent, *Registers, Target, User, Builder).run(baseOf, uniform);
  return true;
}

} // namespace specrt
