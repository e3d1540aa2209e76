// Edge lists: one edge a line, "u v [weight]", labels of any UTF-8 without blanks. docs/formats.md has the
// rules.
//
// One scan over the bytes, a table of byte classes in the inner loop; a line is never copied. O(bytes).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/errors.hpp"
#include "graph/graph_builder.hpp"
#include "graph/reader.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

enum class ByteClass : unsigned char { word, blank, newline, carriage_return, high, junk };

constexpr std::array<ByteClass, 256> make_classes() {
  std::array<ByteClass, 256> classes{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    classes[byte] = byte < 0x20 || byte == 0x7f ? ByteClass::junk
                    : byte < 0x80               ? ByteClass::word
                                                : ByteClass::high;
  }
  classes[' '] = classes['\t'] = ByteClass::blank;
  classes['\n'] = ByteClass::newline;
  classes['\r'] = ByteClass::carriage_return;
  return classes;
}
constexpr std::array<ByteClass, 256> classes = make_classes();

bool starts_comment(char c) {
  return c == '#' || c == '%';
}

class EdgeListReader {
 public:
  EdgeListReader(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info)
      : name_(name),
        kind_(options.symmetric ? GraphKind::undirected : options.as.value_or(GraphKind::undirected)),
        builder_(name, kind_, options, info),
        at_(bytes.data()),
        end_(bytes.data() + bytes.size()) {
    builder_.reserve(expected_lines(bytes));
    if (bytes.starts_with("\xef\xbb\xbf")) at_ += 3;
  }

  Graph read() {
    while (at_ < end_) {
      ++line_;
      poll_.step();
      cap_ = at_ + std::min<std::ptrdiff_t>(end_ - at_, static_cast<std::ptrdiff_t>(text_line_limit));
      read_line();
    }
    return builder_.finish();
  }

 private:
  static std::uint64_t expected_lines(std::string_view bytes) {
    const std::string_view head = bytes.substr(0, 65536);
    const auto lines = static_cast<std::uint64_t>(std::count(head.begin(), head.end(), '\n')) + 1;
    return head.size() == bytes.size() ? lines : lines * (bytes.size() / head.size() + 1);
  }

  [[noreturn]] void fail(std::string expected, std::string found) const {
    throw InputError(name_, line_, std::move(expected), std::move(found));
  }

  static ByteClass class_of(const char* at) { return classes[static_cast<unsigned char>(*at)]; }
  // The class at the read position; past the last byte a newline is imagined.
  ByteClass here() const {
    if (at_ < cap_) return class_of(at_);
    if (cap_ != end_) fail("a line of at most 1 MiB", "a longer line");
    return ByteClass::newline;
  }

  // Passes over one byte that is not of class `word` inside a word or a comment; false where the line ends.
  bool pass_special() {
    switch (here()) {
      case ByteClass::newline:
        return false;
      case ByteClass::carriage_return:
        if (at_ + 1 < end_ && at_[1] != '\n') fail("text", "a carriage return inside a line");
        return false;
      case ByteClass::junk:
        fail("text", fmt::format("the byte 0x{:02x}", static_cast<unsigned char>(*at_)));
      case ByteClass::high: {
        const std::size_t length = utf8_length(std::string_view(at_, static_cast<std::size_t>(end_ - at_)));
        if (length == 0) {
          fail("UTF-8 text",
               fmt::format("the byte 0x{:02x}, which is not UTF-8", static_cast<unsigned char>(*at_)));
        }
        at_ += length;
        return true;
      }
      default:
        ++at_;
        return true;
    }
  }

  void skip_blanks() {
    while (at_ < cap_ && class_of(at_) == ByteClass::blank) ++at_;
  }

  std::string_view word() {
    const char* const start = at_;
    for (;;) {
      while (at_ < cap_ && class_of(at_) == ByteClass::word) ++at_;
      if (here() == ByteClass::blank || !pass_special()) break;
    }
    return {start, static_cast<std::size_t>(at_ - start)};
  }

