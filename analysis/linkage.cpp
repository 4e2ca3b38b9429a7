//===- analysis/linkage.cpp - visibility of definitions in a region's module -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/linkage.h"

using namespace llvm;

namespace specrt {

static void setLinkage(GlobalObject &G, GlobalValue::LinkageTypes Linkage) {
  G.setLinkage(Linkage);
  G.setVisibility(GlobalValue::DefaultVisibility);
  G.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  G.setDSOLocal(Linkage == GlobalValue::InternalLinkage);
  G.setSection("");
  G.setComdat(nullptr);
  G.setPartition("");
}

void makeLocal(GlobalObject &G) { setLinkage(G, GlobalValue::InternalLinkage); }

void makeExternal(GlobalObject &G) { setLinkage(G, GlobalValue::ExternalLinkage); }

} // namespace specrt
