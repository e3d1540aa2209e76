#pragma once
// From a block to the oriented matrices whose determinants (Pfaffians) add up to its count: embedded in the
// plane or on a torus, once for all that is asked of it.
#include <optional>
#include <variant>
#include <vector>

#include "kernels/planar/orientation/signed_matrix.hpp"
#include "kernels/polynomial_method.hpp"

namespace countpm::planar {

/// An oriented matrix, and the sign that its determinant (Pfaffian) comes with; 0 where there is no perfect
/// matching.
struct Term {
  SignedMatrix matrix;
  int sign = 0;
  Index alone = 0;  // of the block's vertices, how many may stay alone
  Index path = 0;   // of the graph's vertices, those that the block does not have (with_monomer_path())
};

/// What is counted: a plane graph's one term, or half the sum of the four of a graph on a torus. They differ
/// in orientation alone.
using Terms = std::vector<Term>;

/// Embeds and orients the block, with monomers that of with_monomer_path(); or why that cannot be done.
/// with_sign: whether a plane graph's term has its sign, which takes a perfect matching; else it is 1, for
/// sizes alone.
std::variant<Terms, Refusal> oriented_terms(const AnyBlock& block, bool with_sign = true);

/// What the methods that count by these matrices have in common: traits, what keeps them from computing, and
/// that a bound on a matrix' determinant bounds the block's, an integer, times its denominator.
MethodTraits kasteleyn_traits();
std::optional<Refusal> obstacle_of_primes(const AnyBlock& block, const Arithmetic& arithmetic);
double with_denominator(const AnyBlock& block, double log2_bound);
/// How many rows each is fitted by for the bound (elimination/determinant_bound.hpp).
unsigned rows_to_fit_by(std::uint64_t vertices);

class PlanarPreparation : public Preparation {
 public:
  using MakeJob = std::unique_ptr<Job> (*)(Terms terms, const Arithmetic& arithmetic,
                                           const MethodOptions& options);

  /// The block outlives it.
  PlanarPreparation(const AnyBlock& block, MakeJob maker) : block_(block), make_(maker) {}

  double log2_bound(int threads) override;
  std::optional<Refusal> obstacle(const Arithmetic& arithmetic) override;
  std::unique_ptr<Job> make_job(const Arithmetic& arithmetic, const MethodOptions& options) override;

 private:
  std::optional<Refusal> not_planar();

  const AnyBlock& block_;
  MakeJob make_;
  Terms terms_;
  std::optional<Refusal> reason_;  // why there is none
};

}  // namespace countpm::planar
