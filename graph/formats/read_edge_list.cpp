// Edge lists: one edge a line, "u v [weight]", labels of any UTF-8 without blanks. docs/formats.md has the
// rules.
//
// One scan over the bytes, a table of byte classes in the inner loop; a line is never copied. O(bytes).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/errors.hpp"
#include "graph/formats/header_words.hpp"
#include "graph/formats/picture_text.hpp"
#include "graph/formats/reader.hpp"
#include "graph/graph_builder.hpp"
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

std::string_view without_quotes(std::string_view word) {
  const bool quoted = word.size() > 2 && word.front() == '"' && word.back() == '"';
  return quoted ? word.substr(1, word.size() - 2) : word;
}

bool starts_comment(char c) {
  return c == '#' || c == '%';
}

class EdgeListReader {
 public:
  EdgeListReader(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info)
      : name_(name),
        kind_(options.symmetric ? GraphKind::undirected : options.kind.value_or(GraphKind::undirected)),
        asked_for_(options.format == Format::edge_list),
        first_is_edge_(options.first_line == FirstLine::edge),
        info_(info),
        builder_(name, kind_, options, info),
        at_(bytes.data()),
        end_(bytes.data() + bytes.size()) {
    builder_.reserve(expected_lines(bytes));
    if (bytes.starts_with("\xef\xbb\xbf")) at_ += 3;
  }

  Graph read() {
    const std::string_view whole(at_, static_cast<std::size_t>(end_ - at_));
    while (at_ < end_) {
      ++line_;
      poll_.step();
      cap_ = at_ + std::min<std::ptrdiff_t>(end_ - at_, static_cast<std::ptrdiff_t>(text_line_limit));
      read_line();
    }
    if (nothing_) refuse_nothing(whole);
    refuse_header();
    return builder_.finish();
  }

