#pragma once
// Inside the reading of tables: what its parts share.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/formats/header_words.hpp"
#include "graph/formats/word_table.hpp"
#include "graph/graph_builder.hpp"
#include "graph/read_options.hpp"
#include "graph/text.hpp"

namespace countpm {

inline bool is_whole(std::string_view word) {
  return parse_number(word).has_value();
}

/// Whether it is a weight, of letters too ("w", "2*x").
bool may_be_weight(std::string_view word);

struct TableEdge {
  std::uint64_t line = 0;
  std::string_view from;
  std::string_view to;
  std::string_view weight{};  // empty: none
};

/// A matrix as text: its entries, and labels where it has some.
struct TextMatrix {
  std::vector<TableRow> rows;
  std::vector<std::string_view> row_labels;
  std::vector<std::string_view> column_labels;
};

/// What is read, and where warnings go.
class TableSource {
 public:
  TableSource(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info)
      : bytes(bytes), name(name), options(options), info(info) {}

  /// Of a line; 0: of the whole.
  void warn(std::uint64_t line, const std::string& text) const;
  /// How the first line was taken: a warning, or a note where it is said to be a header.
  void tell_head(std::uint64_t line, const std::string& how) const;
  [[noreturn]] void fail(std::uint64_t line, std::string expected, std::string found) const {
    throw InputError(name, line, std::move(expected), std::move(found));
  }
  /// Refuses what has several readings: `one`, `other` with the options that choose them.
  [[noreturn]] void ask(std::uint64_t line, const std::string& found, const std::string& one,
                        const std::string& other) const;

  /// Refuses what is no text.
  void check_label(std::string_view label, std::uint64_t line) const;

  GraphKind edge_kind() const;
  /// kind: where `as` is not given. vertices: those that need no edge, of the left side; of the right.
  Graph edges(const std::vector<TableEdge>& edges, std::optional<GraphKind> kind = std::nullopt,
              const std::vector<std::string_view>& vertices = {},
              const std::vector<std::string_view>& right_vertices = {}) const;
  /// Entries 0 and 1, others with --weights. A matrix with the same labels on both sides, or said to be an
  /// adjacency matrix, is a graph; `graph_asked`: without labels, and who reads it means either.
  Graph matrix(const TextMatrix& matrix, bool graph_asked) const;

  // NOLINTBEGIN(cppcoreguidelines-avoid-const-or-ref-data-members): lives as long as one reading
  std::string_view bytes;
  const std::string& name;
  const ReadOptions& options;
  InputInfo& info;
  // NOLINTEND(cppcoreguidelines-avoid-const-or-ref-data-members)
};

/// Matrices as programs print them: graph/formats/printed_matrix.hpp.
std::optional<Graph> read_printed(const TableSource& source);
/// [[0,1],[1,0]], {{0,1},{1,0}}, [0 1; 1 0], "0 1; 1 0", what NumPy prints, lists of pairs.
std::optional<Graph> read_literal(const TableSource& source);
/// edges = [(0, 1), ...], {0: [1, 2], ...}, [[2,4],[1,3],...]: edges and neighbours.
std::optional<Graph> read_listing(const TableSource& source);
std::optional<std::vector<TableRow>> listed_neighbours(const TableSource& source);
/// "4" or "3 4" above so many rows and columns.
std::optional<Graph> read_sized_matrix(const TableSource& source, const WordTable& table);
/// Makes one field of the words of a complex number with blanks around its sign ("1 + 2i").
void join_complex_words(std::vector<std::string_view>& fields, std::deque<std::string>& joined);
/// Matrices of complex numbers, of fields, with labels.
std::optional<Graph> read_table_matrix(const TableSource& source, const WordTable& table);
/// Neighbours, a line a vertex: with METIS's first line; with the vertex in front.
std::optional<Graph> read_if_metis(const TableSource& source, const WordTable& table);
std::optional<Graph> read_if_adjacency(const TableSource& source, const WordTable& table);
/// Lines in which a vertex and its neighbours are parted by more than blanks: "1: [2, 4]", "1 -> 2,4".
struct MarkedNeighbours {
  std::vector<TableRow> rows;  // the vertex, and its neighbours
  std::string_view sign;       // behind the vertex
  std::size_t longest = 0;
  bool commas = false;   // between neighbours
  bool arrows = false;   // behind the vertex
  char brackets = '\0';  // around neighbours
};
std::optional<MarkedNeighbours> marked_neighbours(std::string_view bytes);
std::optional<Graph> read_if_marked_neighbours(const TableSource& source);
/// Rows of the neighbours of vertices 1, 2, 3, ... or 0, 1, 2, ..., every edge from both ends. `skip` numbers
/// in front: 1: how many they are; 2: the vertex as well.
struct NumberedNeighbours {
  struct Edge {
    std::uint64_t line;
    std::uint64_t from;  // from 0 on
    std::uint64_t to;
  };
  std::uint64_t first = 1;  // the first vertex
  std::vector<Edge> edges;
};
std::optional<NumberedNeighbours> numbered_neighbours(const std::vector<TableRow>& rows, std::size_t skip);
/// Whether each row is a vertex and its neighbours, every edge from both ends.
bool are_symmetric_lists(const std::vector<TableRow>& rows);
Graph build_numbered(const TableSource& source, const NumberedNeighbours& neighbours, std::uint64_t count);
std::optional<Graph> read_if_numbered(const TableSource& source, const WordTable& table);
/// Both ends of an edge in the first word, or in brackets: "1-2 7", "(1,2): 7". asked: --ends says so.
std::optional<Graph> read_joined_ends(const TableSource& source, bool asked);
std::optional<Graph> read_if_gdf(const TableSource& source);
std::optional<Graph> read_if_lgl(const TableSource& source);
std::optional<Graph> read_if_tgf(const TableSource& source, const WordTable& table);
/// Columns named by a header or an option, row names in front. delimiter ' ': blanks.
Graph read_columns(std::string_view bytes, const std::string& name, const ReadOptions& options,
                   InputInfo& info, char delimiter);

/// Of a long text, by its beginning: nothing but edges in it, each with its ends and perhaps a weight.
bool looks_plain(const TableSource& source, const WordTable& table);
/// Refuses numbers that are nearly those of vertices and edges ("3 5" above five edges of four vertices),
/// where an edge would be a loop, or join a vertex that no other edge has.
void ask_of_doubtful_counts(const TableSource& source, const std::vector<TableRow>& rows);
/// Whether the first line, of two numbers, joins two vertices as the others do: not a vertex to itself, not
/// twice the same, and no number of a vertex is left out on account of it.
bool first_may_be_edge(const TableSource& source, const std::vector<TableRow>& rows);
/// How the first line of the rows, of as many words each, reads as the head of the two columns of ends.
HeadReading reading_of_heads(const std::vector<TableRow>& rows);
/// Whether all rows have two words or three.
inline bool are_edges(const std::vector<TableRow>& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [](const TableRow& row) { return row.fields.size() == 2 || row.fields.size() == 3; });
}
/// Whether the first row has two words that are hardly ever vertices ("source target", "weight node1 node2"),
/// and no later one has them in these columns.
bool has_telling_heads(const std::vector<TableRow>& rows);
/// For a warning: the names of columns are an edge, since they occur again below.
std::string edge_of_heads(std::string_view from, std::string_view to);
/// Whether the first of two names of columns may well be a vertex's: u, node1.
bool are_names_too(std::string_view from);
void warn_of_heads_again(const TableSource& source, const std::vector<TableRow>& rows);
/// Commas in the numbers of a column become points, where semicolons or tabs part the fields: a warning.
void take_decimal_commas(const TableSource& source, WordTable& table);
/// Single quotation marks around some fields and not around others.
void warn_of_single_quotes(const TableSource& source, const WordTable& table);

