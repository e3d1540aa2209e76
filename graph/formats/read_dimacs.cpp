// DIMACS graph files, a line a fact:
//   c TEXT                     comment
//   p edge|col N M             undirected, N vertices, M lines e
//   p sp|max N M               directed, N vertices, M lines a
//   e U V [WEIGHT]             edge
//   a U V [WEIGHT]             arc, its length or capacity
//   n U ...                    a fact about a vertex (source, sink, weight): passed over once its number
//                              is checked
// Vertices are 1 .. N. O(bytes) time. D. S. Johnson, M. A. Trick (eds), Cliques, Coloring, and
// Satisfiability, DIMACS vol. 26 (1996); the arcs: 9th DIMACS Implementation Challenge (2006).
#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <vector>

#include "graph/errors.hpp"
#include "graph/formats/reader.hpp"
#include "graph/graph_builder.hpp"
#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

class DimacsReader {
 public:
  DimacsReader(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info)
      : rest_(bytes), name_(name), options_(options), info_(info) {}

  Graph read() {
    while (next_line()) read_line();
    if (!builder_) fail("a line 'p edge N M', 'p col N M', 'p sp N M' or 'p max N M'", "the end of the file");
    if (seen_ != promised_) {
      fail(fmt::format("{} lines '{}' as the line p says", promised_, edge_letter_),
           fmt::format("the end of the file after {}", seen_));
    }
    return builder_->finish();
  }

 private:
  // Splits the next line into words; false at the end. Blank lines are lines without words.
  bool next_line() {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++line_;
    poll_.step();
    words_.clear();
    constexpr std::string_view blanks = " \t\r\v\f";
    for (;;) {
      const std::size_t start = text.find_first_not_of(blanks);
      if (start == std::string_view::npos) return true;
      text.remove_prefix(start);
      words_.push_back(text.substr(0, text.find_first_of(blanks)));
      if (words_.front() == "c") return true;  // a comment's text is not looked at
      text.remove_prefix(words_.back().size());
    }
  }

  void read_line() {
    if (words_.empty() || words_[0] == "c") return;
    if (words_[0] == "p") return read_problem();
    if (!builder_) fail("the line p before all others", found(words_[0]));
    if (words_[0] == "n") return read_vertex();
    if (edge_letter_.empty()) words_.insert(words_.begin(), "");
    if (words_[0] != edge_letter_)
      fail(fmt::format("a line 'c', 'n' or '{}'", edge_letter_), found(words_[0]));
    read_edge();
  }

  void read_problem() {
    if (builder_) fail("one line p", "a second one");
    if (words_.size() != 4) fail("'p KIND N M'", fmt::format("{} words", words_.size()));
    GraphKind kind = GraphKind::undirected;
    if (words_[1] == "sp" || words_[1] == "max") {
      kind = GraphKind::directed;
      edge_letter_ = "a";
    } else if (words_[1] == "asn") {
      edge_letter_ = "a";  // from one side to the other, which two-colouring finds
    } else if (words_[1] == "tw") {
      edge_letter_ = "";  // PACE's graphs: "1 2"
    } else if (words_[1] != "edge" && words_[1] != "col") {
      fail("a graph: 'p edge', 'p col', 'p sp', 'p max', 'p asn' or 'p tw'", found(words_[1]));
    }
    vertices_ = number(words_[2], 0, no_index - 1, "a number of vertices");
    promised_ = number(words_[3], 0, UINT64_MAX, "a number of edges");
    builder_.emplace(name_, kind, options_, info_);
    builder_->number_vertices(static_cast<Index>(vertices_));
  }

  void read_vertex() {
    if (words_.size() < 2) fail("'n VERTEX ...'", "the end of the line");
    vertex(words_[1]);
  }

  void read_edge() {
    if (words_.size() != 3 && words_.size() != 4) {
      fail(fmt::format("'{} VERTEX VERTEX [WEIGHT]'", edge_letter_), fmt::format("{} words", words_.size()));
    }
    if (++seen_ > promised_) {
      fail(fmt::format("{} lines '{}' as the line p says", promised_, edge_letter_), "one more");
    }
    const Index from = vertex(words_[1]);
    const Index to = vertex(words_[2]);
    if (words_.size() == 4) {
      builder_->add(from, to, line_, words_[3]);
    } else {
      builder_->add(from, to, line_);
    }
  }

  Index vertex(std::string_view word) {
    return static_cast<Index>(number(word, 1, vertices_, "a vertex") - 1);
  }

  std::uint64_t number(std::string_view word, std::uint64_t least, std::uint64_t greatest,
                       std::string_view what) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || value < least || value > greatest) {
      fail(fmt::format("{} from {} to {}", what, least, greatest), found(word));
    }
    return value;
  }

  static std::string found(std::string_view word) {
    return fmt::format("'{}'", quoted(std::string(word.substr(0, 100))));
  }

  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw InputError(name_, line_, expected, found);
  }

  std::string_view rest_;
  const std::string& name_;
  const ReadOptions& options_;
  InputInfo& info_;
  StopPoll poll_;
  std::uint64_t line_ = 0;
  std::vector<std::string_view> words_;
  std::optional<GraphBuilder> builder_;
  std::string_view edge_letter_ = "e";
  std::uint64_t vertices_ = 0;
  std::uint64_t promised_ = 0;
  std::uint64_t seen_ = 0;
};

}  // namespace

Graph read_dimacs(std::string_view bytes, const std::string& name, const ReadOptions& options,
                  InputInfo& info) {
  return DimacsReader(bytes, name, options, info).read();
}

}  // namespace countpm
