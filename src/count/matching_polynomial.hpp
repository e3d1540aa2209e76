#pragma once
// The coefficients of the matching polynomial, or of that of covers by edges and rings, out of the one number
// that holds them all (graph/kinds/monomers.hpp, graph/kinds/tiles.hpp), and what they are checked by.
#include <gmpxx.h>

#include <memory>
#include <optional>
#include <vector>

#include "graph/graph.hpp"
#include "src/checks/checks.hpp"

namespace countpm {

/// A count whose every vertex, or every ring, has the weight 2^bits in the place of the letter.
struct Letter {
  unsigned bits = 0;
  Index vertices = 0;  // rings: without them
  bool rings = false;
  Index smallest_ring = 1;
  std::shared_ptr<const Graph> without_rings;
  /// Rings, where a weight is negative: the graph with the weights' sizes, in whose polynomial nothing
  /// cancels.
  std::shared_ptr<const Graph> of_sizes;
  mpz_class scale = 1;  // makes every coefficient an integer
  mpq_class first;      // the coefficients of one and of two edges, from weights and degrees
  mpq_class second;
  Index largest = 0;      // the edges of a largest matching
  bool negative = false;  // whether a weight is: coefficients may cancel to 0
  /// How many coefficients there may be.
  std::size_t most() const {
    return rings ? vertices / smallest_ring + std::size_t{1} : vertices / 2 + std::size_t{1};
  }
};

/// Of a graph with Graph::letter_bits, which is 0 for none. As long as a maximum matching takes.
std::optional<Letter> letter_of(const Graph& graph);

/// The coefficient of k edges in place k, from 0 edges to those of a largest matching; of k rings, to the
/// last that is not 0 (fill_up). Throws CheckError where the number is none of this letter.
std::vector<mpq_class> coefficients(const mpq_class& packed, const Letter& letter);

/// Of rings, where weights cancel: zeros up to the most rings that a cover has, by the coefficients of
/// Letter::of_sizes.
void fill_up(std::vector<mpq_class>& coefficients, const std::vector<mpq_class>& of_sizes);

/// Their sum: the polynomial at 1.
mpq_class sum_of(const std::vector<mpq_class>& coefficients);

/// One empty matching; those of one and two edges; none of more edges than a largest matching has; and where
/// no weight is negative none that is 0 or less. Of rings: that none is below 0 then. Throws CheckError.
void verify_coefficients(const std::vector<mpq_class>& coefficients, const Letter& letter, Checks& checks);

/// The coefficient without rings is the sum over perfect matchings, which was counted by itself. Throws
/// CheckError.
void verify_without_rings(const std::vector<mpq_class>& coefficients, const mpq_class& matchings,
                          Checks& checks);

}  // namespace countpm
