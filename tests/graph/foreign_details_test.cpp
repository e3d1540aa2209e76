// sparse6 as networkx fills its last character up, the characters that XML allows in GraphML, and DOT that
// several threads read.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "tests/graph/read_support.hpp"

namespace countpm {
namespace {

using testing::edge_labels;
using testing::in_format;
using testing::input_error;
using testing::Labels;
using testing::read_text;

Labels sparse6(const std::string& text) {
  Labels edges = edge_labels(read_text(text, in_format(Format::sparse6)).graph);
  std::sort(edges.begin(), edges.end());
  return edges;
}

// networkx 3.6.1 tests for k bits of filling where the format asks for k + 1, and writes a zero then.
TEST(Sparse6, AsNetworkxFillsIt) {
  EXPECT_EQ(sparse6(">>sparse6<<:OgE\\XQNU?qgRS|bgTOhtkgWzF\n").size(), 27U);
  EXPECT_EQ(sparse6(":OufqF"), (Labels{"8 14", "9 11"}));
  EXPECT_EQ(sparse6(":OcBaF"), (Labels{"0 2", "8 12"}));
  EXPECT_EQ(sparse6(":OmBqF"), (Labels{"0 7", "8 14"}));
  // As nauty does it, and networkx where more than k bits are left.
  EXPECT_EQ(sparse6(":OufqN"), (Labels{"8 14", "9 11"}));
  EXPECT_EQ(sparse6(":Cp"), (Labels{"1 2"}));
  EXPECT_EQ(sparse6(":GgKJ"), (Labels{"0 2", "2 4"}));
}

// Neither ones nor, of 2^k vertices, a zero and k - 1 ones.
TEST(Sparse6, OtherFillingsAreRefused) {
  for (const char* bits : {"0100", "0000", "0011", "0110"}) {
    std::string text = ":OgE\\XQNU?qgRS|bgTOhtkgWz";
    text += static_cast<char>(63 + std::stoi(bits, nullptr, 2));
    EXPECT_EQ(input_error(text, in_format(Format::sparse6)).found(), std::string("the bits ") + bits);
  }
}

std::string graphml(const std::string& inside) {
  return "<?xml version=\"1.0\"?>\n<graphml>\n<graph edgedefault=\"undirected\">\n" + inside +
         "</graph>\n</graphml>\n";
}

TEST(GraphMlCharacters, WhatXmlAllows) {
  const Graph graph = read_text(graphml("<!-- &#27; --><desc><![CDATA[&#27;]]> &#9;&#x85;</desc>\n"
                                        "<node id=\"a&#9;&#10;&#13;&#x9b;&#x202e;&#xfffd;&#x1f600;\"/>\n"
                                        "<node id=\"b\n\tc\"/>\n"),
                                in_format(Format::graphml))
                          .graph;
  EXPECT_EQ(graph.left_labels.label(0), "a\t\n\r\u009b\u202e\ufffd\U0001f600");
  EXPECT_EQ(graph.left_labels.label(1), "b  c");  // as XML reads attributes
}

void expect_refused(const std::string& inside, const std::string& words) {
  const InputError error = input_error(graphml(inside), in_format(Format::graphml));
  EXPECT_EQ(error.line(), 4U) << inside;
  EXPECT_NE(error.expected().find("XML allows"), std::string::npos) << error.what();
  EXPECT_NE(error.found().find(words), std::string::npos) << error.what();
}

// XML 1.0, 2.2: as they are and as references, wherever they stand.
TEST(GraphMlCharacters, WhatXmlForbids) {
  for (const char* character : {"\x01", "\x1b", "\x0b", "\ufffe", "\uffff"}) {
    const std::string as_is(character);
    const char* const words = as_is.size() == 1 ? "the byte 0x" : "U+FFFE";
    expect_refused("<node id=\"a" + as_is + "\"/>\n", words);
    expect_refused("<!-- " + as_is + "-->\n", words);
  }
  for (const std::string reference : {"&#27;", "&#x1B;", "&#1;", "&#x0;", "&#11;", "&#xfffe;", "&#65535;",
                                      "&#xd800;", "&#x110000;", "&#;", "&#x;", "&#"}) {
    expect_refused("<node id=\"a\" x=\"" + reference + "\"/>\n", "&#");
    expect_refused("<desc>" + reference + "</desc>\n", "&#");
  }
}

/// A path whose edges weigh 1, 2, 3 and so on.
std::string weighed_path(int edges) {
  std::string text = "graph {\n";
  for (int e = 0; e < edges; ++e) {
    const std::string from = std::to_string(100000 + e);
    const std::string to = std::to_string(100001 + e);
    text += from + " -- " + to + " [weight=" + std::to_string(e + 1) + "]\n";
  }
  return text + "}\n";
}

// Boost's parser numbers the edges of all threads by one counter: weights were exchanged.
TEST(DotThreads, EachEdgeKeepsItsWeight) {
  constexpr int edges = 300;
  ReadOptions options = in_format(Format::dot);
  options.weights = true;
  const std::string text = weighed_path(edges);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int k = 0; k < 40; ++k) {
        const Graph graph = read_text(text, options).graph;
        const auto& weights = std::get<std::vector<std::int64_t>>(graph.values);
        for (std::size_t e = 0; e < graph.edges.size(); ++e)
          if (weights[e] != static_cast<std::int64_t>(std::min(graph.edges[e].from, graph.edges[e].to)) + 1)
            ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace countpm
