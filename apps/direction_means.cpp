#include "apps/direction_means.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "apps/choose_layout.hpp"
#include "apps/output.hpp"
#include "graph/text.hpp"

namespace countpm::app {
namespace {

/// "ab,ac,bc" has one for each; "one a step" is for all, with a number.
std::vector<std::string> names_of(const LatticeInfo& lattice) {
  std::string_view text;
  for (const LatticeShape& shape : lattice_shapes()) {
    if (shape.name == lattice.shape) text = shape.directions;
  }
  const std::vector<std::string_view> parts = split(text, ',');
  std::vector<std::string> names(parts.begin(), parts.end());
  if (names.size() == lattice.directions) return names;
  names.clear();
  for (std::size_t d = 1; d <= lattice.directions; ++d) names.push_back(std::to_string(d));
  return names;
}

bool reported(const Request& request) {
  return !request.quiet && (request.report || error_is_terminal());
}

}  // namespace

DirectionMeans::DirectionMeans(const Request& request) : request_(request) {
  if (!request.json && !reported(request)) return;
  const std::optional<std::string> spec = lattice_spec(request);
  if (!spec) return;
  lattice_ = lattice_graph(*spec, &direction_of_, LetterValues(request.read.at), nullptr,
                           request.read.ground_state.has_value());
  for (std::string& name : names_of(lattice_info(*spec))) directions_.push_back({std::move(name)});
}

void DirectionMeans::take(const EdgeProbability& edge) {
  if (directions_.empty()) return;
  const auto is_edge = [&](const Edge& one) {
    return lattice_.left_labels.stored(one.from) == edge.from &&
           lattice_.left_labels.stored(one.to) == edge.to;
  };
  while (next_ < lattice_.edges.size() && !is_edge(lattice_.edges[next_])) ++next_;
  if (next_ == lattice_.edges.size()) return;
  Direction& direction = directions_[direction_of_[next_++]];
  ++direction.edges;
  if (request_.marginals.exact) {
    direction.exact += mpq_class(edge.probability);
  } else {
    double value = 0;
    std::from_chars(edge.probability.data(), edge.probability.data() + edge.probability.size(), value);
    direction.rounded += value;
  }
}

std::string DirectionMeans::mean_of(const Direction& direction) const {
  return request_.marginals.exact ? direction.exact.get_str() : fmt::format("{:.10g}", direction.rounded);
}

void DirectionMeans::report() const {
  if (!reported(request_)) return;
  std::string text;
  for (const Direction& direction : directions_) {
    if (direction.edges == 0) continue;
    text += fmt::format("direction   {}: {} dimers on average, {} edges\n", direction.name,
                        mean_of(direction), direction.edges);
  }
  write_error(text);
}

std::optional<std::vector<DirectionMean>> DirectionMeans::means() const {
  if (directions_.empty()) return std::nullopt;
  std::vector<DirectionMean> list;
  for (const Direction& direction : directions_)
    list.push_back({direction.name, direction.edges, mean_of(direction)});
  return list;
}

}  // namespace countpm::app
