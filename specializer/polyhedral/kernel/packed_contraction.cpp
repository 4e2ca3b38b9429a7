//===- specializer/polyhedral/kernel/packed_contraction.cpp - packs operands -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/kernel/packed_contraction.h"
#include "specializer/polyhedral/kernel/contraction_function.h"
#include "specializer/polyhedral/kernel/contraction_sizes.h"
#include "specializer/polyhedral/kernel/vector_tree.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

/// Builds the function that computes one block.
class PackedBuilder : private ContractionFunction {
public:
  PackedBuilder(const Contraction &C, const ContractionBlock &Outside, const TilingTarget &Target,
                const Function &User, IRBuilderBase &Caller)
      : ContractionFunction(C, Outside, Target, User, Caller),
        Sizes(chooseSizes(C, Outside, Target)), IsDirect(readsDirectly(C, Outside)) {
    // Loops that profit from vectors are emitted with vectors; the others are short.
    KeepsLoops = true;
  }

  void run(BaseOf baseOf, UniformOf uniform);

private:
  // The range of j.
  Value *termAt(const RowTerm &Term, Value *I);
  Value *boundAt(ArrayRef<RowTerm> Terms, Value *I, bool Upper);
  Value *hull(ArrayRef<RowTerm> Terms, bool Upper);
  void trimEmptyRows();
  bool dependsOnRow() const;

  // The parts of the algorithm.
  void emitBody();
  void allocate();
  void emitBlocks();
  void packColumns(Value *J0, Value *JEnd, Value *K0, Value *Length, Value *Panel);
  void packInVectors(Value *Operand, Value *J0, Value *K, Value *To);
  void packElements(Value *Operand, ArrayRef<Value *> Js, Value *K, Value *To);
  void packRows(Value *I0, Value *IEnd, Value *K0, Value *Length, Value *Panel);
  void emitTile(Value *I0, Value *J0, Value *K0, Value *Length, Value *Rows, Value *Columns);
  void multiply(Value *I0, Value *J0, Value *K0, Value *Length, Value *Rows, Value *Columns,
                bool Masked);
  void updateAll(MutableArrayRef<Value *> Results, Value *Rows,
                 function_ref<Value *(unsigned Index, unsigned Vector)> columns);
  enum class PrefetchFor { Reading, Writing }; ///< numbered as in llvm.prefetch
  void prefetch(Value *Address, PrefetchFor Purpose);
  void prefetchResults(Value *I0, Value *J0);
  void prefetchOperands(Value *Rows, Value *Columns);
  Value *columnAt(Value *Operand, Value *J, Value *K, Value *Mask);
  Value *maskFor(Value *I, Value *J0, unsigned Vector);

  /// Elements of a panel of rows, or of columns, for one k.
  int64_t rowsPerK() const { return Sizes.Mr * int64_t(C.Rows.size()); }
  int64_t columnsPerK() const { return Sizes.Nr * int64_t(C.Columns.size()); }

  BlockSizes Sizes;
  bool IsDirect; ///< columns are read in place

  Value *RowBuffer = nullptr, *ColumnBuffer = nullptr;
  Value *Mc = nullptr, *Nc = nullptr, *Kc = nullptr;
};

void PackedBuilder::run(BaseOf baseOf, UniformOf uniform) {
  begin(baseOf, uniform);
  emitBody();
  finish();
}

Value *PackedBuilder::termAt(const RowTerm &Term, Value *I) {
  if (Term.Slope == 0)
    return Term.Base;
  return Term.Slope > 0 ? B.CreateAdd(Term.Base, I) : B.CreateSub(Term.Base, I);
}

Value *PackedBuilder::boundAt(ArrayRef<RowTerm> Terms, Value *I, bool Upper) {
  Value *Bound = nullptr;
  for (const RowTerm &Term : Terms) {
    Value *V = termAt(Term, I);
    Bound = !Bound ? V : Upper ? minimum(Bound, V) : maximum(Bound, V);
  }
  return Bound;
}

