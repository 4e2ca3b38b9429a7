//===- runtime/wrap/wrap_code.cpp - the code of wrapped functions ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything below the handlers runs on the program's threads, perhaps in signal handlers: it does
// not allocate, take locks or throw. An exception of the function passes through.
//
//===----------------------------------------------------------------------===//
#include "runtime/wrap/wrap_code.h"
#include "runtime/base/clock.h"
#include "runtime/base/tuning.h"
#include "runtime/call/work_queue.h"
#include "support/ffi_kind.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <ffi.h>

namespace specrt {
namespace {

/// A piece of code that libffi makes; freed with the object.
class Closure {
public:
  using Handler = void (*)(ffi_cif *, void *Result, void **Arguments, void *Self);

  Closure() = default;
  ~Closure() {
    if (Memory)
      ffi_closure_free(Memory);
  }
  Closure(const Closure &) = delete;
  Closure &operator=(const Closure &) = delete;

  bool make(ffi_cif &Cif, Handler Handle, void *Self) {
    Memory = static_cast<ffi_closure *>(ffi_closure_alloc(sizeof(ffi_closure), &Address));
    return Memory && ffi_prep_closure_loc(Memory, &Cif, Handle, Self, Address) == FFI_OK;
  }
  void *code() const { return Address; }

private:
  ffi_closure *Memory = nullptr;
  void *Address = nullptr;
};

/// The types of one form and libffi's plan for calling it.
class CallForm {
public:
  bool prepare(ffi_type *Result, std::vector<ffi_type *> ArgumentTypes) {
    Types = std::move(ArgumentTypes);
    return ffi_prep_cif(&Cif, FFI_DEFAULT_ABI, static_cast<unsigned>(Types.size()), Result,
                        Types.data()) == FFI_OK;
  }
  void call(void *Target, void *Result, void **Arguments) const {
    ffi_call(&Cif, reinterpret_cast<void (*)()>(Target), Result, Arguments);
  }
  ffi_cif &cif() { return Cif; }

private:
  /// Set by prepare. ffi_call takes a pointer to non-const, but only reads.
  mutable ffi_cif Cif;
  std::vector<ffi_type *> Types;
};

/// The arguments of one call in the region's form, if that differs.
struct RegionArguments {
  uint64_t Values[MaxRegionArguments];
  void *Places[MaxRegionArguments];
};

class WrapCode {
public:
  explicit WrapCode(WrappedFunction &W) : W(W) {}
  bool make();

  void callable(void *Result, void **Arguments) const;
  void thunk(void *Result, void **Arguments) const;
  void original(void *Result, void **Arguments) const;

  void *callableCode() const { return Callable.code(); }

private:
  bool makeForms();
  ffi_type *typeOf(const CType &T);
  void **inRegionForm(void *Result, void **Arguments, RegionArguments &Memory) const;
  void pack(void *const *Arguments, uint64_t *Packed) const;
  void runFunction(void *Result, void **Arguments) const {
    CForm.call(W.Function, Result, Arguments);
  }
  void watch(void *Result, void **Arguments, void *const *RegionForm) const;
  template <typename F> void observe(void *const *Arguments, F Run) const;

