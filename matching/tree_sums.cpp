#include "matching/tree_sums.hpp"

#include <array>
#include <utility>

#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

template <class Number>
Number number_one();
template <>
mpz_class number_one<mpz_class>() {
  return 1;
}
template <>
Gaussian<mpz_class> number_one<Gaussian<mpz_class>>() {
  return {1, 0};
}

/// Neighbours multiplied until one is left.
template <class T>
T by_halves(std::vector<T> factors) {
  while (factors.size() > 1) {
    const std::size_t half = factors.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
      check_stop();
      factors[i] = factors[2 * i] * factors[2 * i + 1];
    }
    if (factors.size() % 2 == 1) factors[half] = std::move(factors.back());
    factors.resize((factors.size() + 1) / 2);
  }
  return std::move(factors.front());
}

/// Children of one vertex: all of them settled, and one of them matched to the vertex.
template <class Number>
struct Children {
  Leading<Number> settled;
  Leading<Number> matched;
  Number denominator;

  friend Children operator*(const Children& a, const Children& b) {
    return {a.settled * b.settled, a.matched * b.settled + a.settled * b.matched,
            Number(a.denominator * b.denominator)};
  }
};

/// From (left, settled) of a vertex to that of an ancestor on its path.
template <class Number>
struct Step {
  std::array<Leading<Number>, 4> entry;  // row by row
  Number denominator;

  friend Step operator*(const Step& a, const Step& b) {
    return {
        {a.entry[0] * b.entry[0] + a.entry[1] * b.entry[2], a.entry[0] * b.entry[1] + a.entry[1] * b.entry[3],
         a.entry[2] * b.entry[0] + a.entry[3] * b.entry[2],
         a.entry[2] * b.entry[1] + a.entry[3] * b.entry[3]},
        Number(a.denominator * b.denominator)};
  }
  VertexSums<Number> of(const VertexSums<Number>& below) const {
    return {entry[0] * below.left + entry[1] * below.settled,
            entry[2] * below.left + entry[3] * below.settled, Number(denominator * below.denominator)};
  }
};

template <class Number>
class TreeSums {
 public:
  explicit TreeSums(const Forest<Number>& forest)
      : forest_(forest),
        heavy_(forest.parent.size(), no_index),
        first_child_(forest.parent.size(), no_index),
        sibling_(forest.parent.size(), no_index),
        sums_(forest.parent.size()) {}

  std::vector<VertexSums<Number>> run() {
    const auto vertices = static_cast<Index>(forest_.parent.size());
    std::vector<Index> size(vertices, 1);
    for (Index v = 0; v < vertices; ++v) {
      const Index parent = forest_.parent[v];
      if (parent == no_index) continue;
      size[parent] += size[v];
      if (heavy_[parent] == no_index || size[v] > size[heavy_[parent]]) heavy_[parent] = v;
      sibling_[v] = std::exchange(first_child_[parent], v);
    }
    StopPoll poll;
    for (Index v = 0; v < vertices; ++v) {
      poll.step();
      const Index parent = forest_.parent[v];
      if (parent == no_index || heavy_[parent] != v) sums_[v] = path(v);
    }
    return std::move(sums_);
  }

 private:
  Leading<Number> term(const Number& number, std::int64_t edges) const { return {edges, number}; }
  bool all() const { return !forest_.alone.empty(); }
  Leading<Number> taken(const Fraction<Number>& edge) const { return term(edge.numerator, all() ? 0 : 1); }

  Children<Number> light_children(Index vertex) {
    std::vector<Children<Number>> children;
    for (Index c = first_child_[vertex]; c != no_index; c = sibling_[c]) {
      if (c == heavy_[vertex]) continue;
      const Fraction<Number>& edge = forest_.edge[c];
      const VertexSums<Number> sums = std::exchange(sums_[c], {});
      children.push_back({term(edge.denominator, 0) * sums.settled, taken(edge) * sums.left,
                          Number(edge.denominator * sums.denominator)});
    }
    if (children.empty()) return {term(one_, 0), {}, one_};
    return by_halves(std::move(children));
  }

  Step<Number> step(Index vertex) {
    const Children<Number> light = light_children(vertex);
    const Fraction<Number>& edge = forest_.edge[heavy_[vertex]];
    const Leading<Number> apart = term(edge.denominator, 0);
    Step<Number> step{{Leading<Number>{}, apart * light.settled, taken(edge) * light.settled,
                       apart * (light.settled + light.matched)},
                      Number(edge.denominator * light.denominator)};
    if (!all()) return step;
    const Fraction<Number>& alone = forest_.alone[vertex];
    const Leading<Number> not_alone = term(alone.denominator, 0);
    step.entry[1] = not_alone * step.entry[1];
    step.entry[2] = not_alone * step.entry[2];
    step.entry[3] = apart * (term(alone.numerator, 0) * light.settled + not_alone * light.matched);
    step.denominator = step.denominator * alone.denominator;
    return step;
  }

  /// Of the heavy path that begins at `top`.
  VertexSums<Number> path(Index top) {
    std::vector<Step<Number>> steps;
    Index end = top;
    for (; heavy_[end] != no_index; end = heavy_[end]) steps.push_back(step(end));
    VertexSums<Number> leaf{term(one_, 0), term(one_, 0), one_};
    if (all()) {
      const Fraction<Number>& alone = forest_.alone[end];
      leaf = {term(alone.denominator, 0), term(alone.numerator, 0), alone.denominator};
    }
    return steps.empty() ? leaf : by_halves(std::move(steps)).of(leaf);
  }

  const Forest<Number>& forest_;
  std::vector<Index> heavy_;
  std::vector<Index> first_child_;
  std::vector<Index> sibling_;
  std::vector<VertexSums<Number>> sums_;  // of tops of paths that nothing has used yet
  const Number one_ = number_one<Number>();
};

}  // namespace

template <class Number>
std::vector<VertexSums<Number>> tree_sums(const Forest<Number>& forest) {
  return TreeSums<Number>(forest).run();
}

template std::vector<VertexSums<mpz_class>> tree_sums(const Forest<mpz_class>&);
template std::vector<VertexSums<Gaussian<mpz_class>>> tree_sums(const Forest<Gaussian<mpz_class>>&);

}  // namespace countpm