/// Returns the bound over all rows.
Value *PackedBuilder::hull(ArrayRef<RowTerm> Terms, bool Upper) {
  Value *Bound = nullptr;
  Value *Last = B.CreateSub(Block.RowEnd, number(1));
  for (const RowTerm &Term : Terms) {
    bool AtLast = (Term.Slope > 0) == Upper;
    Value *V = termAt(Term, AtLast ? Last : Block.RowBegin);
    Bound = !Bound ? V : Upper ? minimum(Bound, V) : maximum(Bound, V);
  }
  return Bound;
}

bool PackedBuilder::dependsOnRow() const {
  return any_of(concat<const RowTerm>(Block.ColumnBegin, Block.ColumnEnd),
                [](const RowTerm &Term) { return Term.Slope != 0; });
}

/// Skips rows without any j, which must not be read. As the range of j is convex, they are the
/// first or the last rows.
void PackedBuilder::trimEmptyRows() {
  if (!dependsOnRow())
    return;
  auto Trim = [&](Value *Bound, Value *Other, int64_t Step) {
    BasicBlock *Before = B.GetInsertBlock();
    auto *Header = BasicBlock::Create(B.getContext(), "trim", F);
    auto *Check = BasicBlock::Create(B.getContext(), "trim.check", F);
    auto *Next = BasicBlock::Create(B.getContext(), "trim.next", F);
    auto *After = BasicBlock::Create(B.getContext(), "trim.end", F);
    B.CreateBr(Header);
    B.SetInsertPoint(Header);
    PHINode *V = B.CreatePHI(B.getInt64Ty(), 2);
    V->addIncoming(Bound, Before);
    B.CreateCondBr(B.CreateICmpEQ(V, Other), After, Check);
    B.SetInsertPoint(Check);
    Value *I = Step > 0 ? static_cast<Value *>(V) : B.CreateSub(V, number(1));
    Value *Empty =
        B.CreateICmpSGE(boundAt(Block.ColumnBegin, I, false), boundAt(Block.ColumnEnd, I, true));
    B.CreateCondBr(Empty, Next, After);
    B.SetInsertPoint(Next);
    V->addIncoming(B.CreateAdd(V, number(Step)), Next);
    B.CreateBr(Header);
    B.SetInsertPoint(After);
    return V;
  };
  // Clamps an empty range, so that the search for rows terminates.
  Block.RowEnd = maximum(Block.RowBegin, Block.RowEnd);
  Block.RowBegin = Trim(Block.RowBegin, Block.RowEnd, 1);
  Block.RowEnd = Trim(Block.RowEnd, Block.RowBegin, -1);
}

/// Sets the buffers, and the block sizes that they can hold.
void PackedBuilder::allocate() {
  int64_t NumRows = int64_t(C.Rows.size()), NumColumns = IsDirect ? 0 : int64_t(C.Columns.size());
  auto RowElementsOf = [&](const BlockSizes &S) {
    return int64_t(alignTo(uint64_t(S.rowElements(NumRows)), Target.LineBytes));
  };
  int64_t RowElements = RowElementsOf(Sizes);
  int64_t Total = RowElements + Sizes.columnElements(NumColumns);
  BlockSizes Small = Sizes;
  bool FitsStack = Total * Bytes <= MaxStackBytes;
  if (!FitsStack) {
    Small.Mc = Sizes.Mr;
    Small.Nc = Sizes.Nr;
    Small.Kc = std::max<int64_t>(4, MaxStackBytes / Bytes /
                                        (Small.Mc * NumRows + Small.Nc * NumColumns) / 2);
  }
  int64_t SmallRows = RowElementsOf(Small);
  Value *Stack = takeStack(SmallRows + Small.columnElements(NumColumns));
  if (FitsStack) {
    RowBuffer = Stack;
    ColumnBuffer = place(Stack, number(SmallRows));
    Mc = number(Sizes.Mc), Nc = number(Sizes.Nc), Kc = number(Sizes.Kc);
    return;
  }
  Value *Scratch = takeScratch(Total);
  Value *None = B.CreateIsNull(Scratch);
  Value *Buffer = B.CreateSelect(None, Stack, Scratch);
  RowBuffer = Buffer;
  auto Choose = [&](int64_t WithStack, int64_t WithScratch) {
    return B.CreateSelect(None, number(WithStack), number(WithScratch));
  };
  ColumnBuffer = B.CreateGEP(Element, Buffer, Choose(SmallRows, RowElements));
  Mc = Choose(Small.Mc, Sizes.Mc);
  Nc = Choose(Small.Nc, Sizes.Nc);
  Kc = Choose(Small.Kc, Sizes.Kc);
}