  bool at_line_end() {
    const ByteClass c = here();
    if (c == ByteClass::carriage_return) return !pass_special();
    return c == ByteClass::newline;
  }

  void skip_line() {
    while (pass_special()) {
    }
  }

  void end_line() {
    if (at_ < cap_ && *at_ == '\r') ++at_;
    if (at_ < end_) ++at_;
  }

  // The rest of the line up to a comment, without the blanks around it.
  std::string_view rest() {
    const char* const start = at_;
    const char* last = at_;
    while (!at_line_end()) {
      if (starts_comment(*at_) && class_of(at_ - 1) == ByteClass::blank) break;
      const bool blank = class_of(at_) == ByteClass::blank;
      pass_special();
      if (!blank) last = at_;
    }
    return {start, static_cast<std::size_t>(last - start)};
  }

  void read_line() {
    skip_blanks();
    if (!at_line_end()) {
      if (starts_comment(*at_)) {
        if (at_[0] == '#' && at_ + 1 < end_ && at_[1] == '!') read_directive();
      } else {
        read_edge();
      }
      skip_line();
    }
    end_line();
  }

  void read_edge() {
    const std::string_view from = word();
    skip_blanks();
    if (at_line_end() || starts_comment(*at_)) {
      fail(fmt::format("two labels, or a directive '{}' for an isolated vertex",
                       kind_ == GraphKind::bipartite ? "#! left LABEL" : "#! vertex LABEL"),
           fmt::format("the single label {}", shown(from)));
    }
    const std::string_view to = word();
    const Index left = builder_.left(from);
    const Index right = builder_.right(to);
    skip_blanks();
    if (at_line_end() || starts_comment(*at_)) {
      builder_.add(left, right, line_);
      return;
    }
    const std::string_view weight = rest();
    if (weight.front() != '(' && weight.find_first_of(" \t") != std::string_view::npos) {
      fail("'LABEL LABEL' or 'LABEL LABEL WEIGHT'", fmt::format("{} after two labels", shown(weight)));
    }
    builder_.add(left, right, line_, weight);
  }

  void read_directive() {
    at_ += 2;
    skip_blanks();
    const std::string_view verb = rest_word();
    const std::string_view label = rest_word();
    const std::string_view more = rest_word();
    const bool bipartite = kind_ == GraphKind::bipartite;
    const bool left = verb == "left";
    if (verb != "vertex" && verb != "left" && verb != "right") {
      fail("a directive '#! vertex LABEL', '#! left LABEL' or '#! right LABEL'",
           fmt::format("'#! {}'", quoted(std::string(verb))));
    }
    if ((verb == "vertex") == bipartite) {
      fail(bipartite ? "'#! left LABEL' or '#! right LABEL' in a bipartite graph"
                     : fmt::format("'#! vertex LABEL' (left and right need --as bipartite) in an {} graph",
                                   name_of(kind_)),
           fmt::format("'#! {}'", quoted(std::string(verb))));
    }
    if (label.empty() || !more.empty()) {
      fail(fmt::format("one label after '#! {}'", verb),
           label.empty() ? "none" : fmt::format("{} too", shown(more)));
    }
    if (left || !bipartite) {
      builder_.left(label);
    } else {
      builder_.right(label);
    }
  }

  std::string_view rest_word() {
    skip_blanks();
    return at_line_end() ? std::string_view() : word();
  }

  const std::string& name_;
  GraphKind kind_;
  StopPoll poll_;
  GraphBuilder builder_;
  const char* at_;
  const char* end_;
  const char* cap_ = nullptr;  // end of the text, or of the longest line allowed
  std::uint64_t line_ = 0;
};

}  // namespace

Graph read_edge_list(std::string_view bytes, const std::string& name, const ReadOptions& options,
                     InputInfo& info) {
  return EdgeListReader(bytes, name, options, info).read();
}

}  // namespace countpm