 private:
  [[noreturn]] void refuse_nothing(std::string_view text) const {
    if (!asked_for_ && is_comments_of_cells(text))
      throw InputError(name_, 0, "edges ('#! empty' for none), or with --format board a picture of cells",
                       "only # on its lines, which may be comments or cells");
    throw InputError(name_, 0, "edges ('#! empty' for none)", "only blank lines and comments");
  }

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
      refuse_commas(from, "");
      fail(fmt::format("two labels, or a directive '{}' for an isolated vertex",
                       kind_ == GraphKind::bipartite ? "#! left LABEL" : "#! vertex LABEL"),
           fmt::format("the single label {}", shown(from)));
    }
    const std::string_view to = word();
    nothing_ = false;
    if (edges_ == 0) note_first(from, to);
    ++edges_;
    if (edges_ > 1 && !first_from_.empty()) {
      const auto is_first = [&](std::string_view label) {
        return label == first_from_ || label == first_to_;
      };
      if (is_first(from) || is_first(to)) first_from_ = {};  // a vertex like others
    }
    const Index left = builder_.left(from);
    const Index right = builder_.right(to);
    skip_blanks();
    if (at_line_end() || starts_comment(*at_)) {
      builder_.add(left, right, line_);
      return;
    }
    const std::string_view weight = rest();
    if (weight.front() == '{') return add_networkx(left, right, weight);
    if (edges_ == 1 && !asked_for_ && !first_is_edge_ && header_word(weight) != HeaderWord::none) {
      // i and w are weights, too, unless the labels are a header's.
      const bool heads = header_word(from) != HeaderWord::none && header_word(to) != HeaderWord::none;
      if (weight.size() > 1 || heads) refuse_header_line();
    }
    if (weight.front() != '(' && weight.find_first_of(" \t") != std::string_view::npos) {
      fail("'LABEL LABEL' or 'LABEL LABEL WEIGHT' (--ends A,B takes two of more columns)",
           fmt::format("{} after two labels", shown(weight)));
    }
    builder_.add(left, right, line_, weight);
  }

  // What networkx's write_edgelist puts behind the labels: {} where there is no data, {'weight': 2}.
  void add_networkx(Index left, Index right, std::string_view data) {
    constexpr std::string_view head = "{'weight':";
    if (data == "{}") {
      builder_.add(left, right, line_);
      return;
    }
    const std::size_t start = data.find_first_not_of(" \t", head.size());
    if (data.starts_with(head) && data.back() == '}' && start < data.size() - 1 &&
        data.find(',') == std::string_view::npos) {
      data = data.substr(start, data.size() - 1 - start);
      builder_.add(left, right, line_, data.substr(0, data.find_last_not_of(" \t") + 1));
      return;
    }
    fail("{} or {'weight': W} (nx.write_edgelist(G, FILE, data=False) writes the edges alone)", shown(data));
  }

  void note_first(std::string_view from, std::string_view to) {
    first_line_ = line_;
    if (asked_for_) return;
    refuse_commas(from, to);
    first_from_ = from;
    first_to_ = to;
    const std::string_view one = without_quotes(from);
    const std::string_view other = without_quotes(to);
    const auto head = [](std::string_view a, std::string_view b) {
      return header_word(a) == HeaderWord::from && header_word(b) == HeaderWord::to;
    };
    telling_ = are_telling_heads(one, other) || are_telling_heads(other, one);
    if (first_is_edge_ || !(head(one, other) || head(other, one))) first_from_ = {};
  }

  // "1, 2" would be an edge from '1,' to '2'.
  void refuse_commas(std::string_view from, std::string_view to) const {
    const bool parts =
        to.empty() ? from.find_first_of(",;") != std::string_view::npos : from.ends_with(',') || to == ",";
    if (!parts || asked_for_) return;
    fail("labels separated by blanks or tabs (--format csv takes commas and semicolons)", shown(from));
  }

  [[noreturn]] void refuse_header_line() const {
    throw InputError(name_, first_line_,
                     "an edge: 'tail -n +2' leaves a header out, --format csv reads tables with a header and "
                     "columns separated by tabs or commas, --format edgelist takes this line for an edge",
                     "the header of a table");
  }

  // "source target" on the first line, and on no other.
  void refuse_header() const {
    if (first_from_.empty() || edges_ < 2) return;
    if (telling_) refuse_header_line();
    throw InputError(name_, first_line_,
                     "one reading: --first-line header (names of columns), or --first-line edge",
                     fmt::format("{} and {}, which may head columns, or be an edge as those below",
                                 shown(first_from_), shown(first_to_)));
  }

  void read_directive() {
    at_ += 2;
    skip_blanks();
    const std::string_view verb = rest_word();
    nothing_ = false;
    if (verb == "empty") return;  // a graph without vertices, said to be one
    const std::string_view label = rest_word();
    const std::string_view more = rest_word();
    const bool has_degree = more == "degree" && !label.empty();
    const bool bipartite = kind_ == GraphKind::bipartite;
    const bool left = verb == "left";
    if (verb != "vertex" && verb != "left" && verb != "right") {
      fail("a directive '#! vertex LABEL', '#! left LABEL', '#! right LABEL' or '#! empty'",
           fmt::format("'#! {}'", quoted(std::string(verb))));
    }
    if ((verb == "vertex") == bipartite) {
      fail(bipartite ? "'#! left LABEL' or '#! right LABEL' in a bipartite graph"
                     : fmt::format("'#! vertex LABEL' (left and right need --kind bipartite) in an {} graph",
                                   name_of(kind_)),
           fmt::format("'#! {}'", quoted(std::string(verb))));
    }
    if (has_degree) {
      read_degree(verb == "right", label);
    } else if (label.empty() || !more.empty()) {
      fail(fmt::format("one label after '#! {}', and 'degree F' where a number of edges is asked for", verb),
           label.empty() ? "none" : fmt::format("{} too", shown(more)));
    }
    if (left || !bipartite) {
      builder_.left(label);
    } else {
      builder_.right(label);
    }
  }

  void read_degree(bool right, std::string_view label) {
    const std::string_view word = rest_word();
    const std::optional<std::uint64_t> number = parse_number(word);
    constexpr std::uint64_t most = 1'000'000;
    if (!number || *number > most)
      fail(fmt::format("a number of edges from 0 to {} after 'degree'", most),
           word.empty() ? "none" : shown(word));
    if (const std::string_view more = rest_word(); !more.empty()) fail("the end of the line", shown(more));
    info_.vertex_degrees.push_back({right, std::string(label), static_cast<Index>(*number)});
  }

  std::string_view rest_word() {
    skip_blanks();
    return at_line_end() ? std::string_view() : word();
  }

  const std::string& name_;
  GraphKind kind_;
  bool asked_for_;  // by --format: then every line is an edge that can be one
  bool first_is_edge_;
  StopPoll poll_;
  InputInfo& info_;
  GraphBuilder builder_;
  const char* at_;
  const char* end_;
  const char* cap_ = nullptr;  // end of the text, or of the longest line allowed
  std::uint64_t line_ = 0;
  std::uint64_t edges_ = 0;
  bool nothing_ = true;  // neither an edge nor a directive so far
  std::uint64_t first_line_ = 0;
  std::string_view first_from_;  // of the first edge, where it looks like a header
  std::string_view first_to_;
  bool telling_ = false;  // a header's words that are hardly labels
};

}  // namespace

Graph read_edge_list(std::string_view bytes, const std::string& name, const ReadOptions& options,
                     InputInfo& info) {
  return EdgeListReader(bytes, name, options, info).read();
}

}  // namespace countpm
