#include "kernels/factors/factor_graph.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>

#include "graph/stop_poll.hpp"

namespace countpm::factors {
namespace {

// More are no dense graph's of a size that this method counts.
constexpr std::uint64_t most_entries = 20'000'000;
constexpr Index least_rows = 6;

std::uint64_t hash_of(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}
std::uint64_t hash_of(const mpq_class& value) {
  return mpz_fdiv_ui(value.get_num_mpz_t(), 0xffffffffffffffc5U) +
         31 * mpz_fdiv_ui(value.get_den_mpz_t(), 0xffffffffffffffc5U);
}
mpq_class rational(std::int64_t value) {
  return mpq_class(mpz_class(static_cast<std::int64_t>(value)));
}
const mpq_class& rational(const mpq_class& value) {
  return value;
}

/// The block as an undirected graph: its rows, and where it is bipartite its columns behind them.
template <class Value>
class Gadgets {
 public:
  explicit Gadgets(const Block<Value>& block) : block_(block) {}

  std::optional<FactorGraph> find() {
    if (block_.matrix.entries() > most_entries || block_.matrix.rows < least_rows) return std::nullopt;
    if (!block_.general) columns_ = transpose(block_.matrix);
    nodes_ = block_.matrix.rows + (block_.general ? 0 : block_.matrix.columns);
    // Most blocks end here.
    Index node = 0;
    while (node < nodes_ && !may_be_port(node)) ++node;
    if (node == nodes_) return std::nullopt;
    make_classes();
    tell_ports_from_hubs();
    return graph();
  }

 private:
  struct Entry {
    Index node;
    const Value* value;
  };
  struct Line {
    std::uint64_t begin;
    std::uint64_t end;
    Index offset;  // of its neighbours' numbers
    const SparseMatrix<Value>* matrix;
    std::uint64_t size() const { return end - begin; }
    Entry entry(std::uint64_t k) const {
      return {matrix->column[begin + k] + offset, &matrix->value[begin + k]};
    }
  };

  Line line(Index node) const {
    const Index rows = block_.matrix.rows;
    const SparseMatrix<Value>& matrix = node < rows ? block_.matrix : columns_;
    const Index at = node < rows ? node : node - rows;
    return {matrix.row_start[at], matrix.row_start[at + std::uint64_t{1}],
            node < rows && !block_.general ? rows : 0, &matrix};
  }
  Index multiplicity(Index node) const {
    return node < block_.matrix.rows ? 1 : block_.multiplicity_of(node - block_.matrix.rows);
  }
  bool equal(const Line& a, const Line& b) const {
    if (a.size() != b.size()) return false;
    for (std::uint64_t k = 0; k < a.size(); ++k) {
      const Entry one = a.entry(k);
      const Entry other = b.entry(k);
      if (one.node != other.node || *one.value != *other.value) return false;
    }
    return true;
  }

  /// Whether its neighbours are of two classes.
  bool may_be_port(Index node) const {
    const Line own = line(node);
    std::vector<Line> kinds;
    for (std::uint64_t k = 0; k < own.size(); ++k) {
      const Line other = line(own.entry(k).node);
      if (std::any_of(kinds.begin(), kinds.end(), [&](const Line& one) { return equal(one, other); }))
        continue;
      if (kinds.size() == 2) return false;
      kinds.push_back(other);
    }
    return kinds.size() == 2;
  }

  /// Nodes with the same neighbours by the same values.
  void make_classes() {
    class_of_.resize(nodes_);
    std::unordered_map<std::uint64_t, std::vector<Index>> of_hash;  // classes
    for (Index node = 0; node < nodes_; ++node) {
      const Line own = line(node);
      poll_.steps(own.size());
      std::uint64_t hash = own.size();
      for (std::uint64_t k = 0; k < own.size(); ++k) {
        const Entry entry = own.entry(k);
        hash = (hash ^ (std::uint64_t{entry.node} << 20) ^ hash_of(*entry.value)) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 29;
      }
      auto& classes = of_hash[hash];
      const auto found =
          std::find_if(classes.begin(), classes.end(), [&](Index c) { return equal(line(first_[c]), own); });
      if (found == classes.end()) {
        classes.push_back(static_cast<Index>(first_.size()));
        class_of_[node] = classes.back();
        first_.push_back(node);
        size_.push_back(multiplicity(node));
      } else {
        class_of_[node] = *found;
        size_[*found] += multiplicity(node);
      }
    }
  }

  /// The two classes that a node is joined to; none where they are not two.
  std::optional<std::pair<Index, Index>> two_classes(Index node) const {
    const Line own = line(node);
    if (own.size() < 2) return std::nullopt;
    const Index a = class_of_[own.entry(0).node];
    std::optional<Index> b;
    for (std::uint64_t k = 1; k < own.size(); ++k) {
      const Index c = class_of_[own.entry(k).node];
      if (c == a) continue;
      if (b && c != *b) return std::nullopt;
      b = c;
    }
    if (!b) return std::nullopt;
    return std::pair(a, *b);
  }

