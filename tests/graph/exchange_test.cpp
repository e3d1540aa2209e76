// GML, GEXF, Pajek and node-link JSON: what is read, which attribute is the weight, edges beside arcs,
// labels, parallel edges, encodings; and that their content tells them.
#include <fmt/format.h>

#include <algorithm>

#include "graph/formats/formats.hpp"
#include "tests/graph/reading_names.hpp"

namespace countpm {
namespace {

using namespace reading_names;

ReadOptions weighted_by(const std::string& column) {
  ReadOptions options = with_weights();
  options.weight_column = column;
  return options;
}

ReadOptions with_multi(MultiPolicy multi) {
  ReadOptions options;
  options.multi = multi;
  return options;
}

std::vector<std::int64_t> integers(const Graph& graph) {
  const auto* const values = std::get_if<std::vector<std::int64_t>>(&graph.values);
  return values == nullptr ? std::vector<std::int64_t>{} : *values;
}

std::string warnings_of(const ReadResult& result) {
  std::string all;
  for (const std::string& warning : result.info.warnings) all += warning + "\n";
  return all;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// One graph in each format: a, b, c with a path of weights 2 and 3 in `attribute`.
struct Written {
  const char* format;
  std::string text;
};

std::vector<Written> paths(const std::string& attribute, bool directed) {
  const std::string gml = fmt::format(
      "graph [ directed {} node [ id 5 label \"a\" ] node [ id 6 label \"b\" ] node [ id 7 label \"c\" ]\n"
      "edge [ source 5 target 6 {} 2 ]\nedge [ source 6 target 7 {} 3 ] ]\n",
      directed ? 1 : 0, attribute, attribute);
  const auto value = [&](int number) {
    return attribute == "weight"
               ? fmt::format("weight=\"{}\"/>", number)
               : fmt::format("><attvalues><attvalue for=\"0\" value=\"{}\"/></attvalues></edge>", number);
  };
  const std::string gexf = fmt::format(
      "<?xml version='1.0'?>\n<gexf><graph defaultedgetype=\"{}\"><attributes class=\"edge\"><attribute "
      "id=\"0\" "
      "title=\"{}\"/></attributes><nodes><node id=\"5\" label=\"a\"/><node id=\"6\" label=\"b\"/><node "
      "id=\"7\" "
      "label=\"c\"/></nodes>\n<edges><edge source=\"5\" target=\"6\" {}\n<edge source=\"6\" target=\"7\" {}\n"
      "</edges></graph></gexf>\n",
      directed ? "directed" : "undirected", attribute, value(2), value(3));
  const std::string json = fmt::format(
      "{{\"directed\": {}, \"nodes\": [{{\"id\": \"a\"}}, {{\"id\": \"b\"}}, {{\"id\": \"c\"}}],\n\"links\": "
      "[{{\"source\": \"a\", \"target\": \"b\", \"{}\": 2}}, {{\"source\": \"b\", \"target\": \"c\", \"{}\": "
      "3}}]}}\n",
      directed, attribute, attribute);
  std::vector<Written> all = {{"gml", gml}, {"gexf", gexf}, {"json", json}};
  if (attribute == "weight")
    all.push_back({"pajek", fmt::format("*Vertices 3\n1 \"a\"\n2 \"b\"\n3 \"c\"\n{}\n1 2 2\n2 3 3\n",
                                        directed ? "*Arcs" : "*Edges")});
  return all;
}

TEST(Exchange, PathsInEveryFormatByContentAndByName) {
  for (const bool directed : {false, true}) {
    for (const Written& written : paths("weight", directed)) {
      SCOPED_TRACE(written.text);
      const ReadResult result = read_text(written.text, with_weights());
      EXPECT_EQ(name_of(result.info.format), std::string(written.format));
      EXPECT_EQ(result.graph.kind, directed ? GraphKind::directed : GraphKind::undirected);
      EXPECT_EQ(edge_labels(result.graph), (Labels{"a b", "b c"}));
      EXPECT_EQ(integers(result.graph), (std::vector<std::int64_t>{2, 3}));
      EXPECT_EQ(result.info.warnings.size(), directed ? 1U : 0U) << warnings_of(result);  // no arc goes back
      const ReadResult plain = read_text(written.text);
      EXPECT_TRUE(integers(plain.graph).empty());
      EXPECT_EQ(plain.info.values_unused, 2U);
    }
  }
  for (const Written& written : paths("weight", true)) {
    const ReadResult result = read_text(written.text, as_kind(GraphKind::undirected));
    EXPECT_EQ(result.graph.kind, GraphKind::undirected);
    EXPECT_TRUE(has(warnings_of(result), "arcs without the opposite arc")) << written.format;
  }
  EXPECT_EQ(format_by_ending("a.net.gz"), Format::pajek);
  EXPECT_EQ(format_by_ending("a.gexf"), Format::gexf);
  EXPECT_EQ(format_by_ending("a.GML"), Format::gml);
  EXPECT_EQ(format_by_ending("a.json"), Format::json);
}

TEST(Exchange, EncodingsAndLineEnds) {
  for (const Written& written : paths("weight", false)) {
    std::string returns = written.text;
    std::string both;
    std::string wide = "\xff\xfe";
    for (char& c : returns) {
      both += c == '\n' ? std::string("\r\n") : std::string(1, c);
      wide += c;
      wide += '\0';
      if (c == '\n') c = '\r';
    }
    for (const std::string& text :
         {returns, both, wide, "\xef\xbb\xbf" + written.text, "\n\n" + written.text}) {
      if (text.starts_with('\n') && has(text, "<?xml")) continue;
      SCOPED_TRACE(written.format);
      const ReadResult result = read_text(text, with_weights());
      EXPECT_EQ(name_of(result.info.format), std::string(written.format));
      EXPECT_EQ(edge_labels(result.graph), (Labels{"a b", "b c"}));
      EXPECT_EQ(integers(result.graph), (std::vector<std::int64_t>{2, 3}));
    }
  }
}

TEST(Exchange, WeightsUnderAnotherName) {
  for (const Written& written : paths("capacity", false)) {
    SCOPED_TRACE(written.text);
    const ReadResult taken = read_text(written.text, with_weights());
    EXPECT_EQ(integers(taken.graph), (std::vector<std::int64_t>{2, 3}));
    EXPECT_TRUE(has(warnings_of(taken), "'capacity' was taken for the weights"));
    const ReadResult plain = read_text(written.text);
    EXPECT_TRUE(integers(plain.graph).empty());
    EXPECT_TRUE(has(warnings_of(plain), "not used: 'capacity'"));
    const ReadResult named = read_text(written.text, weighted_by("capacity"));
    EXPECT_EQ(integers(named.graph), (std::vector<std::int64_t>{2, 3}));
    EXPECT_TRUE(named.info.warnings.empty()) << warnings_of(named);
    EXPECT_TRUE(has(input_error(written.text, weighted_by("cost")).found(), "'capacity'"));
  }
  const std::string two =
      "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 cost 5 capacity 7 colour \"red\" ] ]";
  EXPECT_TRUE(has(input_error(two, with_weights()).found(), "2 of numbers: 'capacity', 'cost'"));
  EXPECT_EQ(integers(read_text(two, weighted_by("cost")).graph), std::vector<std::int64_t>{5});
  EXPECT_TRUE(has(input_error(two, weighted_by("colour")).expected(), "a weight"));
  // Of numbers that are all 1 nothing is lost.
  const std::string ones =
      "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 cost 1 capacity 1.0 ] ]";
  EXPECT_TRUE(read_text(ones).info.warnings.empty());
  // An edge of weight 0 is none; one without a weight counts 1, and so does one whose other number is 0.
  const std::string zero =
      "graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] edge [ source 1 target 2 {} 0 ] edge [ source 2 "
      "target 3 ] ]";
  EXPECT_EQ(read_text(fmt::format(fmt::runtime(zero), "weight")).graph.edges.size(), 1U);
  EXPECT_EQ(read_text(fmt::format(fmt::runtime(zero), "year")).graph.edges.size(), 2U);
}

TEST(Exchange, LabelsOrIds) {
  const auto labels = [](const std::string& one, const std::string& other) {
    const ReadResult result = read_text("graph [ node [ id 1 " + one + " ] node [ id 2 " + other +
                                        " ] edge [ source 1 target 2 ] ]");
    return edge_labels(result.graph).front() + (result.info.assumptions.empty() ? "" : " (said)");
  };
  EXPECT_EQ(labels("label \"x y\"", "label \"z\""), "x y z");
  EXPECT_EQ(labels("label \"x\"", "label \"x\""), "1 2 (said)");
  EXPECT_EQ(labels("label \"x\"", ""), "1 2 (said)");
  EXPECT_EQ(labels("label \"x\"", "label \"\""), "1 2 (said)");
  EXPECT_EQ(labels("name \"2\"", "name \"1\""), "2 1");
  EXPECT_EQ(labels("", ""), "1 2");
  EXPECT_EQ(labels("label \"&lt;&#233;&amp;&x;\"", "label \"&\""), "<\u00e9&&x; &");
  EXPECT_TRUE(has(input_error("graph [ node [ id 1 label \"\xff\" ] ]").found(), "0xff"));
}

TEST(Exchange, EdgesBesideArcs) {
  const std::string pajek = "*Vertices 3\n*Edges\n1 2\n*Arcs\n2 3\n3 2\n";
  const std::string gexf =
      "<gexf><graph><nodes><node id=\"1\"/><node id=\"2\"/><node id=\"3\"/></nodes><edges><edge source=\"1\" "
      "target=\"2\"/><edge source=\"2\" target=\"3\" type=\"mutual\"/></edges></graph></gexf>";
  for (const std::string& text : {pajek, gexf}) {
    SCOPED_TRACE(text);
    EXPECT_TRUE(has(input_error(text).expected(), "--kind undirected"));
    EXPECT_EQ(edge_labels(read_text(text, as_kind(GraphKind::undirected)).graph), (Labels{"1 2", "2 3"}));
    EXPECT_EQ(edge_labels(read_text(text, as_kind(GraphKind::directed)).graph),
              (Labels{"1 2", "2 1", "2 3", "3 2"}));
  }
}

TEST(Exchange, ParallelEdges) {
  const auto square = [](const std::string& flag) {
    return "graph [ " + flag +
           " node [ id 1 ] node [ id 2 ]\nedge [ source 1 target 2 ]\nedge [ source 2 target 1 ] ]";
  };
  const ReadResult once = read_text(square(""));
  EXPECT_EQ(once.graph.edges.size(), 1U);
  EXPECT_TRUE(has(warnings_of(once), "both directions"));
  // In a multigraph these are two edges.
  EXPECT_TRUE(has(input_error(square("multigraph 1")).expected(), "--multi sum"));
  EXPECT_EQ(integers(read_text(square("multigraph 1"), with_multi(MultiPolicy::sum)).graph),
            std::vector<std::int64_t>{2});
  EXPECT_EQ(read_text(square("directed 1 multigraph 1")).graph.edges.size(), 2U);
  const std::string json =
      "{\"multigraph\": true, \"nodes\": [1, 2], \"edges\": [{\"source\": 1, \"target\": 2, \"key\": 0}, "
      "{\"source\": 2, \"target\": 1, \"key\": 1}]}";
  EXPECT_EQ(input_error(json).line(), 1U);
  EXPECT_EQ(integers(read_text(json, with_multi(MultiPolicy::sum)).graph), std::vector<std::int64_t>{2});
  const InputError loop = input_error("graph [ node [ id 1 ]\n edge [ source 1 target 1 ] ]");
  EXPECT_EQ(loop.line(), 2U);
  EXPECT_TRUE(has(loop.found(), "a loop"));
}

TEST(Exchange, GroupsAreVertices) {
  const std::string gml =
      "graph [ node [ id 0 isGroup 1 ] node [ id 1 gid 0 ] node [ id 2 gid 0 isGroup 0 ] ]";
  const std::string gexf =
      "<gexf><graph><nodes><node id=\"0\"/><node id=\"1\" pid=\"0\"/><node id=\"2\" "
      "pid=\"0\"/></nodes></graph></gexf>";
  for (const std::string& text : {gml, gexf}) {
    const ReadResult result = read_text(text);
    EXPECT_EQ(result.graph.left_labels.size(), 3U);
    EXPECT_TRUE(has(warnings_of(result), "groups of nodes are vertices, too: 1")) << warnings_of(result);
  }
}

TEST(Exchange, OptionsOfTablesAreRefused) {
  ReadOptions options;
  options.end_columns = "1,2";
  EXPECT_THROW(read_text("graph [ ]", options), UsageError);
  options = {};
  options.first_line = FirstLine::header;
  EXPECT_THROW(read_text("*Vertices 2\n", options), UsageError);
}

TEST(Pajek, Sections) {
  const std::string lists =
      "*Network x\n*Vertices 4\n*Arcslist\n1 2 3\n% comment\n4 1\n*Partition p\n*Vertices 4\n1\n2\n1\n2\n";
  EXPECT_EQ(edge_labels(read_text(lists).graph), (Labels{"1 2", "1 3", "4 1"}));
  EXPECT_EQ(edge_labels(read_text("*vertices 3\n*edgeslist\n1 2 3\n").graph), (Labels{"1 2", "1 3"}));
  const std::string matrix = "*Vertices 2\n*Matrix\n0 2\n1 1\n";
  EXPECT_EQ(edge_labels(read_text(matrix).graph), (Labels{"1 2", "2 1", "2 2"}));
  EXPECT_EQ(integers(read_text(matrix, with_weights()).graph), (std::vector<std::int64_t>{2, 1, 1}));
  const std::string symmetric = "*Vertices 2\n*Matrix\n0 2\n2 0\n";
  EXPECT_EQ(input_error(symmetric).line(), 2U);
  EXPECT_EQ(read_text(symmetric, as_kind(GraphKind::undirected)).graph.edges.size(), 1U);
  EXPECT_EQ(read_text(symmetric, as_kind(GraphKind::bipartite)).graph.edges.size(), 2U);
  EXPECT_TRUE(
      has(input_error(matrix, with_weights(as_kind(GraphKind::undirected))).expected(), "symmetric matrix"));
  const ReadResult relations =
      read_text("*Vertices 3\n*Edges :1 \"likes\"\n1 2\n*Edges :2 \"knows\"\n2 3 1 [4]\n");
  EXPECT_TRUE(has(warnings_of(relations), "2 relations"));
  EXPECT_TRUE(has(warnings_of(relations), "times"));
  EXPECT_EQ(read_text("*Vertices 5\n*Edges\n1 2\n").graph.left_labels.size(), 5U);
  EXPECT_EQ(edge_labels(read_text("*Vertices 2\n2 \"a b\" 0.5 0.5 ic Red\n1 c 0 0\n*Edges\n1 2\n").graph),
            Labels{"c a b"});
}

TEST(Pajek, TwoSides) {
  const std::string edges = "*Vertices 4 2\n1 a\n2 b\n3 c\n4 d\n*Edges\n1 3 5\n4 2 7\n";
  const ReadResult result = read_text(edges, with_weights());
  EXPECT_EQ(result.graph.kind, GraphKind::bipartite);
  EXPECT_EQ(edge_labels(result.graph), (Labels{"a c", "b d"}));
  EXPECT_EQ(integers(result.graph), (std::vector<std::int64_t>{5, 7}));
  EXPECT_EQ(read_text(edges, as_kind(GraphKind::undirected)).graph.kind, GraphKind::undirected);
  const Graph rows = read_text("*Vertices 5 2\n*Matrix\n1 0 1\n0 1 0\n").graph;
  EXPECT_EQ(rows.left_labels.size(), 2U);
  EXPECT_EQ(rows.right_labels.size(), 3U);
  EXPECT_EQ(edge_labels(rows), (Labels{"1 3", "1 5", "2 4"}));
  EXPECT_THROW(read_text(edges, as_kind(GraphKind::directed)), UsageError);
}

TEST(Gexf, DefaultsAndTime) {
  const auto text = [](const std::string& head, const std::string& edge) {
    return "<gexf><graph " + head +
           "><attributes class=\"edge\"><attribute id=\"c\" title=\"n\"><default>4</default>"
           "</attribute></attributes><nodes><node id=\"1\"/><node id=\"2\"/></nodes>\n<edges><edge "
           "source=\"1\" "
           "target=\"2\" " +
           edge + "</edges></graph></gexf>";
  };
  EXPECT_EQ(integers(read_text(text("", "/>"), weighted_by("n")).graph), std::vector<std::int64_t>{4});
  EXPECT_EQ(integers(read_text(text("", "><attvalues><attvalue for=\"c\" value=\"9\"/></attvalues></edge>"),
                               weighted_by("n"))
                         .graph),
            std::vector<std::int64_t>{9});
  EXPECT_TRUE(has(warnings_of(read_text(text("mode=\"dynamic\"", "/>"))), "time"));
  EXPECT_TRUE(has(warnings_of(read_text(text("", "start=\"1\"/>"))), "time"));
  EXPECT_EQ(input_error(text("", "type=\"up\"/>")).line(), 2U);
  EXPECT_TRUE(
      has(input_error(text("", "><attvalues><attvalue for=\"d\" value=\"9\"/></attvalues></edge>")).found(),
          "'d'"));
}

// networkx numbers parallel edges: these numbers are no weights.
TEST(Exchange, KeysOfParallelEdgesAreNoWeights) {
  const std::string gexf =
      "<gexf><graph><attributes class=\"edge\"><attribute id=\"0\" "
      "title=\"networkx_key\"/></attributes><nodes><node "
      "id=\"1\"/><node id=\"2\"/></nodes><edges><edge source=\"1\" target=\"2\"><attvalues><attvalue "
      "for=\"0\" "
      "value=\"0\"/></attvalues></edge></edges></graph></gexf>";
  const std::string gml =
      "graph [ multigraph 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 key 0 ] ]";
  const std::string json = "{\"nodes\": [1, 2], \"links\": [{\"source\": 1, \"target\": 2, \"key\": 0}]}";
  for (const std::string& text : {gexf, gml, json}) {
    const ReadResult result = read_text(text, with_weights());
    EXPECT_EQ(result.graph.edges.size(), 1U) << text;
    EXPECT_TRUE(result.info.warnings.empty()) << warnings_of(result);
  }
}

TEST(Json, NodesByIdNameOrPlace) {
  const auto edges = [](const std::string& nodes, const std::string& links) {
    return edge_labels(read_text("{\"nodes\": [" + nodes + "], \"links\": [" + links + "]}").graph);
  };
  EXPECT_EQ(edges("{\"id\": 3}, {\"id\": \"x\"}", "{\"source\": \"x\", \"target\": 3}"), Labels{"x 3"});
  EXPECT_EQ(edges("\"p\", \"q\"", "{\"from\": \"p\", \"to\": \"q\"}"), Labels{"p q"});
  EXPECT_EQ(edges("{}, {}, {}", "{\"source\": 0, \"target\": 2}"), Labels{"0 2"});
  EXPECT_EQ(edges("{\"name\": \"p\"}, {\"name\": \"q\"}", "{\"source\": 1, \"target\": 0}"), Labels{"q p"});
  EXPECT_EQ(edges("{\"name\": \"p\"}, {\"name\": \"q\"}", "{\"source\": \"p\", \"target\": \"q\"}"),
            Labels{"p q"});
  EXPECT_EQ(edges("{\"id\": [0, 1]}, {\"id\": [1, \"a\"]}", "{\"source\": [0, 1], \"target\": [1, \"a\"]}"),
            Labels{"[0,1] [1,\"a\"]"});
  // Ids win over places, whatever they are.
  EXPECT_EQ(edges("{\"id\": 1}, {\"id\": 0}", "{\"source\": 0, \"target\": 1}"), Labels{"0 1"});
  const std::string cytoscape =
      "{\"directed\": true, \"elements\": {\"nodes\": [{\"data\": {\"id\": \"0\"}}, {\"data\": {\"id\": "
      "\"1\"}}], "
      "\"edges\": [{\"data\": {\"source\": 0, \"target\": 1}}, {\"data\": {\"source\": 1, \"target\": 0}}]}}";
  EXPECT_EQ(edge_labels(read_text(cytoscape).graph), (Labels{"0 1", "1 0"}));
  // A number is what is written, whatever a double makes of it.
  const std::string exact =
      "{\"nodes\": [1, 2], \"links\": [{\"source\": 1, \"target\": 2, \"weight\": "
      "0.10000000000000000000001}]}";
  const Graph graph = read_text(exact, with_weights()).graph;
  ASSERT_EQ(graph.values.index(), 2U);
  EXPECT_EQ(std::get<2>(graph.values).front(), mpq_class("10000000000000000000001/100000000000000000000000"));
}

TEST(Json, Refusals) {
  const auto found = [](const std::string& text) {
    const InputError error = input_error(text, in_format(Format::json));
    return fmt::format("{}: {}", error.line(), error.found());
  };
  EXPECT_EQ(found("{\"nodes\": [1, 1], \"links\": []}"), "1: '1'");
  EXPECT_EQ(found("{\"nodes\": [1],\n \"links\": [{\"source\": 1}]}"), "2: 'source'");
  EXPECT_EQ(found("{\"nodes\": [{\"id\": 1}, {}],\n \"links\": []}"), "1: an empty object");
  EXPECT_EQ(found("{\"directed\": 1, \"nodes\": [], \"links\": []}"), "1: 1");
  EXPECT_EQ(found("{\"nodes\": [1, 2], \"links\": [\n{\"source\": 1, \"target\": 2,\n\"weight\": null}]}"),
            "2: 'null'");
  EXPECT_TRUE(found(std::string(300, '[')).starts_with("1: deeper"));
  EXPECT_TRUE(found("{\"nodes\": [1]").starts_with("1: "));
}

// Texts that begin as one of these and are tables or DOT.
TEST(Exchange, ContentOfOthersIsNotTaken) {
  EXPECT_EQ(guess_format("graph {\n a -- b [label=\"[\"]\n}\n").format, Format::dot);
  EXPECT_EQ(guess_format("<?xml version=\"1.0\"?><graphml/>").format, Format::graphml);
  EXPECT_EQ(read_text("Creator x\nVersion y\n").info.format, Format::edge_list);
  EXPECT_EQ(read_text("graph b\nb c\n").info.format, Format::edge_list);
  EXPECT_EQ(read_text("*a b\nb c\n").info.format, Format::edge_list);
  EXPECT_FALSE(guess_format("{{0,1},{1,0}}").certain);
}

/// GraphML and DOT by the same rules.
TEST(WeightAttributes, UnderAnyName) {
  const auto graphml = [](const std::string& keys, const std::string& data) {
    return "<?xml version=\"1.0\"?>\n<graphml>" + keys +
           "<graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" "
           "target=\"b\">" +
           data + "</edge></graph></graphml>\n";
  };
  const auto key = [](const std::string& id, const std::string& name, const std::string& type) {
    return fmt::format("<key id=\"{}\" for=\"edge\" attr.name=\"{}\" attr.type=\"{}\"/>", id, name, type);
  };
  const std::string one = graphml(key("k", "value", "double"), "<data key=\"k\">5</data>");
  const std::string two = graphml(key("k", "value", "double") + key("l", "cost", "int"),
                                  "<data key=\"k\">5</data><data key=\"l\">7</data>");
  const std::string word = graphml(key("k", "colour", "string"), "<data key=\"k\">red</data>");
  for (const std::string& text : {one, std::string("graph { a -- b [value=5] }\n")}) {
    const ReadResult read = read_text(text, with_weights());
    EXPECT_EQ(integers(read.graph), (std::vector<std::int64_t>{5})) << text;
    EXPECT_TRUE(has(warnings_of(read), "'value' was taken for the weights"));
    EXPECT_TRUE(has(input_error(text, weighted_by("v")).expected(), "--weight-column"));
  }
  for (const std::string& text : {two, std::string("graph { a -- b [value=5, cost=7] }\n")}) {
    EXPECT_TRUE(has(input_error(text, with_weights()).expected(), "--weight-column NAME")) << text;
    EXPECT_EQ(integers(read_text(text, weighted_by("cost")).graph), (std::vector<std::int64_t>{7}));
  }
  const std::string json =
      R"({"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1, "colour": "red"}]})";
  for (const std::string& text : {word, std::string("graph { a -- b [colour=red] }\n"), json})
    EXPECT_TRUE(has(warnings_of(read_text(text, with_weights())), "no edge has a weight")) << text;
  EXPECT_EQ(integers(read_text("graph { a -- b [label=5, weight=7] }\n", with_weights()).graph),
            (std::vector<std::int64_t>{7}));
  EXPECT_EQ(integers(read_text("graph { edge [weight=3]; a -- b }\n", with_weights()).graph),
            (std::vector<std::int64_t>{3}));
}

}  // namespace
}  // namespace countpm
