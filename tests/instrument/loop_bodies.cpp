//===- tests/instrument/loop_bodies.cpp - the loops in assembly -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/instrument/loop_bodies.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace specrt {
namespace {

struct Block {
  std::string Name;     ///< "BB0_3"
  std::string Comments; ///< about loops
  std::string Code;     ///< instructions, one a line
};

/// As innermostLoops() says. Whole registers are moved alike whether they contain float or double.
std::string shapeOf(std::string Instruction) {
  static const std::pair<std::regex, const char *> Rules[] = {
      {std::regex("\\.LBB[0-9_]+|\\.Ltmp[0-9]+"), "label"},
      {std::regex("\\.LCPI[0-9_]+"), "constant"},
      {std::regex("%([xyz]mm|k)[0-9]+"), "$1"},
      {std::regex("%(e[a-z]+|r[0-9]+d)"), "r32"},
      {std::regex("%r([a-z]+|[0-9]+)(?![a-z0-9])"), "r64"},
      {std::regex("%[a-z0-9]+"), "r8"},
      {std::regex("(movu|mova)p[sd]"), "$1"},
      {std::regex("[-+.$A-Za-z0-9_]*\\([^)]*\\)"), "memory"},
      {std::regex("[ \t]+"), " "}};
  for (const auto &[Pattern, Shape] : Rules)
    Instruction = std::regex_replace(Instruction, Pattern, Shape);
  return Instruction;
}

/// Does it work for addresses, counts or the order of blocks alone?
bool isAside(const std::string &Shape) {
  static const std::regex Rule("(add|sub|inc|dec|shl|sar|and|or|neg|mov|cmp|test|xor)q [^m]*|"
                               "lea[lq] .*|mov[lq] \\$-?[0-9]+, r(32|64)|jmp label");
  return std::regex_match(Shape, Rule);
}

std::vector<Block> blocksOf(const std::string &Assembly, const std::string &Function) {
  static const std::regex Label("^\\.LBB([0-9]+_[0-9]+):.*"), Fallen("^# %bb\\.([0-9]+):.*");
  std::vector<Block> Blocks;
  std::string Number; // of the function
  std::istringstream Lines(Assembly);
  bool Inside = false;
  for (std::string Line; std::getline(Lines, Line);) {
    if (Line.rfind(Function + ":", 0) == 0)
      Inside = true;
    if (!Inside)
      continue;
    if (Line.rfind(".Lfunc_end", 0) == 0)
      break;
    std::smatch Found;
    if (std::regex_match(Line, Found, Label)) {
      Number = Found.str(1).substr(0, Found.str(1).find('_') + 1);
      Blocks.push_back({"BB" + Found.str(1), "", ""});
    } else if (std::regex_match(Line, Found, Fallen)) {
      Blocks.push_back({"BB?" + Found.str(1), "", ""});
    }
    if (Blocks.empty())
      continue;
    const size_t Comment = Line.find('#');
    if (Comment != std::string::npos)
      Blocks.back().Comments += Line.substr(Comment) + "\n";
    const std::string Code = Line.substr(0, Comment);
    if (Code.size() > 1 && Code[0] == '\t' && Code[1] != '.')
      Blocks.back().Code += Code.substr(1, Code.find_last_not_of(" \t")) + "\n";
  }
  for (Block &B : Blocks)
    if (B.Name[2] == '?')
      B.Name.replace(2, 1, Number);
  return Blocks;
}

} // namespace

std::vector<std::string> innermostLoops(const std::string &Assembly, const std::string &Function) {
  static const std::regex Header("This Inner Loop Header"), In("in Loop: Header=(BB[0-9_]+)");
  std::map<std::string, std::string> Bodies; // by the names of headers, which come first or later
  std::set<std::string> Innermost;
  for (const Block &B : blocksOf(Assembly, Function)) {
    std::smatch Found;
    if (std::regex_search(B.Comments, Header))
      Innermost.insert(B.Name);
    else if (!std::regex_search(B.Comments, Found, In))
      continue;
    Bodies[Found.empty() ? B.Name : Found.str(1)] += B.Code;
  }
  std::vector<std::string> Shapes;
  for (const std::string &Loop : Innermost) {
    std::istringstream Lines(Bodies[Loop]);
    std::multiset<std::string> Instructions;
    for (std::string Line; std::getline(Lines, Line);)
      if (std::string Shape = shapeOf(Line); !isAside(Shape))
        Instructions.insert(std::move(Shape));
    std::string &All = Shapes.emplace_back();
    for (const std::string &Instruction : Instructions)
      All += Instruction + "\n";
  }
  std::sort(Shapes.begin(), Shapes.end());
  return Shapes;
}

} // namespace specrt
