//===- specializer/module/notes.h - notes on a compilation, line by line --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_MODULE_NOTES_H
#define SPECRT_SPECIALIZER_MODULE_NOTES_H

#include "specrt/jit_api.h"
#include "llvm/ADT/Twine.h"
#include <string>
#include <utility>
#include <vector>

namespace specrt {

struct Note {
  specrt_note_code About; ///< selects the advice for users
  std::string Text;       ///< for people, without line breaks
};

class Notes {
public:
  void add(specrt_note_code About, const llvm::Twine &Text) {
    Lines.push_back({About, Text.str()});
  }
  void add(const llvm::Twine &Text) { add(SPECRT_NOTE_PLAIN, Text); }
  void add(const Notes &Others) {
    Lines.insert(Lines.end(), Others.Lines.begin(), Others.Lines.end());
  }

  bool empty() const { return Lines.empty(); }
  const Note &back() const { return Lines.back(); }
  auto begin() const { return Lines.begin(); }
  auto end() const { return Lines.end(); }

  std::string text() const {
    std::string Text;
    for (const Note &Line : Lines)
      Text += Line.Text + "\n";
    return Text;
  }

private:
  std::vector<Note> Lines;
};

} // namespace specrt

#endif