void PackedBuilder::emitBody() {
  trimEmptyRows();
  Value *Some = B.CreateAnd(B.CreateICmpSLT(Block.RowBegin, Block.RowEnd),
                            B.CreateICmpSLT(Block.ReducedBegin, Block.ReducedEnd));
  auto *Work = BasicBlock::Create(B.getContext(), "work", F);
  auto *End = BasicBlock::Create(B.getContext(), "end", F);
  B.CreateCondBr(Some, Work, End);
  B.SetInsertPoint(Work);
  allocate();
  emitBlocks();
  giveScratch();
  B.CreateBr(End);
  B.SetInsertPoint(End);
  B.CreateRetVoid();
}

void PackedBuilder::emitBlocks() {
  Value *JBegin = hull(Block.ColumnBegin, false), *JEnd = hull(Block.ColumnEnd, true);
  Value *Mr = number(Sizes.Mr), *Nr = number(Sizes.Nr);
  loop(JBegin, JEnd, Nc, "columns", [&](Value *Jc) {
    Value *JcEnd = minimum(B.CreateAdd(Jc, Nc), JEnd);
    loop(Block.ReducedBegin, Block.ReducedEnd, Kc, "reduced", [&](Value *K0) {
      Value *Length = minimum(Kc, B.CreateSub(Block.ReducedEnd, K0));
      // Elements of one panel of columns, and of one panel of rows.
      Value *ColumnPanel = B.CreateMul(Length, number(columnsPerK()));
      Value *RowPanel = B.CreateMul(Length, number(rowsPerK()));
      auto PanelOf = [&](Value *Buffer, Value *From, Value *At, int64_t Size, Value *Elements) {
        Value *Number = B.CreateExactUDiv(B.CreateSub(At, From), number(Size));
        return B.CreateGEP(Element, Buffer, B.CreateMul(Number, Elements));
      };
      if (!IsDirect)
        loop(Jc, JcEnd, Nr, "pack.columns", [&](Value *J0) {
          packColumns(J0, JEnd, K0, Length, PanelOf(ColumnBuffer, Jc, J0, Sizes.Nr, ColumnPanel));
        });
      loop(Block.RowBegin, Block.RowEnd, Mc, "rows", [&](Value *Ic) {
        Value *IcEnd = minimum(B.CreateAdd(Ic, Mc), Block.RowEnd);
        loop(Ic, IcEnd, Mr, "pack.rows", [&](Value *I0) {
          packRows(I0, Block.RowEnd, K0, Length, PanelOf(RowBuffer, Ic, I0, Sizes.Mr, RowPanel));
        });
        loop(Jc, JcEnd, Nr, "panel", [&](Value *J0) {
          Value *Columns =
              IsDirect ? nullptr : PanelOf(ColumnBuffer, Jc, J0, Sizes.Nr, ColumnPanel);
          loop(Ic, IcEnd, Mr, "tile", [&](Value *I0) {
            emitTile(I0, J0, K0, Length, PanelOf(RowBuffer, Ic, I0, Sizes.Mr, RowPanel), Columns);
          });
        });
      });
    });
  });
}

/// Emits one vector of a consecutive column operand; lanes outside of \p Mask, unless it is null,
/// are not read.
Value *PackedBuilder::columnAt(Value *Operand, Value *J, Value *K, Value *Mask) {
  return VectorTree(B, Lanes).evaluate(Operand, [&](Value *Leaf) -> Value * {
    if (auto Load = C.Loads.find(Leaf); Load != C.Loads.end())
      return loadVector(Lanes, address(Load->second, nullptr, J, K), Mask);
    Value *Uniform = uniformAt(Leaf);
    return Uniform ? B.CreateVectorSplat(Lanes, Uniform) : nullptr;
  });
}

