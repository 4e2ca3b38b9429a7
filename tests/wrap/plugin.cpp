//===- tests/wrap/plugin.cpp - libraries compiled by gcc and their bitcode ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/wrap/plugin.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace {
/// Before the first call of libspecrt, which reads its settings then: every version as early as
/// possible, and nothing from or for other runs.
const bool Configured = [] {
  constexpr int Keep = 0;
  setenv("SPECRT_COMPILE", "sync", Keep);
  setenv("SPECRT_HOT", "0", Keep);
  setenv("SPECRT_PROFILE", "off", Keep);
  return true;
}();
} // namespace

Plugin::Plugin(const std::string &Name) {
  std::string Base = std::string(WRAP_TEST_FOLDER) + "/";
  Handle = dlopen((Base + "lib" + Name + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(Handle, nullptr) << dlerror();
  std::ifstream File(Base + Name + ".bc", std::ios::binary);
  Bitcode.assign(std::istreambuf_iterator<char>(File), {});
  EXPECT_FALSE(Bitcode.empty());
}

void Plugin::close() {
  if (Handle)
    dlclose(Handle);
  Handle = nullptr;
}

void *Plugin::symbol(const std::string &Name) const { return dlsym(Handle, Name.c_str()); }

void *Plugin::wrap(const std::string &Name, const std::string &Signature) const {
  void *Function = symbol(Name);
  EXPECT_NE(Function, nullptr) << Name;
  void *Callable = specrt_wrap(Function, Signature.c_str(), Bitcode.data(), Bitcode.size());
  EXPECT_NE(Callable, nullptr) << wrapError();
  return Callable;
}

std::string wrapError() {
  const char *Message = nullptr;
  specrt_wrap_error(&Message);
  return Message;
}

int verify(void *Callable) { return specrt_wrap_verify(Callable, 60000); }

specrt_region_info regionNamed(const std::string &Name) {
  specrt_region_info Info{};
  EXPECT_EQ(specrt_find_region(Name.c_str(), &Info), 1) << Name;
  return Info;
}
