#pragma once
// A sample: the vertices in the order of a sweep, each with a partner, or alone, in proportion to what the
// states of the boundary say that the rest is worth then.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/boundary/small_matrices.hpp"
#include "kernels/estimate/boundary/states.hpp"
#include "kernels/estimate/walks/draw_choice.hpp"

namespace countpm {

/// Draws samples one after the other. Not thread-safe: one for each thread.
class BoundaryWalk {
 public:
  BoundaryWalk(const SampleGraph& graph, const BoundarySweep& sweep, const BoundaryStates& states);

  /// The mantissa is 0 where a vertex could neither be matched nor stay alone.
  template <class Random>
  Scaled draw(Random& random) {
    begin();
    matching_.clear();
    Scaled sample;
    for (std::uint32_t t = 0; t < sweep_.steps.size(); ++t) {
      const std::uint32_t v = sweep_.steps[t].vertex;
      if (taken_[v] != 0) continue;
      find_choices(v, t);
      if (choices_.empty()) return {0, 0};
      if (choices_.size() > 1) weigh(t);
      const auto [pick, share] = draw_choice(choices_, random);
      sample.multiply(choices_[pick].weight);
      sample.multiply(1 / share);
      const std::uint32_t partner = choices_[pick].vertex;
      if (partner != nobody) taken_[partner] = 1;
      matching_.emplace_back(v, partner == nobody ? v : partner);
    }
    return sample;
  }
  /// What the last sample is the weight of, but for one of 0: pairs of vertices, and (v, v) for one alone.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& matching() const { return matching_; }

 private:
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  struct Choice {
    std::uint32_t vertex;  // nobody: alone
    double weight;
    double share;  // of all choices, once they are weighed
    std::uint32_t place;
  };
  /// What the first matrices of a line, or the last ones, come to for the boundary's s.
  struct Ends {
    struct End {
      std::uint32_t matrices;
      char taken;
    };
    std::vector<End> known;
    std::vector<std::vector<float>> product;  // of so many; one more than known
  };

  void begin();
  void find_choices(std::uint32_t v, std::uint32_t t);
  /// Precondition: two choices or more.
  void weigh(std::uint32_t t);
  const std::vector<float>& from_left(const BoundaryStates::Line& line, std::uint32_t size);
  const std::vector<float>& from_right(const BoundaryStates::Line& line, std::uint32_t size);
  void times(const std::vector<float>& row, const BoundaryStates::Matrices& matrices, unsigned s,
             std::vector<float>& result) const;
  void times(const BoundaryStates::Matrices& matrices, unsigned s, const std::vector<float>& column,
             std::vector<float>& result) const;
  unsigned taken(const BoundaryStates::Matrices& matrices) const {
    return taken_[matrices.vertex] != 0 ? 1 : 0;
  }

  const SampleGraph& graph_;
  const BoundarySweep& sweep_;
  const BoundaryStates& states_;
  double least_share_;
  std::vector<char> taken_;
  std::vector<Choice> choices_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> matching_;
  Ends left_;
  Ends right_;
  std::vector<std::vector<float>> behind_;  // from_right for every place among the choices'
  std::vector<float> ahead_;
  std::vector<float> other_;
};

}  // namespace countpm