/// Packs the panel of Nr columns from J0 on; columns beyond JEnd repeat the last one.
void PackedBuilder::packColumns(Value *J0, Value *JEnd, Value *K0, Value *Length, Value *Panel) {
  Value *Last = B.CreateSub(JEnd, number(1));
  auto ColumnsFrom = [&](Value *First, int64_t Count) {
    SmallVector<Value *, 64> Js;
    for (int64_t L = 0; L < Count; ++L)
      Js.push_back(minimum(B.CreateAdd(First, number(L)), Last));
    return Js;
  };
  SmallVector<unsigned, 4> ByRow, InVectors;
  for (unsigned Index = 0; Index < C.Columns.size(); ++Index) {
    if (!isTransposed(C.Columns[Index])) {
      ByRow.push_back(Index);
      if (C.isConsecutive(C.Columns[Index]))
        InVectors.push_back(Index);
      continue;
    }
    // A loop, as repeating this code for every vector would dominate the compile time of a kernel.
    loop(number(0), number(Sizes.Nr), number(Lanes), "vectors", [&](Value *Vector) {
      transposeInto(C.Columns[Index], ColumnsFrom(B.CreateAdd(J0, Vector), Lanes), K0, Length,
                    place(Panel, Vector, Sizes.Nr * Index), columnsPerK());
    });
  }
  if (ByRow.empty())
    return;
  const SmallVector<Value *, 64> Js = ColumnsFrom(J0, Sizes.Nr);
  auto Pack = [&](ArrayRef<unsigned> InVectors) {
    loop(number(0), Length, number(1), "pack.k", [&](Value *K) {
      Value *AtK = B.CreateAdd(K0, K), *At = B.CreateMul(K, number(columnsPerK()));
      for (unsigned Index : ByRow) {
        Value *To = place(Panel, At, Sizes.Nr * Index);
        if (is_contained(InVectors, Index))
          packInVectors(C.Columns[Index], J0, AtK, To);
        else
          packElements(C.Columns[Index], Js, AtK, To);
      }
    });
  };
  if (InVectors.empty())
    return Pack({});
  Value *Full = B.CreateICmpSLE(B.CreateAdd(J0, number(Sizes.Nr)), JEnd);
  when(Full, [&] { Pack(InVectors); }, [&] { Pack({}); });
}

/// Packs the Nr values of one k, none of which is beyond the last column.
void PackedBuilder::packInVectors(Value *Operand, Value *J0, Value *K, Value *To) {
  for (unsigned V = 0; V < Sizes.Nv; ++V) {
    Value *J = B.CreateAdd(J0, number(V * Lanes));
    B.CreateAlignedStore(columnAt(Operand, J, K, /*Mask=*/nullptr),
                         B.CreateGEP(Element, To, number(V * Lanes)), Align(uint64_t(Bytes)));
  }
}

/// Packs the values of one k one by one.
void PackedBuilder::packElements(Value *Operand, ArrayRef<Value *> Js, Value *K, Value *To) {
  for (auto [L, J] : enumerate(Js))
    B.CreateStore(scalarAt(Operand, nullptr, J, K), B.CreateGEP(Element, To, number(int64_t(L))));
}

/// Packs one panel of Mr rows; rows beyond IEnd repeat the last one.
void PackedBuilder::packRows(Value *I0, Value *IEnd, Value *K0, Value *Length, Value *Panel) {
  SmallVector<Value *, 16> Is;
  Value *Last = B.CreateSub(IEnd, number(1));
  for (int64_t M = 0; M < Sizes.Mr; ++M)
    Is.push_back(minimum(B.CreateAdd(I0, number(M)), Last));
  loop(number(0), Length, number(1), "pack.k", [&](Value *K) {
    Value *At = B.CreateMul(K, number(rowsPerK()));
    Value *AtK = B.CreateAdd(K0, K);
    for (unsigned Index = 0; Index < C.Rows.size(); ++Index)
      for (unsigned M = 0; M < Sizes.Mr; ++M)
        B.CreateStore(scalarAt(C.Rows[Index], Is[M], nullptr, AtK),
                      place(Panel, At, Sizes.Mr * Index + M));
  });
}

