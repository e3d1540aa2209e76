#include "src/matchings/edge_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_set>

#include "graph/sha256.hpp"
#include "graph/text.hpp"
#include "src/input/report.hpp"
#include "src/input/sound_options.hpp"
#include "src/input/with_graph.hpp"
#include "src/matchings/edge_names.hpp"
#include "src/matchings/edge_probabilities.hpp"
#include "src/matchings/follow_matchings.hpp"
#include "src/matchings/range_bytes.hpp"
#include "src/text/format_probability.hpp"

namespace countpm {
namespace {

using Fractions = std::vector<mpq_class>;

/// The same cover as a matching of tails with heads.
Graph as_tails_and_heads(Graph graph) {
  if (graph.kind != GraphKind::directed) return graph;
  graph.kind = GraphKind::bipartite;
  graph.right_labels = graph.left_labels;
  return graph;
}

/// The labels of the vertices that stay, and the number that each has then.
LabelTable labels_without(const LabelTable& labels, Index first, Index second, std::vector<Index>& number) {
  LabelTable kept;
  number.assign(labels.size(), no_index);
  for (Index v = 0; v < labels.size(); ++v) {
    if (v != first && v != second) number[v] = kept.append(labels.label(v));
  }
  return kept;
}

/// G - e. Precondition: not directed. place[k]: of the k-th edge that is left, in graph.edges.
Graph without_ends(const Graph& graph, std::uint64_t edge, std::vector<std::uint64_t>& place) {
  const Edge& taken = graph.edges[edge];
  Graph rest;
  rest.kind = graph.kind;
  rest.weight_kind = graph.weight_kind;
  rest.monomers = graph.monomers;
  const bool sides = graph.kind == GraphKind::bipartite;
  std::vector<Index> left;
  std::vector<Index> right;
  rest.left_labels = labels_without(graph.left_labels, taken.from, sides ? no_index : taken.to, left);
  if (sides) rest.right_labels = labels_without(graph.right_labels, taken.to, no_index, right);
  const std::vector<Index>& head = sides ? right : left;
  place.clear();
  for (std::uint64_t k = 0; k < graph.edges.size(); ++k) {
    const Edge& one = graph.edges[k];
    if (left[one.from] == no_index || head[one.to] == no_index) continue;
    rest.edges.push_back({left[one.from], head[one.to]});
    place.push_back(k);
  }
  std::visit(
      [&](const auto& values) {
        using List = std::decay_t<decltype(values)>;
        if constexpr (!std::is_same_v<List, std::monostate>) {
          List kept;
          for (const std::uint64_t k : place) kept.push_back(values[k]);
          rest.values = std::move(kept);
        }
      },
      graph.values);
  return rest;
}

using FirstEdges = std::vector<std::uint64_t>;

/// By the graph's edges. None has any where there is no perfect matching. start: what is known before them.
Fractions edge_fractions(ReadResult read, const CountOptions& options, Monitor& monitor, ListStart& start,
                         const std::function<SharedRanges*(const PassInput& input)>& share = {}) {
  const std::size_t edges = read.graph.edges.size();
  PassInput input = prepare_passes(std::move(read), options, monitor, Trees::apart);
  Fractions probability(edges);
  if (!input.start.violator) {
    SharedRanges* const shared = share ? share(input) : nullptr;
    probability = explained(monitor, [&] {
      return edge_probabilities<mpq_class>(input, options, monitor, probability_fraction, shared);
    });
  }
  start = std::move(input.start);
  return probability;
}

/// Of all edges but one, given that a matching has that one: 0 where none has.
Fractions fractions_given(const Graph& graph, const InputInfo& info, std::uint64_t edge,
                          const CountOptions& options, Monitor& monitor) {
  std::vector<std::uint64_t> place;
  ReadResult rest{without_ends(graph, edge, place), info};
  ListStart of_rest;
  const Fractions found = edge_fractions(std::move(rest), options, monitor, of_rest);
  Fractions given(graph.edges.size());
  for (std::size_t k = 0; k < place.size(); ++k) given[place[k]] = found[k];
  return given;
}

/// What other ranks bring adds up: each vertex but the edge's ends has one edge, or there is no matching.
void check_given(const Graph& graph, std::uint64_t edge, const Fractions& given) {
  const bool sides = graph.kind == GraphKind::bipartite;
  const Index left = graph.left_labels.size();
  std::vector<mpq_class> sum(left + (sides ? graph.right_labels.size() : 0));
  const auto ends = [&](std::uint64_t k) {
    return std::pair<Index, Index>(graph.edges[k].from, graph.edges[k].to + (sides ? left : 0));
  };
  for (std::uint64_t k = 0; k < given.size(); ++k) {
    const auto [from, to] = ends(k);
    sum[from] += given[k];
    if (to != from) sum[to] += given[k];
  }
  const auto [from, to] = ends(edge);
  const bool none =
      std::all_of(given.begin(), given.end(), [](const mpq_class& share) { return share == 0; });
  for (Index v = 0; v < sum.size(); ++v) {
    if (sum[v] != (none || v == from || v == to ? 0 : 1))
      throw CheckError("another rank sent probabilities of pairs that do not add up");
  }
}

/// What all ranks agree on.
RangePlan plan_of_pairs(const PassInput& input, const CountOptions& options, const FirstEdges& firsts) {
  Sha256 sum;
  for (const std::uint64_t edge : firsts) sum.update_number(edge);
  return plan_of_uses(input, options,
                      fmt::format(" and of pairs with {} of them, {}", firsts.size(), sum.digest()));
}

/// The marginals of a graph, and of what its edges leave of it as they are asked for. On ranks they are found
/// of all first edges before.
class Correlations {
 public:
  Correlations(ReadResult read, const CountOptions& options, Monitor& monitor, const FirstEdges& firsts = {})
      : info_(read.info), graph_(as_tails_and_heads(read.graph)), options_(options), monitor_(monitor) {
    std::optional<SharedRanges> shared;
    std::size_t task = 0;
    probability_ = edge_fractions(
        std::move(read), options_, monitor_, start_, [&](const PassInput& input) -> SharedRanges* {
          task = tasks_of_uses(input);
          if (options_.channel == nullptr) return nullptr;
          share_ranges(*options_.channel, plan_of_pairs(input, options_, firsts), shared);
          return shared ? &*shared : nullptr;
        });
    if (shared) find_on_ranks(firsts, task, *shared);
  }

