// A plane graph whose faces are all oriented oddly has a Pfaffian that is the sum over its perfect matchings,
// up to its sign (Kasteleyn 1967): the faces are followed, Euler's formula and their orientation checked, and
// the Pfaffian is computed modulo the prime.
#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/stop_signal.hpp"
#include "src/proof_check/checks.hpp"
#include "src/proof_check/refused.hpp"

namespace countpm::proof_check {
namespace {

/// A dart is 2 * edge + 1 if it leads from the edge's larger vertex to the smaller one.
using Dart = std::uint32_t;

class PlanarCheck {
 public:
  PlanarCheck(const Statement& statement, const StatementResidues& residues, const PrimeField& field)
      : statement_(statement), residues_(residues), field_(field), degree_(statement.vertices) {
    for (const Piece& edge : statement.edges)
      for (const std::uint32_t vertex : edge.vertices) ++degree_[vertex];
  }

  void run(const StrictJson& planar) {
    need(planar.kind == StrictJson::Kind::object, "planar is no object");
    require_statement();
    read_orientation(planar);
    read_rotation(planar);
    require_plane();
    const Residue value = pfaffian();
    need(residues_.count == value || residues_.count == field_.less(value), "the count is not the Pfaffian");
  }

 private:
  void require_statement() const {
    need(statement_.sets.empty() && !statement_.has_monomers(),
         "planar proofs are of graphs without sets and monomers");
    const auto plain = [](const std::string& weight) {
      return std::all_of(weight.begin(), weight.end(),
                         [](char c) { return (c >= '0' && c <= '9') || c == '/' || c == '+'; });
    };
    const auto plain_weight = [&](const Piece& edge) { return plain(edge.weight); };
    need(plain(statement_.count) &&
             std::all_of(statement_.edges.begin(), statement_.edges.end(), plain_weight),
         "planar proofs are of weights that are numbers and not negative");
  }

  void read_orientation(const StrictJson& planar) {
    const StrictJson* const given = planar.find("orientation");
    need(given != nullptr && given->kind == StrictJson::Kind::text, "orientation is missing or no string");
    orientation_ = given->text;
    need(orientation_.size() == statement_.edges.size() &&
             orientation_.find_first_not_of("01") == std::string::npos,
         "orientation is not a digit 0 or 1 for every edge");
  }

  std::uint32_t head(Dart dart) const { return statement_.edges[dart / 2].vertices[dart % 2 == 0 ? 1 : 0]; }

  /// next_[dart] is the dart behind it along its face.
  void read_rotation(const StrictJson& planar) {
    const std::vector<StrictJson>& rotation = list_at(planar, "rotation");
    need(rotation.size() == statement_.vertices, "rotation has not a list for every vertex");
    // The darts out of every vertex by their heads.
    std::vector<std::unordered_map<std::uint32_t, Dart>> out(statement_.vertices);
    for (Dart edge = 0; edge < statement_.edges.size(); ++edge) {
      const std::vector<std::uint32_t>& ends = statement_.edges[edge].vertices;
      out[ends[0]].emplace(ends[1], 2 * edge);
      out[ends[1]].emplace(ends[0], 2 * edge + 1);
    }
    next_.resize(2 * statement_.edges.size());
    for (std::uint32_t vertex = 0; vertex < statement_.vertices; ++vertex) {
      need(rotation[vertex].kind == StrictJson::Kind::array &&
               rotation[vertex].items.size() == degree_[vertex],
           "rotation has other neighbours");
      std::vector<Dart> around;
      for (const StrictJson& neighbour : rotation[vertex].items) {
        const auto found = out[vertex].find(index_of(neighbour, statement_.vertices, "a vertex of rotation"));
        need(found != out[vertex].end(), "rotation has other neighbours");
        around.push_back(found->second);
        out[vertex].erase(found);  // each once
      }
      for (std::size_t k = 0; k < around.size(); ++k) next_[around[k] ^ 1U] = around[(k + 1) % around.size()];
    }
  }

