#include "graph/kinds/imaginary_unit.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "graph/errors.hpp"
#include "graph/kinds/balanced_digits.hpp"
#include "graph/stop_poll.hpp"
#include "graph/stop_signal.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t most_unit_bits = 16'000'000;

/// prod L_v and the bound on the coefficients, line after line.
class LineBounds {
 public:
  explicit LineBounds(const Graph& graph)
      : graph_(graph),
        square_(graph.kind != GraphKind::bipartite || graph.left_labels.size() == graph.right_labels.size()),
        denominator_(graph.left_labels.size(), 1),
        sum_(graph.left_labels.size()) {}

  void add(const Edge& edge, const ComplexRational& weight) {
    add(edge.from, weight);
    if (graph_.kind == GraphKind::undirected && edge.from != edge.to) add(edge.to, weight);
  }

  mpz_class scale() const {
    mpz_class product = 1;
    for (const mpz_class& one : denominator_) {
      check_stop();
      product *= one;
    }
    return product;
  }

  /// So that 2^bits is more than twice every coefficient.
  std::uint64_t bits() const {
    mpz_class product = 1;
    for (std::size_t v = 0; v < sum_.size(); ++v) {
      check_stop();
      const mpq_class most = square_ ? (sum_[v] < 1 ? mpq_class(1) : sum_[v]) : mpq_class(sum_[v] + 1);
      mpz_class line;
      const mpq_class whole = most * denominator_[v];
      mpz_cdiv_q(line.get_mpz_t(), whole.get_num_mpz_t(), whole.get_den_mpz_t());
      product *= line;
      refuse_beyond(mpz_sizeinbase(product.get_mpz_t(), 2) * (sum_.size() + 1));
    }
    return mpz_sizeinbase(product.get_mpz_t(), 2) + 2;
  }

 private:
  static void refuse_beyond(std::uint64_t bits) {
    if (bits <= most_unit_bits) return;
    throw UnableError(fmt::format("the exact sum of complex weights may take more than {} million bits",
                                  most_unit_bits / 1'000'000),
                      "count in floating point, without --exact");
  }

  void add(Index line, const ComplexRational& weight) {
    for (const mpq_class* part : {&weight.re, &weight.im})
      denominator_[line] = lcm(denominator_[line], part->get_den());
    sum_[line] += abs(weight.re) + abs(weight.im);
  }

  const Graph& graph_;
  bool square_;
  std::vector<mpz_class> denominator_;
  std::vector<mpq_class> sum_;
};

mpq_class fraction_over(const mpz_class& numerator, const mpz_class& denominator) {
  mpq_class result(numerator, denominator);
  result.canonicalize();
  return result;
}

}  // namespace

ImaginaryUnit replace_imaginary_unit(Graph& graph) {
  if (graph.covers || graph.tiles != 0)
    throw UsageError(
        "complex weights are summed exactly over matchings, not over covers by rings or other sets");
  const std::vector<ComplexRational> weights = complex_weights(graph);
  LineBounds bounds(graph);
  StopPoll poll;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    poll.step();
    bounds.add(graph.edges[e], weights[e]);
  }
  ImaginaryUnit unit{static_cast<unsigned>(bounds.bits()), bounds.scale()};
  std::vector<mpq_class> packed;
  packed.reserve(weights.size());
  for (const ComplexRational& weight : weights) {
    poll.step();
    mpq_class im;
    mpq_mul_2exp(im.get_mpq_t(), weight.im.get_mpq_t(), unit.bits);
    packed.emplace_back(weight.re + im);
  }
  graph.values = std::move(packed);
  graph.weight_kind = WeightKind::rational;
  return unit;
}

std::vector<ComplexRational> complex_weights(const Graph& graph) {
  return std::visit(
      [&](const auto& values) {
        using List = std::decay_t<decltype(values)>;
        std::vector<ComplexRational> weights;
        weights.reserve(graph.edges.size());
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
          if constexpr (std::is_same_v<List, std::monostate>) {
            weights.push_back({1, 0});
          } else if constexpr (std::is_same_v<List, std::vector<std::int64_t>>) {
            weights.push_back({mpq_class(static_cast<std::int64_t>(values[e])), 0});
          } else if constexpr (std::is_same_v<List, std::vector<mpq_class>>) {
            weights.push_back({values[e], 0});
          } else {
            weights.push_back(values[e]);
          }
        }
        return weights;
      },
      graph.values);
}

ComplexRational with_imaginary_unit(const mpq_class& packed, const ImaginaryUnit& unit) {
  const mpq_class scaled = packed * unit.scale;
  if (scaled.get_den() != 1)
    throw CheckError("the exact sum of complex weights is not what their denominators allow");
  std::array<mpz_class, 2> part;
  const mpz_class& number = scaled.get_num();
  // One more than its bits fill, for what the highest hands on.
  const std::size_t many = mpz_sizeinbase(number.get_mpz_t(), 2) / unit.bits + 2;
  const std::vector<mpz_class> digits = balanced_digits(number, unit.bits, many).value();
  for (std::size_t power = 0; power < many; ++power) {
    if (power % 4 < 2) {
      part[power % 2] += digits[power];
    } else {
      part[power % 2] -= digits[power];
    }
  }
  return {fraction_over(part[0], unit.scale), fraction_over(part[1], unit.scale)};
}

}  // namespace countpm
