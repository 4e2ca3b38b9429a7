//===- specrt/wrap.hpp - wrapped functions with their C++ types -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the signature from the function's type, and keeps the callable as long as the object:
//
//   specrt::Wrapped<double(const double *, const double *, long)> Dot(dot, "dot", Bitcode);
//   double Sum = Dot(A, B, N);
//
// The name is the linker's, mangled for C++ functions. A struct that is passed by value needs a
// description of its members:
//
//   template <> struct specrt::SignatureText<Point> {
//     static std::string text() { return "{f64, f64}"; }
//   };
//
// Header-only. As thread-safe as wrap.h.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_WRAP_HPP
#define SPECRT_WRAP_HPP

#include "specrt/wrap.h"
#include <chrono>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace specrt {

/// text() returns the name of T in a signature. Programs specialise this for structs.
template <typename T> struct SignatureText {
  static std::string text() {
    if constexpr (std::is_void_v<T>)
      return "void";
    else if constexpr (std::is_pointer_v<T> || std::is_reference_v<T>)
      return "ptr";
    else if constexpr (std::is_same_v<T, bool>)
      return "bool";
    else if constexpr (std::is_enum_v<T>)
      return SignatureText<std::underlying_type_t<T>>::text();
    else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
      return sizeof(T) == 4 ? "f32" : "f64";
    else {
      static_assert(std::is_integral_v<T> && sizeof(T) <= 8,
                    "describe this type by specialising specrt::SignatureText");
      return (std::is_signed_v<T> ? "i" : "u") + std::to_string(8 * sizeof(T));
    }
  }
};

/// Builds signatures, such as "f64 dot(ptr, ptr, i64)" from signatureOf<double(const double *,
/// const double *, long)>("dot").
template <typename F> struct FunctionSignature;
template <typename R, typename... A> struct FunctionSignature<R(A...)> {
  static std::string text(const std::string &Name) {
    std::string Arguments;
    ((Arguments += (Arguments.empty() ? "" : ", ") + SignatureText<std::remove_cv_t<A>>::text()),
     ...);
    return SignatureText<R>::text() + " " + Name + "(" + Arguments + ")";
  }
};
template <typename R, typename... A>
struct FunctionSignature<R(A...) noexcept> : FunctionSignature<R(A...)> {};
template <typename F> std::string signatureOf(const std::string &Name) {
  return FunctionSignature<F>::text(Name);
}

/// Owns the callable that specrt_wrap returned for one function; after an error, calls the function
/// itself. No thread may be running the callable when this object is destroyed.
template <typename F> class Wrapped {
public:
  /// The bitcode is needed during this call only.
  Wrapped(F *Function, const std::string &Name, std::string_view Bitcode) : Target(Function) {
    void *Callable = specrt_wrap(reinterpret_cast<void *>(Function), signatureOf<F>(Name).c_str(),
                                 Bitcode.data(), Bitcode.size());
    remember();
    if (!Callable)
      return;
    Target = reinterpret_cast<F *>(Callable);
    Owned = true;
  }
  ~Wrapped() {
    if (Owned)
      specrt_unwrap(reinterpret_cast<void *>(Target));
  }
  Wrapped(Wrapped &&Other) noexcept
      : Target(Other.Target), Owned(std::exchange(Other.Owned, false)), Code(Other.Code),
        Message(std::move(Other.Message)) {}
  Wrapped(const Wrapped &) = delete;
  Wrapped &operator=(const Wrapped &) = delete;

  template <typename... A> decltype(auto) operator()(A &&...Arguments) const {
    return Target(std::forward<A>(Arguments)...);
  }
  /// Returns the callable, which is valid as long as this object.
  F *get() const { return Target; }

  /// Lets the server read the bitcode now; see specrt_wrap_verify. Returns whether versions can be
  /// made.
  bool verify(std::chrono::milliseconds Timeout) {
    if (Owned) {
      specrt_wrap_verify(reinterpret_cast<void *>(Target), static_cast<uint32_t>(Timeout.count()));
      remember();
    }
    return Code == SPECRT_WRAP_OK;
  }

  /// Result of the last attempt: an enum specrt_wrap_code and one sentence, "" without an error.
  int code() const { return Code; }
  const std::string &error() const { return Message; }

private:
  void remember() {
    const char *Text = "";
    Code = specrt_wrap_error(&Text);
    Message = Text;
  }

  F *Target;
  bool Owned = false;
  int Code = SPECRT_WRAP_OK;
  std::string Message;
};

} // namespace specrt

#endif
