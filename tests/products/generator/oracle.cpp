#include "tests/products/generator/oracle.hpp"

#include <mpfr.h>

#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>

namespace countpm::products {

Complex operator*(const Complex& a, const Complex& b) {
  if (a.im == 0 && b.im == 0) return {mpq_class(a.re * b.re), 0};
  return {mpq_class(a.re * b.re - a.im * b.im), mpq_class(a.re * b.im + a.im * b.re)};
}

Complex operator-(const Complex& a, const Complex& b) {
  return {mpq_class(a.re - b.re), mpq_class(a.im - b.im)};
}

Complex operator/(const Complex& a, const Complex& b) {
  const mpq_class norm = b.re * b.re + b.im * b.im;
  if (norm == 0) throw std::domain_error("the oracle divides by 0");
  return {mpq_class((a.re * b.re + a.im * b.im) / norm), mpq_class((a.im * b.re - a.re * b.im) / norm)};
}

std::string text_of(const Complex& value) {
  if (value.im == 0) return value.re.get_str();
  return "(" + value.re.get_str() + "," + value.im.get_str() + ")";
}

Sum::Sum(const Complex& value, const Exponents& exponents) {
  if (!value.zero()) terms_.emplace_back(exponents, value);
}

Sum& Sum::operator+=(const Sum& other) {
  if (other.terms_.size() == 1 && terms_.size() == 1 && terms_[0].first == other.terms_[0].first) {
    terms_[0].second.re += other.terms_[0].second.re;
    terms_[0].second.im += other.terms_[0].second.im;
    if (terms_[0].second.zero()) terms_.clear();
    return *this;
  }
  std::vector<std::pair<Exponents, Complex>> both;
  both.reserve(terms_.size() + other.terms_.size());
  auto a = terms_.begin();
  auto b = other.terms_.begin();
  while (a != terms_.end() || b != other.terms_.end()) {
    if (b == other.terms_.end() || (a != terms_.end() && a->first < b->first)) {
      both.push_back(std::move(*a++));
    } else if (a == terms_.end() || b->first < a->first) {
      both.push_back(*b++);
    } else {
      const Complex sum{mpq_class(a->second.re + b->second.re), mpq_class(a->second.im + b->second.im)};
      if (!sum.zero()) both.emplace_back(a->first, sum);
      ++a;
      ++b;
    }
  }
  terms_ = std::move(both);
  return *this;
}

Sum Sum::operator*(const Sum& other) const {
  const auto times = [](const std::pair<Exponents, Complex>& a, const std::pair<Exponents, Complex>& b) {
    Exponents exponents{};
    for (std::size_t k = 0; k < exponents.size(); ++k) exponents[k] = a.first[k] + b.first[k];
    return std::pair(exponents, a.second * b.second);
  };
  Sum product;
  if (terms_.size() == 1 || other.terms_.size() == 1) {  // in order, and none twice
    for (const auto& a : terms_)
      for (const auto& b : other.terms_) product.terms_.push_back(times(a, b));
    return product;
  }
  std::map<Exponents, Complex> collected;
  for (const auto& a : terms_) {
    for (const auto& b : other.terms_) {
      const auto [exponents, value] = times(a, b);
      Complex& place = collected[exponents];
      place.re += value.re;
      place.im += value.im;
    }
  }
  for (auto& term : collected)
    if (!term.second.zero()) product.terms_.emplace_back(term.first, std::move(term.second));
  return product;
}

Complex Sum::at_one() const {
  Complex total;
  for (const auto& [exponents, value] : terms_) {
    total.re += value.re;
    total.im += value.im;
  }
  return total;
}

Sum Sum::at_marker(int exponent) const {
  Sum part;
  for (const auto& [exponents, value] : terms_) {
    if (exponents[marker] != exponent) continue;
    Exponents without = exponents;
    without[marker] = 0;
    part.terms_.emplace_back(without, value);
  }
  return part;
}

Least& Least::operator+=(const Least& other) {
  if (other.sum < sum) return *this = other;
  if (other.sum == sum) number += other.number;
  return *this;
}

std::optional<std::vector<std::vector<int>>> all_covers(int vertices,
                                                        const std::vector<std::vector<int>>& pieces,
                                                        std::size_t most) {
  std::vector<std::vector<int>> covers;
  std::vector<bool> covered(static_cast<std::size_t>(vertices));
  std::vector<int> chosen;
  bool within = true;
  const std::function<void(int)> extend = [&](int v) {
    while (v < vertices && covered[static_cast<std::size_t>(v)]) ++v;
    if (v == vertices) {
      std::vector<int> cover = chosen;
      std::sort(cover.begin(), cover.end());
      covers.push_back(std::move(cover));
      within = covers.size() <= most;
      return;
    }
    for (std::size_t p = 0; p < pieces.size() && within; ++p) {
      const std::vector<int>& piece = pieces[p];
      if (std::find(piece.begin(), piece.end(), v) == piece.end()) continue;
      if (std::any_of(piece.begin(), piece.end(),
                      [&](int u) { return covered[static_cast<std::size_t>(u)]; }))
        continue;
      for (const int u : piece) covered[static_cast<std::size_t>(u)] = true;
      chosen.push_back(static_cast<int>(p));
      extend(v + 1);
      chosen.pop_back();
      for (const int u : piece) covered[static_cast<std::size_t>(u)] = false;
    }
  };
  extend(0);
  if (!within) return std::nullopt;
  return covers;
}

Sum factor_sum(const std::vector<Joined>& edges, const std::vector<int>& degree) {
  std::vector<const Joined*> ordered;
  for (const Joined& edge : edges) ordered.push_back(&edge);
  std::stable_sort(ordered.begin(), ordered.end(), [](const Joined* a, const Joined* b) {
    return std::max(a->from, a->to) < std::max(b->from, b->to);
  });
  std::vector<std::size_t> last(degree.size(), 0);  // how many edges have been decided when a vertex is done
  for (std::size_t k = 0; k < ordered.size(); ++k)
    for (const int v : {ordered[k]->from, ordered[k]->to}) last[static_cast<std::size_t>(v)] = k + 1;
  std::map<std::vector<int>, Sum> states{{degree, Sum(1)}};
  const auto drop_undone = [&](std::size_t decided) {
    std::erase_if(states, [&](const auto& state) {
      for (std::size_t v = 0; v < degree.size(); ++v)
        if (last[v] == decided && state.first[v] != 0) return true;
      return false;
    });
  };
  drop_undone(0);
  for (std::size_t k = 0; k < ordered.size(); ++k) {
    std::map<std::vector<int>, Sum> next = states;
    for (const auto& [open, sum] : states) {
      const auto from = static_cast<std::size_t>(ordered[k]->from);
      const auto to = static_cast<std::size_t>(ordered[k]->to);
      if (open[from] == 0 || open[to] == 0) continue;
      std::vector<int> left = open;
      --left[from];
      --left[to];
      next[left] += sum * ordered[k]->weight;
    }
    states = std::move(next);
    drop_undone(k + 1);
  }
  return states.empty() ? Sum() : states.begin()->second;
}

Complex determinant_of(Matrix matrix) {
  Complex value{1, 0};
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    std::size_t pivot = k;
    while (pivot < matrix.size() && matrix[pivot][k].zero()) ++pivot;
    if (pivot == matrix.size()) return {};
    if (pivot != k) {
      std::swap(matrix[pivot], matrix[k]);
      value = value * Complex{-1, 0};
    }
    value = value * matrix[k][k];
    for (std::size_t i = k + 1; i < matrix.size(); ++i) {
      const Complex share = matrix[i][k] / matrix[k][k];
      if (share.zero()) continue;
      for (std::size_t j = k; j < matrix.size(); ++j) matrix[i][j] = matrix[i][j] - share * matrix[k][j];
    }
  }
  return value;
}

