// Graphs that are drawn on surfaces through the whole pipeline, from a file of rotations: random ones of
// several pieces, with edges that no matching has, against sums over subsets.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "graph/errors.hpp"
#include "graph/read.hpp"
#include "src/api/entries.hpp"
#include "src/count/ln_z.hpp"
#include "tests/graph/temporary_folder.hpp"
#include "tests/repeats.hpp"

namespace countpm::drawn_graphs_test {
namespace {

using testing::repeats;
using testing::TemporaryFolder;

struct Drawn {
  int vertices = 0;
  bool bipartite = false;  // rows and columns with the same labels
  std::vector<std::pair<int, int>> edges;
  std::vector<mpq_class> weight;
  std::vector<std::vector<std::size_t>> around;  // of each vertex: its edges
  std::vector<bool> twisted;

  std::string label(int v) const {
    return std::to_string(bipartite && v >= vertices / 2 ? v - vertices / 2 : v);
  }
  std::string side(int v) const {
    if (!bipartite) return "";
    return v < vertices / 2 ? "left:" : "right:";
  }
  std::string edge_text() const {
    std::string text;
    for (std::size_t e = 0; e < edges.size(); ++e)
      text += fmt::format("{} {} {}\n", label(edges[e].first), label(edges[e].second), weight[e].get_str());
    return text;
  }
  std::string rotation_text() const {
    std::string text;
    for (int v = 0; v < vertices; ++v) {
      if (around[v].empty()) continue;
      text += side(v) + label(v) + ":";
      for (const std::size_t e : around[v]) {
        const int w = edges[e].first == v ? edges[e].second : edges[e].first;
        text += (twisted[e] ? " ~" : " ") + label(w);
      }
      text += "\n";
    }
    return text;
  }
};

/// Two pieces at most, and any edges between a few of their vertices.
Drawn random_drawing(std::mt19937_64& random) {
  const auto below = [&random](std::uint64_t limit) { return random() % limit; };
  Drawn drawn;
  drawn.bipartite = below(3) == 0;
  drawn.vertices = static_cast<int>(2 + 2 * below(4));
  const int half = drawn.vertices / 2;
  const std::uint64_t density = 2 + below(4);
  for (int a = 0; a < drawn.vertices; ++a) {
    for (int b = a + 1; b < drawn.vertices; ++b) {
      if (drawn.bipartite && (a >= half || b < half)) continue;
      if (below(density) == 0) continue;
      drawn.edges.emplace_back(a, b);
      mpq_class weight(static_cast<unsigned long>(1 + below(below(4) == 0 ? 1ULL << 50 : 3)));
      if (below(4) == 0) weight /= static_cast<unsigned long>(1 + below(5));
      drawn.weight.push_back(below(4) == 0 ? mpq_class(-weight) : weight);
    }
  }
  const std::uint64_t twists = below(3);
  drawn.around.resize(static_cast<std::size_t>(drawn.vertices));
  for (std::size_t e = 0; e < drawn.edges.size(); ++e) {
    drawn.around[drawn.edges[e].first].push_back(e);
    drawn.around[drawn.edges[e].second].push_back(e);
    drawn.twisted.push_back(twists != 0 && below(twists + 1) == 0);
  }
  for (auto& edges : drawn.around) std::shuffle(edges.begin(), edges.end(), random);
  return drawn;
}

/// By dynamic programming over the sets of vertices that are matched. Isolated vertices are not in the file.
mpq_class sum_of(const Drawn& drawn, std::size_t forced = ~std::size_t{0}) {
  std::vector<mpq_class> sum(std::size_t{1} << drawn.vertices);
  std::size_t first = 0;
  for (int v = 0; v < drawn.vertices; ++v) {
    if (drawn.around[v].empty()) first |= std::size_t{1} << v;
  }
  sum[first] = 1;
  if (forced < drawn.edges.size()) {
    const auto [a, b] = drawn.edges[forced];
    sum[first] = 0;
    sum[first | std::size_t{1} << a | std::size_t{1} << b] = drawn.weight[forced];
  }
  for (std::size_t set = 0; set + 1 < sum.size(); ++set) {
    if (sum[set] == 0) continue;
    int v = 0;
    while ((set >> v & 1U) != 0) ++v;
    for (const std::size_t e : drawn.around[v]) {
      const auto [a, b] = drawn.edges[e];
      const std::size_t both = std::size_t{1} << a | std::size_t{1} << b;
      if ((set & both) == 0) sum[set | both] += sum[set] * drawn.weight[e];
    }
  }
  return sum.back();
}

ReadResult read(const Drawn& drawn, const TemporaryFolder& folder) {
  ReadOptions options;
  options.weights = true;
  options.format = Format::edge_list;
  options.kind = drawn.bipartite ? GraphKind::bipartite : GraphKind::undirected;
  options.embedding = folder.write("rotations", drawn.rotation_text());
  return read_graph(Source::from_bytes(drawn.edge_text(), "edges"), options);
}

std::string text_of(const Drawn& drawn) {
  return drawn.edge_text() + drawn.rotation_text();
}

/// Of one with edges; nothing where its surface has too many loops.
std::optional<CountResult> count_by(const std::string& method, const Drawn& drawn,
                                    const TemporaryFolder& folder) {
  CountOptions options;
  options.method = method;
  options.threads = 1;
  try {
    return count(read(drawn, folder), options);
  } catch (const UnableError& error) {
    EXPECT_NE(std::string(error.what()).find("the surface that the graph is drawn on has"), std::string::npos)
        << error.what();
    return std::nullopt;
  }
}

TEST(DrawnGraphs, AgainstSums) {
  const TemporaryFolder folder;
  int counted = 0;
  int nonzero = 0;
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(240); ++seed) {
    std::mt19937_64 random(seed);
    const Drawn drawn = random_drawing(random);
    if (drawn.edges.empty()) continue;
    const mpq_class expected = sum_of(drawn);
    for (const std::string method : {"planar", "auto"}) {
      const auto result = count_by(method, drawn, folder);
      ASSERT_TRUE(result || method != "auto");
      if (!result) continue;
      ASSERT_EQ(mpq_class(result->count), expected) << "seed " << seed << ", " << method << "\n"
                                                    << text_of(drawn);
      ++counted;
      nonzero += expected != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(counted, 0);
  EXPECT_GT(nonzero, 0);
}

TEST(DrawnGraphs, ProbabilitiesAndLogarithms) {
  const TemporaryFolder folder;
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(60); ++seed) {
    std::mt19937_64 random(seed);
    const Drawn drawn = random_drawing(random);
    if (drawn.edges.empty()) continue;
    const mpq_class sum = sum_of(drawn);
    if (sum == 0) continue;
    CountOptions options;
    options.threads = 1;
    std::size_t e = 0;
    marginals(read(drawn, folder).graph, options, {.exact = true, .digits = 12, .started = {}, .read = {}},
              [&](const EdgeProbability& edge) {
                EXPECT_EQ(mpq_class(edge.probability), sum_of(drawn, e) / sum) << "seed " << seed;
                ++e;
                return true;
              });
    ASSERT_EQ(e, drawn.edges.size());
    try {
      const LnZResult ln = ln_z(read(drawn, folder), options);
      EXPECT_NEAR(ln.ln_z, std::log(std::abs(sum.get_d())), 1e-9) << "seed " << seed << "\n"
                                                                  << text_of(drawn);
      ++compared;
    } catch (const UnableError&) {
      // A sum of a piece that cancels, or a surface with too many loops.
    }
  }
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace countpm::drawn_graphs_test