  std::int64_t components() const {
    std::vector<std::uint32_t> parent(statement_.vertices);
    for (std::uint32_t v = 0; v < parent.size(); ++v) parent[v] = v;
    const auto root = [&](std::uint32_t v) {
      while (parent[v] != v) v = parent[v] = parent[parent[v]];
      return v;
    };
    std::int64_t number = statement_.vertices;
    for (const Piece& edge : statement_.edges) {
      const std::uint32_t a = root(edge.vertices[0]), b = root(edge.vertices[1]);
      if (a != b) --number;
      parent[a] = b;
    }
    return number;
  }

  void require_plane() const {
    std::int64_t faces = std::count(degree_.begin(), degree_.end(), 0U);  // a vertex alone has one
    std::vector<bool> seen(next_.size());
    for (Dart start = 0; start < next_.size(); ++start) {
      if (seen[start]) continue;
      ++faces;
      bool odd = false;
      for (Dart dart = start; !seen[dart]; dart = next_[dart]) {
        seen[dart] = true;
        odd ^= (dart % 2 == 0) == (orientation_[dart / 2] == '0');
      }
      need(odd, "a face is oriented evenly");
    }
    const auto edges = static_cast<std::int64_t>(statement_.edges.size());
    need(std::int64_t{statement_.vertices} - edges + faces == 2 * components(),
         "rotation is not that of a plane graph");
  }

  /// Up to its sign: A_vw times the Pfaffian of A_ij + (A_iv A_wj - A_iw A_vj) / A_vw, again and again.
  Residue pfaffian() const {
    using Row = std::unordered_map<std::uint32_t, Residue>;
    std::vector<Row> rows(statement_.vertices);
    for (std::size_t k = 0; k < statement_.edges.size(); ++k) {
      std::uint32_t from = statement_.edges[k].vertices[0], to = statement_.edges[k].vertices[1];
      if (orientation_[k] == '1') std::swap(from, to);
      rows[from][to] = residues_.edges[k];
      rows[to][from] = field_.less(residues_.edges[k]);
    }
    // The vertex with the fewest neighbours first: an order of the proof's own might fill the matrix.
    using Neighbours = std::pair<std::size_t, std::uint32_t>;
    std::priority_queue<Neighbours, std::vector<Neighbours>, std::greater<>> next;
    for (std::uint32_t v = 0; v < rows.size(); ++v) next.emplace(rows[v].size(), v);
    std::vector<bool> gone(statement_.vertices);
    Residue product = 1;
    while (!next.empty()) {
      const auto [size, v] = next.top();
      next.pop();
      if (gone[v] || size != rows[v].size()) continue;  // a partner's, or in the queue again
      check_stop();
      std::optional<std::uint32_t> partner;
      for (const auto& [w, entry] : rows[v]) {
        if (entry == 0) continue;
        if (!partner || std::pair(rows[w].size(), w) < std::pair(rows[*partner].size(), *partner))
          partner = w;
      }
      if (!partner) return 0;
      const std::uint32_t w = *partner;
      gone[v] = gone[w] = true;
      const Residue pivot = rows[v][w], inverse = field_.inverse(pivot);
      product = field_.times(product, pivot);
      const Row of_v = std::move(rows[v]), of_w = std::move(rows[w]);
      for (const auto& [i, entry] : of_v) rows[i].erase(v);
      for (const auto& [j, entry] : of_w) rows[j].erase(w);
      for (const auto& [i, x] : of_v) {
        if (i == w || x == 0) continue;
        const Residue scaled = field_.times(x, inverse);
        for (const auto& [j, y] : of_w) {
          if (j == v || j == i || y == 0) continue;
          const Residue change = field_.times(scaled, y);
          Residue& entry = rows[i][j];
          entry = field_.minus(entry, change);
          rows[j][i] = field_.less(entry);
        }
      }
      for (const Row* row : {&of_v, &of_w}) {
        for (const auto& [i, entry] : *row) {
          if (!gone[i]) next.emplace(rows[i].size(), i);
        }
      }
    }
    return product;
  }

  const Statement& statement_;
  const StatementResidues& residues_;
  const PrimeField& field_;
  std::vector<std::size_t> degree_;
  std::string orientation_;
  std::vector<Dart> next_;
};

}  // namespace

void check_planar(const Statement& statement, const StatementResidues& residues, const PrimeField& field,
                  const StrictJson& planar) {
  PlanarCheck(statement, residues, field).run(planar);
}

}  // namespace countpm::proof_check
