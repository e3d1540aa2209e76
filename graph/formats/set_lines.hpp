#pragma once
// Lists of sets as programs write them, made lines of labels.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/read_options.hpp"

namespace countpm {

struct SetLine {
  std::uint64_t line = 0;
  std::vector<std::string_view> labels;
  std::string_view weight;  // empty: none
};

struct SetLines {
  std::unique_ptr<const std::string> text;  // where there were comments to be taken off
  std::vector<SetLine> sets;
  std::vector<std::string> columns;  // of a matrix: vertices, whether they are in a set or not
  std::vector<std::string> notes;    // how they were taken
  bool empty_row = false;            // a row of zeros, on `line`
  std::uint64_t line = 0;
};

/// [[1, 4], [2, 3]], {'r1': [1, 4]}, lines such as {1, 4}, [1, 4], r1: 1 4, r1 = {1, 4}, 1,4 and the rows of
/// a matrix of 0 and 1 with what may stand around it. Nothing where the lines are plain: labels with blanks
/// between them. Views of the text. O(bytes).
std::optional<SetLines> set_lines(std::string_view text, FirstLine first_line);

}  // namespace countpm
