#pragma once
// What is right: sums over covers, factors and permutations, by their definitions, in exact arithmetic. It
// knows graphs as lists of small numbers and shares no line with graph/, matching/, kernels/ and src/.
//
// Nearly every sum here is one over exact covers: of a graph's perfect matchings the pieces are its edges,
// with monomers single vertices as well, of a directed graph's cycle covers pairs of a tail and a head, of
// rings and sets themselves. One programme adds up all of them: the first vertex that is not covered takes
// each of its pieces in turn, and what covers the same vertices is added.
#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace countpm::products {

struct Complex {
  mpq_class re = 0, im = 0;
  bool operator==(const Complex&) const = default;
  bool zero() const { return re == 0 && im == 0; }
};
Complex operator*(const Complex& a, const Complex& b);
Complex operator/(const Complex& a, const Complex& b);
Complex operator-(const Complex& a, const Complex& b);
std::string text_of(const Complex& value);

/// Of up to three letters, and of a marker that counts something beside.
using Exponents = std::array<int, 4>;
inline constexpr std::size_t marker = 3;

/// A sum of terms: complex numbers times powers of letters, negative ones too.
class Sum {
 public:
  Sum() = default;
  Sum(const Complex& value, const Exponents& exponents = {});  // NOLINT(google-explicit-constructor)
  Sum(const mpq_class& value) : Sum(Complex{value, 0}) {}      // NOLINT(google-explicit-constructor)
  Sum(int value) : Sum(mpq_class(value)) {}                    // NOLINT(google-explicit-constructor)

  Sum& operator+=(const Sum& other);
  Sum operator*(const Sum& other) const;
  bool operator==(const Sum&) const = default;

  bool zero() const { return terms_.empty(); }
  /// Ascending by exponents; no coefficient is 0.
  const std::vector<std::pair<Exponents, Complex>>& terms() const { return terms_; }
  /// With 1 for every letter.
  Complex at_one() const;
  /// The terms with the marker to this power, without it.
  Sum at_marker(int exponent) const;

 private:
  std::vector<std::pair<Exponents, Complex>> terms_;
};

/// The least sum of weights, and how many covers have it.
struct Least {
  mpq_class sum = 0;
  mpz_class number = 1;
  Least& operator+=(const Least& other);
  Least operator*(const Least& other) const {
    return {mpq_class(sum + other.sum), mpz_class(number * other.number)};
  }
};

template <class Value>
struct Piece {
  std::vector<int> vertices;
  Value weight;
};

/// The sum over all sets of pieces that cover each of the vertices 0 .. vertices - 1 once; nothing where
/// there is none. No piece spans more than 63 vertices.
template <class Value>
std::optional<Value> cover_sum(int vertices, const std::vector<Piece<Value>>& pieces, const Value& one) {
  struct Placed {
    std::uint64_t mask;  // from its first vertex on
    const Value* weight;
  };
  std::vector<std::vector<Placed>> first(static_cast<std::size_t>(vertices));
  for (const Piece<Value>& piece : pieces) {
    const int lowest = *std::min_element(piece.vertices.begin(), piece.vertices.end());
    std::uint64_t mask = 0;
    for (const int v : piece.vertices) mask |= std::uint64_t{1} << (v - lowest);
    first[static_cast<std::size_t>(lowest)].push_back({mask, &piece.weight});
  }
  std::unordered_map<std::uint64_t, Value> now, next;  // by which of the vertices from here on are covered
  const auto add = [&](std::uint64_t covered, const Value& value) {
    const auto [place, fresh] = next.try_emplace(covered, value);
    if (!fresh) place->second += value;
  };
  now.emplace(0, one);
  for (int v = 0; v < vertices; ++v) {
    next.clear();
    for (const auto& [covered, value] : now) {
      if ((covered & 1) != 0) {
        add(covered >> 1, value);
        continue;
      }
      for (const Placed& piece : first[static_cast<std::size_t>(v)])
        if ((covered & piece.mask) == 0) add((covered | piece.mask) >> 1, value * *piece.weight);
    }
    std::swap(now, next);
  }
  if (now.empty()) return std::nullopt;
  return now.begin()->second;
}

/// All covers, each as the ascending places of its pieces; nothing where there are more than `most`.
std::optional<std::vector<std::vector<int>>> all_covers(int vertices,
                                                        const std::vector<std::vector<int>>& pieces,
                                                        std::size_t most);

struct Joined {  // an edge of an undirected graph, or an arc
  int from, to;
  Sum weight;
};

/// The sum over the sets of edges of which vertex v has degree[v].
Sum factor_sum(const std::vector<Joined>& edges, const std::vector<int>& degree);

using Matrix = std::vector<std::vector<Complex>>;
Complex determinant_of(Matrix matrix);
Complex pfaffian_of(const Matrix& matrix);

/// All cycles without a chord of an undirected graph whose lengths are among these, each as its vertices.
std::vector<std::vector<int>> chordless_cycles(int vertices, const std::vector<std::pair<int, int>>& edges,
                                               const std::vector<std::uint32_t>& lengths);

/// All permutations of the vertices that keep colours, and what stands between each two of them:
/// between[u][v] is any number. Nothing where there are more than `most`.
std::optional<std::vector<std::vector<int>>> symmetries(const std::vector<std::vector<int>>& between,
                                                        const std::vector<int>& colour, std::size_t most);

/// ln |value| to some 190 bits, as text of a decimal.
double natural_log(const mpq_class& value);

}  // namespace countpm::products
