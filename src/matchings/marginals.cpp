// Marginals: every piece's edge uses over its total.
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graph/stop_poll.hpp"
#include "src/api/entries.hpp"
#include "src/input/sound_options.hpp"
#include "src/input/with_graph.hpp"
#include "src/matchings/edge_probabilities.hpp"
#include "src/text/format_probability.hpp"

namespace countpm {
namespace {

std::string probability_text(const mpz_class& numerator, const mpz_class& denominator,
                             const MarginalOptions& options) {
  if (!options.exact) return format_fraction(numerator, denominator, options.digits);
  return probability_fraction(numerator, denominator).get_str();
}

template <class Number, class Form>
EdgeProbabilities<Number> probabilities_of(ReadResult read, const CountOptions& options, const Form& form) {
  return with_graph(std::move(read), options, [&](Monitor& monitor, ReadResult checked) {
    EdgeProbabilities<Number> result;
    result.weighted = checked.graph.weight_kind != WeightKind::none;
    PassInput input = prepare_passes(std::move(checked), options, monitor);
    if (!input.start.violator) {
      result.probability =
          explained(monitor, [&] { return edge_probabilities<Number>(input, options, monitor, form); });
    }
    static_cast<ListStart&>(result) = std::move(input.start);
    if (result.violator) return result;
    result.edge = std::move(input.edges);
    return result;
  });
}

/// The names of the vertices that may stay alone. With monomers both sides of a bipartite graph are in one
/// list, left first: what both have is called "left:LABEL" and "right:LABEL", as in --remove.
class NamesAlone {
 public:
  explicit NamesAlone(const PassInput& input) : labels_(input.instance.left_labels) {
    if (input.instance.problem != Problem::matchings) return;
    StopPoll poll;
    for (Index v = 0; v < labels_.size(); ++v) {
      poll.step();
      const auto [at, fresh] = first_.try_emplace(labels_.label(v), v);
      if (!fresh) shared_.insert(at->first);
    }
  }

  std::string name(Index v) const {
    std::string label = labels_.label(v);
    if (!shared_.contains(label)) return label;
    return (first_.at(label) == v ? "left:" : "right:") + label;
  }

 private:
  const LabelTable& labels_;
  std::unordered_map<std::string, Index> first_;
  std::unordered_set<std::string> shared_;
};

std::uint64_t marginals_of(ReadResult read, Monitor& monitor, const CountOptions& options,
                           const MarginalOptions& marginal_options, const EdgeSink& sink) {
  if (marginal_options.read) marginal_options.read(read.graph);
  PassInput input = prepare_passes(std::move(read), options, monitor);
  std::vector<std::string> text;
  if (!input.start.violator) {
    text = explained(monitor, [&] {
      return edge_probabilities<std::string>(
          input, options, monitor, [&](const mpz_class& numerator, const mpz_class& denominator) {
            return probability_text(numerator, denominator, marginal_options);
          });
    });
  }
  if (marginal_options.started) marginal_options.started(input.start);
  if (input.start.violator) return 0;
  const LabelTable& left = input.instance.left_labels;
  const LabelTable& right = input.start.kind == GraphKind::bipartite ? input.instance.right_labels : left;
  const NamesAlone alone(input);
  for (std::size_t e = 0; e < input.edges.size(); ++e) {
    monitor.throw_if_stopped();
    const Edge& edge = input.edges[e];
    if (input.start.problem == Problem::matchings && edge.from == edge.to) {
      const std::string name = alone.name(edge.from);
      if (!sink({name, name, text[e]})) return e + 1;
      continue;
    }
    if (!sink({left.label(edge.from), right.label(edge.to), text[e]})) return e + 1;
  }
  return input.edges.size();
}

void check_request(const MarginalOptions& marginal_options, const EdgeSink& sink) {
  check_marginal_digits(marginal_options);
  require_sink(sink, "probabilities");
}

}  // namespace

std::uint64_t marginals(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                        const MarginalOptions& marginal_options, const EdgeSink& sink) {
  check_request(marginal_options, sink);
  return with_graph(source, read_options, options, [&](Monitor& monitor, ReadResult read) {
    return marginals_of(std::move(read), monitor, options, marginal_options, sink);
  });
}

std::uint64_t marginals(Graph graph, const CountOptions& options, const MarginalOptions& marginal_options,
                        const EdgeSink& sink) {
  check_request(marginal_options, sink);
  return with_graph(in_memory(std::move(graph)), options, [&](Monitor& monitor, ReadResult checked) {
    return marginals_of(std::move(checked), monitor, options, marginal_options, sink);
  });
}

Marginals marginals(ReadResult read, const CountOptions& options) {
  return probabilities_of<double>(std::move(read), options, nearest_double);
}

ExactMarginals exact_marginals(ReadResult read, const CountOptions& options) {
  return probabilities_of<mpq_class>(std::move(read), options, probability_fraction);
}

}  // namespace countpm
