// Marginals: every piece's edge uses over its total.
#include <optional>
#include <string>
#include <utility>

#include "src/api/entries.hpp"
#include "src/input/sound_options.hpp"
#include "src/input/with_graph.hpp"
#include "src/matchings/edge_probabilities.hpp"
#include "src/matchings/follow_matchings.hpp"
#include "src/matchings/reported_names.hpp"
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
  return with_graph(
      GraphQuestion::marginals, std::move(read), options, [&](Monitor& monitor, ReadResult checked) {
        EdgeProbabilities<Number> result;
        PassInput input = prepare_passes(std::move(checked), options, monitor, Trees::apart);
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

std::uint64_t marginals_of(ReadResult read, Monitor& monitor, const CountOptions& options,
                           const MarginalOptions& marginal_options, const EdgeSink& sink) {
  if (marginal_options.read) marginal_options.read(read.graph);
  PassInput input = prepare_passes(std::move(read), options, monitor, Trees::apart);
  std::vector<std::string> text;
  if (!input.start.violator) {
    std::optional<SharedRanges> shared;
    if (options.channel != nullptr) share_ranges(*options.channel, plan_of_uses(input, options), shared);
    text = explained(monitor, [&] {
      return edge_probabilities<std::string>(
          input, options, monitor,
          [&](const mpz_class& numerator, const mpz_class& denominator) {
            return probability_text(numerator, denominator, marginal_options);
          },
          shared ? &*shared : nullptr);
    });
  }
  if (marginal_options.started) marginal_options.started(input.start);
  if (input.start.violator) return 0;
  const ReportedNames names(input);
  for (std::size_t e = 0; e < input.edges.size(); ++e) {
    monitor.throw_if_stopped();
    auto [from, to] = names.of(input.edges[e]);
    if (!sink({std::move(from), std::move(to), text[e]})) return e + 1;
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
  return with_graph(GraphQuestion::marginals, source, reading_on_ranks(read_options, options), options,
                    [&](Monitor& monitor, ReadResult read) {
                      return marginals_of(std::move(read), monitor, options, marginal_options, sink);
                    });
}

void follow_marginals(const Source& source, const ReadOptions& read_options, const CountOptions& options) {
  follow_passes(GraphQuestion::marginals, source, read_options, options,
                [&](ReadResult read, Monitor& monitor) {
                  const PassInput input = prepare_passes(std::move(read), options, monitor, Trees::apart);
                  if (input.start.violator) return;
                  FollowedUses uses(input, options, monitor);
                  const RangeWorker worker{
                      [&](std::size_t task) { uses.prepare(task); },
                      [&](std::size_t task, const UnitRange& numbers) { return uses.run(task, numbers); }};
                  follow_ranges(*options.channel, plan_of_uses(input, options), worker, monitor);
                });
}

std::uint64_t marginals(Graph graph, const CountOptions& options, const MarginalOptions& marginal_options,
                        const EdgeSink& sink) {
  check_request(marginal_options, sink);
  return with_graph(GraphQuestion::marginals, in_memory(std::move(graph)), options,
                    [&](Monitor& monitor, ReadResult checked) {
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
