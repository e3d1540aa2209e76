#pragma once
// CSV that a command wrote, read back: no cell of it is quoted.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/run_binary.hpp"

namespace countpm::test {

inline std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

inline std::vector<std::string> csv_lines(const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  for (std::string& line : lines) {
    EXPECT_TRUE(line.ends_with('\r')) << line;
    line.pop_back();
  }
  return lines;
}

}  // namespace countpm::test
