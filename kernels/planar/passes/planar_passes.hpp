#pragma once
// Edge uses and random perfect matchings of blocks that are planar or a lattice on a closed surface,
// bipartite or not, and matchings with monomers on one face, exactly, in polynomial time: what the passes of
// frontier are for narrow blocks. K^-1 gives both (use_residues.hpp, region_draw.hpp), on other surfaces
// those of all orientations.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/method.hpp"
#include "kernels/passes/edge_uses.hpp"
#include "kernels/passes/layer_limits.hpp"

namespace countpm {

/// What is found modulo primes; the uses' residues depend on the total's sign.
enum class PrimeStep : std::uint8_t { total, uses, uses_of_negative };
/// Of each prime the residues that a step finds; none where the prime is unlucky, and others will do.
using PrimeResidues = std::vector<std::vector<std::uint64_t>>;
/// Finds those of primes first .. first + count - 1.
using PrimeShare = std::function<PrimeResidues(PrimeStep step, std::uint64_t first, std::uint64_t count)>;

class PlanarPasses {
 public:
  /// Why not, as the end of "planar cannot: ..."; empty where it can. O(n).
  static std::optional<std::string> obstacle(const AnyBlock& block);

  /// progress(share) is called with how much of a pass is done. Precondition: no obstacle; no multiplicities.
  PlanarPasses(const AnyBlock& block, LayerLimits limits, std::function<void(double)> progress = {});
  ~PlanarPasses();
  PlanarPasses(PlanarPasses&&) noexcept;
  PlanarPasses& operator=(PlanarPasses&&) noexcept;

  /// Multiplications modulo a prime, all primes together, of one elimination.
  double work() const;
  /// The most memory that a draw so far needed; 0 before the first.
  std::uint64_t draw_bytes() const;
  /// Of which work() is the sum: one in the plane, four on a torus, 2^b on other surfaces.
  double orientations() const;

  /// From now on total() and edge_uses() have it find what they need modulo primes.
  void share_primes(PrimeShare share);
  /// A part of that, on the threads here.
  PrimeResidues residues(PrimeStep step, std::uint64_t first, std::uint64_t count, const StopSignal& stop);
  /// How many residues a lucky prime has.
  std::size_t values_of(PrimeStep step) const;
  /// These primes, or more of them, of lane_prime_bits.
  const std::vector<std::uint64_t>& primes(std::uint64_t count);
  /// How many primes are done side by side here.
  static std::size_t lanes();

  /// As those of frontier's passes; the sum over all matchings comes without its sign. Throw Stopped and
  /// UnableError (memory). Time O(n^2.5), draw() for each draw. draw() needs no total().
  const mpz_class& total(const StopSignal& stop);
  /// total() is that many times the sum: fractions have become integers.
  const mpz_class& multiple() const;
  EdgeUses edge_uses(const StopSignal& stop);
  std::vector<PairList> draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                             std::uint64_t count, const StopSignal& stop);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace countpm
