//===- tests/wrap/plugin.h - libraries compiled by gcc and their bitcode --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_WRAP_PLUGIN_H
#define SPECRT_TESTS_WRAP_PLUGIN_H

#include "specrt/specrt.h"
#include "specrt/wrap.h"
#include <optional>
#include <string>

/// lib<Name>.so, opened, and the text of <Name>.bc. Closed at the end.
class Plugin {
public:
  explicit Plugin(const std::string &Name);
  ~Plugin() { close(); }
  Plugin(const Plugin &) = delete;
  Plugin &operator=(const Plugin &) = delete;

  void close();
  /// Null when there is no such symbol.
  void *symbol(const std::string &Name) const;
  template <typename F> F *function(const std::string &Name) const {
    return reinterpret_cast<F *>(symbol(Name));
  }
  /// Fails the test when specrt_wrap refuses.
  void *wrap(const std::string &Name, const std::string &Signature) const;
  template <typename F> F *wrap(const std::string &Name, const std::string &Signature) const {
    return reinterpret_cast<F *>(wrap(Name, Signature));
  }

  std::string Bitcode;

private:
  void *Handle;
};

/// The sentence of this thread's last error.
std::string wrapError();

/// Reads the bitcode of a callable now.
int verify(void *Callable);
template <typename F> int verify(F *Callable) { return verify(reinterpret_cast<void *>(Callable)); }
template <typename F> int unwrap(F *Callable) {
  return specrt_unwrap(reinterpret_cast<void *>(Callable));
}

specrt_region_info regionNamed(const std::string &Name);

#endif
