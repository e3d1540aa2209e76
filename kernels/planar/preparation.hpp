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
};

/// What is counted: a plane graph's one term, or half the sum of the four of a graph on a torus. They differ
/// in orientation alone.
using Terms = std::vector<Term>;

/// Embeds and orients the block; or why that cannot be done. with_sign: whether a plane graph's term has its
/// sign, which takes a perfect matching; else it is 1, for sizes alone.
std::variant<Terms, Refusal> oriented_terms(const AnyBlock& block, bool with_sign = true);

/// What the methods that count by these matrices have in common.
MethodTraits kasteleyn_traits();

class PlanarPreparation : public Preparation {
 public:
  using MakeJob = std::unique_ptr<Job> (*)(Terms terms, const Arithmetic& arithmetic);

  /// The block outlives it.
  PlanarPreparation(const AnyBlock& block, MakeJob maker) : block_(block), make_(maker) {}

  double log2_bound() override;
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
