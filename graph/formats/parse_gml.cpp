// GML as a tree of text. O(bytes).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "graph/errors.hpp"
#include "graph/formats/text_tree.hpp"
#include "graph/formats/xml_tags.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

bool is_gml_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_gml_digit(char c) {
  return c >= '0' && c <= '9';
}

class GmlParser {
 public:
  GmlParser(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {
    if (bytes_.starts_with("\xef\xbb\xbf")) bytes_.remove_prefix(3);
  }

  TextTree parse() {
    TextTree root;
    root.kind = TextTree::Kind::record;
    root.line = 1;
    std::vector<TextTree*> open = {&root};
    for (skip_blanks(); at_ < bytes_.size(); skip_blanks()) {
      poll_.step();
      if (bytes_[at_] == ']') {
        if (open.size() == 1) fail("'[' first", "']'");
        open.pop_back();
        ++at_;
        continue;
      }
      TextTree& value = open.back()->parts.emplace_back();
      value.name = key();
      skip_blanks();
      value.line = line_;
      if (at_ == bytes_.size())
        fail(fmt::format("the value of {}", shown(value.name)), "the end of the file");
      const char c = bytes_[at_];
      if (c == '[') {
        if (open.size() > deepest_tree)
          fail(fmt::format("lists at most {} deep", deepest_tree), "deeper ones");
        value.kind = TextTree::Kind::record;
        ++at_;
        open.push_back(&value);  // the list around it gets no more parts before this one is closed
      } else if (c == '"') {
        value.kind = TextTree::Kind::text;
        value.text = string();
      } else {
        value.kind = TextTree::Kind::number;
        value.text = number(value.name);
      }
    }
    if (open.size() > 1) fail("']'", "the end of the file");
    return root;
  }

 private:
  void skip_blanks() {
    for (; at_ < bytes_.size(); ++at_) {
      const char c = bytes_[at_];
      if (c == '#') {
        at_ = std::min(bytes_.find('\n', at_), bytes_.size());
        if (at_ == bytes_.size()) return;
        ++line_;
      } else if (c == '\n') {
        ++line_;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
    }
  }

  // All up to a blank, a bracket, a string or a comment.
  std::string_view word() const {
    std::size_t end = at_;
    while (end < bytes_.size() &&
           std::string_view(" \t\r\n[]\"#").find(bytes_[end]) == std::string_view::npos)
      ++end;
    return bytes_.substr(at_, end - at_);
  }

  std::string key() {
    const std::string_view text = word();
    const bool good =
        !text.empty() && is_gml_letter(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
          return is_gml_letter(c) || is_gml_digit(c) || c == '-' || c == '.';
        });
    if (!good) fail("a key (letters and digits), or ']'", shown(text.empty() ? bytes_.substr(at_, 1) : text));
    at_ += text.size();
    return std::string(text);
  }

  // Also +INF and NAN, as networkx writes them: whoever needs a number says that they are none.
  std::string number(const std::string& of) {
    const std::string_view text = word();
    const std::string_view digits = text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
    const bool good = !digits.empty() &&
                      (is_gml_digit(digits[0]) || digits[0] == '.' || digits == "INF" || digits == "NAN");
    if (!good)
      fail(fmt::format("a number, a \"string\" or '[' after {}", shown(of)),
           shown(text.empty() ? bytes_.substr(at_, 1) : text));
    at_ += text.size();
    return std::string(text);
  }

  std::string string() {
    const std::size_t end = bytes_.find('"', at_ + 1);
    if (end == std::string_view::npos) fail("a closing '\"'", "the end of the file");
    const std::string_view text = bytes_.substr(at_ + 1, end - at_ - 1);
    line_ += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    at_ = end + 1;
    return decoded(text);
  }

  // The entities that GML has from HTML, of which programs write these; what is none stays.
  static std::string decoded(std::string_view text) {
    std::string result;
    while (!text.empty()) {
      const std::size_t start = std::min(text.find('&'), text.size());
      result += text.substr(0, start);
      text.remove_prefix(start);
      if (text.empty()) break;
      constexpr std::size_t longest = 12;  // "&#1114111;"
      const std::size_t end = text.substr(0, longest).find(';');
      const std::string entity(end == std::string_view::npos ? "" : text.substr(1, end - 1));
      if (append_entity(entity, result)) {
        text.remove_prefix(end + 1);
      } else {
        result += '&';
        text.remove_prefix(1);
      }
    }
    return result;
  }

  static bool append_entity(const std::string& entity, std::string& result) {
    constexpr std::pair<std::string_view, char> named[] = {
        {"quot", '"'}, {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"apos", '\''}};
    for (const auto& [name, character] : named) {
      if (entity != name) continue;
      result += character;
      return true;
    }
    return append_xml_reference(entity, result);
  }

  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw InputError(name_, line_, expected, found);
  }

  std::string_view bytes_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
  StopPoll poll_;
};

}  // namespace

TextTree parse_gml(std::string_view bytes, const std::string& name) {
  return GmlParser(bytes, name).parse();
}

}  // namespace countpm
