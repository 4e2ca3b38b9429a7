//===- tests/jit/faults/injected_faults_test.cpp - wrong candidates are refused ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One operation, one bound or one offset of a kernel is changed in its bitcode, as a mistake of the
// compiler would change it. All candidates that are compiled from that are replayed on a call of
// the right kernel, and all that compute something else must be refused. Those of the right bitcode
// must not be.
//
//===----------------------------------------------------------------------===//
#include "profiler/store/store_file.h"
#include "runtime/capture/capture.h"
#include "runtime/executor/replay.h"
#include "tests/jit/shared_compiler.h"
#include "tests/specializer/test_region.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <array>
#include <cstring>
#include <functional>
#include <string_view>
#include <sys/mman.h>

extern "C" {
void gemm(int64_t N, int64_t M, int64_t K, double *C, const double *A, const double *B);
void jacobi(int64_t N, int64_t Steps, double *A, double *B);
void weights(int64_t N, int Kind, const double *X, double *Y);
}

using namespace specrt;
using Outcome = ReplayResult::Outcome;

namespace {

/// Numbers that stay apart, with room beside them for what is one too far.
class Array {
public:
  static constexpr size_t Room = 600; // more than the two rows by which an offset may be changed

  explicit Array(size_t Count) : Count(Count), Values(Count + 2 * Room) { reset(); }
  void reset() {
    for (size_t I = 0; I < Values.size(); ++I)
      Values[I] = 1.0 + static_cast<double>(I * I % 1009) / 17;
  }
  double *data() { return Values.data() + Room; }
  bool operator==(const Array &Other) const {
    return std::memcmp(Values.data(), Other.Values.data(), Values.size() * sizeof(double)) == 0;
  }
  size_t bytes() const { return Count * sizeof(double); }

private:
  size_t Count;
  std::vector<double> Values;
};

/// A call of a kernel of tests/specializer/kernels.c.
struct Kernel {
  const char *Name;
  std::vector<uint64_t> Numbers;              ///< the integer arguments, which come first
  std::vector<size_t> Sizes;                  ///< of the arrays behind them
  std::vector<bool> Written;                  ///< which of those the kernel may write
  std::function<void(void *, double **)> Run; ///< calls a body
};

using GemmFn = void(int64_t, int64_t, int64_t, double *, const double *, const double *);
using JacobiFn = void(int64_t, int64_t, double *, double *);
using WeightsFn = void(int64_t, int, const double *, double *);

std::vector<Kernel> kernels() {
  return {
      {"gemm",
       {20, 24, 28},
       {20 * 24, 20 * 28, 28 * 24},
       {true, false, false},
       [](void *F, double **P) { reinterpret_cast<GemmFn *>(F)(20, 24, 28, P[0], P[1], P[2]); }},
      {"jacobi",
       {24, 6},
       {24 * 24, 24 * 24},
       {true, true},
       [](void *F, double **P) { reinterpret_cast<JacobiFn *>(F)(24, 6, P[0], P[1]); }},
      {"weights", {500, 1}, {500, 500}, {false, true}, [](void *F, double **P) {
         reinterpret_cast<WeightsFn *>(F)(500, 1, P[0], P[1]);
       }}};
}

void *originalOf(const Kernel &K) {
  const std::string_view Name = K.Name;
  return Name == "gemm"     ? reinterpret_cast<void *>(&gemm)
         : Name == "jacobi" ? reinterpret_cast<void *>(&jacobi)
                            : reinterpret_cast<void *>(&weights);
}

/// The arguments of one call.
struct Call {
  explicit Call(const Kernel &K) : K(K) {
    for (const size_t Size : K.Sizes)
      Arrays.emplace_back(Size);
    Packed = K.Numbers;
    for (Array &A : Arrays) {
      Pointers.push_back(A.data());
      Packed.push_back(reinterpret_cast<uint64_t>(A.data()));
    }
  }
  void run(void *Body) { K.Run(Body, Pointers.data()); }
  void reset() {
    for (Array &A : Arrays)
      A.reset();
  }

  const Kernel &K;
  std::vector<Array> Arrays;
  std::vector<double *> Pointers;
  std::vector<uint64_t> Packed;
};

std::unique_ptr<llvm::Module> kernelModule(llvm::LLVMContext &Context) {
  auto Buffer =
      llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(SPECRT_TEST_KERNELS)));
  return llvm::cantFail(llvm::parseBitcodeFile(*Buffer, Context));
}