/// Emits one register block, if any of its results is in the range.
void PackedBuilder::emitTile(Value *I0, Value *J0, Value *K0, Value *Length, Value *Rows,
                             Value *Columns) {
  Value *ILast = B.CreateSub(minimum(B.CreateAdd(I0, number(Sizes.Mr)), Block.RowEnd), number(1));
  Value *JEnd = B.CreateAdd(J0, number(Sizes.Nr));
  auto Bound = [&](ArrayRef<RowTerm> Terms, bool Upper, bool Widest) {
    Value *First = boundAt(Terms, I0, Upper), *Last = boundAt(Terms, ILast, Upper);
    return Upper == Widest ? maximum(First, Last) : minimum(First, Last);
  };
  Value *Full = B.CreateICmpSLE(B.CreateAdd(I0, number(Sizes.Mr)), Block.RowEnd);
  Full = B.CreateAnd(Full, B.CreateICmpSLE(Bound(Block.ColumnBegin, false, false), J0));
  Full = B.CreateAnd(Full, B.CreateICmpSGE(Bound(Block.ColumnEnd, true, false), JEnd));
  auto Edge = [&] {
    Value *Some = B.CreateAnd(B.CreateICmpSLT(Bound(Block.ColumnBegin, false, true), JEnd),
                              B.CreateICmpSGT(Bound(Block.ColumnEnd, true, true), J0));
    when(Some, [&] { multiply(I0, J0, K0, Length, Rows, Columns, /*Masked=*/true); });
  };
  when(Full, [&] { multiply(I0, J0, K0, Length, Rows, Columns, /*Masked=*/false); }, Edge);
}

/// Returns the mask of lanes of a vector of row I that are results in the range.
Value *PackedBuilder::maskFor(Value *I, Value *J0, unsigned Vector) {
  SmallVector<Constant *, 16> Steps;
  for (unsigned L = 0; L < Lanes; ++L)
    Steps.push_back(B.getInt64(Vector * Lanes + L));
  Value *J = B.CreateAdd(B.CreateVectorSplat(Lanes, J0), ConstantVector::get(Steps));
  Value *Begin = boundAt(Block.ColumnBegin, I, false), *End = boundAt(Block.ColumnEnd, I, true);
  // A row that does not exist has no results.
  End = B.CreateSelect(B.CreateICmpSLT(I, Block.RowEnd), End, Begin);
  return B.CreateAnd(B.CreateICmpSGE(J, B.CreateVectorSplat(Lanes, Begin)),
                     B.CreateICmpSLT(J, B.CreateVectorSplat(Lanes, End)));
}

void PackedBuilder::prefetch(Value *Address, PrefetchFor Purpose) {
  constexpr unsigned NearestCache = 3, Data = 1;
  B.CreateIntrinsic(
      Intrinsic::prefetch, {Address->getType()},
      {Address, B.getInt32(unsigned(Purpose)), B.getInt32(NearestCache), B.getInt32(Data)});
}

/// Prefetches the results of the next block: a block loads its results first, and so waits for all
/// of them. Prefetches beyond the last block are harmless.
void PackedBuilder::prefetchResults(Value *I0, Value *J0) {
  Value *First = address(C.Result, I0, J0, nullptr);
  for (int64_t M = 0; M < Sizes.Mr; ++M)
    for (int64_t At = 0; At < Sizes.Nr * Bytes; At += Target.LineBytes)
      prefetch(B.CreatePtrAdd(First, number(M * C.Result.PerDim[unsigned(C.Row)] + At)),
               PrefetchFor::Writing);
}

/// Prefetches operands of later k from the second cache: rows always, and columns if they share the
/// first cache with rows and results. Does nothing if a step already has as many loads as
/// operations.
void PackedBuilder::prefetchOperands(Value *Rows, Value *Columns) {
  constexpr int64_t Ahead = 8; // steps, each of some ten cycles
  auto LinesOf = [&](int64_t Elements) {
    return divideCeilSigned(Elements * Bytes, Target.LineBytes);
  };
  int64_t Loads = rowsPerK() + Sizes.Nv * int64_t(C.Columns.size());
  int64_t Operations = Sizes.Mr * Sizes.Nv * std::max(1U, C.NumOperations);
  if (Loads + LinesOf(rowsPerK()) + LinesOf(columnsPerK()) > Operations)
    return;
  for (auto [At, Elements] : {std::pair(Rows, rowsPerK()), std::pair(Columns, columnsPerK())})
    for (int64_t Line = 0; Line < LinesOf(Elements); ++Line)
      prefetch(B.CreatePtrAdd(At, number(Ahead * Elements * Bytes + Line * Target.LineBytes)),
               PrefetchFor::Reading);
}

