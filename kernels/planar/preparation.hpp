#pragma once
// From a block to the oriented matrices whose determinants (Pfaffians) add up to its count: embedded in the
// plane, on a torus or on another closed surface, once for all that is asked of it.
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "kernels/planar/orientation/signed_matrix.hpp"
#include "kernels/planar/orientation/surface_kasteleyn.hpp"
#include "kernels/polynomial_method.hpp"

namespace countpm::planar {

/// An oriented matrix. Its determinant (Pfaffian) comes with (sign + imaginary i) / 2^halvings.
struct Term {
  SignedMatrix matrix;
  int sign = 0;     // of the first term 0 where there is no perfect matching
  Index alone = 0;  // of the block's vertices, how many may stay alone
  Index path = 0;   // of the graph's vertices, those that the block does not have (with_monomer_path())
  int imaginary = 0;
  unsigned halvings = 0;
  // On other surfaces than a torus (surface_kasteleyn.hpp): the loops of edges, the same for all terms, and
  // q.
  std::shared_ptr<const SurfaceLoops> loops = {};
  std::vector<std::uint8_t> form = {};
};

/// What is counted: a plane graph's one term, the four of a graph on a torus, each by halves, or the two,
/// four and more of one on another surface (surface_kasteleyn.hpp). They differ in orientation alone.
using Terms = std::vector<Term>;

/// Whether they are matrices over the Gaussian rationals, which take primes that are 1 modulo 4.
bool are_complex(const Terms& terms);
/// A term's coefficient modulo a prime, times -1 where `negative`.
std::uint64_t coefficient_modulo(const Term& term, bool negative, std::uint64_t prime);
/// Of the sum: log2 of how many times the largest of the determinants (Pfaffians) it is at most.
double log2_terms(const Terms& terms);
/// Whether vertices have entries that are no real numbers: their rows are fitted by none in a bound
/// (determinant_bound.hpp). Empty: none have.
std::vector<std::uint8_t> complex_rows(const SignedMatrix& matrix);

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
  bool is_conjugate(const Term& term) const;

  const AnyBlock& block_;
  MakeJob make_;
  Terms terms_;
  std::optional<Refusal> reason_;  // why there is none
};

}  // namespace countpm::planar
