#pragma once
// Families of graphs that fit no box of three directions and yet are spelt like lattices: grids of any
// dimension, open or closed, circulant graphs, hypercubes, complete graphs, complete bipartite graphs, and
// Kneser graphs.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/lattices/lattice_families.hpp"
#include "graph/lattices/subset_words.hpp"

namespace countpm {

class NamedGraph {
 public:
  /// Of a grid: each has a letter in the labels.
  static constexpr std::size_t most_sizes = 26;

  /// steps: of a circulant graph; the sizes of a grid; K of a Kneser graph.
  NamedGraph(Family family, std::array<std::int64_t, 3> size, std::vector<std::int64_t> steps)
      : family_(family),
        first_(static_cast<std::uint64_t>(size[0])),
        second_(static_cast<std::uint64_t>(size[1])),
        steps_(std::move(steps)) {}

  /// Of a hypercube of more than 40 dimensions as many as of one of 40, of a grid at most 2^32. Sizes are
  /// below 2^31.
  std::uint64_t vertices() const {
    if (is_grid()) {
      std::uint64_t product = 1;
      for (const std::int64_t size : steps_)
        product = std::min(product * static_cast<std::uint64_t>(size), most_vertices);
      return product;
    }
    if (family_ == Family::kneser) return binomial(static_cast<std::size_t>(first_), ones());
    if (family_ == Family::hypercube) return std::uint64_t{1} << std::min<std::uint64_t>(first_, 40);
    return family_ == Family::complete_bipartite ? first_ + second_ : first_;
  }
  std::uint64_t edges() const {
    switch (family_) {
      case Family::hypercube:
        return vertices() / 2 * std::min<std::uint64_t>(first_, 40);
      case Family::complete:
        return first_ * (first_ - 1) / 2;
      case Family::complete_bipartite:
        return first_ * second_;
      case Family::hypercubic:
      case Family::hypercubic_torus: {
        std::uint64_t sum = 0;
        for (const std::int64_t size : steps_) {
          const auto lines = vertices() / static_cast<std::uint64_t>(size);
          sum += lines * static_cast<std::uint64_t>(size - (is_closed() ? 0 : 1));
        }
        return sum;
      }
      case Family::kneser: {
        // There are no fewer vertices than neighbours of one, so that the smaller number is too large as
        // well.
        const std::uint64_t neighbours = binomial(static_cast<std::size_t>(first_) - ones(), ones());
        return std::min(vertices(), most_vertices) * std::min<std::uint64_t>(neighbours, 1U << 23U) / 2;
      }
      default:
        return first_ * steps_.size();
    }
  }
  std::size_t directions() const {
    if (family_ == Family::circulant || is_grid()) return steps_.size();
    return family_ == Family::hypercube ? static_cast<std::size_t>(first_) : 1;
  }

  std::string label(std::uint64_t vertex) const {
    if (family_ == Family::complete_bipartite)
      return vertex < first_ ? "a" + std::to_string(vertex) : "b" + std::to_string(vertex - first_);
    if (is_grid()) return grid_label(vertex);
    if (!has_words()) return std::to_string(vertex);
    const std::uint64_t word = family_ == Family::kneser ? word_of_number(vertex, ones()) : vertex;
    std::string bits;
    for (std::uint64_t k = first_; k-- > 0;) bits += (word >> k & 1U) != 0 ? '1' : '0';
    return bits;
  }
  /// Of a text that may be a vertex's label: label() of the answer says whether it is.
  std::optional<std::uint64_t> number_of_label(std::string_view text) const {
    if (is_grid()) return number_of_grid_label(text);
    std::uint64_t offset = 0;
    if (family_ == Family::complete_bipartite) {
      if (text.empty() || (text[0] != 'a' && text[0] != 'b')) return std::nullopt;
      offset = text[0] == 'b' ? first_ : 0;
      text.remove_prefix(1);
    }
    std::uint64_t number = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number, has_words() ? 2 : 10);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    // A word of too many bits has another label.
    if (family_ == Family::kneser) number = number_of_word(number & ((std::uint64_t{1} << most_bits) - 1));
    if (number >= vertices()) return std::nullopt;
    return number + offset;
  }

