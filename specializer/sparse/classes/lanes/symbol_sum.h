//===- specializer/sparse/classes/lanes/symbol_sum.h - linear functions of unknown integers -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_CLASSES_LANES_SYMBOL_SUM_H
#define SPECRT_SPECIALIZER_SPARSE_CLASSES_LANES_SYMBOL_SUM_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace specrt {

/// Constant + sum of Times * symbol, modulo 2^64.
class SymbolSum {
public:
  struct Term {
    unsigned Symbol;
    uint64_t Times; ///< not 0

    bool operator==(const Term &) const = default;
  };

  SymbolSum() = default;
  explicit SymbolSum(int64_t Constant) : Constant(static_cast<uint64_t>(Constant)) {}
  static SymbolSum symbol(unsigned Number) {
    SymbolSum Form;
    Form.Terms.push_back({Number, 1});
    return Form;
  }

  /// Adds \p Times * \p Other.
  void add(const SymbolSum &Other, uint64_t Times = 1) {
    Constant += Times * Other.Constant;
    for (const Term &T : Other.Terms)
      add(T.Symbol, Times * T.Times);
  }
  SymbolSum times(uint64_t Factor) const {
    SymbolSum Product;
    Product.add(*this, Factor);
    return Product;
  }

  llvm::ArrayRef<Term> terms() const { return Terms; }
  uint64_t constant() const { return Constant; }
  /// Returns the value if there are no symbols.
  std::optional<uint64_t> number() const {
    return Terms.empty() ? std::optional(Constant) : std::nullopt;
  }
  /// Returns *this - \p Other, if that is a constant.
  std::optional<int64_t> distanceFrom(const SymbolSum &Other) const {
    if (Terms != Other.Terms)
      return std::nullopt;
    return static_cast<int64_t>(Constant - Other.Constant);
  }

private:
  void add(unsigned Symbol, uint64_t Times) {
    auto At =
        llvm::lower_bound(Terms, Symbol, [](const Term &T, unsigned S) { return T.Symbol < S; });
    if (At == Terms.end() || At->Symbol != Symbol)
      At = Terms.insert(At, {Symbol, 0});
    At->Times += Times;
    if (At->Times == 0)
      Terms.erase(At);
  }

  llvm::SmallVector<Term, 4> Terms; ///< sorted by symbol
  uint64_t Constant = 0;
};

} // namespace specrt

#endif
