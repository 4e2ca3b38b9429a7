//===- guards/guard_list.cpp - sequences of guards ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/guard_list.h"
#include "guards/terms.h"

#include <algorithm>
#include <cstring>

namespace specrt {

specrt_term normalised(const specrt_term &Term) {
  specrt_term Copy;
  std::memset(&Copy, 0, sizeof(Copy));
  Copy.coefficient = Term.coefficient;
  Copy.num_factors = Term.num_factors;
  std::copy_n(Term.factors, std::min<uint32_t>(Term.num_factors, SPECRT_MAX_FACTORS), Copy.factors);
  return Copy;
}

bool operator==(const GuardView &A, const GuardView &B) {
  return A.Guards.bytes == B.Guards.bytes &&
         (A.empty() || std::memcmp(A.Guards.first, B.Guards.first, A.Guards.bytes) == 0);
}

GuardList::GuardList(GuardView Guards) : Words(Guards.plain().bytes / sizeof(uint64_t)) {
  if (!Words.empty())
    std::memcpy(Words.data(), Guards.plain().first, Guards.plain().bytes);
}

void GuardList::append(const specrt_guard &Guard) {
  const size_t Begin = Words.size();
  Words.resize(Begin + Guard.bytes / sizeof(uint64_t));
  std::memcpy(Words.data() + Begin, &Guard, Guard.bytes);
}

void GuardList::append(uint32_t Kind, const void *Fixed, uint32_t Bytes,
                       std::initializer_list<PolynomialView> Polynomials,
                       std::span<const uint64_t> More) {
  static_assert(sizeof(specrt_term) % sizeof(uint64_t) == 0);
  specrt_guard Head{Kind, Bytes + static_cast<uint32_t>(More.size_bytes())};
  for (const PolynomialView &P : Polynomials)
    Head.bytes += static_cast<uint32_t>(P.stored() * sizeof(specrt_term));
  const size_t Begin = Words.size();
  Words.resize(Begin + Head.bytes / sizeof(uint64_t));
  char *Out = reinterpret_cast<char *>(Words.data() + Begin);
  std::memcpy(Out, Fixed, Bytes);
  std::memcpy(Out, &Head, sizeof(Head));
  Out += Bytes;
  for (const PolynomialView &P : Polynomials)
    for (uint32_t T = 0; T < P.stored(); ++T, Out += sizeof(specrt_term)) {
      specrt_term Term = normalised(P.Terms[T]);
      std::memcpy(Out, &Term, sizeof(Term));
    }
  if (!More.empty())
    std::memcpy(Out, More.data(), More.size_bytes());
}

} // namespace specrt