/// One line # alone, below others: these may be vertices of a damaged Trivial Graph Format.
void warn_of_rule(const TableSource& source, const WordTable& table);
/// A comment "#1 2" beside edges of numbers, or "#Rome Berne" where one of these is a vertex.
void warn_of_glued(const TableSource& source, const WordTable& table);
/// A first line without a weight above those that have one, or the other way round: it may be no edge.
void warn_of_other_head(const TableSource& source, const WordTable& table);
/// KONECT's "% bip": left and right vertices, whose numbers may be the same.
void ask_of_konect(const TableSource& source);
/// Lines such as "[1 2]" and "|1 2|", whose brackets would be parts of labels.
void refuse_bracketed_lines(const TableSource& source, const WordTable& table);
/// Whether all lines have three words, of which the one in the middle is the same and has no digit.
bool have_middle_word(const std::vector<TableRow>& rows);
void ask_of_middle_words(const TableSource& source, const WordTable& table);
/// Whether the first of several lines has a word above the others' weights, and two that are the ends of no
/// other.
bool heads_weights(const std::vector<TableRow>& rows);
/// Lines of three labels, of which the third may be a neighbour.
void ask_of_third_words(const TableSource& source, const WordTable& table);
/// A time or a value in front of the ends: "20 1 2", "2020-01-01 1 2".
void ask_of_first_column(const TableSource& source, const WordTable& table);
/// One line with a word where all others have numbers.
void warn_of_odd_line(const TableSource& source, const WordTable& table);
/// "u v weight time".
void ask_of_more_columns(const TableSource& source, const WordTable& table);

/// Whether the columns a and b may be ends of edges: whole numbers, no loops, no pair twice.
bool may_be_ends(const std::vector<TableRow>& rows, std::size_t a, std::size_t b);
/// What a third column of whole numbers may be, beside weights; nothing where a field of three is none.
struct ThirdColumn {
  bool numbered = false;    // the first column counts the edges, the others are their ends
  bool neighbours = false;  // a vertex and its neighbours
  bool loop = false;        // the first two columns have one
};
std::optional<ThirdColumn> look_at_third_column(const std::vector<TableRow>& rows);

/// Whether the words are numbers 0 to n - 1 or 1 to n, each at least once.
bool are_contiguous(std::vector<std::uint64_t> numbers);

}  // namespace countpm
