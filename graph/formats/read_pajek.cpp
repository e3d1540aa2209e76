// Pajek's networks: *Vertices N, vertices with labels, then *Edges, *Arcs, *Edgeslist, *Arcslist or *Matrix.
// "*Vertices N L" has two sides, the first L vertices and the others. Of a project file (*Network,
// *Partition,
// ...) the network is read. O(bytes). V. Batagelj and A. Mrvar, Pajek: reference manual.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "graph/errors.hpp"
#include "graph/formats/exchange_graph.hpp"
#include "graph/formats/reader.hpp"
#include "graph/formats/word_table.hpp"
#include "graph/parse_weight.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

class PajekReader {
 public:
  PajekReader(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info)
      : lines_(bytes),
        name_(name),
        options_(options),
        info_(info),
        result_(name, options, info),
        weight_name_(options.weight_column.empty() ? "weight" : options.weight_column) {
    constexpr std::array<std::string_view, 3> third = {"weight", "value", "3"};
    if (std::find(third.begin(), third.end(), weight_name_) == third.end())
      throw InputError(name, 0, "--weight-column weight, the third word of an edge", shown(weight_name_));
  }

  Graph read() {
    while (lines_.next()) {
      poll_.step();
      if (lines_.line_done()) continue;
      const std::string_view first = lines_.word();
      if (first.front() == '%') continue;
      if (first.front() == '*') {
        start_section(first);
      } else {
        read_line(first);
      }
    }
    if (!vertices_) fail("*Vertices N", "the end of the file");
    if (section_ == Section::matrix) end_matrix();
    if (relations_.size() > 1)
      warn(fmt::format("edges of {} relations were taken together", relations_.size()));
    if (times_) warn("edges have times, which were passed over: all of them were taken");
    return result_.finish();
  }

 private:
  enum class Section { none, vertices, edges, arcs, edges_list, arcs_list, matrix, other };

  void start_section(std::string_view word) {
    const std::string_view bare = word.substr(0, word.find(':'));
    const std::string name = ascii_lower(bare);
    if (section_ == Section::matrix) end_matrix();
    if (name == "*network") {
      if (vertices_ || networks_++ > 0) fail("one network a file", "a second one");
      section_ = Section::none;
      return;
    }
    constexpr std::array<std::string_view, 5> beside = {"*partition", "*vector", "*permutation", "*cluster",
                                                        "*hierarchy"};
    if (std::find(beside.begin(), beside.end(), name) != beside.end()) {
      section_ = Section::other;
      return;
    }
    if (name == "*vertices") return start_vertices();
    constexpr std::array<std::pair<std::string_view, Section>, 5> sections = {
        {{"*edges", Section::edges},
         {"*arcs", Section::arcs},
         {"*edgeslist", Section::edges_list},
         {"*arcslist", Section::arcs_list},
         {"*matrix", Section::matrix}}};
    const auto found =
        std::find_if(sections.begin(), sections.end(), [&](const auto& s) { return s.first == name; });
    if (found == sections.end())
      fail("*Vertices, *Edges, *Arcs, *Edgeslist, *Arcslist or *Matrix", shown(word));
    if (!vertices_) fail("*Vertices N first", shown(word));
    section_ = found->second;
    if (section_ == Section::arcs || section_ == Section::arcs_list || section_ == Section::matrix)
      result_.set_directed(true);
    std::string_view relation = word.substr(bare.size());
    if (relation.empty()) relation = lines_.word();
    if (relation.starts_with(':')) {
      relations_.insert(std::string(relation));
    } else if (!relation.empty() && !relation.starts_with('"') && !relation.starts_with('%')) {
      fail(fmt::format("a line of its own for {}, or ':N' for a relation", shown(bare)), shown(relation));
    }
    matrix_line_ = lines_.number();
  }

  void start_vertices() {
    if (section_ == Section::other) return;  // of a partition or a vector
    if (vertices_) fail("one network a file", "a second *Vertices");
    const std::string_view first = lines_.word();
    const std::string_view second = lines_.word();
    const auto number = parse_number(first);
    constexpr std::uint64_t most = 4'294'967'294;
    if (!number || *number > most)
      fail("*Vertices N, the number of vertices", first.empty() ? "none" : shown(first));
    vertices_ = static_cast<Index>(*number);
    result_.number_nodes(*vertices_, 1);
    if (!second.empty()) {
      const auto left = parse_number(second);
      if (!left || *left > *number)
        fail(fmt::format("the number of vertices on the first side, at most {}", *number), shown(second));
      left_ = static_cast<Index>(*left);
      result_.set_left_side(*left_);
    }
    section_ = Section::vertices;
  }

  void read_line(std::string_view first) {
    switch (section_) {
      case Section::none:
        fail("*Vertices N", shown(first));
      case Section::other:
        return;
      case Section::vertices:
        return read_vertex(first);
      case Section::edges:
        return read_edge(first, EdgeDirection::undirected);
      case Section::arcs:
        return read_edge(first, EdgeDirection::directed);
      case Section::edges_list:
        return read_list(first, EdgeDirection::undirected);
      case Section::arcs_list:
        return read_list(first, EdgeDirection::directed);
      case Section::matrix:
        return read_row(first);
    }
  }

