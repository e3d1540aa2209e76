#pragma once
// Which frontier vertices nothing so far tells apart.
//
// Two of them are alike while they have the same eliminated neighbours by the same weights: the vertices
// eliminated can be matched to the one or to the other in as many ways. So a state's value depends on how
// many of a class are used, not on which; and no more of them can be than they have eliminated neighbours.
// The members of a class come to the frontier together, by their first neighbour, and each further one may
// tell some of them from the others. Twins of the block stay alike to the end.
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "kernels/frontier/ranked/member_graph.hpp"
#include "kernels/frontier/ranked/set_family.hpp"
#include "kernels/frontier/tables/integer_weights.hpp"

namespace countpm {

class AlikeVertices {
 public:
  /// Precondition: no joins.
  AlikeVertices(const MemberGraph& graph, const std::vector<MemberStep>& steps,
                const IntegerWeights& weights);

  /// The vertex that is eliminated now has an edge to u, which stays in the frontier or comes there.
  void touch(std::uint32_t u, std::uint64_t entry);
  /// All were named to which it has one.
  void end_step() { split_.clear(); }

  bool are_alike(std::uint32_t a, std::uint32_t b) const { return class_[a] == class_[b]; }
  /// Vertices that came in the step numbered `now`: those that are alike side by side, and so that they will
  /// be after every later step.
  void sort(std::vector<std::uint32_t>& fresh, std::uint32_t now) const;
  /// Of neighbours in the frontier that are alike.
  std::vector<SetField> fields(const std::vector<std::uint32_t>& frontier) const;

 private:
  /// When u's neighbours are eliminated, and by which weight they are its neighbours.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> later(std::uint32_t u, std::uint32_t now) const;

  const MemberGraph& graph_;
  std::vector<std::uint32_t> weight_;        // of every entry, a number that stands for its value
  std::vector<std::uint32_t> time_;          // of every vertex, its step
  std::vector<std::uint32_t> class_;         // 0: untouched
  std::vector<std::uint32_t> gone_near_{0};  // of every class
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> split_;  // by class and weight
};

}  // namespace countpm
