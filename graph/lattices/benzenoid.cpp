// Corners have whole coordinates: x in units of half a hexagon's width, y in halves of a side, downwards. The
// hexagon (q, r) then has its centre at (2q + r, 3r).
#include "graph/lattices/benzenoid.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <numbers>
#include <utility>

#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

struct Corner {
  std::int64_t y = 0;  // first: from the top to the bottom
  std::int64_t x = 0;
  auto operator<=>(const Corner&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Clockwise from the top; the side k leads from the corner k to the next one.
constexpr std::array<Corner, 6> corners{{{-2, 0}, {-1, 1}, {1, 1}, {2, 0}, {1, -1}, {-1, -1}}};

// Across the side k.
constexpr std::array<Hexagon, 6> neighbours{{{1, -1}, {1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}}};

Corner corner_of(const Hexagon& hexagon, std::size_t k) {
  return {3 * hexagon.r + corners[k].y, 2 * hexagon.q + hexagon.r + corners[k].x};
}

Hexagon across(const Hexagon& hexagon, std::size_t k) {
  return {hexagon.q + neighbours[k].q, hexagon.r + neighbours[k].r};
}

// All that are reached from one over sides where `open` says so.
template <class Open>
std::set<Hexagon> reached_from(const Hexagon& first, const Open& open) {
  std::set<Hexagon> reached{first};
  std::vector<Hexagon> waiting{first};
  StopPoll poll;
  while (!waiting.empty()) {
    poll.step();
    const Hexagon hexagon = waiting.back();
    waiting.pop_back();
    for (std::size_t k = 0; k < 6; ++k) {
      const Hexagon next = across(hexagon, k);
      if (open(hexagon, k, next) && reached.insert(next).second) waiting.push_back(next);
    }
  }
  return reached;
}

}  // namespace

CodedHexagons hexagons_of_code(std::string_view code) {
  if (code == "6") return {{Hexagon{}}, ""};
  std::int64_t sides = 0;
  for (const char digit : code) {
    if (digit < '1' || digit > '5') return {{}, "a code has digits from 1 to 5 (benzene alone is 6)"};
    sides += digit - '0';
  }
  const auto passed = static_cast<std::int64_t>(code.size());
  // Every corner turns by a sixth, those between two hexagons the other way: six in all.
  if (sides - 2 * passed != 6) {
    return {
        {},
        fmt::format("the boundary does not close: the digits add up to {}, and {} of them must add up to {}",
                    sides, passed, 2 * passed + 6)};
  }
  std::set<std::pair<Hexagon, std::size_t>> boundary;
  std::set<Corner> visited;
  Hexagon hexagon;
  std::size_t side = 0;
  for (const char digit : code) {
    for (char step = '0'; step < digit; ++step) {
      if (step != '0') side = (side + 1) % 6;
      if (!visited.insert(corner_of(hexagon, side)).second) return {{}, "the boundary meets itself"};
      boundary.insert({hexagon, side});
    }
    // The next side begins where this one ends, and turns left: it belongs to the neighbour across the side
    // behind.
    hexagon = across(hexagon, (side + 1) % 6);
    side = (side + 5) % 6;
  }
  if (hexagon != Hexagon{} || side != 0) return {{}, "the boundary does not come back to its start"};
  return {reached_from(Hexagon{},
                       [&](const Hexagon& from, std::size_t k, const Hexagon&) {
                         return !boundary.contains({from, k});
                       }),
          ""};
}

bool is_connected(const std::set<Hexagon>& hexagons) {
  if (hexagons.empty()) return true;
  const auto inside = [&](const Hexagon&, std::size_t, const Hexagon& next) {
    return hexagons.contains(next);
  };
  return reached_from(*hexagons.begin(), inside).size() == hexagons.size();
}

Graph benzenoid_graph(const std::set<Hexagon>& hexagons) {
  std::map<Corner, Index> vertex;
  for (const Hexagon& hexagon : hexagons) {
    for (std::size_t k = 0; k < 6; ++k) vertex.emplace(corner_of(hexagon, k), no_index);
  }
  Graph graph;
  graph.kind = GraphKind::undirected;
  for (auto& [corner, id] : vertex) {
    id = graph.left_labels.append(fmt::format("C{}", graph.left_labels.size() + std::uint64_t{1}));
    graph.positions.push_back(
        {std::numbers::sqrt3 / 2 * static_cast<double>(corner.x), 0.5 * static_cast<double>(corner.y)});
  }
  std::set<std::pair<Index, Index>> edges;
  for (const Hexagon& hexagon : hexagons) {
    for (std::size_t k = 0; k < 6; ++k)
      edges.insert(std::minmax(vertex[corner_of(hexagon, k)], vertex[corner_of(hexagon, (k + 1) % 6)]));
  }
  for (const auto& [from, to] : edges) graph.edges.push_back({from, to});
  return graph;
}

}  // namespace countpm