  Index vertex(std::string_view word) const {
    const auto number = parse_number(word);
    if (!number || *number == 0 || *number > *vertices_)
      fail(fmt::format("a vertex, from 1 to {}", *vertices_),
           word.empty() ? "the end of the line" : shown(word));
    return static_cast<Index>(*number - 1);
  }

  // 1 "a label" 0.5 0.5 ic Red: what is behind the label is about drawing.
  void read_vertex(std::string_view first) {
    const Index node = vertex(first);
    if (!known_.insert(node).second) fail("each vertex once", shown(first));
    std::string_view rest = lines_.line();
    rest.remove_prefix(static_cast<std::size_t>(first.data() + first.size() - rest.data()));
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (!rest.starts_with('"')) {
      result_.set_label(node, std::string(lines_.word()), lines_.number());
      return;
    }
    const std::size_t end = rest.find('"', 1);
    if (end == std::string_view::npos) fail("a closing '\"'", "the end of the line");
    if (end + 1 < rest.size() && rest[end + 1] != ' ' && rest[end + 1] != '\t')
      fail("a blank behind the label", shown(rest.substr(0, end + 2)));
    result_.set_label(node, std::string(rest.substr(1, end - 1)), lines_.number());
  }

  void read_edge(std::string_view first, EdgeDirection direction) {
    const Index from = vertex(first);
    const Index to = vertex(lines_.word());
    const std::string_view weight = lines_.word();
    result_.add_edge(from, to, direction, lines_.number());
    if (weight.empty()) return;
    if (!weight.starts_with('[')) result_.set_attribute(weight_name_, weight);
    if (lines_.line().find('[') != std::string_view::npos) times_ = true;
  }

  void read_list(std::string_view first, EdgeDirection direction) {
    const Index from = vertex(first);
    for (std::string_view word = lines_.word(); !word.empty(); word = lines_.word())
      result_.add_edge(from, vertex(word), direction, lines_.number());
  }

  void read_row(std::string_view first) {
    std::vector<std::string_view> row;
    for (std::string_view word = first; !word.empty(); word = lines_.word()) row.push_back(word);
    const Index width = *vertices_ - left_.value_or(0);
    const Index height = left_.value_or(*vertices_);
    if (row.size() != width)
      fail(fmt::format("{} numbers in a row of the matrix", width), fmt::format("{}", row.size()));
    if (rows_.size() == height) fail(fmt::format("{} rows of the matrix", height), "one more");
    rows_.push_back(std::move(row));
    const auto from = static_cast<Index>(rows_.size() - 1);
    for (Index k = 0; k < width; ++k) {
      const std::string_view entry = rows_.back()[k];
      if (parse_weight(entry, name_, lines_.number()).is_zero()) continue;
      result_.add_edge(from, left_.value_or(0) + k, EdgeDirection::directed, lines_.number());
      result_.set_attribute(weight_name_, entry);
    }
  }

  // A symmetric matrix may be a graph's, whose edges are counted, or one whose permanent is meant.
  void end_matrix() {
    const std::size_t height = left_.value_or(*vertices_);
    if (rows_.size() != height)
      fail(fmt::format("{} rows of the matrix", height), fmt::format("{}", rows_.size()));
    if (left_) return;
    result_.set_matrix();
    if (options_.kind || options_.symmetric || rows_.size() < 2) return;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!parse_weight(rows_[i][i], name_, matrix_line_).is_zero()) return;
      for (std::size_t j = 0; j < i; ++j) {
        if (rows_[i][j] != rows_[j][i]) return;
      }
    }
    throw InputError(
        name_, matrix_line_,
        "one reading: --kind undirected, a graph's adjacency matrix, or --kind bipartite, rows x "
        "columns (its permanent)",
        "a symmetric matrix of zero diagonal");
  }

  void warn(const std::string& text) const {
    info_.warnings.push_back(fmt::format("{}: {}", quoted(name_, 400), text));
  }

  [[noreturn]] void fail(std::string expected, std::string found) const {
    throw InputError(name_, lines_.number(), std::move(expected), std::move(found));
  }

  TextLines lines_;
  const std::string& name_;
  const ReadOptions& options_;
  InputInfo& info_;
  ExchangeGraph result_;
  std::string weight_name_;
  Section section_ = Section::none;
  int networks_ = 0;
  std::optional<Index> vertices_;
  std::optional<Index> left_;
  std::set<Index> known_;
  std::set<std::string> relations_;
  std::vector<std::vector<std::string_view>> rows_;
  std::uint64_t matrix_line_ = 0;
  bool times_ = false;
  StopPoll poll_;
};

}  // namespace

Graph read_pajek(std::string_view bytes, const std::string& name, const ReadOptions& options,
                 InputInfo& info) {
  return PajekReader(bytes, name, options, info).read();
}

}  // namespace countpm
