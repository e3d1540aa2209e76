#pragma once
// The plan for a block that holds a polynomial, counted modulo primes and at points.
#include <optional>
#include <string>
#include <vector>

#include "src/number/point_residues.hpp"
#include "src/plan/plan.hpp"

namespace countpm {

/// The block has 2^form.base_bits in the letter's place, in weights c 2^(base_bits k) with
/// |log2 |c|| < base_bits / 2. Empty where none of the methods that the options allow counts it so, or where
/// GPUs alone may count and have no form for it. As plan_block() otherwise.
std::optional<BlockPlan> plan_at_points(const AnyBlock& block, const PackedForm& form,
                                        const CountOptions& options, const Resources& resources, bool nominal,
                                        Monitor& monitor);

/// The same by a method and points that a journal says. prove: whether the points are to determine every
/// coefficient by the form's bounds; else whoever chose them sees to that. Empty where the method has no such
/// points for the block.
struct PointsBefore {
  std::string method;
  std::vector<PrimeWindow> windows;
  bool prove = true;
};
std::optional<BlockPlan> plan_at_points_as_before(const AnyBlock& block, const PackedForm& form,
                                                  const PointsBefore& before, const CountOptions& options,
                                                  const Resources& resources, bool nominal, Monitor& monitor);

}  // namespace countpm