Complex pfaffian_of(const Matrix& matrix) {
  if (matrix.empty()) return {1, 0};
  if (matrix.size() % 2 == 1) return {};
  Complex value;
  for (std::size_t j = 1; j < matrix.size(); ++j) {
    if (matrix[0][j].zero()) continue;
    Matrix rest;
    for (std::size_t r = 1; r < matrix.size(); ++r) {
      if (r == j) continue;
      rest.emplace_back();
      for (std::size_t c = 1; c < matrix.size(); ++c)
        if (c != j) rest.back().push_back(matrix[r][c]);
    }
    const Complex term = matrix[0][j] * pfaffian_of(rest);
    value = j % 2 == 1 ? value - Complex{-1, 0} * term : value - term;
  }
  return value;
}

std::vector<std::vector<int>> chordless_cycles(int vertices, const std::vector<std::pair<int, int>>& edges,
                                               const std::vector<std::uint32_t>& lengths) {
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(vertices));
  for (const auto& [u, v] : edges) {
    neighbours[static_cast<std::size_t>(u)].push_back(v);
    neighbours[static_cast<std::size_t>(v)].push_back(u);
  }
  const auto joined = [&](int u, int v) {
    const std::vector<int>& near = neighbours[static_cast<std::size_t>(u)];
    return std::find(near.begin(), near.end(), v) != near.end();
  };
  const std::uint32_t longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  std::vector<std::vector<int>> cycles;
  std::vector<int> path;
  // The path begins at a cycle's least vertex; each cycle is met in both directions, and taken in one.
  const std::function<void()> extend = [&] {
    for (const int v : neighbours[static_cast<std::size_t>(path.back())]) {
      if (v <= path.front() || path.size() >= longest) continue;
      bool chord = false;
      for (std::size_t k = 1; k + 1 < path.size(); ++k) chord = chord || path[k] == v || joined(path[k], v);
      if (chord) continue;
      const bool closes = path.size() >= 2 && joined(path.front(), v);
      path.push_back(v);
      if (closes) {
        const auto length = static_cast<std::uint32_t>(path.size());
        if (path[1] < v && std::find(lengths.begin(), lengths.end(), length) != lengths.end())
          cycles.push_back(path);
      } else {
        extend();
      }
      path.pop_back();
    }
  };
  for (int v = 0; v < vertices; ++v) {
    path = {v};
    extend();
  }
  return cycles;
}