  const ListStart& start() const { return start_; }
  const Fractions& probability() const { return probability_; }

  /// P(edge and f) for all edges f.
  const Fractions& joint_with(std::uint64_t edge) {
    const auto at = joint_.find(edge);
    if (at != joint_.end()) return at->second;
    Fractions joint(graph_.edges.size());
    if (is_needed(edge)) {
      try {
        joint = fractions_given(graph_, info_, edge, options_, monitor_);
      } catch (const UnableError&) {
        if (probability_[edge] != 0) throw;
        throw UnableError(fmt::format("the weights of the matchings with the edge {} {} add up to 0, which "
                                      "leaves nothing to share with others",
                                      label(edge, true), label(edge, false)),
                          "ask for the pair the other way round");
      }
    }
    return keep(edge, std::move(joint));
  }

 private:
  bool is_needed(std::uint64_t edge) const {
    return probability_[edge] != 0 || (!start_.violator && has_negative(graph_.values));
  }

  /// From what is given the edge.
  const Fractions& keep(std::uint64_t edge, Fractions given) {
    for (mpq_class& share : given) share *= probability_[edge];
    given[edge] = probability_[edge];
    return joint_.emplace(edge, std::move(given)).first->second;
  }

  void find_on_ranks(const FirstEdges& firsts, std::size_t task, SharedRanges& shared) {
    SharedRanges::Work work;
    work.task = task;
    work.numbers = {0, firsts.size()};
    work.own = [&](const UnitRange& numbers) {
      for (std::uint64_t k = numbers.first; k < numbers.last; ++k) joint_with(firsts[k]);
    };
    work.take = [&](const UnitRange& numbers, const std::string& bytes) {
      const std::size_t edges = graph_.edges.size();
      Fractions all = fractions_from_bytes(bytes, edges * numbers.size());
      for (std::uint64_t k = 0; k < numbers.size(); ++k) {
        const auto from = std::make_move_iterator(all.begin() + static_cast<std::ptrdiff_t>(k * edges));
        Fractions given(from, from + static_cast<std::ptrdiff_t>(edges));
        const std::uint64_t edge = firsts[numbers.first + k];
        check_given(graph_, edge, given);
        const bool none =
            std::all_of(given.begin(), given.end(), [](const mpq_class& share) { return share == 0; });
        // Why there is none joint_with() finds here.
        if (!none || !is_needed(edge)) keep(edge, std::move(given));
      }
    };
    shared.run(work, monitor_);
  }

  std::string label(std::uint64_t edge, bool from) const {
    const bool right = !from && graph_.kind == GraphKind::bipartite;
    const Index id = from ? graph_.edges[edge].from : graph_.edges[edge].to;
    return quoted((right ? graph_.right_labels : graph_.left_labels).label(id), 80);
  }

