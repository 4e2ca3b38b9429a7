//===- specializer/polyhedral/model/unordered_calls.h - calls that may change places ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call like that of exp computes a value and may set errno. Where nobody looks at errno before
// the end it does not matter in which order such calls run, only that each of them does. LLVM has
// no word for that: what touches no memory may be removed, or be executed where its result is
// needed only. So these calls keep their effects as long as LLVM's passes see them, and are pure
// for the model alone, which executes all instances of its statements.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_UNORDERED_CALLS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_UNORDERED_CALLS_H

namespace llvm {
class CallInst;
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace polly {
class Scop;
}

namespace specrt {

/// Says of \p Call, which sets errno and does nothing else, that it may change places with all
/// that its function does.
void markUnordered(llvm::CallInst &Call);

/// Returns whether \p I is a call that was marked.
bool isUnordered(const llvm::Instruction &I);

/// While it lives, the calls of a function that were marked touch no memory; those without a use
/// excepted. The copies that were made of them get their effects back, too.
class UnorderedCalls {
public:
  explicit UnorderedCalls(llvm::Function &F);
  ~UnorderedCalls();
  UnorderedCalls(const UnorderedCalls &) = delete;
  UnorderedCalls &operator=(const UnorderedCalls &) = delete;

private:
  llvm::Module &M;
};

/// Does each marked call within \p S belong to a statement, once what the model found superfluous
/// is gone?
bool keepsUnorderedCalls(const polly::Scop &S);

} // namespace specrt

#endif
