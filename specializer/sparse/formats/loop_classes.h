//===- specializer/sparse/formats/loop_classes.h - a row loop and its classes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_FORMATS_LOOP_CLASSES_H
#define SPECRT_SPECIALIZER_SPARSE_FORMATS_LOOP_CLASSES_H

#include "specializer/sparse/classes/class_script.h"
#include "support/row_control.h"
#include "llvm/ADT/STLExtras.h"

namespace specrt {

/// The input of formats. What it refers to must outlive it.
class LoopClasses {
public:
  LoopClasses(const RowLoop &Rows, const llvm::LoopInfo &LI,
              llvm::ArrayRef<specrt_row_class> Classes, unsigned VectorBytes)
      : Rows(Rows), LI(LI), Classes(Classes), VectorBytes(VectorBytes) {
    for (const specrt_row_class &Class : Classes)
      Scripts.push_back(scriptOf(Rows, LI, Class));
  }

  /// Returns the steps of a row of class number \p I; null if there is no code for its rows.
  const ClassScript *script(unsigned I) const { return Scripts[I] ? &*Scripts[I] : nullptr; }
  /// Returns the classes before class number \p I with the same trip counts and branches.
  auto alikeBefore(unsigned I) const {
    return llvm::make_filter_range(llvm::seq(I), [this, I](unsigned Other) {
      return haveSameControl(Classes[Other], Classes[I]);
    });
  }

  const RowLoop &Rows;
  const llvm::LoopInfo &LI;
  const llvm::ArrayRef<specrt_row_class> Classes;
  const unsigned VectorBytes; ///< the limit of vectors for rows in lanes

private:
  std::vector<std::optional<ClassScript>> Scripts; ///< by class
};

} // namespace specrt

#endif