constexpr unsigned NumWays = 3;

/// Changes one operation, bound or offset. Returns false where I cannot be changed in this way.
bool breakInstruction(llvm::Instruction &I, unsigned Way) {
  using Op = llvm::Instruction;
  llvm::IRBuilder<> Before(&I);
  if (auto *Operation = llvm::dyn_cast<llvm::BinaryOperator>(&I)) {
    const bool IsSum = Operation->getOpcode() == Op::FAdd;
    if (!IsSum && Operation->getOpcode() != Op::FMul)
      return false;
    const Op::BinaryOps Others[NumWays] = {Op::FSub, IsSum ? Op::FMul : Op::FAdd, Op::FDiv};
    llvm::Value *New =
        Before.CreateBinOp(Others[Way], Operation->getOperand(0), Operation->getOperand(1));
    I.replaceAllUsesWith(New);
    return true;
  }
  if (auto *Address = llvm::dyn_cast<llvm::GetElementPtrInst>(&I)) {
    llvm::Use &Index = *(Address->op_end() - 1);
    constexpr int64_t Steps[NumWays] = {1, -1, 2};
    Index.set(Before.CreateAdd(
        Index, llvm::ConstantInt::get(Index->getType(), static_cast<uint64_t>(Steps[Way]), true)));
    return true;
  }
  if (auto *Comparison = llvm::dyn_cast<llvm::ICmpInst>(&I)) {
    // Loops that end early.
    if (!Comparison->isEquality() || Comparison->getOperand(1)->getType()->isPointerTy())
      return false;
    llvm::Value *Bound = Comparison->getOperand(1);
    Comparison->setOperand(
        1, Before.CreateSub(Bound, llvm::ConstantInt::get(Bound->getType(), 1 + Way)));
    return true;
  }
  return false;
}

class FaultsTest : public testing::Test {
protected:
  FaultsTest() {
    char Name[] = "/tmp/specrt-faultsXXXXXX";
    Path = mkdtemp(Name);
  }
  ~FaultsTest() override {
    unlink((Path + "/kernels.bc").c_str());
    rmdir(Path.c_str());
  }

  /// The kernel with its Index-th instruction broken; null where it cannot be, and Done when there
  /// are no more.
  std::unique_ptr<TestRegion> broken(const Kernel &K, unsigned Index, unsigned Way,
                                     bool &Done) const {
    llvm::LLVMContext Context;
    const std::unique_ptr<llvm::Module> M = kernelModule(Context);
    auto Next = llvm::inst_begin(M->getFunction(K.Name)),
         End = llvm::inst_end(M->getFunction(K.Name));
    for (unsigned I = 0; I < Index && Next != End; ++I)
      ++Next;
    Done = Next == End;
    if (Done || !breakInstruction(*Next, Way))
      return nullptr;
    const std::string File = Path + "/kernels.bc";
    std::error_code Error;
    llvm::raw_fd_ostream Out(File, Error);
    llvm::WriteBitcodeToFile(*M, Out);
    Out.close();
    return TestRegion::fromBitcode(File, K.Name);
  }

  /// Compiles the region for the call and replays all of its candidates on Kept. Each[Name] says
  /// whether the candidate gives the right result here.
  std::vector<ReplayResult> replayAll(TestRegion &R, Call &Of, const Descriptor &Kept,
                                      const Call &Expected, std::map<std::string, bool> &Each) {
    for (unsigned I = 0; I < Of.K.Numbers.size(); ++I)
      R.constant(I, Of.K.Numbers[I]);
    const specrt_jit_result *Result = sharedCompiler().compile(R.request());
    EXPECT_EQ(Result->error, nullptr) << Result->error;
    ReplayRequest Asked;
    Asked.Region = RegionMessage(R.region());
    Asked.MaxMs = 60'000;
    for (uint32_t I = 0; I < Result->num_candidates; ++I) {
      const specrt_jit_candidate &C = Result->candidates[I];
      const Descriptor File(memfd_create("object", MFD_CLOEXEC));
      const specrt_jit_link Link{&R.region(), &C, 1, 0, "key", File.get()};
      const char *Problem = sharedCompiler().link(Link);
      EXPECT_EQ(Problem, nullptr) << Problem;
      StoredObject &Object = Asked.Objects.emplace_back();
      Object.Name = C.name;
      Object.Key = "key";
      std::string Why;
      EXPECT_TRUE(readAll(File, Object.Bytes, Why)) << Why;
      Of.reset();
      Of.run(C.body);
      Each[C.name] = Of.Arrays == Expected.Arrays;
      sharedCompiler().release(C.handle);
    }
    delete CompileResult::from(Result);
    std::string Why;
    std::vector<ReplayResult> Found = replay(Asked, Kept.get(), Why);
    EXPECT_EQ(Why, "");
    return Found;
  }