  WrappedFunction &W;
  CallForm CForm, RegionForm;
  bool HasStructs = false;  ///< as arguments or result: the forms are called differently
  bool SameForm = true;     ///< arguments need no conversion
  std::vector<bool> IsWord; ///< region arguments of 8 bytes; the others have 4
  std::deque<ffi_type> StructTypes;
  std::deque<std::vector<ffi_type *>> StructMembers;
  Closure Callable, Thunk, Original;
  void *OriginalCode = nullptr;
};

ffi_type *WrapCode::typeOf(const CType &T) {
  if (ffi_type *const Scalar = ffiTypeOf(T.Abi.kind, T.Abi.is_signed))
    return Scalar;
  std::vector<ffi_type *> Members;
  Members.reserve(T.Members.size() + 1);
  for (const CType &Member : T.Members)
    Members.push_back(typeOf(Member));
  Members.push_back(nullptr);
  StructMembers.push_back(std::move(Members));
  StructTypes.push_back({0, 0, FFI_TYPE_STRUCT, StructMembers.back().data()});
  return &StructTypes.back();
}

bool WrapCode::makeForms() {
  std::vector<ffi_type *> CTypes, RegionTypes;
  for (const CType &T : W.Signature.Arguments) {
    CTypes.push_back(typeOf(T));
    RegionTypes.push_back(CTypes.back());
    if (T.isStruct())
      RegionTypes.back() = &ffi_type_pointer;
    else if (T.isNarrow())
      RegionTypes.back() = T.Abi.is_signed ? &ffi_type_sint32 : &ffi_type_uint32;
    HasStructs |= T.isStruct();
    SameForm &= !T.isStruct() && !T.isNarrow();
  }
  ffi_type *Result = typeOf(W.Signature.Result), *RegionResult = Result;
  if (W.Signature.Result.isStruct()) {
    RegionTypes.push_back(&ffi_type_pointer);
    RegionResult = &ffi_type_void;
    HasStructs = true;
    SameForm = false;
  }
  for (const ffi_type *T : RegionTypes)
    IsWord.push_back(T->size == sizeof(uint64_t));
  return CForm.prepare(Result, std::move(CTypes)) &&
         RegionForm.prepare(RegionResult, std::move(RegionTypes));
}

bool WrapCode::make() {
  auto OnCall = [](ffi_cif *, void *Result, void **Arguments, void *Self) {
    static_cast<const WrapCode *>(Self)->callable(Result, Arguments);
  };
  auto OnThunk = [](ffi_cif *, void *Result, void **Arguments, void *Self) {
    static_cast<const WrapCode *>(Self)->thunk(Result, Arguments);
  };
  auto OnOriginal = [](ffi_cif *, void *Result, void **Arguments, void *Self) {
    static_cast<const WrapCode *>(Self)->original(Result, Arguments);
  };
  if (!makeForms() || !Callable.make(CForm.cif(), OnCall, this) ||
      !Thunk.make(RegionForm.cif(), OnThunk, this))
    return false;
  OriginalCode = W.Function;
  if (HasStructs) {
    if (!Original.make(RegionForm.cif(), OnOriginal, this))
      return false;
    OriginalCode = Original.code();
  }
  W.Region.original = OriginalCode;
  W.Region.thunk = Thunk.code();
  return true;
}

/// Returns the arguments in the region's form.
void **WrapCode::inRegionForm(void *Result, void **Arguments, RegionArguments &Memory) const {
  if (SameForm)
    return Arguments;
  size_t I = 0;
  for (const CType &T : W.Signature.Arguments) {
    uint64_t &Value = Memory.Values[I];
    Memory.Places[I] = &Value;
    const void *From = Arguments[I];
    auto Read = [&]<typename V>(V Typed) {
      std::memcpy(&Typed, From, sizeof(Typed));
      Value = static_cast<uint64_t>(static_cast<int64_t>(Typed));
    };
    if (T.isStruct())
      Value = reinterpret_cast<uint64_t>(From);
    else if (!T.isNarrow())
      Memory.Places[I] = Arguments[I];
    else if (T.Abi.size == 1)
      T.Abi.is_signed ? Read(int8_t{}) : Read(uint8_t{});
    else
      T.Abi.is_signed ? Read(int16_t{}) : Read(uint16_t{});
    ++I;
  }
  Memory.Values[I] = reinterpret_cast<uint64_t>(Result);
  Memory.Places[I] = &Memory.Values[I];
  return Memory.Places;
}

/// Packs arguments as abi.h says: values narrower than 64 bits are zero-extended.
void WrapCode::pack(void *const *Arguments, uint64_t *Packed) const {
  for (size_t I = 0; I < IsWord.size(); ++I) {
    Packed[I] = 0;
    std::memcpy(&Packed[I], Arguments[I], IsWord[I] ? sizeof(uint64_t) : sizeof(uint32_t));
  }
}

/// Handles calls before the bitcode was read: counts and times them, and records the first ones.
void WrapCode::watch(void *Result, void **Arguments, void *const *RegionForm) const {
  RegionState *S = W.state();
  if (S)
    S->Calls.store(S->Calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  const Phase Now = S ? S->CurrentPhase.load(std::memory_order_relaxed) : Phase::Blocked;
  // A forked child inherits requests without a worker that serves them.
  if (Now == Phase::Compiling && !hasWorker())
    wakeWorker();
  if (Now != Phase::Cold)
    return runFunction(Result, Arguments);
  tuning().AnyRegionRan.store(true, std::memory_order_relaxed);
  uint64_t Packed[MaxRegionArguments];
  pack(RegionForm, Packed);
  uint64_t Begin = ticks();
  runFunction(Result, Arguments);
  uint64_t End = ticks();
  W.Early.add(Packed, W.Region.num_args, End > Begin ? End - Begin : 0);
  if (W.Early.totalTicks() < tuning().HotTicks.load(std::memory_order_relaxed))
    return;
  W.requestDescription(*S);
  W.waitForDescription(*S);
}

/// Does what the thunk of abi.h does around Run, which gets the code to run.
template <typename F> void WrapCode::observe(void *const *Arguments, F Run) const {
  uint64_t Packed[MaxRegionArguments];
  pack(Arguments, Packed);
  specrt_call Call;
  void *Target = specrt_enter(&W.Region, Packed, &Call);
  // The destructor runs also when an exception passes.
  struct Leaving {
    specrt_region *Region;
    specrt_call *Call;
    ~Leaving() { specrt_leave(Region, Call); }
  } Leave{&W.Region, &Call};
  Run(Target);
}

void WrapCode::callable(void *Result, void **Arguments) const {
  void *Target = __atomic_load_n(&W.Slot, __ATOMIC_ACQUIRE);
  if (Target == InPlace)
    return runFunction(Result, Arguments);
  RegionArguments Memory;
  void **Converted = inRegionForm(Result, Arguments, Memory);
  if (Target != Thunk.code())
    return RegionForm.call(Target, Result, Converted);
  if (!W.isDescribed())
    return watch(Result, Arguments, Converted);
  observe(Converted, [&](void *Chosen) {
    if (Chosen == OriginalCode)
      return runFunction(Result, Arguments);
    RegionForm.call(Chosen, Result, Converted);
  });
}

void WrapCode::thunk(void *Result, void **Arguments) const {
  observe(Arguments, [&](void *Chosen) { RegionForm.call(Chosen, Result, Arguments); });
}

/// Converts arguments from the region's form to the function's own. The low bytes of a widened
/// integer are the first.
void WrapCode::original(void *Result, void **Arguments) const {
  void *Places[SPECRT_WRAP_MAX_ARGUMENTS];
  size_t I = 0;
  for (const CType &T : W.Signature.Arguments) {
    Places[I] = Arguments[I];
    if (T.isStruct())
      std::memcpy(&Places[I], Arguments[I], sizeof(void *));
    ++I;
  }
  if (W.Signature.Result.isStruct())
    std::memcpy(&Result, Arguments[I], sizeof(void *));
  runFunction(Result, Places);
}

} // namespace

bool makeWrapCode(WrappedFunction &W) {
  auto Code = std::make_shared<WrapCode>(W);
  if (!Code->make())
    return false;
  W.Callable = Code->callableCode();
  W.Code = std::move(Code);
  return true;
}

} // namespace specrt
