// What may stand in a line that a terminal or a program reads (graph/text.hpp), against a list of what may
// not.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graph/errors.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

// What bash's printf %b makes of a word.
std::string undone(const std::string& word) {
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '\\') {
      text += word[i];
      continue;
    }
    switch (word[++i]) {
      case 't':
        text += '\t';
        break;
      case 'n':
        text += '\n';
        break;
      case 'r':
        text += '\r';
        break;
      case '\\':
        text += '\\';
        break;
      case 'c':
        return text;
      case 'x':
        text += static_cast<char>(std::stoi(word.substr(i + 1, 2), nullptr, 16));
        i += 2;
        break;
      default:
        ADD_FAILURE() << word;
    }
  }
  return text;
}

TEST(Escapes, OrdinaryTextStays) {
  for (const char* text : {"a", "C60", "r0c10", "\u00e4=1", "\u732b", "a,b;'\"|*?()[]{}<>&%#", "\U0001f600",
                           "\u0645\u200c\u0646", "e\u0301"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(escaped(text), text);
    EXPECT_EQ(escaped_word(text), text);
    EXPECT_EQ(quoted(text), text);
  }
}

TEST(Escapes, WhatIsNotSeenIsEscapedByteByByte) {
  for (const char* text :
       {"\x01",   "\x1b",   "\x7f",   "\u0080",     "\u0085", "\u009b", "\u061c",      "\u200b",
        "\u200e", "\u200f", "\u2028", "\u2029",     "\u202a", "\u202e", "\u2060",      "\u2066",
        "\u2069", "\ufeff", "\uffff", "\U000e0041", "\xff",   "\xc3",   "\xed\xa0\x80"}) {
    std::string expected;
    for (const char* byte = text; *byte != '\0'; ++byte) {
      constexpr const char* digits = "0123456789abcdef";
      const auto value = static_cast<unsigned char>(*byte);
      expected += {'\\', 'x', digits[value / 16], digits[value % 16]};
    }
    for (const std::string& result : {printable(text), escaped(text), escaped_word(text), quoted(text)})
      EXPECT_EQ(result, expected);
  }
  EXPECT_EQ(printable(std::string(1, '\0')), "\\x00");
}

TEST(Escapes, BlanksAndBackslashes) {
  EXPECT_EQ(printable("a b\t\\\n"), "a b\\x09\\\\x0a");
  EXPECT_EQ(escaped("a b\t\\\n\r"), "a b\\t\\\\\\n\\r");
  EXPECT_EQ(escaped_word("a b\t\\x20\u00a0\u3000"), "a\\x20b\\t\\\\x20\\xc2\\xa0\\xe3\\x80\\x80");
  EXPECT_EQ(escaped_word(""), "\\c");
}

TEST(Escapes, WordsCanBeUndone) {
  std::vector<std::string> labels{
      "", "\\", "\\c", "\\x20", " ", "a b", "\t\n\r", "\x1b[31m", "\u202e\u00e4 \u2003", "\xff\xfe"};
  for (int byte = 0; byte < 256; ++byte) labels.push_back(std::string("a") + static_cast<char>(byte) + "9");
  for (const std::string& label : labels) {
    const std::string word = escaped_word(label);
    EXPECT_EQ(word.find_first_of(" \t\r\n"), std::string::npos) << word;
    EXPECT_EQ(undone(word), label);
  }
}

}  // namespace
}  // namespace countpm
