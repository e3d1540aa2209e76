// The graph of a proof and that of an input, compared by the names of vertices.
#include <map>
#include <unordered_map>

#include "graph/errors.hpp"
#include "graph/letters.hpp"
#include "graph/weight_values.hpp"
#include "src/proof_check/proof_check.hpp"
#include "src/proof_check/refused.hpp"

namespace countpm::proof_check {
namespace {

/// The weights of pieces as proofs write them, by their vertices.
using Pieces = std::map<std::vector<std::uint32_t>, std::string>;

/// "3", "-1/2", "2*x^-1": of an edge of a graph.
std::string weight_text(const Graph& graph, std::size_t edge) {
  if (std::holds_alternative<std::vector<ComplexRational>>(graph.values))
    throw Refused("the input has complex weights, and proofs have none");
  const mpq_class value = exact_value(graph.values, edge);
  if (!graph.letters) return value.get_str();
  const Monomial& weight = graph.letters->weight[value.get_num().get_ui()];
  std::string text = weight.coefficient.get_str();
  for (std::size_t k = 0; k < graph.letters->letters.size(); ++k) {
    if (weight.exponent[k] == 0) continue;
    text += std::string("*") + graph.letters->letters[k];
    if (weight.exponent[k] != 1) text += "^" + std::to_string(weight.exponent[k]);
  }
  return text;
}

class GraphComparison {
 public:
  GraphComparison(const ProofFile& proof, const Graph& graph) : proof_(proof), graph_(graph) {}

  std::string run() {
    read_names();
    read_input();
    const Statement& statement = proof_.statement;
    compare("edge", statement.edges, edges_);
    std::string rest;
    if (graph_.covers) {
      compare("set", statement.sets, sets_);
    } else if (!statement.sets.empty()) {
      rest = "sets";
    }
    if (graph_.monomers) {
      std::vector<Piece> alone;
      for (std::uint32_t v = 0; v < statement.vertices; ++v) {
        if (statement.monomers[v] != "0") alone.push_back({{v}, statement.monomers[v]});
      }
      compare("monomer", alone, monomers_);
    } else if (statement.has_monomers()) {
      rest = rest.empty() ? "monomers" : "monomers and " + rest;
    }
    return rest;
  }

 private:
  /// The vertices of the proof by their names.
  void read_names() {
    const Statement& statement = proof_.statement;
    const bool matrix = graph_.kind != GraphKind::undirected;
    need(proof_.of_matrix() == matrix,
         matrix ? "the proof is of a graph, and the input a matrix or a directed graph (--kind undirected)"
                : "the proof is of a matrix, and the input an undirected graph (--kind bipartite or --kind "
                  "directed)");
    std::uint32_t m = statement.vertices;
    if (matrix) m = index_of(*proof_.json.find("rows"), statement.vertices + 1, "rows");
    for (const Piece& edge : statement.edges)
      need(!matrix || (edge.vertices[0] < m && edge.vertices[1] >= m),
           "the proof has an edge that joins two rows or two columns");
    need(!matrix || statement.sets.empty(), "the proof is of a matrix, and has sets");
    const StrictJson* const labels = proof_.json.find("labels");
    if (labels != nullptr)
      need(list_at(proof_.json, "labels").size() == statement.vertices,
           "labels has not a name for every vertex");
    for (std::uint32_t v = 0; v < statement.vertices; ++v) {
      std::string name = std::to_string(v < m ? v + 1 : v - m + 1);
      if (labels != nullptr) {
        need(labels->items[v].kind == StrictJson::Kind::text, "labels has what is no string");
        name = labels->items[v].text;
      }
      need((v < m ? left_ : right_).emplace(name, v).second,
           "labels has the name " + countpm::quoted(name) + " twice");
      names_.push_back(name);
    }
  }

  std::uint32_t vertex(const LabelTable& labels, const std::unordered_map<std::string, std::uint32_t>& names,
                       Index id) const {
    const std::string name = labels.label(id);
    const auto found = names.find(name);
    need(found != names.end(), "the proof has no vertex " + countpm::quoted(name));
    return found->second;
  }

  void add(Pieces& pieces, const std::vector<std::uint32_t>& vertices, const std::string& weight) {
    const auto [place, fresh] = pieces.emplace(vertices, weight);
    if (fresh) return;
    need(!graph_.letters && graph_.letter_bits == 0, "sets that are equal have letters");
    const mpq_class sum = mpq_class(place->second) + mpq_class(weight);
    place->second = sum.get_str();
  }

  void read_input() {
    const bool undirected = graph_.kind == GraphKind::undirected;
    const LabelTable& right_labels =
        graph_.kind == GraphKind::bipartite ? graph_.right_labels : graph_.left_labels;
    const Index vertices = graph_.left_labels.size() - graph_.tiles;
    need(vertices == left_.size() && (undirected || right_labels.size() == right_.size()),
         "the input has another number of vertices");
    for (Index id = 0; id < vertices; ++id) vertex(graph_.left_labels, left_, id);
    std::map<Index, std::vector<std::uint32_t>> tiles;
    std::map<Index, std::string> tile_weights;
    for (std::size_t k = 0; k < graph_.edges.size(); ++k) {
      auto [from, to] = graph_.edges[k];
      std::string weight = weight_text(graph_, k);
      if (!undirected || (from < vertices && to < vertices)) {
        std::uint32_t u = vertex(graph_.left_labels, left_, from);
        std::uint32_t v =
            undirected ? vertex(graph_.left_labels, left_, to) : vertex(right_labels, right_, to);
        if (undirected && u == v) {
          add(monomers_, {u}, graph_.letter_bits != 0 && !graph_.covers ? "1*t" : weight);
        } else {
          add(edges_, {std::min(u, v), std::max(u, v)}, weight);
        }
      } else {
        if (from < to) std::swap(from, to);
        tiles[from].push_back(vertex(graph_.left_labels, left_, to));
        tile_weights[from] = graph_.letter_bits != 0 ? "1*x" : weight;
      }
    }
    for (auto& [tile, members] : tiles) {
      std::sort(members.begin(), members.end());
      add(members.size() == 2 ? edges_ : sets_, members, tile_weights[tile]);
    }
  }

  void compare(const char* kind, const std::vector<Piece>& proved, Pieces& given) const {
    const auto named = [&](const std::vector<std::uint32_t>& vertices) {
      std::string text = kind;
      for (const std::uint32_t v : vertices) text += " " + quoted(names_[v]);
      return text;
    };
    for (const Piece& piece : proved) {
      const auto found = given.find(piece.vertices);
      need(found != given.end(), "the input does not have the " + named(piece.vertices));
      need(found->second == piece.weight, "the " + named(piece.vertices) + " has the weight " +
                                              countpm::quoted(piece.weight) + " in the proof and " +
                                              countpm::quoted(found->second) + " in the input");
      given.erase(found);
    }
    need(given.empty(),
         given.empty() ? "" : "the proof does not have the input's " + named(given.begin()->first));
  }

  const ProofFile& proof_;
  const Graph& graph_;
  std::unordered_map<std::string, std::uint32_t> left_, right_;
  std::vector<std::string> names_;  // of the proof's vertices
  Pieces edges_, sets_, monomers_;
};

}  // namespace

std::string require_same_graph(const ProofFile& proof, const Graph& graph) {
  return GraphComparison(proof, graph).run();
}

}  // namespace countpm::proof_check
