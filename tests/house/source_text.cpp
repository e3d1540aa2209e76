#include "tests/house/source_text.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

namespace countpm::house {
namespace {

bool is_word(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
}

// Walks the text; what is not code is dropped, its line ends kept.
class Stripper {
 public:
  Stripper(const std::string& text, bool keep_strings) : text_(text), keep_strings_(keep_strings) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (text_.compare(at_, 2, "//") == 0) {
        skip_to(text_.find('\n', at_), 0);
      } else if (text_.compare(at_, 2, "/*") == 0) {
        skip_to(text_.find("*/", at_ + 2), 2);
      } else if (text_[at_] == '"') {
        literal(is_raw() ? raw_end() : quoted_end('"'));
      } else if (text_[at_] == '\'' && !is_digit_separator()) {
        literal(quoted_end('\''));
      } else {
        code_ += text_[at_++];
      }
    }
    return code_;
  }

 private:
  void skip_to(std::size_t end, std::size_t past) {
    end = end == std::string::npos ? text_.size() : end + past;
    code_ += ' ';
    for (; at_ < end; ++at_) {
      if (text_[at_] == '\n') code_ += '\n';
    }
  }

  void literal(std::size_t end) {
    if (keep_strings_) {
      code_.append(text_, at_, end - at_);
      at_ = end;
    } else {
      code_ += "\"\"";
      for (; at_ < end; ++at_) {
        if (text_[at_] == '\n') code_ += '\n';
      }
    }
  }

  bool is_raw() const { return at_ > 0 && text_[at_ - 1] == 'R' && (at_ < 2 || !is_word(text_[at_ - 2])); }
  bool is_digit_separator() const { return at_ > 0 && is_word(text_[at_ - 1]); }

  std::size_t raw_end() const {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string::npos) return text_.size();
    std::string close(1, ')');
    close.append(text_, at_ + 1, open - at_ - 1).append(1, '"');
    const std::size_t end = text_.find(close, open);
    return end == std::string::npos ? text_.size() : end + close.size();
  }

  std::size_t quoted_end(char quote) const {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text_.size());
  }

  const std::string& text_;
  bool keep_strings_;
  std::size_t at_ = 0;
  std::string code_;
};

}  // namespace

std::string code_of(const std::string& text) {
  return Stripper(text, false).run();
}

std::vector<Include> includes_of(const std::string& text) {
  static const std::regex directive(R"re(\s*#\s*include\s*([<"])([^>"]*)[>"].*)re");
  std::vector<Include> result;
  std::istringstream code(Stripper(text, true).run());
  int line = 0;
  for (std::string words; std::getline(code, words);) {
    ++line;
    std::smatch match;
    if (std::regex_match(words, match, directive)) result.push_back({match[2], line, match[1] == "\""});
  }
  return result;
}

}  // namespace countpm::house
