// Input that is not planar: the refusal names a subdivision of K5 or K3,3, which is one, in the input's own
// edges. console/not-planar.console has what else is said of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

using Names = std::vector<std::string>;
using EdgeSet = std::set<std::pair<std::string, std::string>>;

Names split(const std::string& text, const std::string& by) {
  Names parts;
  std::size_t at = 0;
  for (std::size_t next = 0; next != std::string::npos; at = next + by.size()) {
    next = text.find(by, at);
    parts.push_back(text.substr(at, next == std::string::npos ? next : next - at));
  }
  return parts;
}

std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return {};
  const std::size_t from = at + before.size();
  return text.substr(from, text.find(after, from) - from);
}

std::pair<std::string, std::string> edge_of(const std::string& a, const std::string& b) {
  return std::minmax(a, b);
}

EdgeSet edges_of(const std::string& edge_list) {
  EdgeSet edges;
  for (const std::string& line : lines_of(edge_list)) {
    const Names ends = split(line, " ");
    edges.insert(edge_of(ends[0], ends[1]));
  }
  return edges;
}

/// The ends that must be joined: all pairs of five, or each of three with each of three.
EdgeSet pairs_to_join(const std::string& kind, const std::string& ends_text) {
  EdgeSet pairs;
  if (kind == "K5") {
    const Names ends = split(ends_text, ", ");
    EXPECT_EQ(ends.size(), 5U) << ends_text;
    for (const std::string& a : ends) {
      for (const std::string& b : ends) {
        if (a != b) pairs.insert(edge_of(a, b));
      }
    }
    EXPECT_EQ(pairs.size(), 10U) << ends_text;
    return pairs;
  }
  const Names sides = split(ends_text, " and ");
  EXPECT_EQ(sides.size(), 2U) << ends_text;
  for (const std::string& a : split(sides.front(), ", ")) {
    for (const std::string& b : split(sides.back(), ", ")) pairs.insert(edge_of(a, b));
  }
  EXPECT_EQ(pairs.size(), 9U) << ends_text;
  return pairs;
}

/// What the message shows, checked against the input's edges; the kind.
std::string expect_subdivision(const std::string& message, const EdgeSet& input) {
  std::string kind = between(message, "the input has a subdivision of ", " with the ends");
  EdgeSet left = pairs_to_join(kind, between(message, " with the ends ", ", joined by the paths "));
  std::set<std::string> ends;
  for (const auto& [a, b] : left) ends.insert({a, b});
  std::set<std::string> inner;
  const std::string paths = between(message, ", joined by the paths ", "; 'countpm");
  for (const std::string& text : split(paths, "; ")) {
    const Names path = split(text, " - ");
    if (path.size() < 2) {
      ADD_FAILURE() << "no path: " << text;
      continue;
    }
    EXPECT_EQ(left.erase(edge_of(path.front(), path.back())), 1U)
        << "joined twice, or not to be joined: " << text;
    for (std::size_t k = 1; k < path.size(); ++k)
      EXPECT_TRUE(input.contains(edge_of(path[k - 1], path[k]))) << path[k - 1] << " - " << path[k];
    for (std::size_t k = 1; k + 1 < path.size(); ++k) {
      EXPECT_FALSE(ends.contains(path[k])) << path[k];
      EXPECT_TRUE(inner.insert(path[k]).second) << path[k] << " is on two paths";
    }
  }
  EXPECT_TRUE(left.empty()) << message;
  return kind;
}

std::string refusal(const std::string& edge_list, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{file_with(edge_list), "--method", "planar"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("planar cannot: the graph is not planar"), std::string::npos) << outcome.err;
  return outcome.err;
}

/// Two K5 that share two vertices, without the edge between these: no K3,3 in it.
std::string two_fives() {
  std::string text;
  for (const Names& names :
       {Names{"anna", "bert", "carl", "dora", "emil"}, {"anna", "bert", "paul", "quin", "rosa"}}) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (std::size_t j = std::max<std::size_t>(i + 1, 2); j < names.size(); ++j)
        text += names[i] + " " + names[j] + "\n";
    }
  }
  return text;
}

/// Heawood's graph: point i and line j meet where j - i is 0, 1 or 3 modulo 7; each edge cut into three.
std::string heawood(bool subdivided) {
  std::ostringstream text;
  for (int i = 0; i < 7; ++i) {
    for (const int d : {0, 1, 3}) {
      const int j = (i + d) % 7;
      text << 'p' << i;
      if (subdivided) {
        for (const char end : {'a', 'b'})
          text << " m" << i << '_' << j << end << "\nm" << i << '_' << j << end;
      }
      text << " l" << j << '\n';
    }
  }
  return text.str();
}

std::string petersen_by_name() {
  std::string text;
  for (int k = 0; k < 5; ++k) {
    const auto name = [](const char* ring, int at) { return ring + std::to_string(at % 5); };
    text += name("outer", k) + " " + name("outer", k + 1) + "\n";
    text += name("outer", k) + " " + name("inner", k) + "\n";
    text += name("inner", k) + " " + name("inner", k + 2) + "\n";
  }
  return text;
}

TEST(NotPlanar, ShowsK5) {
  EXPECT_EQ(expect_subdivision(refusal(two_fives()), edges_of(two_fives())), "K5");
}

TEST(NotPlanar, ShowsK33) {
  EXPECT_EQ(expect_subdivision(refusal(petersen_by_name()), edges_of(petersen_by_name())), "K3,3");
  EXPECT_EQ(expect_subdivision(refusal(heawood(false)), edges_of(heawood(false))), "K3,3");
}

// The reductions contract the paths; what is shown goes along the input's own edges.
TEST(NotPlanar, ShowsWhatTheReductionsContract) {
  const std::string message = refusal(heawood(true));
  EXPECT_EQ(expect_subdivision(message, edges_of(heawood(true))), "K3,3");
  EXPECT_NE(message.find("a - m"), std::string::npos) << message;
}

TEST(NotPlanar, OneOfSeveralPieces) {
  const std::string text = "x y\ny z\nz w\nw x\n" + petersen_by_name();
  EXPECT_EQ(expect_subdivision(refusal(text), edges_of(text)), "K3,3");
}

TEST(NotPlanar, CondensationAndTooManyEdges) {
  const Outcome outcome = run({file_with(petersen_by_name()), "--method", "condensation"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(expect_subdivision(outcome.err, edges_of(petersen_by_name())), "K3,3");
  std::string dense;
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < i; ++j) dense += "v" + std::to_string(i) + " v" + std::to_string(j) + "\n";
  }
  expect_subdivision(refusal(dense), edges_of(dense));
}

}  // namespace
}  // namespace countpm::test
