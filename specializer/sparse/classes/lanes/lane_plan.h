//===- specializer/sparse/classes/lanes/lane_plan.h - how rows side by side access memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of one class execute the same steps, and their integers are linear functions of a few: what
// the trace began with, the number of the row. So how far the addresses of neighbouring lanes lie
// apart is known for most accesses while code is made: nothing, and a value serves all lanes; an
// element, and a vector is loaded; anything else, and each lane loads its own. Of the last, those
// that lie side by side within a row are loaded together: the values of a row of a sparse matrix.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_CLASSES_LANES_LANE_PLAN_H
#define SPECRT_SPECIALIZER_SPARSE_CLASSES_LANES_LANE_PLAN_H

#include "specializer/sparse/classes/class_script.h"
#include "specializer/sparse/classes/lanes/symbol_sum.h"
#include "llvm/ADT/DenseMap.h"

namespace specrt {

/// Which rows the lanes of a vector are. What is said of numbers is by how much they differ from
/// lane to lane.
struct LaneRelation {
  unsigned Lanes = 0;
  unsigned Rows = 0; ///< lanes beyond repeat the last one, and store nothing
  enum class Kind : uint8_t {
    Related,     ///< how far apart they are is known
    OwnSegments, ///< each lane has a segment of its own, as far as the ties of the class allow
    OwnRows      ///< each lane has a row of its own, told by a pattern (specrt/rows.h)
  };
  Kind Is = Kind::Related;
  int64_t OfRow = 0; ///< the segment's first row
  int64_t OfT = 0;   ///< the number in the segment
  llvm::SmallVector<int64_t> OfOrigins = {};

  /// Rows of a segment, one after the other.
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

/// What integers are sums of. Narrow ones are meant sign-extended.
struct LaneSymbol {
  enum class Kind : uint8_t {
    T,       ///< the number in the segment
    Row,     ///< the segment's first row, or the lane's own
    Origin,  ///< of entry Number of the trace
    Offset,  ///< of the same, from Row, or as the pattern says
    Counter, ///< counter Number of the loop, which may wrap
    Input,   ///< V, from outside; where it is a pointer, the place that it points to
    Step     ///< what step Number computes or loads
  };
  Kind Is;
  /// From lane to lane; nothing: the lanes have nothing in common.
  std::optional<int64_t> Apart;
  unsigned Number = 0;
  const llvm::Value *V = nullptr;
  bool IsUsed = false; ///< by code, and not only by what decides which code there is
};

/// What a step is for the lanes.
struct LaneStep {
  enum class Kind : uint8_t {
    Integer,  ///< Form is what it computes, which decides about addresses
    Symbol,   ///< likewise, but it is computed or loaded: once where Apart is 0, else by each lane
    Data,     ///< computed in vectors, or once where all operands are the same in all lanes
    Once,     ///< loads, from Form, what is the same in all lanes
    Together, ///< accesses neighbouring elements, in the order of the lanes; the first is at Form
    Reversed, ///< in the other order
    Each,     ///< each lane accesses its own element at Form
    Group,    ///< so, in a group with others of its row
    Kept,     ///< loads what the step Place has stored in the row before
    Nothing   ///< no code, or what ClassScript says
  };
  Kind Is = Kind::Nothing;
  SymbolSum Form = {};
  std::optional<int64_t> Apart = {}; ///< Form or the symbol, from lane to lane
  unsigned Group = 0, Place = 0;     ///< it is so many elements behind the group's first member
};

class LanePlan {
public:
  /// Nothing: the steps cannot be executed by lanes.
  static std::optional<LanePlan> make(const RowLoop &Rows, const specrt_row_class &Class,
                                      const ClassScript &Script, const LaneRelation &Lanes);

  const LaneRelation &lanes() const { return Lanes; }
  llvm::ArrayRef<LaneSymbol> symbols() const { return Symbols; }
  /// By number of the step.
  llvm::ArrayRef<LaneStep> steps() const { return Steps; }
  /// How many members each group has.
  llvm::ArrayRef<unsigned> groups() const { return Groups; }
  const SymbolSum &row() const { return Row; } ///< its number
  /// What counters and carried values of the loop are, in this order.
  llvm::ArrayRef<SymbolSum> header() const { return Header; }
  /// Does the code need what entry \p Number of the trace is in each lane?
  bool needs(unsigned Number) const {
    return llvm::any_of(Symbols, [&](const LaneSymbol &S) {
      return S.Is == LaneSymbol::Kind::Origin && S.Number == Number && S.IsUsed;
    });
  }
  /// What \p Form grows by from lane to lane, if that is a number.
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

/// How wide are the widest elements that a row computes with, in bytes? 0: nothing that vectors
/// have.
unsigned widestElement(const ClassScript &Script);

} // namespace specrt

#endif
