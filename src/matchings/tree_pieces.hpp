#pragma once
// The parts of an instance whose matchings may leave vertices alone and that are trees: of a graph with
// monomers its components, of maximum matchings the parts that these leave vertices free in
// (matching/free_vertices.hpp). They are worth no plan (kernels/passes/tree_passes.hpp).
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "graph/errors.hpp"
#include "graph/instance.hpp"
#include "kernels/passes/tree_passes.hpp"
#include "matching/free_vertices.hpp"

namespace countpm {

/// What methods are called that a tree's matchings are found by.
inline constexpr const char* tree_method = "trees";

struct TreePiece {
  static constexpr std::uint64_t no_entry = ~std::uint64_t{0};

  WeightedTree tree;
  std::vector<Index> line;           // of every vertex: its row, or behind all rows its column
  std::vector<std::uint64_t> entry;  // of the edge to its parent in the instance; of a general graph one
  std::vector<std::uint64_t> twin;   // the other one, or no_entry
  std::vector<std::uint64_t> loop;   // of its weight where it stays alone, or no_entry
};

/// The instance of these matchings, with the trees that it has; nothing is added to those. O(entries).
Instance with_trees_apart(Instance instance, MatchingSize matchings, std::vector<TreePiece>& trees);

/// An instance without the lines of trees. Of every line and entry that is left: what it was.
struct WithoutTrees {
  Instance instance;  // its problem, pattern and values
  std::vector<Index> row;
  std::vector<Index> column;
  std::vector<std::uint64_t> entry;
};
WithoutTrees without_trees(const Instance& instance, const std::vector<TreePiece>& trees);

/// What a tree is predicted to take.
double seconds_of_draws(const TreePiece& tree, std::uint64_t draws);
double bytes_of_draws(const TreePiece& tree);

/// A number that a share of the total is not below, and one that it is not above.
struct TreeShare {
  mpz_class low;
  mpz_class high;
  mpz_class denominator;
};
TreeShare share_of(const Enclosed& part, const Enclosed& total);

/// Throws UnableError where exact fractions would take more than so many bytes.
void refuse_long_fractions(const TreePasses& passes, std::uint64_t memory_bytes);

/// `form` of the share of every entry of the tree in its total, put into `shares`. False where the weights
/// add up to 0. memory_bytes: what exact sums may take.
template <class Share>
bool put_tree_shares(const TreePiece& piece, std::uint64_t memory_bytes,
                     const std::function<Share(const mpz_class&, const mpz_class&)>& form,
                     std::vector<Share>& shares) {
  const TreePasses passes(piece.tree);
  const auto put = [&](Index v, const Share& of_edge, const Share& of_loop) {
    if (v > 0) shares[piece.entry[v]] = of_edge;
    if (v > 0 && piece.twin[v] != TreePiece::no_entry) shares[piece.twin[v]] = of_edge;
    if (piece.loop[v] != TreePiece::no_entry) shares[piece.loop[v]] = of_loop;
  };
  if (passes.is_zero()) return false;
  // Long sums are enclosed ever more closely, until both ends have one form.
  constexpr std::uint64_t short_bits = 256;
  constexpr unsigned first_bits = 192;
  constexpr unsigned most_bits = 4096;
  const mpz_class unit = mpz_class(1) << most_bits;
  const bool rounds = form(unit, 3 * unit) == form(unit + 1, 3 * unit);
  if (rounds && passes.bits() > short_bits && !passes.has_negative()) {
    for (unsigned bits = first_bits; bits <= most_bits; bits *= 4) {
      const TreeUses<Enclosed> uses = passes.enclosed_uses(bits);
      bool decided = true;
      const auto form_of = [&](const Enclosed& part) {
        const TreeShare share = share_of(part, uses.total);
        Share low = form(share.low, share.denominator);
        decided = decided && low == form(share.high, share.denominator);
        return low;
      };
      for (Index v = 0; v < passes.vertices() && decided; ++v) {
        check_stop();
        put(v, form_of(uses.edge[v]), form_of(uses.alone[v]));
      }
      if (decided) return true;
    }
  }
  refuse_long_fractions(passes, memory_bytes);
  const TreeUses<mpz_class> uses = passes.exact_uses();
  if (uses.total == 0) return false;
  for (Index v = 0; v < passes.vertices(); ++v) {
    check_stop();
    put(v, form(uses.edge[v], uses.total), form(uses.alone[v], uses.total));
  }
  return true;
}

}  // namespace countpm
