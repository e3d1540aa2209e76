// Maximum matchings: ours beside LEMON's MaxMatching and Boost's edmonds_maximum_cardinality_matching on the
// same graphs, in turns. Goal: a random bipartite graph of 10^6 + 10^6 vertices and 10^7 edges in under 10 s
// (aim: 2 s). Times are CPU seconds of the matching alone (other work on the machine does not count); each
// library gets its own compact graph beforehand. Boost is left out beyond 20,000 rows (34 s at 10^5 + 10^5),
// LEMON of four large graphs. Usage: bench_maximum_matching [--rounds N] [--boost-rows N] [--lemon-rows N]
#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "bench/lemon/lemon_matching.hpp"
#include "matching/maximum_matching.hpp"

namespace {

using countpm::Index;
using countpm::SparsePattern;

SparsePattern from_lines(std::vector<std::vector<Index>> lines, Index columns) {
  SparsePattern pattern;
  pattern.rows = static_cast<Index>(lines.size());
  pattern.columns = columns;
  for (std::vector<Index>& line : lines) {
    std::sort(line.begin(), line.end());
    line.erase(std::unique(line.begin(), line.end()), line.end());
    pattern.column.insert(pattern.column.end(), line.begin(), line.end());
    pattern.row_start.push_back(pattern.column.size());
  }
  return pattern;
}

/// `edges` places drawn uniformly; those drawn twice count once.
SparsePattern random_graph(Index vertices, std::uint64_t edges) {
  std::mt19937_64 random(1);
  std::vector<std::vector<Index>> lines(vertices);
  for (std::uint64_t k = 0; k < edges; ++k)
    lines[random() % vertices].push_back(static_cast<Index>(random() % vertices));
  return from_lines(std::move(lines), vertices);
}

/// A cycle of 2 n vertices, shuffled.
SparsePattern shuffled_cycle(Index n) {
  std::mt19937_64 random(1);
  std::vector<Index> column(n);
  for (Index i = 0; i < n; ++i) column[i] = i;
  std::vector<Index> row = column;
  std::shuffle(column.begin(), column.end(), random);
  std::shuffle(row.begin(), row.end(), random);
  std::vector<std::vector<Index>> lines(n);
  for (Index i = 0; i < n; ++i) lines[row[i]] = {column[i], column[(i + 1) % n]};
  return from_lines(std::move(lines), n);
}

/// Black and white squares of a side x side board, side even.
SparsePattern board(Index side) {
  std::vector<std::vector<Index>> lines;
  for (Index y = 0; y < side; ++y) {
    for (Index x = y % 2; x < side; x += 2) {
      lines.emplace_back();
      if (y > 0) lines.back().push_back(((y - 1) * side + x) / 2);
      if (x > 0) lines.back().push_back((y * side + x - 1) / 2);
      if (x + 1 < side) lines.back().push_back((y * side + x + 1) / 2);
      if (y + 1 < side) lines.back().push_back(((y + 1) * side + x) / 2);
    }
  }
  return from_lines(std::move(lines), side * side / 2);
}

/// Three entries a row within a band of 64 columns: columns run out, and augmenting paths are long.
SparsePattern banded(Index n) {
  std::mt19937_64 random(1);
  std::vector<std::vector<Index>> lines(n);
  for (Index i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) lines[i].push_back(static_cast<Index>((i + random() % 64) % n));
  }
  return from_lines(std::move(lines), n);
}

double seconds_of(const std::function<void()>& run) {
  const std::clock_t start = std::clock();
  run();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double run_boost(const SparsePattern& pattern, std::uint64_t& size) {
  using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                   boost::no_property, std::uint64_t>;
  // Edmonds wants an undirected graph: every edge in both directions.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
  edges.reserve(2 * pattern.column.size());
  const std::uint64_t rows = pattern.rows;
  for (Index i = 0; i < pattern.rows; ++i) {
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::size_t{1}]; ++k) {
      edges.emplace_back(i, rows + pattern.column[k]);
      edges.emplace_back(rows + pattern.column[k], i);
    }
  }
  const Graph graph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), rows + pattern.columns);
  std::vector<std::uint64_t> mate(boost::num_vertices(graph));
  const double seconds = seconds_of([&] { boost::edmonds_maximum_cardinality_matching(graph, mate.data()); });
  size = boost::matching_size(graph, mate.data());
  return seconds;
}

