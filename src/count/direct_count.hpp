#pragma once
// Small graphs without weights or with whole numbers for weights, with monomers or without, counted without a
// plan: twice, in two ways, and once more modulo 2; and their largest matchings.
#include <optional>

#include "src/api/entries.hpp"
#include "src/count/small_graph.hpp"

namespace countpm {

struct DirectSum {
  mpz_class value;
  bool eliminated = true;                   // else the permanent of a dense matrix, and of its transpose
  std::optional<std::size_t> largest = {};  // of the largest matchings, which were asked for: their edges
};

/// Whether the options say how it is to be counted, which is for count() then.
bool asks_how(const Options& options);

/// The sum over the perfect matchings (cycle covers) by elimination in two orders
/// (src/count/small_graph.hpp), or for dense matrices by dense_permanent() of both sides: nothing where that
/// may take longer than planning would, and where the options ask for the smaller side, or how it is to be
/// counted. Largest matchings are eliminated likewise. Throws CheckError where the two, the determinant
/// modulo 2, or the size of a largest matching, disagree. `options` have been checked, the graph is sound.
std::optional<DirectSum> direct_sum(const Graph& graph, const Options& options);
/// The same of a small graph, perfect matchings or, with vertices that may stay alone, all.
std::optional<DirectSum> direct_sum(const SmallGraph& graph);

/// The same as a result; without a violator where the count is 0.
std::optional<CountResult> direct_count(const ReadResult& read, const Options& options);

}  // namespace countpm
