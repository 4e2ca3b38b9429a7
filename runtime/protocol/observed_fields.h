//===- runtime/protocol/observed_fields.h - fields of the profiler's data in messages ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PROTOCOL_OBSERVED_FIELDS_H
#define SPECRT_RUNTIME_PROTOCOL_OBSERVED_FIELDS_H

#include "profiler/feedback/nest.h"
#include "profiler/plans/assumptions.h"
#include "runtime/protocol/archive.h"

namespace specrt {

template <> inline constexpr bool IsPlain<NestLoop> = true;
template <> inline constexpr bool IsPlain<NestRow> = true;

template <class Archive> void fields(Archive &A, Sequence &S) { A(S.Access, S.Pieces); }
template <class Archive> void fields(Archive &A, RowTie &T) { A(T.FollowsRow, T.Beside, T.Apart); }
template <class Archive> void fields(Archive &A, RowClass &C) {
  A(C.Kinds, C.Control, C.Deltas, C.Ties, C.Step, C.MinRows, C.Rows);
}
template <class Archive> void fields(Archive &A, RowTraces &T) { A(T.Lengths, T.Kinds, T.Values); }
template <class Archive> void fields(Archive &A, RowsOfLoop &R) {
  A(R.Loop, R.Rows, R.Classes, R.Traces);
}
template <class Archive> void fields(Archive &A, Assumptions &Of) {
  A(Of.Facts, Of.Cells, Of.Overlaps, Of.Sequences, Of.Rows, Of.Zeros);
}

template <class Archive> void fields(Archive &A, NestAccess &N) {
  A(N.Line, N.Column, N.Width, N.IsWrite, N.Array, N.Loops, N.Strides, N.AffineShare, N.Pieces,
    N.Points);
}
template <class Archive> void fields(Archive &A, Distance &D) { A(D.Min, D.Max); }
template <class Archive> void fields(Archive &A, NestDependence &D) {
  A(D.What, D.Role, D.IsFloat, D.Name, D.FromLine, D.ToLine, D.Loops, D.Level, D.Distances);
}
template <class Archive> void fields(Archive &A, NestDomain &D) { A(D.Outer, D.Inner, D.Rows); }
template <class Archive> void fields(Archive &A, Nest &N) {
  A(N.From, N.Loops, N.Accesses, N.Dependences, N.Domain, N.Unknown, N.DependencePieces,
    N.ExactPieces, N.Omitted);
}

} // namespace specrt

#endif
