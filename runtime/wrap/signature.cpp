//===- runtime/wrap/signature.cpp - parses C signatures -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/wrap/signature.h"
#include "specrt/wrap.h"

#include <algorithm>
#include <cctype>

namespace specrt {
namespace {

/// The limits of structs in signatures: of structs in structs, and of bytes.
constexpr unsigned MaxDepth = 8;
constexpr uint32_t MaxStructBytes = 4096;
/// The largest struct that is passed in registers; larger ones are passed and returned in memory.
constexpr uint32_t MaxRegisterBytes = 16;
constexpr uint32_t WordBytes = 8;

struct Scalar {
  const char *Name;
  uint8_t Kind;
  bool Signed;
  uint8_t Size;
};
constexpr Scalar Scalars[] = {
    {"void", SPECRT_KIND_VOID, false, 0},  {"bool", SPECRT_KIND_I1, false, 1},
    {"i8", SPECRT_KIND_I8, true, 1},       {"u8", SPECRT_KIND_I8, false, 1},
    {"i16", SPECRT_KIND_I16, true, 2},     {"u16", SPECRT_KIND_I16, false, 2},
    {"i32", SPECRT_KIND_I32, true, 4},     {"u32", SPECRT_KIND_I32, false, 4},
    {"i64", SPECRT_KIND_I64, true, 8},     {"u64", SPECRT_KIND_I64, false, 8},
    {"f32", SPECRT_KIND_F32, false, 4},    {"f64", SPECRT_KIND_F64, false, 8},
    {"ptr", SPECRT_KIND_POINTER, false, 8}};
constexpr const char *KnownTypes =
    "void, bool, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, ptr or a struct {...}";

/// Adds the members of T, which begins at Offset of Whole, to Whole's eightbytes. A word with an
/// integer anywhere in it is passed as an integer.
void classify(const CType &T, uint32_t Offset, specrt_c_type &Whole) {
  if (!T.isStruct()) {
    uint32_t Word = Offset / WordBytes;
    bool IsFloat = T.Abi.kind == SPECRT_KIND_F32 || T.Abi.kind == SPECRT_KIND_F64;
    if (!IsFloat)
      Whole.word_class[Word] = SPECRT_C_INTEGER;
    else if (Whole.word_class[Word] != SPECRT_C_INTEGER)
      Whole.word_class[Word] = SPECRT_C_SSE;
    Whole.word_bytes[Word] = static_cast<uint8_t>(
        std::max<uint32_t>(Whole.word_bytes[Word], Offset % WordBytes + T.Abi.size));
    return;
  }
  for (const CType &Member : T.Members) {
    Offset = (Offset + Member.Abi.alignment - 1) / Member.Abi.alignment * Member.Abi.alignment;
    classify(Member, Offset, Whole);
    Offset += Member.Abi.size;
  }
}

/// Computes size, alignment and passing of a struct whose members are known.
void layOut(CType &T) {
  T.Abi = {};
  T.Abi.kind = SPECRT_C_STRUCT;
  uint32_t Size = 0, Alignment = 1;
  for (const CType &Member : T.Members) {
    uint32_t Align = Member.Abi.alignment;
    Size = (Size + Align - 1) / Align * Align + Member.Abi.size;
    Alignment = std::max(Alignment, Align);
  }
  T.Abi.alignment = Alignment;
  T.Abi.size = (Size + Alignment - 1) / Alignment * Alignment;
  T.Abi.in_memory = T.Abi.size > MaxRegisterBytes;
  if (T.Abi.in_memory)
    return;
  T.Abi.num_words = static_cast<uint8_t>((T.Abi.size + WordBytes - 1) / WordBytes);
  classify(T, 0, T.Abi);
}

class Parser {
public:
  explicit Parser(std::string_view Text) : Text(Text) {}

  bool parse(Signature &S);
  const std::string &error() const { return Error; }

private:
  bool parseType(CType &T, unsigned Depth);
  bool parseStruct(CType &T, unsigned Depth);
  bool parseArguments(Signature &S);
  bool parseArgument(Signature &S);
  std::string_view word();
  void skipSpace() {
    while (Place < Text.size() && std::isspace(static_cast<unsigned char>(Text[Place])))
      ++Place;
  }
  bool accept(char C) {
    skipSpace();
    if (Place >= Text.size() || Text[Place] != C)
      return false;
    ++Place;
    return true;
  }
  /// Returns the text at the position, for messages.
  std::string found();
  bool fail(size_t Where, const std::string &Why) {
    Error = "signature, position " + std::to_string(Where + 1) + ": " + Why;
    return false;
  }
  bool fail(const std::string &Why) {
    skipSpace();
    return fail(Place, Why);
  }

