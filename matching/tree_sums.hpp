#pragma once
// The maximum matchings of trees, or all of them, summed up exactly.
//
// A vertex v with the children c has the sums left(v) = prod settled(c) and settled(v) = alone(v) left(v) +
// sum over c of w(v, c) left(c) prod of the others' settled; of maximum matchings as leading terms
// (leading.hpp), with 1 for alone(v). Down a path of
// heavy children, each with more descendants than its siblings, the pair of sums is a product of 2 x 2
// matrices, which is multiplied by halves, and so are the light children of a vertex: O(n) steps for numbers
// of a word, O(M(n) log^2 n) where the numbers have O(n) digits and two of them are multiplied in M(n).
// D. D. Sleator, R. E. Tarjan, A data structure for dynamic trees, J. Comput. Syst. Sci. 26 (1983).
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "matching/leading.hpp"

namespace countpm {

/// Trees, every vertex behind its children. parent[v] is no_index of a root, whose `edge` is not looked at.
template <class Number>
struct Forest {
  std::vector<Index> parent;
  std::vector<Fraction<Number>> edge;  // to the parent
  /// Of every vertex, what it weighs where it stays alone: the sums are over all matchings then.
  std::vector<Fraction<Number>> alone = {};
};

/// Of every root; what stands at other vertices is of no meaning. Looks at the stop signal of the thread.
template <class Number>
std::vector<VertexSums<Number>> tree_sums(const Forest<Number>& forest);

extern template std::vector<VertexSums<mpz_class>> tree_sums(const Forest<mpz_class>&);
extern template std::vector<VertexSums<Gaussian<mpz_class>>> tree_sums(const Forest<Gaussian<mpz_class>>&);

}  // namespace countpm