struct Rival {
  std::string name;
  std::function<double(const SparsePattern&, std::uint64_t& size)> run;  // seconds
  Index most_rows = countpm::no_index;                                   // larger graphs are left out
};

}  // namespace

int main(int argc, char** argv) {
  std::size_t rounds = 3;
  Index boost_rows = 20'000;
  Index lemon_rows = countpm::no_index;
  for (int k = 1; k + 1 < argc; k += 2) {
    if (std::string(argv[k]) == "--lemon-rows") lemon_rows = static_cast<Index>(std::atoi(argv[k + 1]));
    if (std::string(argv[k]) == "--boost-rows") boost_rows = static_cast<Index>(std::atoi(argv[k + 1]));
    if (std::string(argv[k]) == "--rounds") rounds = static_cast<std::size_t>(std::atoi(argv[k + 1]));
  }
  std::vector<Rival> rivals;
  rivals.push_back({"countpm",
                    [](const SparsePattern& pattern, std::uint64_t& size) {
                      return seconds_of([&] { size = countpm::maximum_matching(pattern).size; });
                    },
                    countpm::no_index});
  if (countpm::bench::have_lemon()) {
    rivals.push_back({"LEMON",
                      [](const SparsePattern& pattern, std::uint64_t& size) {
                        return countpm::bench::lemon_matching_seconds(
                            pattern.rows, pattern.columns, pattern.row_start, pattern.column, size);
                      },
                      lemon_rows});
  } else {
    fmt::print("LEMON was not found when this was built: left out\n");
  }
  rivals.push_back({"Boost", run_boost, boost_rows});

  struct Graph {
    std::string name;
    std::function<SparsePattern()> make;
    bool ours_alone = false;
  };
  const std::vector<Graph> graphs = {
      {"random, 10^4+10^4", [] { return random_graph(10'000, 100'000); }},
      {"random, 10^5+10^5", [] { return random_graph(100'000, 1'000'000); }},
      {"random, 10^6+10^6", [] { return random_graph(1'000'000, 10'000'000); }},
      {"random, 10^5+10^5, 3 a row", [] { return random_graph(100'000, 300'000); }},
      {"cycle, 10^5+10^5", [] { return shuffled_cycle(100'000); }},
      {"board, 400 x 400", [] { return board(400); }},
      {"banded, 10^5+10^5", [] { return banded(100'000); }},
      {"random, 10^6+10^6, 3 a row", [] { return random_graph(1'000'000, 3'000'000); }, true},
      {"cycle, 10^6+10^6", [] { return shuffled_cycle(1'000'000); }, true},
      {"board, 1000 x 1000", [] { return board(1000); }, true},
      {"banded, 10^6+10^6", [] { return banded(1'000'000); }, true},
  };
  fmt::print("| graph | edges | matched |");
  for (const Rival& rival : rivals) fmt::print(" {} (s) |", rival.name);
  fmt::print("\n|---|---|---|");
  for (std::size_t k = 0; k < rivals.size(); ++k) fmt::print("---|");
  fmt::print("\n");
  bool agree = true;
  for (const auto& [name, make, ours_alone] : graphs) {
    const SparsePattern pattern = make();
    std::vector<std::vector<double>> times(rivals.size());
    std::uint64_t matched = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
      for (std::size_t k = 0; k < rivals.size(); ++k) {
        if (pattern.rows > rivals[k].most_rows || (ours_alone && k > 0)) continue;
        std::uint64_t size = 0;
        times[k].push_back(rivals[k].run(pattern, size));
        if (matched == 0) matched = size;
        agree = agree && size == matched;
      }
    }
    fmt::print("| {} | {} | {} |", name, pattern.entries(), matched);
    for (std::size_t k = 0; k < rivals.size(); ++k) {
      std::sort(times[k].begin(), times[k].end());
      fmt::print(" {} |", times[k].empty() ? std::string("left out")
                                           : fmt::format("{:.3f}", times[k][times[k].size() / 2]));
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
  fmt::print("sizes agree: {}\n", agree ? "yes" : "NO");
  return agree ? 0 : 1;
}
