//===- runtime/api/structure.cpp - implements structure.h -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specrt/structure.h"
#include "runtime/base/export.h"
#include "runtime/decide/registry.h"
#include "runtime/protocol/structure_message.h"
#include "support/attempt.h"
#include "support/nullable_text.h"

#include <memory>
#include <new>
#include <string>
#include <vector>

namespace specrt {
namespace {

/// A specrt_structures with everything it points to.
struct Structures : specrt_structures {
  Structures() : specrt_structures{} {}
  Structures(const Structures &) = delete;
  Structures &operator=(const Structures &) = delete;

  PropagateAnswer Told;
  std::vector<specrt_array_structure> Arrays;
  std::vector<specrt_parameter> Parameters;
};

/// The result when there is no memory for another one. It is never freed.
constexpr specrt_structures NoMemory = [] {
  specrt_structures Result{};
  Result.error = NoMemoryText;
  return Result;
}();

PropagateRequest messageOf(const specrt_structure_request &R) {
  PropagateRequest Message;
  Message.Bitcode.assign(static_cast<const char *>(R.bitcode), R.bitcode ? R.bitcode_size : 0);
  Message.Region = orEmpty(R.region);
  Message.Nest = R.nest;
  Message.BudgetMs = R.budget_ms ? R.budget_ms : SPECRT_STRUCTURE_BUDGET_MS;
  Message.Values = messagesOf(std::span(R.values, R.num_values));
  Message.Inputs = messagesOf(std::span(R.inputs, R.num_inputs));
  return Message;
}

const specrt_structures *propagate(const specrt_structure_request &Request) {
  Config Settings;
  {
    Registry &R = Registry::get();
    RegistryLock Guard(R);
    Settings = R.Settings;
  }
  auto Result = std::make_unique<Structures>();
  // The request has its own connection, because the worker's may be in use.
  CompilerClient Client;
  auto Reply = Client.propagate(Registry::serverFor(Settings), messageOf(Request));
  if (Reply.Answer)
    Result->Told = std::move(*Reply.Answer);
  if (auto Arrays = plain(Result->Told.Arrays))
    Result->Arrays = std::move(*Arrays);
  Result->Parameters = plain(Result->Told.Parameters);
  if (Reply.Failure) {
    Result->Told.HasFailed = true;
    Result->Told.Error = Reply.Failure->Text;
  }
  Result->error = Result->Told.HasFailed ? Result->Told.Error.c_str() : nullptr;
  Result->arrays = Result->Arrays.data();
  Result->num_arrays = static_cast<uint32_t>(Result->Arrays.size());
  Result->parameters = Result->Parameters.data();
  Result->num_parameters = static_cast<uint32_t>(Result->Parameters.size());
  Result->equations = Result->Told.Equations.c_str();
  return Result.release();
}

} // namespace
} // namespace specrt

using namespace specrt;

SPECRT_EXPORT const specrt_structures *specrt_propagate(const specrt_structure_request *Request) {
  try {
    return propagate(*Request);
  } catch (...) {
    return &NoMemory;
  }
}

SPECRT_EXPORT void specrt_free_structures(const specrt_structures *Found) {
  if (Found && Found != &NoMemory)
    delete static_cast<const Structures *>(Found);
}
