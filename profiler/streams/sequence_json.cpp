//===- profiler/streams/sequence_json.cpp - sequences in stored files -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/streams/sequence_json.h"

#include "profiler/json/json_reader.h"
#include <nlohmann/json.hpp>

namespace specrt {

using nlohmann::json;

json toJson(const Sequence &S) {
  json Pieces = json::array();
  for (const specrt_sequence_piece &P : S.Pieces)
    Pieces.push_back({P.first, P.count, P.value, P.step});
  return {{"access", S.Access}, {"pieces", std::move(Pieces)}};
}

Sequence readSequence(JsonReader &In, const json &Json) {
  const uint64_t Access = In.count(Json, "access");
  const json &Pieces = In.array(Json, "pieces");
  Sequence S{.Access = static_cast<uint32_t>(Access)};
  if (!In.require(Access <= UINT32_MAX && !Pieces.empty() && Pieces.size() <= MaxSequencePieces))
    return S;
  int64_t End = 0;
  for (const json &Piece : Pieces) {
    if (!In.require(Piece.is_array() && Piece.size() == 4))
      break;
    const specrt_sequence_piece P = {.first = In.integer(Piece[0]),
                                     .count = In.integer(Piece[1]),
                                     .value = In.integer(Piece[2]),
                                     .step = In.integer(Piece[3])};
    if (!In.require(P.first == End && P.count > 0 && P.count <= INT64_MAX - End))
      break;
    End += P.count;
    S.Pieces.push_back(P);
  }
  return S;
}

} // namespace specrt
