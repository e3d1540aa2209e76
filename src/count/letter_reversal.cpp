#include "src/count/letter_reversal.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

using Colours = std::vector<std::uint64_t>;

constexpr std::size_t no_place = ~std::size_t{0};

std::uint64_t mixed(std::uint64_t value) {
  // The finaliser of SplitMix64.
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

/// A block's vertices (of a bipartite one rows, then columns) with their neighbours in ascending order.
struct LabelledGraph {
  struct End {
    std::size_t vertex;
    std::size_t place;  // of the weight
  };
  std::vector<std::size_t> start;
  std::vector<End> ends;

  std::size_t vertices() const { return start.size() - 1; }
};

LabelledGraph labelled_graph(const Block<std::int64_t>& places) {
  const SparseMatrix<std::int64_t>& matrix = places.matrix;
  const std::size_t rows = matrix.rows;
  std::vector<std::vector<LabelledGraph::End>> ends(places.general ? rows : rows + matrix.columns);
  for (Index i = 0; i < matrix.rows; ++i) {
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const std::size_t j = places.general ? matrix.column[k] : rows + matrix.column[k];
      const auto place = static_cast<std::size_t>(matrix.value[k]);
      ends[i].push_back({j, place});
      if (!places.general) ends[j].push_back({i, place});
    }
  }
  LabelledGraph graph;
  graph.start.push_back(0);
  for (std::vector<LabelledGraph::End>& own : ends) {
    std::sort(own.begin(), own.end(), [](const auto& a, const auto& b) { return a.vertex < b.vertex; });
    graph.ends.insert(graph.ends.end(), own.begin(), own.end());
    graph.start.push_back(graph.ends.size());
  }
  return graph;
}

class ReversalSearch {
 public:
  /// image[p]: the place of the weight that one of place p is mapped to.
  ReversalSearch(const LabelledGraph& graph, const std::vector<std::size_t>& image)
      : graph_(graph), image_(image), from_(graph.vertices(), 1), to_(graph.vertices(), 1) {}

