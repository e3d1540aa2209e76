#include "matching/general_reduce.hpp"

#include <utility>

#include "matching/general_rule_double.hpp"
#include "matching/general_rule_single.hpp"
#include "matching/general_structure.hpp"
#include "matching/workspace.hpp"

namespace countpm {
namespace {

template <class Value>
bool has_vertex_up_to_degree_2(const SparseMatrix<Value>& graph) {
  for (Index v = 0; v < graph.rows; ++v) {
    if (graph.row_degree(v) <= 2) return true;
  }
  return false;
}

template <class Value>
class GeneralReducer {
 public:
  GeneralReducer(const RuleSet& rules, bool settled, const Poll& poll)
      : rules_(rules), settled_(settled), poll_(poll) {}

  Reduced<Value> run(SparseMatrix<Value> graph) {
    bool nonzero = work_on(std::move(graph));
    while (nonzero && !to_split_.empty()) {
      const SparseMatrix<Value> next = std::move(to_split_.back());
      to_split_.pop_back();
      const GeneralStructure structure = analyse_general(next, poll_);
      nonzero = !structure.violator && emit(next, structure);
    }
    if (!nonzero) {
      result_.blocks.clear();
      result_.factor = Factor{};
    } else {
      result_.factor = factor_.total();
    }
    return std::move(result_);
  }

 private:
  using Factor = typename Reduced<Value>::Factor;

  /// The rules on one graph. False: the hafnian is 0.
  bool work_on(SparseMatrix<Value> graph) {
    if (!has_vertex_up_to_degree_2(graph)) return emit(graph, {});
    Workspace<Value> work(graph);
    const Index before = graph.rows;
    graph = {};
    Side side = Side::rows;
    Index vertex = 0;
    while (!work.is_zero() && work.next_line(side, vertex)) {
      if (poll_) poll_();
      if (rules_.has(Rule::single) && general_rule_single::applicable(work, vertex)) {
        general_rule_single::apply(work, vertex, result_.tally);
      } else if (rules_.has(Rule::doubles) && general_rule_double::applicable(work, vertex)) {
        general_rule_double::apply(work, vertex, result_.tally);
      }
    }
    result_.overflow = result_.overflow || work.overflow();
    if (work.is_zero()) return false;
    factor_.multiply(Factor(work.factor().total()));
    if (work.size() == 0) return true;
    if (work.vanished() || (!settled_ && work.size() < before)) {
      to_split_.push_back(work.compact());
      return true;
    }
    return emit(work.compact(), {});
  }

  /// The graph's pieces: two-colourable ones through reduce(), others as they are or, where the structure has
  /// dropped edges, through the rules again. False: the hafnian is 0.
  bool emit(const SparseMatrix<Value>& graph, const GeneralStructure& structure) {
    const bool again = structure.edges_dropped > 0;
    for (Block<Value>& block : general_blocks<Value>(graph, graph.value, structure)) {
      if (block.matrix.rows != block.matrix.columns || (block.general && block.matrix.rows % 2 != 0))
        return false;
      if (!block.general) {
        if (!take(reduce(block.matrix, rules_, true, poll_))) return false;
      } else if (again) {
        if (!work_on(std::move(block.matrix))) return false;
      } else {
        result_.blocks.push_back(std::move(block));
      }
    }
    return true;
  }

  bool take(Reduced<Value> bipartite) {
    result_.tally.add(bipartite.tally);
    result_.overflow = result_.overflow || bipartite.overflow;
    if (bipartite.factor == Factor{}) return false;
    factor_.multiply(bipartite.factor);
    for (Block<Value>& block : bipartite.blocks) result_.blocks.push_back(std::move(block));
    return true;
  }

  const RuleSet rules_;
  const bool settled_;
  const Poll& poll_;
  Reduced<Value> result_;
  FactorProduct<Factor> factor_;
  std::vector<SparseMatrix<Value>> to_split_;
};

}  // namespace

template <class Value>
Reduced<Value> reduce_general(const SparseMatrix<Value>& graph, const RuleSet& rules, bool settled,
                              const Poll& poll) {
  return GeneralReducer<Value>(rules, settled, poll).run(graph);
}

template Reduced<std::int64_t> reduce_general(const SparseMatrix<std::int64_t>&, const RuleSet&, bool,
                                              const Poll&);
template Reduced<mpq_class> reduce_general(const SparseMatrix<mpq_class>&, const RuleSet&, bool, const Poll&);
template Reduced<ComplexRational> reduce_general(const SparseMatrix<ComplexRational>&, const RuleSet&, bool,
                                                 const Poll&);

}  // namespace countpm
