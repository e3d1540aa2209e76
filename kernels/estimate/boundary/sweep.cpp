#include "kernels/estimate/boundary/sweep.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

using Sequence = std::vector<std::uint32_t>;

/// Component by component, from `start` and then from the least vertex that is left.
Sequence by_distance(const SampleGraph& graph, std::uint32_t start) {
  const std::uint32_t n = graph.vertices();
  Sequence sequence;
  sequence.reserve(n);
  std::vector<char> met(n, 0);
  StopPoll poll;
  const auto search = [&](std::uint32_t from) {
    if (met[from] != 0) return;
    met[from] = 1;
    sequence.push_back(from);
    for (std::size_t next = sequence.size() - 1; next < sequence.size(); ++next) {
      const std::uint32_t v = sequence[next];
      poll.steps(graph.degree(v));
      for (const auto* edge = graph.begin(v); edge != graph.end(v); ++edge) {
        if (met[edge->vertex] != 0) continue;
        met[edge->vertex] = 1;
        sequence.push_back(edge->vertex);
      }
    }
  };
  search(start);
  for (std::uint32_t v = 0; v < n; ++v) search(v);
  return sequence;
}

/// The numbers in order, but each vertex whose neighbours all have smaller ones as soon as the last of them
/// is taken: of a bipartite block the rows, and the columns among them.
Sequence rows_in_order(const SampleGraph& graph) {
  const std::uint32_t n = graph.vertices();
  std::vector<std::uint32_t> missing(n, 0);  // neighbours that it waits for
  for (std::uint32_t v = 0; v < n; ++v) {
    if (std::all_of(graph.begin(v), graph.end(v), [v](const auto& edge) { return edge.vertex < v; }))
      missing[v] = graph.degree(v);
  }
  const std::vector<std::uint32_t> all = missing;
  Sequence sequence;
  sequence.reserve(n);
  for (std::uint32_t v = 0; v < n; ++v) {
    if (all[v] > 0) continue;
    sequence.push_back(v);
    for (const auto* edge = graph.begin(v); edge != graph.end(v); ++edge) {
      if (missing[edge->vertex] > 0 && --missing[edge->vertex] == 0) sequence.push_back(edge->vertex);
    }
  }
  return sequence;
}

/// Of the vertices on the line the one that lets the fewest enter; of equals the one that is there longest.
Sequence greedy(const SampleGraph& graph, std::uint32_t start, std::uint32_t most_width) {
  const std::uint32_t n = graph.vertices();
  std::vector<std::uint32_t> entering(n);  // neighbours that are not on the line
  for (std::uint32_t v = 0; v < n; ++v) entering[v] = graph.degree(v);
  std::vector<char> met(n, 0);
  Sequence line;
  Sequence sequence;
  std::uint32_t least_unmet = 0;
  StopPoll poll;
  const auto enter = [&](std::uint32_t v) {
    met[v] = 1;
    line.push_back(v);
    for (const auto* edge = graph.begin(v); edge != graph.end(v); ++edge) --entering[edge->vertex];
  };
  while (sequence.size() < n) {
    if (line.empty()) {
      while (met[least_unmet] != 0) ++least_unmet;
      enter(sequence.empty() ? start : least_unmet);
    }
    if (line.size() > most_width) return {};
    poll.steps(line.size());
    const auto best = std::min_element(line.begin(), line.end(), [&](std::uint32_t a, std::uint32_t b) {
      return entering[a] < entering[b];
    });
    const std::uint32_t v = *best;
    line.erase(best);
    sequence.push_back(v);
    for (const auto* edge = graph.begin(v); edge != graph.end(v); ++edge) {
      if (met[edge->vertex] == 0) enter(edge->vertex);
    }
  }
  return sequence;
}

/// Of the neighbours of v on the line, and its place.
std::uint64_t span_of(const SampleGraph& graph, std::uint32_t v, std::uint32_t place, const Sequence& line) {
  std::size_t first = place;
  std::size_t end = place;
  for (const auto* edge = graph.begin(v); edge != graph.end(v); ++edge) {
    const auto at = std::find(line.begin(), line.end(), edge->vertex);
    if (at == line.end()) continue;
    first = std::min(first, static_cast<std::size_t>(at - line.begin()));
    end = std::max(end, static_cast<std::size_t>(at - line.begin()) + 1);
  }
  return end - first + 1;
}

/// Nothing where a line is longer than `most_width`.
std::optional<BoundarySweep> sweep_of(const SampleGraph& graph, const Sequence& sequence,
                                      std::uint32_t most_width) {
  const std::uint32_t n = graph.vertices();
  if (sequence.size() != n) return std::nullopt;
  BoundarySweep sweep;
  sweep.position.assign(n, 0);
  for (std::uint32_t t = 0; t < n; ++t) sweep.position[sequence[t]] = t;
  Sequence line;
  std::vector<char> met(n, 0);
  StopPoll poll;
  for (std::uint32_t t = 0; t < n; ++t) {
    BoundarySweep::Step step;
    step.vertex = sequence[t];
    const auto at = std::find(line.begin(), line.end(), step.vertex);
    step.place = static_cast<std::uint32_t>(at - line.begin());
    step.live = at != line.end();
    met[step.vertex] = 1;
    for (const auto* edge = graph.begin(step.vertex); edge != graph.end(step.vertex); ++edge) {
      if (met[edge->vertex] != 0) continue;
      met[edge->vertex] = 1;
      step.entering.push_back(edge->vertex);
    }
    std::sort(step.entering.begin(), step.entering.end(),
              [&](std::uint32_t a, std::uint32_t b) { return sweep.position[a] < sweep.position[b]; });
    if (step.live) line.erase(at);
    line.insert(line.begin() + step.place, step.entering.begin(), step.entering.end());
    poll.steps(line.size());
    sweep.total_span += span_of(graph, step.vertex, step.place, line);
    sweep.width = std::max(sweep.width, static_cast<std::uint32_t>(line.size()));
    sweep.total_width += line.size();
    if (sweep.width > most_width) return std::nullopt;
    sweep.steps.push_back(std::move(step));
  }
  return sweep;
}

}  // namespace

std::vector<BoundarySweep> make_sweeps(const SampleGraph& graph, std::uint32_t most_width) {
  std::vector<BoundarySweep> sweeps;
  std::vector<Sequence> seen;
  if (graph.vertices() == 0) return std::vector<BoundarySweep>(1);
  const auto look = [&](Sequence sequence) {
    if (std::find(seen.begin(), seen.end(), sequence) != seen.end()) return;
    std::optional<BoundarySweep> sweep = sweep_of(graph, sequence, most_width);
    seen.push_back(std::move(sequence));
    if (sweep) sweeps.push_back(std::move(*sweep));
  };
  Sequence natural(graph.vertices());
  std::iota(natural.begin(), natural.end(), 0U);
  look(natural);
  look(rows_in_order(graph));
  const std::uint32_t far = by_distance(graph, 0).back();
  look(by_distance(graph, far));
  look(greedy(graph, far, most_width));
  std::stable_sort(sweeps.begin(), sweeps.end(), [](const BoundarySweep& a, const BoundarySweep& b) {
    return a.total_width < b.total_width;
  });
  std::erase_if(sweeps, [&](const BoundarySweep& sweep) { return sweep.width > 2 * sweeps.front().width; });
  return sweeps;
}

}  // namespace countpm
