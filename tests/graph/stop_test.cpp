// Reading looks at the stop signal of its thread: in every format, while it inflates, and in what makes an
// instance of a graph.
#include <gtest/gtest.h>
#include <zlib.h>

#include <functional>
#include <string>

#include "graph/stop_poll.hpp"
#include "tests/graph/read_support.hpp"
#include "tests/graph/temporary_folder.hpp"

namespace countpm::testing {
namespace {

constexpr int side = 100;  // 10,000 vertices or edges: more than a look's worth of steps

std::string repeated(int times, const std::function<std::string(int)>& line) {
  std::string text;
  for (int k = 0; k < times; ++k) text += line(k);
  return text;
}

std::string number(int k) {
  return std::to_string(k);
}

std::string path_in_matrix_market() {
  return "%%MatrixMarket matrix coordinate pattern general\n10000 10000 10000\n" +
         repeated(side * side, [](int k) { return number(k + 1) + " " + number(k + 1) + "\n"; });
}

std::string path_in_dimacs() {
  return "p edge 10001 10000\n" +
         repeated(side * side, [](int k) { return "e " + number(k + 1) + " " + number(k + 2) + "\n"; });
}

// Six bits a character, all 1: a complete graph.
std::string ones_in_sixes(std::size_t bits) {
  std::string text(bits / 6, '~');
  if (bits % 6 != 0) text += static_cast<char>(63 + ((1U << 6U) - (1U << (6 - bits % 6))));
  return text;
}
std::string size_in_sixes(int n) {
  return {'~', static_cast<char>(63 + n / 4096), static_cast<char>(63 + n / 64 % 64),
          static_cast<char>(63 + n % 64)};
}

// 9,228 pairs of a zero and twelve: loops at 0, which are dropped.
std::string long_sparse6() {
  return ":" + size_in_sixes(4095) + std::string(19994, '?');
}

std::string path_in_graphml() {
  return "<graphml><graph edgedefault=\"undirected\">" +
         repeated(side * side, [](int k) { return "<node id=\"n" + number(k) + "\"/>"; }) +
         "</graph></graphml>";
}

std::string path_in_dot() {
  return "graph {" + repeated(side * side, [](int k) { return "a" + number(k) + ";\n"; }) + "}";
}

struct Reading {
  const char* name;
  Format format;
  std::function<std::string()> text;
};

void PrintTo(const Reading& reading, std::ostream* out) {
  *out << reading.name;
}

class StopReading : public ::testing::TestWithParam<Reading> {};

TEST_P(StopReading, StopsWhereTheSignalIsRequested) {
  ReadOptions options = in_format(GetParam().format);
  options.loops = LoopPolicy::drop;
  options.multi = MultiPolicy::sum;
  const std::string text = GetParam().text();
  StopSignal stop;
  const StopScope scope(&stop);
  EXPECT_NO_THROW(read_text(text, options));
  stop.request();
  EXPECT_THROW(read_text(text, options), Stopped);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, StopReading,
    ::testing::Values(
        Reading{"edges", Format::edge_list,
                [] {
                  return repeated(side * side, [](int k) { return number(k) + " " + number(k + 1) + "\n"; });
                }},
        Reading{"comments", Format::edge_list,
                [] { return "a b\n" + repeated(side * side, [](int) { return std::string("#\n"); }); }},
        Reading{"matrix_market", Format::matrix_market, path_in_matrix_market},
        Reading{"dimacs", Format::dimacs, path_in_dimacs},
        Reading{"dense", Format::dense,
                [] {
                  return repeated(
                      side, [](int) { return repeated(side, [](int) { return std::string("1 "); }) + "\n"; });
                }},
        Reading{"graph6", Format::graph6,
                [] { return size_in_sixes(side) + ones_in_sixes(side * (side - 1) / 2); }},
        Reading{"digraph6", Format::digraph6,
                [] { return "&" + size_in_sixes(side) + ones_in_sixes(side * side); }},
        Reading{"sparse6", Format::sparse6, long_sparse6},
        Reading{"graphml", Format::graphml, path_in_graphml}, Reading{"dot", Format::dot, path_in_dot},
        Reading{"gml", Format::gml,
                [] {
                  return "graph [" +
                         repeated(side * side, [](int k) { return "node [ id " + number(k) + " ]\n"; }) + "]";
                }},
        Reading{"gexf", Format::gexf,
                [] {
                  return "<gexf><graph><nodes>" +
                         repeated(side * side, [](int k) { return "<node id=\"" + number(k) + "\"/>"; }) +
                         "</nodes></graph></gexf>";
                }},
        Reading{"pajek", Format::pajek,
                [] {
                  return "*Vertices 10001\n*Edges\n" + repeated(side * side, [](int k) {
                           return number(k + 1) + " " + number(k + 2) + "\n";
                         });
                }},
        Reading{"json", Format::json,
                [] {
                  return "{\"links\": [], \"nodes\": [0" +
                         repeated(side * side, [](int k) { return ", " + number(k + 1); }) + "]}";
                }}),
    [](const auto& stage) { return stage.param.name; });

TEST(StopReading, StopsInLattices) {
  StopSignal stop;
  stop.request();
  const StopScope scope(&stop);
  EXPECT_THROW(read_graph(Source::from_argument("lattice:square:100x100")), Stopped);
}

TEST(StopReading, StopsWhileItInflates) {
  // A few bytes of gzip, all of one chunk: only the loop that inflates can look.
  const TemporaryFolder folder;
  const std::string path = folder.write("lines.edgelist.gz", "");
  gzFile file = gzopen(path.c_str(), "wb");
  const std::string lines(1 << 20, '\n');
  gzwrite(file, lines.data(), static_cast<unsigned>(lines.size()));
  gzclose(file);
  StopSignal stop;
  stop.request();
  const StopScope scope(&stop);
  EXPECT_THROW(read_graph(Source::from_argument(path)), Stopped);
}

TEST(StopReading, StopsInTheInstance) {
  for (const GraphKind kind : {GraphKind::undirected, GraphKind::directed}) {
    Graph graph =
        read_text(repeated(side * side, [](int k) { return number(k) + " " + number(k + 1) + "\n"; }),
                  as_kind(kind))
            .graph;
    StopSignal stop;
    stop.request();
    const StopScope scope(&stop);
    EXPECT_THROW(to_instance(std::move(graph)), Stopped);
  }
}

TEST(StopPoll, LooksOnceInAWhile) {
  StopSignal stop;
  const StopScope scope(&stop);
  StopPoll poll;
  stop.request();
  std::uint64_t steps = 0;
  try {
    for (; steps < 100000; ++steps) poll.step();
  } catch (const Stopped&) {
  }
  EXPECT_EQ(steps, 4095U);
  StopPoll lines;
  EXPECT_NO_THROW(lines.steps(4000));
  EXPECT_THROW(lines.steps(4000), Stopped);
}

TEST(StopPoll, WithoutAScopeNothingStops) {
  EXPECT_EQ(current_stop_signal(), nullptr);
  EXPECT_FALSE(stop_signal_here().requested());
  StopSignal stop;
  {
    const StopScope scope(&stop);
    EXPECT_EQ(&stop_signal_here(), &stop);
  }
  EXPECT_NE(&stop_signal_here(), &stop);
}

}  // namespace
}  // namespace countpm::testing