  /// A port is alone in its class, and joined to two classes: one other port, and a hub. All else are hubs.
  void tell_ports_from_hubs() {
    const auto classes = static_cast<Index>(first_.size());
    std::vector<std::optional<std::pair<Index, Index>>> joined(classes);
    for (Index c = 0; c < classes; ++c) {
      poll_.step();
      if (size_[c] == 1) joined[c] = two_classes(first_[c]);
    }
    port_.assign(classes, no_index);
    hub_.assign(classes, no_index);
    for (Index c = 0; c < classes; ++c) {
      if (!joined[c]) continue;
      const auto [a, b] = *joined[c];
      if (joined[a].has_value() == joined[b].has_value()) continue;
      port_[c] = joined[a] ? a : b;
      hub_[c] = joined[a] ? b : a;
    }
    for (Index c = 0; c < classes; ++c) {
      if (port_[c] != no_index && port_[port_[c]] != c) port_[c] = no_index;
    }
  }
  bool is_port(Index c) const { return port_[c] != no_index; }

  mpq_class value_between(Index node, Index neighbour_class) const {
    const Line own = line(node);
    for (std::uint64_t k = 0; k < own.size(); ++k) {
      if (class_of_[own.entry(k).node] == neighbour_class) return rational(*own.entry(k).value);
    }
    return 0;
  }

  std::optional<FactorGraph> graph() {
    FactorGraph result;
    std::vector<Index> vertex(first_.size(), no_index);
    for (Index c = 0; c < first_.size(); ++c) {
      if (is_port(c)) continue;
      vertex[c] = static_cast<Index>(left_out_.size());
      left_out_.push_back(size_[c]);
      mpz_class orders;
      mpz_fac_ui(orders.get_mpz_t(), size_[c]);
      result.scale *= orders;
    }
    bool ports = false;
    for (Index c = 0; c < first_.size(); ++c) {
      poll_.steps(line(first_[c]).size());
      if (is_port(c)) {
        const Index other = port_[c];
        ports = true;
        if (c < other)
          add_edge(result, vertex[hub_[c]], vertex[hub_[other]], value_between(first_[c], other),
                   value_between(first_[c], hub_[c]) * value_between(first_[other], hub_[other]));
        continue;
      }
      // Hubs that are joined themselves: such an edge is left out at most once where one of them is alone.
      const Line own = line(first_[c]);
      for (std::uint64_t k = 0; k < own.size(); ++k) {
        const Index other = class_of_[own.entry(k).node];
        if (is_port(other) || other <= c || first_[other] != own.entry(k).node) continue;  // once a class
        if (size_[c] != 1 && size_[other] != 1) return std::nullopt;
        add_edge(result, vertex[c], vertex[other], 1, rational(*own.entry(k).value));
      }
    }
    if (!ports || !has_simple_edges(result)) return std::nullopt;
    choose_what_is_needed(result);
    return result;
  }

  void add_edge(FactorGraph& graph, Index from, Index to, const mpq_class& in, const mpq_class& out) {
    mpz_class divisor;
    mpz_lcm(divisor.get_mpz_t(), in.get_den_mpz_t(), out.get_den_mpz_t());
    graph.scale /= divisor;
    const std::pair<mpz_class, mpz_class> weight(mpq_class(in * divisor).get_num(),
                                                 mpq_class(out * divisor).get_num());
    const auto [at, added] = weight_of_.emplace(weight, static_cast<Index>(graph.weights.size()));
    if (added) graph.weights.push_back({weight.first, weight.second});
    graph.edges.push_back({from, to, at->second});
  }

  static bool has_simple_edges(const FactorGraph& graph) {
    std::vector<std::pair<Index, Index>> pairs;
    for (const FactorEdge& edge : graph.edges) {
      if (edge.from == edge.to) return false;
      pairs.emplace_back(std::minmax(edge.from, edge.to));
    }
    std::sort(pairs.begin(), pairs.end());
    return std::adjacent_find(pairs.begin(), pairs.end()) == pairs.end();
  }

  /// The edges that are left out are a factor as well; the smaller of the two is counted.
  void choose_what_is_needed(FactorGraph& graph) const {
    std::vector<Index> degree(left_out_.size(), 0);
    for (const FactorEdge& edge : graph.edges) {
      ++degree[edge.from];
      ++degree[edge.to];
    }
    std::uint64_t all = 0;
    std::uint64_t out = 0;
    bool impossible = false;
    for (std::size_t v = 0; v < left_out_.size(); ++v) {
      all += degree[v];
      out += left_out_[v];
      impossible = impossible || left_out_[v] > degree[v];
    }
    graph.needs = left_out_;
    if (impossible || 2 * out <= all) {
      for (EdgeWeight& weight : graph.weights) std::swap(weight.in, weight.out);
      return;
    }
    for (std::size_t v = 0; v < left_out_.size(); ++v) graph.needs[v] = degree[v] - left_out_[v];
  }

  const Block<Value>& block_;
  SparseMatrix<Value> columns_;
  Index nodes_ = 0;
  std::vector<Index> class_of_;
  std::vector<Index> first_;     // node of a class
  std::vector<Index> size_;      // with multiplicities
  std::vector<Index> port_;      // that a port is joined to; no_index: it is a hub
  std::vector<Index> hub_;       // likewise
  std::vector<Index> left_out_;  // of a vertex's edges, so many
  std::map<std::pair<mpz_class, mpz_class>, Index> weight_of_;
  StopPoll poll_;
};

}  // namespace

std::optional<FactorGraph> factor_graph_of(const AnyBlock& block) {
  if (const auto* integers = std::get_if<Block<std::int64_t>>(&block)) return Gadgets(*integers).find();
  if (const auto* rationals = std::get_if<Block<mpq_class>>(&block)) return Gadgets(*rationals).find();
  return std::nullopt;
}

}  // namespace countpm::factors