  /// edge(from, to, direction) for each edge once, by the lower vertex (of a circulant graph the one that the
  /// step leaves).
  template <class Edge>
  void for_each_edge(const Edge& edge) const {
    for (std::uint64_t v = 0; v < vertices(); ++v) {
      switch (family_) {
        case Family::circulant:
          for (std::size_t k = 0; k < steps_.size(); ++k) {
            const auto step = static_cast<std::uint64_t>(steps_[k]);
            // Half way around both ends take the same step.
            if (2 * step != first_ || v < step) edge(v, (v + step) % first_, static_cast<std::uint8_t>(k));
          }
          break;
        case Family::hypercube:
          for (std::uint64_t k = 0; k < first_; ++k) {
            // The first letter of a label is the first dimension.
            const std::uint64_t bit = std::uint64_t{1} << (first_ - 1 - k);
            if ((v & bit) == 0) edge(v, v | bit, static_cast<std::uint8_t>(k));
          }
          break;
        case Family::hypercubic:
        case Family::hypercubic_torus:
          grid_edges(v, edge);
          break;
        case Family::kneser:
          disjoint_words(v, edge);
          break;
        case Family::complete:
          for (std::uint64_t w = v + 1; w < first_; ++w) edge(v, w, std::uint8_t{0});
          break;
        default:
          for (std::uint64_t w = first_; v < first_ && w < first_ + second_; ++w) edge(v, w, std::uint8_t{0});
      }
    }
  }

 private:
  static constexpr std::uint64_t most_vertices = std::uint64_t{1} << 32;

  bool is_closed() const { return family_ == Family::hypercubic_torus; }
  bool is_grid() const { return family_ == Family::hypercubic || is_closed(); }
  bool has_words() const { return family_ == Family::hypercube || family_ == Family::kneser; }
  std::size_t ones() const { return static_cast<std::size_t>(steps_[0]); }

  std::string grid_label(std::uint64_t vertex) const {
    std::string text;
    for (std::size_t k = steps_.size(); k-- > 0;) {
      const auto size = static_cast<std::uint64_t>(steps_[k]);
      text.insert(0, static_cast<char>('a' + k) + std::to_string(vertex % size));
      vertex /= size;
    }
    return text;
  }
  std::optional<std::uint64_t> number_of_grid_label(std::string_view text) const {
    std::uint64_t number = 0;
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      const auto size = static_cast<std::uint64_t>(steps_[k]);
      if (at == end || *at != static_cast<char>('a' + k)) return std::nullopt;
      std::uint64_t place = 0;
      const auto [next, error] = std::from_chars(at + 1, end, place);
      if (error != std::errc{} || place >= size) return std::nullopt;
      number = number * size + place;
      at = next;
    }
    if (at != end) return std::nullopt;
    return number;
  }
  template <class Edge>
  void grid_edges(std::uint64_t v, const Edge& edge) const {
    std::uint64_t stride = vertices();
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      const auto size = static_cast<std::uint64_t>(steps_[k]);
      stride /= size;
      const std::uint64_t place = v / stride % size;
      if (place + 1 < size) {
        edge(v, v + stride, static_cast<std::uint8_t>(k));
      } else if (is_closed()) {
        edge(v, v - place * stride, static_cast<std::uint8_t>(k));
      }
    }
  }
  /// Spreads the words of the others' bits over the places where v has none.
  template <class Edge>
  void disjoint_words(std::uint64_t v, const Edge& edge) const {
    const std::uint64_t word = word_of_number(v, ones());
    std::array<std::uint64_t, most_bits> place{};
    std::size_t places = 0;
    for (std::uint64_t k = 0; k < first_; ++k) {
      if ((word >> k & 1U) == 0) place[places++] = std::uint64_t{1} << k;
    }
    const std::uint64_t last = std::uint64_t{1} << places;
    for (std::uint64_t chosen = (std::uint64_t{1} << ones()) - 1; chosen < last; chosen = next_word(chosen)) {
      std::uint64_t other = 0;
      for (std::size_t k = 0; k < places; ++k) {
        if ((chosen >> k & 1U) != 0) other |= place[k];
      }
      if (other > word) edge(v, number_of_word(other), std::uint8_t{0});
    }
  }

  Family family_;
  std::uint64_t first_;
  std::uint64_t second_;
  std::vector<std::int64_t> steps_;
};

}  // namespace countpm
