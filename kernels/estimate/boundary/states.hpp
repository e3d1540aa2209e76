#pragma once
// What the rest of a graph is worth, as a function of the boundary: a matrix-product state for every step.
//
// After t steps let E_t(s) be the sum over the matchings of the vertices to come, without those v on the
// boundary that earlier vertices have taken (s_v = 1). Backwards, with v the vertex of step t + 1, w its
// neighbours to come, m its weight if it stays alone:
//   E_t(.., s_v = 1, ..) = E_{t+1}(..),
//   E_t(.., s_v = 0, ..) = m E_{t+1}(..) + sum over w with s_w = 0 of a_vw E_{t+1}(.., s_w = 1, ..).
// E_t is kept as a product of matrices, one for each vertex of the line (sweep.hpp), chosen by its s. The
// step is an operator whose matrices are twice as large between the first and the last vertex that it
// touches (has the choice been made by then?); there they are cut to the bond again, by singular values, the
// matrices on both sides orthonormal. Where few states say all (kagome lattices: 4), that is exact; on
// lattices in the plane it is nearly so. What is cut bears on the variance of samples alone.
//
// A relative error of E_t(s) adds to that variance as often as samples come to s: an error d of E_t(s) in
// proportion to d^2 N_t(s) / E_t(s), where N_t(s) is what the matchings of the first t vertices that take s
// are worth. So states are cut not of E_t but of E_t sqrt(N_t / E_t), that root as a product over the
// vertices, of what belief propagation says of each. Without it a kind of matchings whose rest is worth
// 10^-10 of another's is cut as a rounding error, whatever came before it.
//
// F. Verstraete, V. Murg, J. I. Cirac, Matrix product states, projected entangled pair states, and
// variational renormalization group methods for quantum spin systems, Adv. Phys. 57 (2008). For sampling: A.
// J. Ferris, G. Vidal, Perfect sampling with unitary tensor networks, Phys. Rev. B 85 (2012).
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/estimate/bethe/general_walk.hpp"
#include "kernels/estimate/boundary/sweep.hpp"

namespace countpm {

class BoundaryStates {
 public:
  struct Matrices {
    std::uint32_t vertex = 0;
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    std::uint64_t at = 0;
    /// For s = 0, then 1: left x right.
    std::uint64_t of(unsigned s) const { return at + std::uint64_t{s} * left * right; }
  };
  struct Line {
    const std::uint32_t* number = nullptr;  // of the matrices, from left to right
    std::uint32_t size = 0;
  };

  /// Every line, with matrices up to bond x bond. Nothing where they would take more than `most_bytes`. About
  /// bond^3 times the sweep's steps and what lies between the vertices that they touch. messages: of the
  /// whole graph. Throws Stopped.
  static std::optional<BoundaryStates> make(const SampleGraph& graph, const RestGraph& messages,
                                            const BoundarySweep& sweep, std::uint32_t bond,
                                            std::uint64_t most_bytes);

  /// E_t for t = step + 1, up to a factor.
  Line after(std::uint32_t step) const {
    return {numbers_.data() + first_[step],
            static_cast<std::uint32_t>(first_[step + std::size_t{1}] - first_[step])};
  }
  const Matrices& matrices(std::uint32_t number) const { return matrices_[number]; }
  const float* values(const Matrices& matrices, unsigned s) const { return values_.data() + matrices.of(s); }
  /// How much was cut of the states after this step and the next ones, as many as a line is long: the largest
  /// share of the sum of their squares.
  double lost(std::uint32_t step) const { return lost_[step]; }
  /// All that was cut, step by step.
  double total_lost() const { return total_lost_; }
  /// About how many multiplications it took to make them.
  double work() const { return work_; }
  /// The largest size of a matrix.
  std::uint32_t bond() const { return bond_; }

 private:
  BoundaryStates() = default;
  friend class BackwardSweep;

  std::vector<std::uint64_t> first_;
  std::vector<std::uint32_t> numbers_;
  std::vector<Matrices> matrices_;
  std::vector<float> values_;
  std::vector<double> lost_;
  double total_lost_ = 0;
  double work_ = 0;
  std::uint32_t bond_ = 1;
};

}  // namespace countpm
