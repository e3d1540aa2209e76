#pragma once
// Options as dictionaries: the names of the command line's, with _ for -, and Python's values.
#include <nanobind/nanobind.h>

#include "graph/read.hpp"
#include "src/api/entries.hpp"
#include "src/api/estimate_result.hpp"

namespace countpm::python {

/// UsageError for a key that is none, listing those that are, and for a value of another type.
CountOptions count_options(const nanobind::dict& given);
/// The time limit is the count's, where that is given.
EstimateOptions estimate_options(const nanobind::dict& given, const nanobind::dict& of_count);

/// UsageError for a name that is none.
GraphKind kind_named(const std::string& name);
LoopPolicy loops_named(const std::string& name);

/// The options of reading that are not None.
struct Reading {
  std::optional<std::string> format;
  std::optional<std::string> kind;
  bool symmetric = false;
  bool weights = false;
  std::string multi = "reject";
  std::string loops = "reject";
  std::vector<std::string> remove;
  // Of tables.
  std::optional<std::string> first_line = {};
  std::string ends = {};  // "A,B"; empty: told from the table
  std::string weight_column = {};
  std::string embedding = {};  // a file; empty: none
};
ReadOptions read_options(const Reading& reading);

}  // namespace countpm::python
