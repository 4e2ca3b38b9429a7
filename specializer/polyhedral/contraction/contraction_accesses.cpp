//===- specializer/polyhedral/contraction/contraction_accesses.cpp - their memory -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/contraction/contraction_accesses.h"
#include "polly/ScopInfo.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/schedule/access_steps.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Support/MathExtras.h"
#include "isl/aff.h"
#include "isl/space.h"
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

/// Limit in bytes, larger than any array, and so small that sums of a few rows and columns do not
/// overflow.
constexpr int64_t MaxDistance = int64_t{1} << 48;

/// Adds \p Factor * \p Bytes to \p Sum; returns false beyond the limit.
bool addDistance(int64_t &Sum, std::optional<int64_t> Factor, int64_t Bytes) {
  int64_t Distance;
  return Factor && !MulOverflow(*Factor, Bytes, Distance) && !AddOverflow(Sum, Distance, Sum) &&
         Sum >= -MaxDistance && Sum <= MaxDistance;
}

/// Adds \p Bytes * \p Index to \p Address.
bool addIndex(LinearAddress &Address, const isl::aff &Index, int64_t Bytes) {
  if (unsigned(isl_aff_dim(Index.get(), isl_dim_div)) != 0)
    return false;
  auto FactorOf = [&](isl_dim_type Type, int Position) {
    return integer(isl::manage(isl_aff_get_coefficient_val(Index.get(), Type, Position)));
  };
  isl::space Parameters = isl::manage(isl_aff_get_domain_space(Index.get())).params();
  for (int P = 0, E = isl_aff_dim(Index.get(), isl_dim_param); P < E; ++P) {
    int64_t Factor = 0;
    if (!addDistance(Factor, FactorOf(isl_dim_param, P), Bytes))
      return false;
    if (Factor != 0)
      Address.Parameters.push_back(
          {isl::manage(isl_space_get_dim_id(Parameters.get(), isl_dim_param, unsigned(P))),
           Factor});
  }
  for (unsigned D = 0; D < Address.PerDim.size(); ++D)
    if (!addDistance(Address.PerDim[D], FactorOf(isl_dim_in, int(D)), Bytes))
      return false;
  return addDistance(Address.Constant, integer(Index.constant_val()), Bytes);
}

std::optional<LinearAddress> linearAddress(polly::MemoryAccess &Access, unsigned NumDims) {
  const polly::ScopArrayInfo *Array = Access.getLatestScopArrayInfo();
  if (Array->getBasePtrOriginSAI() || !Access.isAffine())
    return std::nullopt;
  isl::multi_aff Function = affineFunction(Access);
  if (Function.is_null())
    return std::nullopt;
  LinearAddress Address;
  Address.Access = &Access;
  Address.PerDim.resize(NumDims);
  int64_t Bytes = Array->getElemSizeInBytes();
  for (unsigned D = Array->getNumberOfDimensions(); D-- > 0;) {
    if (!addIndex(Address, Function.at(int(D)), Bytes))
      return std::nullopt;
    if (D == 0)
      break;
    auto *Size = dyn_cast_or_null<SCEVConstant>(Array->getDimensionSize(D));
    if (!Size || Size->getAPInt().getActiveBits() > 31 ||
        MulOverflow(Bytes, Size->getAPInt().getSExtValue(), Bytes) || Bytes <= 0 ||
        Bytes > MaxDistance)
      return std::nullopt;
  }
  return Address;
}

/// The reads and writes of a statement, with the values in its instructions that they stand for.
class StatementModel {
public:
  explicit StatementModel(polly::ScopStmt &Stmt)
      : Stmt(Stmt), NumDims(unsignedFromIslSize(Stmt.getDomain().tuple_dim())) {}

  bool collect(Contraction &C) {
    for (polly::MemoryAccess *Access : Stmt)
      if (Access->isWrite() && !addWrite(*Access, C))
        return false;
    if (!C.Stored)
      return false;
    for (polly::MemoryAccess *Access : Stmt)
      if (Access->isRead() && !addRead(*Access, C))
        return false;
    return !C.Before.empty();
  }

private:
  bool addWrite(polly::MemoryAccess &Access, Contraction &C) {
    if (!Access.isMustWrite() || !Access.isLatestArrayKind())
      return false;
    Value *Stored = storedValue(Access);
    std::optional<LinearAddress> Address = linearAddress(Access, NumDims);
    if (!Stored || !Address)
      return false;
    if (C.Stored && C.Stored != Stored)
      return false;
    if (!C.Stored || isRead(Access)) {
      // The result is the place that the statement also reads.
      if (C.Stored && isRead(*C.Result.Access))
        return sameElement(Access, *C.Result.Access);
      if (C.Stored)
        C.Copies.push_back(std::move(C.Result));
      C.Stored = Stored;
      C.Result = std::move(*Address);
      C.Element = Access.getLatestScopArrayInfo()->getElementType();
      return Stored->getType() == C.Element;
    }
    if (sameElement(Access, *C.Result.Access))
      return true;
    C.Copies.push_back(std::move(*Address));
    return Access.getLatestScopArrayInfo()->getElementType() == C.Element;
  }

  bool isRead(const polly::MemoryAccess &Write) const {
    return any_of(Stmt, [&](polly::MemoryAccess *Access) {
      return Access->isRead() && Access->getLatestScopArrayInfo() == Write.getLatestScopArrayInfo();
    });
  }

  static bool sameElement(polly::MemoryAccess &A, polly::MemoryAccess &B) {
    return A.getLatestScopArrayInfo() == B.getLatestScopArrayInfo() &&
           A.getLatestAccessRelation().is_equal(B.getLatestAccessRelation()).is_true();
  }

  static Value *storedValue(polly::MemoryAccess &Access) {
    if (!Access.isOriginalAnyPHIKind())
      return Access.isOriginalArrayKind() ? Access.tryGetValueStored() : Access.getAccessValue();
    Value *Only = nullptr;
    for (const auto &[Block, Incoming] : Access.getIncoming()) {
      if (Only && Only != Incoming)
        return nullptr;
      Only = Incoming;
    }
    return Only;
  }

  bool addRead(polly::MemoryAccess &Access, Contraction &C) {
    if (!Access.isLatestArrayKind())
      // Generated code finds scalars from before the Scop, such as alpha, by itself.
      return Access.isOriginalValueKind() && isFromOutside(Access);
    Value *Name =
        Access.isOriginalArrayKind() ? Access.getAccessInstruction() : Access.getAccessValue();
    std::optional<LinearAddress> Address = linearAddress(Access, NumDims);
    if (!Name || !Address)
      return false;
    if (Name->getType() != Access.getLatestScopArrayInfo()->getElementType())
      return false;
    if (sameElement(Access, *C.Result.Access)) {
      C.Before.push_back(Name);
      return true;
    }
    C.Loads[Name] = std::move(*Address);
    return true;
  }

  static bool isFromOutside(const polly::MemoryAccess &Access) {
    auto *Definition = dyn_cast_or_null<Instruction>(Access.getAccessValue());
    return !Definition || !Access.getStatement()->getParent()->contains(Definition);
  }

  polly::ScopStmt &Stmt;
  unsigned NumDims;
};

} // namespace

bool collectAccesses(polly::ScopStmt &Stmt, Contraction &C) {
  return StatementModel(Stmt).collect(C);
}

} // namespace specrt