std::optional<std::vector<std::vector<int>>> symmetries(const std::vector<std::vector<int>>& between,
                                                        const std::vector<int>& colour, std::size_t most) {
  const std::size_t n = between.size();
  std::vector<std::vector<int>> found;
  std::vector<int> image;
  std::vector<bool> used(n);
  bool within = true;
  const std::function<void()> extend = [&] {
    if (image.size() == n) {
      found.push_back(image);
      within = found.size() <= most;
      return;
    }
    const std::size_t v = image.size();
    for (std::size_t w = 0; w < n && within; ++w) {
      if (used[w] || colour[v] != colour[w] || between[v][v] != between[w][w]) continue;
      bool alike = true;
      for (std::size_t u = 0; u < v && alike; ++u) {
        const auto x = static_cast<std::size_t>(image[u]);
        alike = between[u][v] == between[x][w] && between[v][u] == between[w][x];
      }
      if (!alike) continue;
      used[w] = true;
      image.push_back(static_cast<int>(w));
      extend();
      image.pop_back();
      used[w] = false;
    }
  };
  extend();
  if (!within) return std::nullopt;
  return found;
}

double natural_log(const mpq_class& value) {
  mpfr_t x;
  mpfr_init2(x, 200);
  mpfr_set_q(x, value.get_mpq_t(), MPFR_RNDN);
  mpfr_abs(x, x, MPFR_RNDN);
  mpfr_log(x, x, MPFR_RNDN);
  const double result = mpfr_get_d(x, MPFR_RNDN);
  mpfr_clear(x);
  return result;
}

}  // namespace countpm::products