  InputInfo info_;
  Graph graph_;
  const CountOptions& options_;
  Monitor& monitor_;
  ListStart start_;
  Fractions probability_;
  std::map<std::uint64_t, Fractions> joint_;
};

std::string pair_text(const mpq_class& fraction, const MarginalOptions& options) {
  return options.exact ? fraction.get_str()
                       : format_fraction(fraction.get_num(), fraction.get_den(), options.digits);
}

/// Each once, in the order in which they are asked for.
FirstEdges firsts_of(const PlacePairs& pairs) {
  FirstEdges firsts;
  std::unordered_set<std::uint64_t> seen;
  for (const auto& [first, second] : pairs) {
    if (seen.insert(first).second) firsts.push_back(first);
  }
  return firsts;
}

std::uint64_t report_pairs(ReadResult read, Monitor& monitor, const CountOptions& options,
                           const MarginalOptions& marginal_options, const PairRequest& request,
                           const PairSink& sink) {
  if (marginal_options.read) marginal_options.read(read.graph);
  const Graph graph = read.graph;
  const EdgeNames names(graph);
  const PlacePairs pairs = places_of(request, graph, names);
  Correlations correlations(std::move(read), options, monitor, firsts_of(pairs));
  if (marginal_options.started) marginal_options.started(correlations.start());
  if (correlations.start().violator) return 0;
  const Fractions& probability = correlations.probability();
  std::uint64_t reported = 0;
  for (const auto& pair : pairs) {
    monitor.throw_if_stopped();
    const mpq_class& joint = correlations.joint_with(pair.first)[pair.second];
    const mpq_class covariance = joint - probability[pair.first] * probability[pair.second];
    ++reported;
    if (!sink({names.reported(pair.first, pair_text(probability[pair.first], marginal_options)),
               names.reported(pair.second, pair_text(probability[pair.second], marginal_options)),
               pair_text(joint, marginal_options), pair_text(covariance, marginal_options)}))
      break;
  }
  return reported;
}

}  // namespace

std::uint64_t pair_probabilities(const Source& source, const ReadOptions& read_options,
                                 const CountOptions& options, const MarginalOptions& marginal_options,
                                 const PairRequest& request, const PairSink& sink) {
  check_marginal_digits(marginal_options);
  require_sink(sink, "pairs of edges");
  return with_graph(GraphQuestion::pairs, source, reading_on_ranks(read_options, options), options,
                    [&](Monitor& monitor, ReadResult read) {
                      return report_pairs(std::move(read), monitor, options, marginal_options, request, sink);
                    });
}

void follow_pairs(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                  const MarginalOptions& marginal_options, const PairRequest& request) {
  follow_passes(GraphQuestion::pairs, source, read_options, options, [&](ReadResult read, Monitor& monitor) {
    if (marginal_options.read) marginal_options.read(read.graph);
    const Graph graph = as_tails_and_heads(read.graph);
    const InputInfo info = read.info;
    const FirstEdges firsts = firsts_of(places_of(request, read.graph, EdgeNames(read.graph)));
    const PassInput input = prepare_passes(std::move(read), options, monitor, Trees::apart);
    if (input.start.violator) return;
    FollowedUses uses(input, options, monitor);
    const std::size_t of_pairs = tasks_of_uses(input);
    const auto run = [&](std::size_t task, const UnitRange& numbers) {
      if (task < of_pairs) return uses.run(task, numbers);
      if (task != of_pairs || numbers.last > firsts.size())
        throw CheckError("rank 0 asks for pairs that there are not");
      Fractions all;
      for (std::uint64_t k = numbers.first; k < numbers.last; ++k) {
        Fractions given(graph.edges.size());
        try {
          given = fractions_given(graph, info, firsts[k], options, monitor);
        } catch (const UnableError&) {
          // Rank 0 says why, where that matters to what is asked.
        }
        all.insert(all.end(), std::make_move_iterator(given.begin()), std::make_move_iterator(given.end()));
      }
      return fractions_to_bytes(all);
    };
    const RangeWorker worker{[&](std::size_t task) { uses.prepare(task); }, run};
    follow_ranges(*options.channel, plan_of_pairs(input, options, firsts), worker, monitor);
  });
}

std::vector<mpq_class> pair_marginals(ReadResult read,
                                      const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs,
                                      const CountOptions& options) {
  return with_graph(GraphQuestion::pairs, std::move(read), options,
                    [&](Monitor& monitor, ReadResult checked) {
                      const std::size_t edges = checked.graph.edges.size();
                      require_places(pairs, edges);
                      Correlations correlations(std::move(checked), options, monitor);
                      Fractions joint;
                      joint.reserve(pairs.size());
                      for (const auto& pair : pairs) {
                        monitor.throw_if_stopped();
                        joint.push_back(correlations.joint_with(pair.first)[pair.second]);
                      }
                      return joint;
                    });
}

}  // namespace countpm
