//===- tests/polyhedral/dataflow/executed_program.cpp - runs programs with filters ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/polyhedral/dataflow/executed_program.h"
#include "isl/map.h"
#include "isl/point.h"
#include "isl/set.h"
#include "isl/val.h"
#include <algorithm>

namespace specrt {
namespace {

using Point = std::vector<long>;

std::vector<Point> pointsOf(const isl::set &Of) {
  std::vector<Point> All;
  isl_set_foreach_point(
      Of.get(),
      [](isl_point *At, void *To) {
        isl_set *Single = isl_set_from_point(At);
        Point New;
        for (int D = 0; D < isl_set_dim(Single, isl_dim_set); ++D) {
          isl_val *V = isl_set_plain_get_val_if_fixed(Single, isl_dim_set, unsigned(D));
          New.push_back(isl_val_get_num_si(V));
          isl_val_free(V);
        }
        isl_set_free(Single);
        static_cast<std::vector<Point> *>(To)->push_back(New);
        return isl_stat_ok;
      },
      &All);
  std::sort(All.begin(), All.end());
  return All;
}

isl::set imageOf(const isl::map &Relation, const Point &At) {
  isl_map *Fixed = Relation.copy();
  for (unsigned D = 0; D < At.size(); ++D)
    Fixed = isl_map_fix_si(Fixed, isl_dim_in, D, int(At[D]));
  return isl::manage(isl_map_range(Fixed));
}

std::string text(const std::string &Name, const Point &At) {
  std::string All = Name;
  for (const long X : At)
    All += " " + std::to_string(X);
  return All;
}

/// Compares the order of execution.
bool isEarlier(const std::vector<int> &PlaceA, const Point &A, const std::vector<int> &PlaceB,
               const Point &B) {
  for (size_t D = 0;; ++D) {
    if (PlaceA[D] != PlaceB[D])
      return PlaceA[D] < PlaceB[D];
    if (D == A.size() || D == B.size())
      return false;
    if (A[D] != B[D])
      return A[D] < B[D];
  }
}

} // namespace

ExecutedProgram::ExecutedProgram(const ConditionalProgram &Of, std::vector<ProgramRead> Reads)
    : Program(Of), Reads(std::move(Reads)) {
  const DataflowAnalysis Analysis(Of);
  for (const ProgramRead &Each : this->Reads)
    if (std::optional<DataflowOfRead> Flow = Analysis.of(Each.Statement, Each.Access))
      Flows.push_back(std::move(*Flow));
  if (Flows.size() == this->Reads.size())
    addInstances();
}

unsigned ExecutedProgram::elementAt(const std::string &Name) {
  const auto [At, IsNew] = ElementNumbers.insert({Name, unsigned(Memory.size())});
  if (IsNew) {
    const auto Of = Program.ValueBounds.find(Name.substr(0, Name.find(' ')));
    Bounds.push_back(Of == Program.ValueBounds.end() ? std::pair<int64_t, int64_t>{0, 1}
                                                     : Of->second);
    Memory.emplace_back();
  }
  return At->second;
}

void ExecutedProgram::addInstances() {
  for (unsigned S = 0; S < Program.Statements.size(); ++S)
    for (const Point &At : pointsOf(Program.Statements[S].Domain)) {
      Instance &New = Instances.emplace_back();
      New.Statement = S;
      New.At = At;
    }
  std::stable_sort(Instances.begin(), Instances.end(), [&](const Instance &A, const Instance &B) {
    return isEarlier(Program.Statements[A.Statement].Position, A.At,
                     Program.Statements[B.Statement].Position, B.At);
  });
  std::map<std::pair<unsigned, Point>, unsigned> Numbers;
  for (unsigned I = 0; I < Instances.size(); ++I)
    Numbers[{Instances[I].Statement, Instances[I].At}] = I;
  for (Instance &I : Instances) {
    const ConditionalStatement &S = Program.Statements[I.Statement];
    const auto ElementsOf = [&](const isl::map &Access) {
      std::vector<unsigned> All;
      for (const Point &At : pointsOf(imageOf(Access, I.At)))
        All.push_back(elementAt(text(Access.range_tuple_id().name(), At)));
      return All;
    };
    if (!S.Filter.Accesses.empty()) {
      std::vector<std::vector<unsigned>> Components;
      for (const isl::map &Access : S.Filter.Accesses)
        Components.push_back(ElementsOf(Access));
      I.Tuples.push_back(Components);
      isl::set Values = imageOf(S.Filter.Values, I.At);
      for (unsigned D = 0; D < S.Filter.Accesses.size(); ++D) {
        const auto Of = Bounds[Components[D].front()];
        isl_set *Low = isl_set_lower_bound_si(Values.release(), isl_dim_set, D, int(Of.first));
        Values = isl::manage(isl_set_upper_bound_si(Low, isl_dim_set, D, int(Of.second)));
      }
      for (const Point &Each : pointsOf(Values))
        I.Permitted.emplace_back(Each.begin(), Each.end());
    }
    for (unsigned W = 0; W < S.Writes.size(); ++W)
      for (const unsigned Where : ElementsOf(S.Writes[W]))
        I.Writes.emplace_back(W, Where);
    for (unsigned R = 0; R < Reads.size(); ++R) {
      if (Reads[R].Statement != I.Statement)
        continue;
      for (const unsigned Where : ElementsOf(Reads[R].Access))
        I.Reads.emplace_back(R, Where);
      for (unsigned P = 0; P < Flows[R].Parameters.size(); ++P) {
        const SourceParameters &Of = Flows[R].Parameters[P];
        std::vector<unsigned> &All = I.Candidates[{R, P}];
        for (const Point &At : pointsOf(imageOf(Of.Candidates, I.At)))
          All.push_back(Numbers.at({Of.Statement, At}));
        std::sort(All.begin(), All.end());
      }
    }
  }
}

bool ExecutedProgram::isExecuted(const Instance &I) const {
  if (I.Tuples.empty())
    return true;
  const std::vector<std::vector<unsigned>> &Components = I.Tuples.front();
  std::vector<size_t> Chosen(Components.size());
  for (;;) {
    std::vector<int64_t> Values;
    for (size_t D = 0; D < Components.size(); ++D)
      Values.push_back(Memory[Components[D][Chosen[D]]].Value);
    if (!std::binary_search(I.Permitted.begin(), I.Permitted.end(), Values))
      return false;
    size_t D = 0;
    while (D < Components.size() && ++Chosen[D] == Components[D].size())
      Chosen[D++] = 0;
    if (D == Components.size())
      return true;
  }
}

/// Returns all writers that the dataflow names for these values of the parameters.
std::string ExecutedProgram::expected(unsigned Read, const Instance &Sink,
                                      const std::vector<long> &Values) {
  std::vector<long> Key = Sink.At;
  Key.insert(Key.end(), Values.begin(), Values.end());
  std::string &All = Known[{Read, Key}];
  if (!All.empty())
    return All;
  const DataflowOfRead &Flow = Flows[Read];
  const auto Instantiate = [&](const isl::map &Relation) {
    isl_map *Fixed = Relation.copy();
    size_t Next = 0;
    const auto Set = [&](const std::string &Name) {
      const int At = isl_map_find_dim_by_name(Fixed, isl_dim_param, Name.c_str());
      if (At >= 0)
        Fixed = isl_map_fix_si(Fixed, isl_dim_param, unsigned(At), int(Values[Next]));
      ++Next;
    };
    for (const SourceParameters &Of : Flow.Parameters) {
      Set(Of.Executed);
      for (const auto &[Dim, Name] : Of.Last)
        Set(Name);
    }
    return imageOf(isl::manage(Fixed).project_out_all_params(), Sink.At);
  };
  for (const DataflowOfRead::Source &From : Flow.Sources)
    for (const Point &At : pointsOf(Instantiate(From.Iterations)))
      All += text(std::to_string(From.Statement), At) + ";";
  if (Instantiate(isl::map::from_domain(Flow.NoSource)).is_empty().is_false())
    All += "none;";
  return All;
}

std::string ExecutedProgram::run(std::mt19937 &Random) {
  if (Flows.size() != Reads.size())
    return "isl gave up";
  const auto Choose = [&](unsigned Where) {
    return std::uniform_int_distribution<int64_t>(Bounds[Where].first,
                                                  Bounds[Where].second)(Random);
  };
  for (unsigned E = 0; E < Memory.size(); ++E)
    Memory[E] = {-1, Choose(E)};
  Executed.assign(Instances.size(), false);
  for (unsigned I = 0; I < Instances.size(); ++I) {
    const Instance &Now = Instances[I];
    if (!isExecuted(Now))
      continue;
    for (const auto &[R, Where] : Now.Reads) {
      std::vector<long> Values;
      for (unsigned P = 0; P < Flows[R].Parameters.size(); ++P) {
        const SourceParameters &Of = Flows[R].Parameters[P];
        const std::vector<unsigned> &All = Now.Candidates.at({R, P});
        const auto Last =
            std::find_if(All.rbegin(), All.rend(), [&](unsigned Each) { return Executed[Each]; });
        Values.push_back(Last != All.rend());
        for (const auto &[Dim, Name] : Of.Last)
          Values.push_back(Last == All.rend() ? -9 : Instances[*Last].At[Dim]);
      }
      const int Writer = Memory[Where].Writer;
      const std::string Actual =
          Writer < 0
              ? "none;"
              : text(std::to_string(Instances[Writer].Statement), Instances[Writer].At) + ";";
      const std::string Said = expected(R, Now, Values);
      ++NumCompared;
      if (Said != Actual)
        return "read " + std::to_string(R) + text(" at", Now.At) + ": wrote " + Actual + ", said " +
               Said;
    }
    for (const auto &[W, Where] : Now.Writes)
      Memory[Where] = {int(I), Choose(Where)};
    Executed[I] = true;
  }
  return "";
}

} // namespace specrt