  std::string Path;
};

/// Captures a call of the right kernel, which Of makes.
Descriptor capture(const Kernel &K, TestRegion &Right, Call &Of) {
  std::vector<specrt_access> Accesses;
  for (size_t I = 0; I < K.Sizes.size(); ++I) {
    specrt_access A{};
    A.range.base = {SPECRT_BASE_ARGUMENT, static_cast<uint16_t>(K.Numbers.size() + I), 0};
    A.range.end.num_terms = 1;
    A.range.end.terms[0].coefficient = static_cast<int64_t>(Of.Arrays[I].bytes());
    A.flags = SPECRT_ACCESS_READ | (K.Written[I] ? SPECRT_ACCESS_WRITE : 0);
    A.element_size = sizeof(double);
    Accesses.push_back(A);
  }
  specrt_region Region = Right.region();
  Region.accesses = Accesses.data();
  Region.num_accesses = static_cast<uint32_t>(Accesses.size());
  constexpr double LongNs = 1e12; // allows any capture here
  CaptureRefusal Why{};
  Capture *const Kept = beginCapture(&K, Region, Of.Packed.data(), LongNs, Why);
  EXPECT_NE(Kept, nullptr) << "the call " << words(Why);
  if (!Kept)
    return Descriptor();
  Of.run(originalOf(K));
  EXPECT_TRUE(endCapture(*Kept, 1'000'000));
  return Descriptor(takeCapture(&K));
}

} // namespace

TEST_F(FaultsTest, AllAreRefusedAndNothingElse) {
  constexpr unsigned Enough = 200;
  unsigned Faults = 0, Kernels = 0;
  for (const Kernel &K : kernels()) {
    SCOPED_TRACE(K.Name);
    const auto Right = TestRegion::fromKernel(K.Name);
    Call Expected(K), Of(K);
    const Descriptor Kept = capture(K, *Right, Of);
    ASSERT_TRUE(Kept);
    Expected.run(originalOf(K));
    std::map<std::string, bool> Each;
    for (const ReplayResult &Result : replayAll(*Right, Of, Kept, Expected, Each)) {
      EXPECT_TRUE(Each[Result.Name]) << Result.Name;
      EXPECT_EQ(Result.Is, Outcome::Same) << Result.Name << " " << Result.Why;
    }
    EXPECT_GE(Each.size(), 2U);
    bool Done = false;
    for (unsigned Change = 0; !Done; ++Change) {
      SCOPED_TRACE(Change);
      const std::unique_ptr<TestRegion> Wrong = broken(K, Change / NumWays, Change % NumWays, Done);
      if (!Wrong)
        continue;
      std::map<std::string, bool> Here;
      for (const ReplayResult &Result : replayAll(*Wrong, Of, Kept, Expected, Here)) {
        // The change may make no difference, as in a test for loops that are never entered.
        if (Here[Result.Name])
          continue;
        ++Faults;
        EXPECT_TRUE(Result.Is == Outcome::Differs || Result.Is == Outcome::Faulted)
            << Result.Name << " " << Result.Why;
      }
    }
    ++Kernels;
  }
  EXPECT_EQ(Kernels, 3U);
  EXPECT_GE(Faults, Enough);
  std::printf("%u faults were refused\n", Faults);
}

int main(int Argc, char **Argv) {
  if (Argc == 4 && std::string_view(Argv[2]) == "replay") // built without exceptions, as LLVM is
    return runExecutor();
  testing::InitGoogleTest(&Argc, Argv);
  return RUN_ALL_TESTS();
}
