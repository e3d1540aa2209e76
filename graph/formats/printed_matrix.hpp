#pragma once
// Matrices as programs print them, or as a line of a program makes them.
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/formats/word_table.hpp"

namespace countpm {

struct PrintedMatrix {
  std::vector<TableRow> rows;       // all of numbers; true and false are 1 and 0
  std::deque<std::string> texts;    // of entries that do not stand in the text as they are
  bool certain = false;             // nothing else is written so; else it may be a list of edges
  std::size_t decimal_columns = 0;  // up to which commas stand for points; 0: there are none
  bool decimal_ends = false;        // in the first two, too
  std::string_view factor;          // of all entries, "1.0e+03"; empty: none
};

/// What is wrong with a text that is a printed matrix and nothing else.
struct PrintedFault {
  std::uint64_t line = 0;
  std::string expected;
  std::string found;
};

/// A = [1 2; 3 4]; np.array([[1, 2], [3, 4]]); Matrix(...), matrix(c(...), nrow = 2), {{1, 2 + I}, {3, 4}},
/// <<1|2>,<3|4>>. Nothing where it is none of these, or has other words than numbers.
std::optional<PrintedMatrix> matrix_literal(std::string_view text);

/// Rows under "A =", "Columns 1 through 8", "1.0e+03 *", "3x3 Matrix{Int64}:"; R's "[1,]"; every row in
/// brackets; LaTeX. Throws PrintedFault.
std::optional<PrintedMatrix> matrix_lines(std::string_view text);

/// Entries as lines "(row, column) value", and the size if the text says it.
struct PrintedEntries {
  struct Entry {
    std::uint64_t line = 0;
    std::uint64_t row = 0;  // from 0
    std::uint64_t column = 0;
    std::string_view value;
  };
  std::vector<Entry> entries;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  bool sized = false;    // as the text says
  bool certain = false;  // else they may be edges with weights
};

/// What Octave, MATLAB and SciPy print of a sparse matrix. Throws PrintedFault.
std::optional<PrintedEntries> printed_entries(std::string_view text);

// Inside these.
/// The text with blanks in the place of comments (# and % at the start of words, but for %i); empty where
/// there are none, or what Octave saves, whose comments say what is below.
std::string without_comments(std::string_view text);
/// The number that the word is as parse_weight() takes it; nothing where it is none.
std::optional<std::string_view> printed_number(std::string_view word);
/// The fields of a row, with commas or blanks between them; false: not all of them are numbers.
bool take_printed_row(std::string_view text, bool commas, TableRow& row, std::deque<std::string>& texts);
/// Whether a name says that edges are given to it: edges, arc_list.
bool names_edges(std::string_view name);
/// Whether it is a name to which something is given: A, M.x, int A[3][3].
bool is_assigned_name(std::string_view text);

}  // namespace countpm
