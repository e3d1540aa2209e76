#pragma once
// Families of graphs that are no lattices and yet are spelt like them: circulant graphs, hypercubes, complete
// graphs and complete bipartite graphs.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/lattices/lattice_families.hpp"

namespace countpm {

class NamedGraph {
 public:
  NamedGraph(Family family, std::array<std::int64_t, 3> size, std::vector<std::int64_t> steps)
      : family_(family),
        first_(static_cast<std::uint64_t>(size[0])),
        second_(static_cast<std::uint64_t>(size[1])),
        steps_(std::move(steps)) {}

  /// Of a hypercube of more than 40 dimensions as many as of one of 40. Sizes are below 2^31.
  std::uint64_t vertices() const {
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
      default:
        return first_ * steps_.size();
    }
  }
  std::size_t directions() const {
    if (family_ == Family::circulant) return steps_.size();
    return family_ == Family::hypercube ? static_cast<std::size_t>(first_) : 1;
  }

  std::string label(std::uint64_t vertex) const {
    if (family_ == Family::complete_bipartite)
      return vertex < first_ ? "a" + std::to_string(vertex) : "b" + std::to_string(vertex - first_);
    if (family_ != Family::hypercube) return std::to_string(vertex);
    std::string bits;
    for (std::uint64_t k = first_; k-- > 0;) bits += (vertex >> k & 1U) != 0 ? '1' : '0';
    return bits;
  }
  /// Of a text that may be a vertex's label: label() of the answer says whether it is.
  std::optional<std::uint64_t> number_of_label(std::string_view text) const {
    std::uint64_t offset = 0;
    if (family_ == Family::complete_bipartite) {
      if (text.empty() || (text[0] != 'a' && text[0] != 'b')) return std::nullopt;
      offset = text[0] == 'b' ? first_ : 0;
      text.remove_prefix(1);
    }
    std::uint64_t number = 0;
    const int base = family_ == Family::hypercube ? 2 : 10;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (error != std::errc{} || end != text.data() + text.size() || number >= vertices()) return std::nullopt;
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
        case Family::complete:
          for (std::uint64_t w = v + 1; w < first_; ++w) edge(v, w, std::uint8_t{0});
          break;
        default:
          for (std::uint64_t w = first_; v < first_ && w < first_ + second_; ++w) edge(v, w, std::uint8_t{0});
      }
    }
  }

 private:
  Family family_;
  std::uint64_t first_;
  std::uint64_t second_;
  std::vector<std::int64_t> steps_;
};

}  // namespace countpm
