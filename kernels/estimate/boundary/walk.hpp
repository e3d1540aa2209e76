#pragma once
// Samples: the vertices in the order of a sweep, each with a partner, or alone, in proportion to what the
// states of the boundary say that the rest is worth then.
//
// The states are far larger than a cache: several walks go through the sweep in step, so that each of its
// matrices comes from memory once for all of them. A walk does what it would do alone, number by number.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/boundary/states.hpp"
#include "kernels/estimate/walks/draw_choice.hpp"

namespace countpm {

/// A step of the sweep with the line after it, looked up once for all walks that go together.
class BoundaryFront {
 public:
  struct Site {
    std::uint32_t number;  // of the matrices
    std::uint32_t vertex;
    std::uint32_t left;
    std::uint32_t right;
    const float* values;
  };

  BoundaryFront(const SampleGraph& graph, const BoundarySweep& sweep, const BoundaryStates& states)
      : graph_(graph), sweep_(sweep), states_(states), place_(graph.vertices(), 0) {}

  void begin(std::uint32_t step) {
    step_ = step;
    known_ = false;
  }
  const SampleGraph& graph() const { return graph_; }
  std::uint32_t vertex() const { return sweep_.steps[step_].vertex; }
  bool to_come(std::uint32_t vertex) const { return sweep_.position[vertex] > step_; }
  /// As BoundaryStates::lost.
  double lost() const { return states_.lost(step_); }
  /// From left to right.
  const std::vector<Site>& line() {
    if (!known_) look();
    return line_;
  }
  /// Where on the line a neighbour stands that is to come. Precondition: line() was asked for in this step.
  std::uint32_t place(std::uint32_t vertex) const { return place_[vertex]; }

 private:
  void look();

  const SampleGraph& graph_;
  const BoundarySweep& sweep_;
  const BoundaryStates& states_;
  std::uint32_t step_ = 0;
  bool known_ = false;
  std::vector<Site> line_;
  std::vector<std::uint32_t> place_;
};

/// One walk.
class BoundaryWalk {
 public:
  explicit BoundaryWalk(const SampleGraph& graph);

  void begin();
  template <class Random>
  void step(BoundaryFront& front, Random& random) {
    const std::uint32_t v = front.vertex();
    if (taken_[v] != 0 || sample_.mantissa == 0) return;
    find_choices(front);
    if (choices_.empty()) {
      sample_ = {0, 0};
      return;
    }
    if (choices_.size() > 1) weigh(front);
    const auto [pick, share] = draw_choice(choices_, random);
    sample_.multiply(choices_[pick].weight);
    sample_.multiply(1 / share);
    const std::uint32_t partner = choices_[pick].vertex;
    if (partner != nobody) taken_[partner] = 1;
    matching_.emplace_back(v, partner == nobody ? v : partner);
  }

  /// After the last step. The mantissa is 0 where a vertex could neither be matched nor stay alone.
  const Scaled& sample() const { return sample_; }
  /// What the sample is the weight of, but for one of 0: pairs of vertices, and (v, v) for one alone.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& matching() const { return matching_; }

 private:
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  struct Choice {
    std::uint32_t vertex;  // nobody: alone
    double weight;
    double share;  // of all choices, once they are weighed
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
  using Site = BoundaryFront::Site;

  void find_choices(const BoundaryFront& front);
  /// Precondition: two choices or more.
  void weigh(BoundaryFront& front);
  const std::vector<float>& from_left(const std::vector<Site>& line, std::uint32_t size);
  const std::vector<float>& from_right(const std::vector<Site>& line, std::uint32_t size);
  unsigned taken(const Site& site) const { return taken_[site.vertex] != 0 ? 1 : 0; }

  double least_share_;
  Scaled sample_;
  std::vector<char> taken_;
  std::vector<Choice> choices_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> matching_;
  Ends left_;
  Ends right_;
  std::vector<std::vector<float>> behind_;  // from_right for every place among the choices'
  std::vector<float> ahead_;
  std::vector<float> other_;
};

/// Draws samples, some of them together. Not thread-safe: one for each thread.
class BoundaryWalks {
 public:
  /// Of 60x60, bond 32, they take a quarter of the time of single ones, 16 a third (EPYC, Zen 4, 2026-11-27).
  static constexpr std::size_t together = 32;

  BoundaryWalks(const SampleGraph& graph, const BoundarySweep& sweep, const BoundaryStates& states)
      : steps_(static_cast<std::uint32_t>(sweep.steps.size())), front_(graph, sweep, states) {}

  /// One by each of the random numbers, which the operator tells. Throws Stopped.
  template <class Random>
  void draw(Random* random, std::size_t count, const StopSignal& stop) {
    constexpr std::uint32_t steps_a_look = 256;
    while (walks_.size() < count) walks_.emplace_back(front_.graph());
    for (std::size_t k = 0; k < count; ++k) walks_[k].begin();
    for (std::uint32_t t = 0; t < steps_; ++t) {
      if (t % steps_a_look == 0) stop.check();
      front_.begin(t);
      for (std::size_t k = 0; k < count; ++k) walks_[k].step(front_, random[k]);
    }
  }
  /// A single one.
  template <class Random>
  Scaled draw(Random& random, const StopSignal& stop) {
    draw(&random, 1, stop);
    return walks_.front().sample();
  }
  const BoundaryWalk& operator[](std::size_t k) const { return walks_[k]; }

 private:
  std::uint32_t steps_;
  BoundaryFront front_;
  std::vector<BoundaryWalk> walks_;
};

}  // namespace countpm
