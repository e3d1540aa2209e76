#pragma once
// Vertices that may stay alone: loops of an undirected graph, whose weights are those of monomers.
//
// The sum over all matchings of the weights of their edges and of the vertices that they leave alone is the
// loop hafnian of the matrix with the vertices' weights on its diagonal. With weight t on every vertex it is
// sum_k m_k t^(n - 2k), m_k the (weighted) number of matchings with k edges. All m_k are in one number, that
// for t = 2^s, where 4^s exceeds them: its digits to the base 4^s (L. Kronecker's substitution). How large
// they can be: with L_v the least common multiple of the denominators of the weights at v, prod L_v m_k is an
// integer, and sum_k |m_k| <= prod_v sqrt(1 + sum_u |w_uv|) (kernels/arithmetic/hafnian_bound.hpp).
#include <gmpxx.h>

#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "graph/parse_weight.hpp"

namespace countpm {

/// Bits of a whole polynomial: beyond, it would take tens of thousands of primes.
inline constexpr std::uint64_t most_polynomial_bits = std::uint64_t{1} << 20;

/// The text that asks for the polynomial instead of a weight.
inline constexpr const char* monomer_letter = "t";

/// An option that gives all vertices that stay alone, or all rings, a weight or the letter.
struct LetterOption {
  const char* name;
  const char* letter;
  const char* whose;    // weight it is
  const char* at_zero;  // what a weight of 0 leaves out
  const char* without;  // which option perfect matchings are then counted
};
/// The weight that the text is for the option. Throws UsageError for none and for 0.
Weight weight_of(const LetterOption& option, const std::string& text);

/// Gives every vertex without a loop one of this weight ("t": the letter; empty: none), makes an undirected
/// graph of a bipartite one (left vertices first), and sets Graph::monomers. from_loops: vertices with a loop
/// may stay alone, too. Nothing where neither asks for monomers.
/// Throws UsageError for a directed graph, a weight that is none or 0, and a letter beside weights that are
/// not exact; UnableError where the polynomial has more than some million bits. O(vertices + edges).
void add_monomers(Graph& graph, const std::string& text, bool from_loops, const std::string& input);

/// The graph without the loops of vertices that may stay alone, and Graph::monomers false; another one as it
/// is.
Graph without_monomers(const Graph& graph);

/// Whether Graph::letter_bits is 0, or enough for the graph's polynomial, and the weight of every vertex
/// (with Graph::covers, of every tile) is 2 to that power.
bool letter_is_sound(const Graph& graph);

/// L_v of every vertex, of the weights of edges, loops and tiles (which have none of their own); and their
/// product.
std::vector<mpz_class> denominators(const Graph& graph);
mpz_class vertex_denominators(const Graph& graph);

/// An undirected graph of a bipartite one, left vertices first. Throws UnableError where both sides are too
/// many for one list.
void make_undirected(Graph& graph);

}  // namespace countpm
