#pragma once
// What region_draw works on: parts of the graph, and the matrices of each.
#include <memory>
#include <optional>
#include <vector>

#include "kernels/arithmetic/residue_join.hpp"
#include "kernels/planar/passes/region.hpp"
#include "kernels/planar/passes/region_draw.hpp"

namespace countpm::planar {

/// Parts whose sums multiply to `product`, where that is known; `left` of them are not decided yet.
struct RegionDraw::Siblings {
  std::optional<mpz_class> product;
  std::size_t left = 0;
};

struct RegionDraw::Task {
  std::vector<Index> vertices;  // all that belong to the part
  std::vector<Index> decided;   // those that are to be matched now
  std::vector<Index> children;  // fronts whose subtrees go on
  std::shared_ptr<Siblings> siblings;
  bool all_terms = false;
};

/// What is not matched of a subtree, and the vertices that are to be matched now.
class RegionDraw::Region {
 public:
  std::vector<Term> terms;  // rows, then columns, by local numbers; after either those of a border
  FrontTree tree;
  Index border = 0;
  std::vector<Index> vertex;   // of a local number; no_index for the border
  std::vector<Index> decided;  // local numbers
  // Of a vertex: which of the root front's edges are at it; none of the border's.
  std::vector<std::vector<Index>> edges_at;

  std::unique_ptr<ResidueJoin> join;
  std::vector<std::vector<std::unique_ptr<RegionInverse>>> groups;  // of primes, then by term
  mpz_class total;

  const BlockGraph& graph() const { return terms[0].matrix.graph; }

  /// Of the sum over the perfect matchings. Precondition: no border.
  double log2_bound() const;
};

}  // namespace countpm::planar
