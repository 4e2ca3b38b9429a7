//===- specializer/sparse/classes/lanes/lane_plan.h - memory accesses of rows in lanes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of one class execute the same steps, and their integers are linear functions of a few: the
// origins of the trace and the number of the row. Therefore the distance of addresses of
// neighbouring lanes is known for most accesses at compile time. If it is zero, one value serves
// all lanes; if it is one element, a vector is loaded; otherwise each lane loads its own. Of the
// last kind, loads that are adjacent within a row, such as the values of a row of a sparse matrix,
// are loaded together.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_CLASSES_LANES_LANE_PLAN_H
#define SPECRT_SPECIALIZER_SPARSE_CLASSES_LANES_LANE_PLAN_H

#include "specializer/sparse/classes/class_script.h"
#include "specializer/sparse/classes/lanes/symbol_sum.h"
#include "llvm/ADT/DenseMap.h"

namespace specrt {

/// The rows of the lanes of a vector. OfRow, OfT and OfOrigins are differences between neighbouring
/// lanes.
struct LaneRelation {
  unsigned Lanes = 0;
  unsigned Rows = 0; ///< lanes beyond repeat the last row, and store nothing
  enum class Kind : uint8_t {
    Related,     ///< the differences between lanes are known
    OwnSegments, ///< each lane has its own segment; ties of the class relate them
    OwnRows      ///< each lane has its own row, described by a pattern (specrt/rows.h)
  };
  Kind Is = Kind::Related;
  int64_t OfRow = 0; ///< of the segment's first row
  int64_t OfT = 0;   ///< of the number in the segment
  llvm::SmallVector<int64_t> OfOrigins = {};

  /// Consecutive rows of a segment.
  static LaneRelation neighbours(unsigned Lanes, const specrt_row_class &Class);
  /// \p Rows rows of a block.
  static LaneRelation ofBlock(unsigned Rows, const specrt_row_class &Class);
  static LaneRelation ownSegments(unsigned Lanes) {
    return {.Lanes = Lanes, .Rows = Lanes, .Is = Kind::OwnSegments};
  }

  static LaneRelation ofGroup(unsigned Lanes) {
    return {.Lanes = Lanes, .Rows = Lanes, .Is = Kind::OwnRows};
  }

  unsigned rowOf(unsigned Lane) const { return Lane < Rows ? Lane : Rows - 1; }
};

/// A symbol of the linear functions. Narrow integers are sign-extended.
struct LaneSymbol {
  enum class Kind : uint8_t {
    T,       ///< the number in the segment
    Row,     ///< the segment's first row, or the lane's own row
    Origin,  ///< origin of entry Number of the trace
    Offset,  ///< offset of entry Number from Row, or from the pattern
    Counter, ///< counter Number of the loop, which may wrap
    Input,   ///< V, from outside; a pointer stands for its address
    Step     ///< the result of step Number
  };
  Kind Is;
  /// Difference from lane to lane; nothing: unrelated.
  std::optional<int64_t> Apart;
  unsigned Number = 0;
  const llvm::Value *V = nullptr;
  bool IsUsed = false; ///< used by code, not only to choose code
};

/// How a step is executed for the lanes.
struct LaneStep {
  enum class Kind : uint8_t {
    Integer,  ///< Form is its value, which determines addresses
    Symbol,   ///< the same, but executed: once where Apart is 0, otherwise by each lane
    Data,     ///< executed in vectors, or once if all operands are equal in all lanes
    Once,     ///< loads one value for all lanes from Form
    Together, ///< accesses adjacent elements in the order of the lanes; the first is at Form
    Reversed, ///< the same in reverse order
    Each,     ///< each lane accesses its own element at Form
    Group,    ///< Each, in a group with others of its row
    Kept,     ///< loads what step Place stored in the previous row
    Nothing   ///< no code, or as ClassScript says
  };
  Kind Is = Kind::Nothing;
  SymbolSum Form = {};
  std::optional<int64_t> Apart = {}; ///< difference of Form or the symbol from lane to lane
  unsigned Group = 0, Place = 0;     ///< number of the group, and position in it
};

class LanePlan {
public:
  /// Returns nothing if lanes cannot execute the steps.
  static std::optional<LanePlan> make(const RowLoop &Rows, const specrt_row_class &Class,
                                      const ClassScript &Script, const LaneRelation &Lanes);

  const LaneRelation &lanes() const { return Lanes; }
  llvm::ArrayRef<LaneSymbol> symbols() const { return Symbols; }
  /// By number of the step.
  llvm::ArrayRef<LaneStep> steps() const { return Steps; }
  /// Number of members of each group.
  llvm::ArrayRef<unsigned> groups() const { return Groups; }
  const SymbolSum &row() const { return Row; } ///< number of the row
  /// The loop's counters and carried values, in this order.
  llvm::ArrayRef<SymbolSum> header() const { return Header; }
  /// Returns whether the code needs entry \p Number of the trace in each lane.
  bool needs(unsigned Number) const {
    return llvm::any_of(Symbols, [&](const LaneSymbol &S) {
      return S.Is == LaneSymbol::Kind::Origin && S.Number == Number && S.IsUsed;
    });
  }
  /// Returns the difference of \p Form from lane to lane, if it is a constant.
  std::optional<int64_t> apart(const SymbolSum &Form) const;

private:
  friend class LanePlanner;
  LaneRelation Lanes;
  std::vector<LaneSymbol> Symbols;
  SymbolSum Row;
  std::vector<SymbolSum> Header;
  std::vector<LaneStep> Steps;
  llvm::SmallVector<unsigned> Groups;
};

/// Returns the size in bytes of the widest elements that a row computes with; 0 if vectors cannot
/// have them.
unsigned widestElement(const ClassScript &Script);

} // namespace specrt

#endif