  std::string_view Text;
  size_t Place = 0;
  std::string Error;
};

/// Reads a type or a name, which may have the characters of mangled names.
std::string_view Parser::word() {
  skipSpace();
  size_t Begin = Place;
  auto Belongs = [](char C) {
    return std::isalnum(static_cast<unsigned char>(C)) || C == '_' || C == '.' || C == '$';
  };
  while (Place < Text.size() && Belongs(Text[Place]))
    ++Place;
  return Text.substr(Begin, Place - Begin);
}

std::string Parser::found() {
  skipSpace();
  if (Place >= Text.size())
    return "the end";
  size_t Saved = Place;
  std::string_view Word = word();
  std::string Quoted = Word.empty() ? std::string(1, Text[Place]) : std::string(Word);
  Place = Saved;
  return "'" + Quoted + "'";
}

bool Parser::parseType(CType &T, unsigned Depth) {
  if (accept('{'))
    return parseStruct(T, Depth);
  skipSpace();
  size_t Begin = Place;
  std::string Found = found();
  std::string_view Name = word();
  for (const Scalar &Known : Scalars)
    if (Name == Known.Name) {
      T.Abi.kind = Known.Kind;
      T.Abi.is_signed = Known.Signed;
      T.Abi.size = Known.Size;
      T.Abi.alignment = std::max<uint8_t>(Known.Size, 1);
      T.Text = Name;
      return true;
    }
  return fail(Begin, "expected a type, found " + Found + "; types are " + KnownTypes);
}

/// Parses a struct after the opening brace.
bool Parser::parseStruct(CType &T, unsigned Depth) {
  size_t Begin = Place - 1;
  if (Depth >= MaxDepth)
    return fail(Begin, "structs are nested deeper than " + std::to_string(MaxDepth));
  T.Text = "{";
  do {
    CType Member;
    skipSpace();
    size_t MemberBegin = Place;
    if (!parseType(Member, Depth + 1))
      return false;
    if (Member.Abi.kind == SPECRT_KIND_VOID)
      return fail(MemberBegin, "a member of a struct cannot be void");
    T.Text += (T.Members.empty() ? "" : ", ") + Member.Text;
    T.Members.push_back(std::move(Member));
    layOut(T);
    if (T.Abi.size > MaxStructBytes)
      return fail(Begin, "a struct is larger than " + std::to_string(MaxStructBytes) + " bytes");
  } while (accept(','));
  T.Text += "}";
  return accept('}') || fail("expected ',' or '}', found " + found());
}

bool Parser::parseArgument(Signature &S) {
  skipSpace();
  size_t Begin = Place;
  if (S.Arguments.size() == SPECRT_WRAP_MAX_ARGUMENTS)
    return fail(Begin, "more than " + std::to_string(SPECRT_WRAP_MAX_ARGUMENTS) + " arguments");
  CType T;
  if (!parseType(T, 0))
    return false;
  if (T.Abi.kind == SPECRT_KIND_VOID)
    return fail(Begin, "an argument cannot be void");
  S.Arguments.push_back(std::move(T));
  S.ArgumentNames.emplace_back(word());
  return true;
}

/// Parses arguments after the opening parenthesis.
bool Parser::parseArguments(Signature &S) {
  if (accept(')'))
    return true;
  size_t Saved = Place;
  if (word() == "void" && accept(')'))
    return true;
  Place = Saved;
  do
    if (!parseArgument(S))
      return false;
  while (accept(','));
  return accept(')') || fail("expected ',' or ')', found " + found());
}

bool Parser::parse(Signature &S) {
  if (!parseType(S.Result, 0))
    return false;
  S.Name = word();
  if (S.Name.empty())
    return fail("expected the function's name, found " + found());
  if (!accept('('))
    return fail("expected '(', found " + found());
  if (!parseArguments(S))
    return false;
  skipSpace();
  return Place == Text.size() || fail("expected the end, found " + found());
}

} // namespace

std::string parseSignature(std::string_view Text, Signature &Result) {
  Result = {};
  Parser P(Text);
  if (P.parse(Result))
    return "";
  return P.error();
}

} // namespace specrt
