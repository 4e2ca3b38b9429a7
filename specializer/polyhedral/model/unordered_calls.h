//===- specializer/polyhedral/model/unordered_calls.h - calls that may be reordered -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call such as exp computes a value and may set errno. If errno is not read before the end, such
// calls may run in any order, but each must run. LLVM cannot express that: a call that accesses no
// memory may be removed or sunk. So these calls keep their effects while LLVM's passes see them,
// and are pure only for the model, which executes all instances of its statements.
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

/// Marks \p Call, whose only effect is to set errno, as reorderable with all other effects of its
/// function.
void markUnordered(llvm::CallInst &Call);

/// Returns whether \p I is a call that markUnordered() has marked.
bool isUnordered(const llvm::Instruction &I);

/// Marks \p Call, whose only effect is to set errno, to one of several values. Threads may execute
/// such calls if each of them takes consecutive iterations, because then the last of the calls in
/// the order of the source is known (runtime/parallel/left_errno.h). Nothing else is reordered.
void markErrnoOnly(llvm::CallInst &Call);

/// Returns whether \p I is a call that markErrnoOnly() has marked.
bool isErrnoOnly(const llvm::Instruction &I);

/// While it lives, the marked calls of a function access no memory, except for those without uses.
/// Destruction restores their effects, also those of copies made of them.
class UnorderedCalls {
public:
  explicit UnorderedCalls(llvm::Function &F);
  ~UnorderedCalls();
  UnorderedCalls(const UnorderedCalls &) = delete;
  UnorderedCalls &operator=(const UnorderedCalls &) = delete;

private:
  llvm::Module &M;
};

/// Returns whether each marked call within \p S belongs to a statement after the model was
/// simplified.
bool keepsUnorderedCalls(const polly::Scop &S);

} // namespace specrt

#endif