/// Emits all k of one register block.
void PackedBuilder::multiply(Value *I0, Value *J0, Value *K0, Value *Length, Value *Rows,
                             Value *Columns, bool Masked) {
  SmallVector<Value *, 32> Masks, Results;
  forVectors(C.Result, I0, J0, Sizes.Mr, Sizes.Nv, [&](size_t N, Value *Place) {
    Value *I = B.CreateAdd(I0, number(int64_t(N) / Sizes.Nv));
    Masks.push_back(Masked ? maskFor(I, J0, unsigned(int64_t(N) % Sizes.Nv)) : nullptr);
    Results.push_back(loadVector(Lanes, Place, Masks.back()));
  });
  if (!Masked && C.Row >= 0)
    prefetchResults(B.CreateAdd(I0, number(Sizes.Mr)), J0);
  // Length is at least 1.
  reduce(number(0), Length, 1, Results, "multiply", [&](Value *K) {
    Value *RowsAt = place(Rows, B.CreateMul(K, number(rowsPerK())));
    if (!IsDirect) {
      Value *ColumnsAt = place(Columns, B.CreateMul(K, number(columnsPerK())));
      prefetchOperands(RowsAt, ColumnsAt);
      return updateAll(Results, RowsAt, [&](unsigned Index, unsigned V) {
        return B.CreateAlignedLoad(
            FixedVectorType::get(Element, Lanes),
            B.CreateGEP(Element, ColumnsAt, number(Sizes.Nr * Index + V * Lanes)),
            Align(uint64_t(Bytes)));
      });
    }
    updateAll(Results, RowsAt, [&](unsigned Index, unsigned V) {
      return columnAt(C.Columns[Index], B.CreateAdd(J0, number(V * Lanes)), B.CreateAdd(K0, K),
                      Masks[V]);
    });
  });
  forWrites(I0, J0, Sizes.Mr, Sizes.Nv,
            [&](size_t N, Value *Place) { storeVector(Results[N], Place, Masks[N]); });
}

/// Emits one k. \p Rows is its place in the packed rows, \p columns returns the vectors of an
/// operand.
void PackedBuilder::updateAll(MutableArrayRef<Value *> Results, Value *Rows,
                              function_ref<Value *(unsigned Index, unsigned Vector)> columns) {
  DenseMap<std::pair<const Value *, unsigned>, Value *> ColumnValues;
  for (unsigned Index = 0; Index < C.Columns.size(); ++Index)
    for (unsigned V = 0; V < Sizes.Nv; ++V)
      ColumnValues[{C.Columns[Index], V}] = columns(Index, V);
  for (unsigned M = 0; M < Sizes.Mr; ++M) {
    DenseMap<const Value *, Value *> RowValues;
    for (unsigned Index = 0; Index < C.Rows.size(); ++Index)
      RowValues[C.Rows[Index]] = B.CreateVectorSplat(
          Lanes, B.CreateLoad(Element, B.CreateGEP(Element, Rows, number(Sizes.Mr * Index + M))));
    for (unsigned V = 0; V < Sizes.Nv; ++V) {
      Value *&Result = Results[M * unsigned(Sizes.Nv) + V];
      Result = update(Lanes, Result, [&](Value *Leaf) {
        Value *Row = RowValues.lookup(Leaf);
        return Row ? Row : ColumnValues.lookup({Leaf, V});
      });
    }
  }
}

} // namespace

void emitPackedContraction(IRBuilderBase &Builder, const Contraction &C,
                           const ContractionBlock &Block, const TilingTarget &Target,
                           const Function &User, BaseOf baseOf, UniformOf uniform) {
  PackedBuilder(C, Block, Target, User, Builder).run(baseOf, uniform);
}

} // namespace specrt