  bool find() {
    if (!refine()) return false;
    const Colours from = from_;
    const Colours to = to_;
    const std::size_t first = of_rarest_colour();
    if (first == graph_.vertices()) return maps();
    std::size_t tried = 0;
    for (std::size_t v = 0; v < graph_.vertices() && tried < most_tries; ++v) {
      if (to[v] != from[first]) continue;
      ++tried;
      from_ = from;
      to_ = to;
      if (follow(first, v)) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t most_tries = 8;
  static constexpr std::size_t most_choices = 8;
  static constexpr std::uint64_t most_steps = 400000000;

  /// One vertex is mapped to another, then others of equal colours, until all differ.
  bool follow(std::size_t from, std::size_t to) {
    for (std::size_t choice = 0; choice < most_choices; ++choice) {
      from_[from] = to_[to] = mixed(from_[from] + choice + 1);
      if (!refine()) return false;
      from = of_rarest_colour();
      if (from == graph_.vertices()) return maps();
      to = static_cast<std::size_t>(std::find(to_.begin(), to_.end(), from_[from]) - to_.begin());
      if (to == graph_.vertices()) return false;
    }
    return false;
  }

  /// Until no more colours appear. False where the two sides have different ones, or it takes too long.
  bool refine() {
    constexpr int rounds = 8;
    std::size_t before = 0;
    for (;;) {
      const Colours sorted = sorted_colours(from_);
      if (sorted != sorted_colours(to_)) return false;
      colours_.clear();
      for (std::size_t k = 0; k < sorted.size();) {
        const std::size_t first = k;
        while (k < sorted.size() && sorted[k] == sorted[first]) ++k;
        colours_.emplace_back(sorted[first], k - first);
      }
      if (colours_.size() == before || colours_.size() == graph_.vertices()) return true;
      before = colours_.size();
      for (int round = 0; round < rounds; ++round) {
        steps_ += 2 * graph_.ends.size();
        if (steps_ > most_steps) return false;
        from_ = next(from_, true);
        to_ = next(to_, false);
      }
    }
  }

  Colours next(const Colours& colours, bool mapped) {
    Colours result(colours.size());
    for (std::size_t v = 0; v < colours.size(); ++v) {
      poll_.step();
      std::uint64_t sum = mixed(colours[v]);
      for (std::size_t e = graph_.start[v]; e < graph_.start[v + 1]; ++e) {
        const LabelledGraph::End& end = graph_.ends[e];
        const std::size_t place = mapped ? image_[end.place] : end.place;
        sum += mixed(colours[end.vertex] ^ mixed(place));
      }
      result[v] = sum;
    }
    return result;
  }

  static Colours sorted_colours(Colours colours) {
    std::sort(colours.begin(), colours.end());
    return colours;
  }

  /// Of the colours that several have; the number of vertices where all are different.
  std::size_t of_rarest_colour() const {
    std::size_t least = graph_.vertices() + 1;
    std::uint64_t rarest = 0;
    for (const auto& [colour, many] : colours_) {
      if (many < 2 || many >= least) continue;
      least = many;
      rarest = colour;
    }
    if (least > graph_.vertices()) return graph_.vertices();
    return static_cast<std::size_t>(std::find(from_.begin(), from_.end(), rarest) - from_.begin());
  }

  /// Whether vertices of equal colours are the images of each other: looked up edge by edge.
  bool maps() const {
    std::map<std::uint64_t, std::size_t> vertex_of;
    for (std::size_t v = 0; v < to_.size(); ++v) vertex_of.emplace(to_[v], v);
    if (vertex_of.size() != to_.size()) return false;
    std::vector<std::size_t> map;
    std::vector<bool> taken(to_.size(), false);
    for (const std::uint64_t colour : from_) {
      const auto at = vertex_of.find(colour);
      if (at == vertex_of.end() || taken[at->second]) return false;
      taken[at->second] = true;
      map.push_back(at->second);
    }
    for (std::size_t v = 0; v < map.size(); ++v) {
      for (std::size_t e = graph_.start[v]; e < graph_.start[v + 1]; ++e) {
        if (place_between(map[v], map[graph_.ends[e].vertex]) != image_[graph_.ends[e].place]) return false;
      }
    }
    return true;
  }

  std::size_t place_between(std::size_t a, std::size_t b) const {
    const auto first = graph_.ends.begin() + static_cast<std::ptrdiff_t>(graph_.start[a]);
    const auto last = graph_.ends.begin() + static_cast<std::ptrdiff_t>(graph_.start[a + 1]);
    const auto at = std::lower_bound(first, last, b, [](const LabelledGraph::End& end, std::size_t vertex) {
      return end.vertex < vertex;
    });
    return at != last && at->vertex == b ? at->place : no_place;
  }

  const LabelledGraph& graph_;
  const std::vector<std::size_t>& image_;
  Colours from_;
  Colours to_;
  std::vector<std::pair<std::uint64_t, std::size_t>> colours_;  // and how many vertices have each
  std::uint64_t steps_ = 0;
  StopPoll poll_;
};

}  // namespace

std::optional<std::vector<std::int64_t>> letter_reversal(const Block<std::int64_t>& places,
                                                         const LetterWeights& letters) {
  if (places.monomers || !places.multiplicity.empty() || places.matrix.value.empty()) return std::nullopt;
  std::vector<bool> used(letters.weight.size(), false);
  for (const std::int64_t place : places.matrix.value) used[static_cast<std::size_t>(place)] = true;
  const std::size_t many = letters.letters.size();
  std::vector<std::int64_t> least(many, std::numeric_limits<std::int64_t>::max());
  std::vector<std::int64_t> largest(many, std::numeric_limits<std::int64_t>::min());
  for (std::size_t p = 0; p < used.size(); ++p) {
    if (!used[p]) continue;
    for (std::size_t l = 0; l < many; ++l) {
      least[l] = std::min(least[l], std::int64_t{letters.weight[p].exponent[l]});
      largest[l] = std::max(largest[l], std::int64_t{letters.weight[p].exponent[l]});
    }
  }
  using Key = std::pair<std::array<std::int64_t, most_letters>, mpq_class>;
  const auto key_of = [&](std::size_t p, bool reversed) {
    Key key{{}, letters.weight[p].coefficient};
    for (std::size_t l = 0; l < many; ++l) {
      const std::int64_t exponent = letters.weight[p].exponent[l];
      key.first[l] = reversed ? least[l] + largest[l] - exponent : exponent;
    }
    return key;
  };
  std::map<Key, std::size_t> place_of;
  for (std::size_t p = 0; p < used.size(); ++p) {
    if (used[p]) place_of.emplace(key_of(p, false), p);
  }
  std::vector<std::size_t> image(used.size(), no_place);
  for (std::size_t p = 0; p < used.size(); ++p) {
    if (!used[p]) continue;
    const auto at = place_of.find(key_of(p, true));
    if (at == place_of.end()) return std::nullopt;
    image[p] = at->second;
  }
  const LabelledGraph graph = labelled_graph(places);
  if (!ReversalSearch(graph, image).find()) return std::nullopt;
  const auto edges = static_cast<std::int64_t>(places.general ? places.matrix.rows / 2 : places.matrix.rows);
  std::vector<std::int64_t> sums;
  for (std::size_t l = 0; l < many; ++l) sums.push_back(edges * (least[l] + largest[l]));
  return sums;
}

}  // namespace countpm
