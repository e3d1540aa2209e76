// Every question of the interface, handed on to the room that answers it.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "graph/kinds/monomers.hpp"
#include "graph/kinds/repeat_lines.hpp"
#include "graph/kinds/tiles.hpp"
#include "src/api/entries.hpp"
#include "src/chemistry/kekule.hpp"
#include "src/count/bounds.hpp"
#include "src/count/count_or_bounds.hpp"
#include "src/count/determinant.hpp"
#include "src/count/ln_z.hpp"
#include "src/count/minors.hpp"
#include "src/count/orbit_count.hpp"
#include "src/count/small_value.hpp"
#include "src/estimate/estimate.hpp"
#include "src/estimate/explain_estimates.hpp"
#include "src/input/report.hpp"
#include "src/library/countpm.hpp"
#include "src/library/matrices.hpp"
#include "src/matchings/approximate_draws.hpp"
#include "src/matchings/edge_pairs.hpp"
#include "src/matchings/integration.hpp"
#include "src/matchings/list_orbits.hpp"
#include "src/matchings/ratio.hpp"
#include "src/matchings/sampled_marginals.hpp"
#include "src/matchings/signed_sum.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {
namespace {

CountOptions count_options(const Options& options) {
  CountOptions all;
  static_cast<Options&>(all) = options;
  return all;
}

/// Asks of a source, which is read then, or of a copy of what is in memory.
template <class Ask>
auto ask_either(const Input& input, const Ask& ask) {
  return input.ask([&](const Source& source, const ReadOptions& reading) { return ask(source, reading); },
                   [&](const ReadResult& known) { return ask(known); });
}

/// The graph of an input, read within the limits of `options`, whose time it takes from them. `weights`:
/// values count, whatever the input says; letters: they may have letters.
ReadResult read_within(const Input& input, CountOptions& options, bool weights, bool letters = false) {
  check_options(options);
  return input.ask(
      [&](const Source& source, ReadOptions reading) {
        reading.weights = reading.weights || weights;
        reading.letters = reading.letters || letters;
        double seconds = 0;
        ReadResult result;
        {
          Monitor monitor(options);
          monitor.explained([&] {
            monitor.enter("reading the input");
            result = read_graph(source, reading);
            monitor.throw_if_stopped();
          });
          seconds = monitor.elapsed();
        }
        constexpr double least_seconds = 1e-3;
        options.time_limit_seconds = std::max(options.time_limit_seconds - seconds, least_seconds);
        return result;
      },
      [](const ReadResult& known) { return known; });
}

/// Where nobody asks how it was counted.
Value value_of(ReadResult read, const CountOptions& options) {
  if (!read.info.exact) {
    if (std::optional<Value> value = small_value(read.graph, options)) return *std::move(value);
  }
  return count(std::move(read), options).value;
}

Value hafnian_of(ReadResult read, LoopPolicy loops, const CountOptions& options) {
  refuse_kinds(GraphQuestion::hafnian, read.graph, read.info, options);
  return value_of(symmetric_graph(std::move(read), loops), options);
}

}  // namespace

ReadResult read_input(const Input& input, const Options& options) {
  CountOptions own = count_options(options);
  return read_within(input, own, false);
}

Value permanent(const Input& matrix, const Options& options) {
  CountOptions own = count_options(options);
  ReadResult read = matrix_of(GraphQuestion::permanent, read_within(matrix, own, true), own);
  own.matchings = MatchingSize::smaller_side;
  return value_of(std::move(read), own);
}

Value hafnian(const Input& matrix, const Options& options) {
  CountOptions own = count_options(options);
  ReadResult read = read_within(matrix, own, true);
  return hafnian_of(std::move(read), LoopPolicy::drop, own);
}

Value loop_hafnian(const Input& matrix, const Options& options) {
  CountOptions own = count_options(options);
  ReadResult read = matrix.ask(
      [&](const Source& source, ReadOptions reading) {
        if (reading.kind != GraphKind::directed) reading.loops = LoopPolicy::monomer;
        return read_within(Input(source, std::move(reading)), own, true);
      },
      [](const ReadResult& known) { return known; });
  return hafnian_of(std::move(read), LoopPolicy::monomer, own);
}

Value determinant(const Input& matrix, const Options& options) {
  CountOptions own = count_options(options);
  ReadResult read = matrix_of(GraphQuestion::determinant, read_within(matrix, own, true), own);
  return determinant(std::move(read), own);
}

Value pfaffian(const Input& matrix, const Options& options) {
  CountOptions own = count_options(options);
  ReadResult read = matrix_of(GraphQuestion::pfaffian, read_within(matrix, own, true), own);
  return pfaffian(std::move(read), own);
}

Input with_monomers(const Input& input, const std::string& weight) {
  return input.ask(
      [&](const Source& source, ReadOptions reading) {
        reading.monomers = weight;
        return Input(source, std::move(reading));
      },
      [&](ReadResult known) {
        add_monomers(known.graph, weight, false, known.info.path);
        known.info.weighted = known.graph.weight_kind != WeightKind::none;
        return Input(std::move(known));
      });
}

Input ground_states(const Input& input, Extremum which) {
  return input.ask(
      [&](const Source& source, ReadOptions reading) {
        reading.ground_state = which;
        return Input(source, std::move(reading));
      },
      [&](ReadResult known) {
        if (known.info.zeros_dropped > 0 && known.info.format != Format::matrix_market &&
            known.info.format != Format::dense)
          throw InputError(
              known.info.path, 0,
              "weights other than 0, which is no edge: with the same number added to all weights the ground "
              "states stay the same",
              fmt::format("{} of 0", known.info.zeros_dropped));
        if (known.graph.copies || known.info.degrees)
          throw UsageError("ground states are perfect matchings, and a degree is about other sets of edges");
        known.info.ground_states = keep_ground_states(known.graph, which);
        known.info.weighted = known.graph.weight_kind != WeightKind::none;
        return Input(std::move(known));
      });
}

Input with_degree(const Input& input, Index degree, const std::vector<VertexDegree>& named) {
  return input.ask(
      [&](const Source& source, ReadOptions reading) {
        reading.degree = degree;
        reading.vertex_degrees = named;
        return Input(source, std::move(reading));
      },
      [&](ReadResult known) {
        if (known.info.ground_states || known.info.degrees)
          throw UsageError("a degree is of a graph as it was read, without a degree or ground states");
        known.info.degrees = make_factors_matchings(known.graph, degree, named, known.info.path);
        return Input(std::move(known));
      });
}

Input with_copies(const Input& matrix, const std::optional<std::vector<Index>>& rows,
                  const std::optional<std::vector<Index>>& columns) {
  return matrix.ask(
      [&](const Source& source, ReadOptions reading) {
        reading.rows = rows;
        reading.columns = columns;
        return Input(source, std::move(reading));
      },
      [&](ReadResult known) {
        repeat_rows_and_columns(known.graph, rows, columns, known.graph.monomers, known.info.path);
        known.info.lines_repeated = true;
        return Input(std::move(known));
      });
}

Input exactly(const Input& input) {
  return input.ask(
      [](const Source& source, ReadOptions reading) {
        reading.exact = true;
        return Input(source, std::move(reading));
      },
      [](ReadResult known) {
        count_exactly(known);
        return Input(std::move(known));
      });
}

std::vector<Value> minors(const Input& matrix, const Options& options) {
  CountOptions own = count_options(options);
  ReadResult read = read_within(matrix, own, true);
  return minors(std::move(read), own);
}

OutcomeProbability outcome_probability(const Input& matrix, const Photons& photons, const Options& options) {
  CountOptions own = count_options(options);
  ReadResult read = read_within(matrix, own, true);
  return outcome_probability(std::move(read), photons, own);
}

std::vector<mpq_class> matching_polynomial(const Input& input, const Options& options) {
  return count(with_monomers(input, monomer_letter), options).coefficients;
}

Input with_rings(const Input& input, const std::vector<std::uint32_t>& lengths, const std::string& weight) {
  return input.ask(
      [&](const Source& source, ReadOptions reading) {
        reading.rings = lengths;
        reading.ring_weight = weight;
        return Input(source, std::move(reading));
      },
      [&](ReadResult known) {
        add_rings(known.graph, lengths, weight, known.info.path);
        known.info.weighted = known.graph.weight_kind != WeightKind::none;
        return Input(std::move(known));
      });
}

std::vector<mpq_class> clar_covering_polynomial(const Input& input, const Options& options) {
  return count(with_rings(input), options).coefficients;
}

CountResult exact_covers(Index vertices, const std::vector<std::vector<Index>>& sets,
                         const std::vector<mpq_class>& weights, const Options& options) {
  return count(Input(cover_graph(vertices, sets, weights)), options);
}

Polynomial polynomial(const Input& input, const Options& options) {
  CountResult result = count(input, options);
  if (result.polynomial) return *std::move(result.polynomial);
  Polynomial constant;
  if (const auto* integer = std::get_if<mpz_class>(&result.value)) {
    if (*integer != 0) constant.terms.push_back({{}, mpq_class(*integer)});
  } else if (const auto* fraction = std::get_if<mpq_class>(&result.value)) {
    constant.terms.push_back({{}, *fraction});
  } else {
    throw UsageError(
        "a polynomial has exact coefficients, and these weights are decimals or complex numbers");
  }
  return constant;
}

CountResult count(const Input& input, const Options& options) {
  const CountOptions own = count_options(options);
  return ask_either(input, [&](auto&&... about) { return count(about..., own); });
}

CountOrBounds count_or_bounds(const Input& input, const Options& options) {
  const CountOptions own = count_options(options);
  return ask_either(input, [&](auto&&... about) { return count_or_bounds(about..., own); });
}

OrbitCount count_orbits(const Input& input, const Options& options) {
  const CountOptions own = count_options(options);
  return ask_either(input, [&](auto&&... about) { return count_orbits(about..., own); });
}

Explanation explain(const Input& input, const Options& options, const AssumedMachine& assumed) {
  CountOptions own = count_options(options);
  own.assumed = assumed;
  return ask_either(input, [&](auto&&... about) { return explain(about..., own); });
}

EstimateResult estimate(const Input& input, const Options& options, const EstimateOptions& sampling) {
  const CountOptions own = count_options(options);
  return ask_either(input, [&](auto&&... about) { return estimate(about..., own, sampling); });
}

RatioResult ratio(const Input& a, const Input& b, const Options& options, const EstimateOptions& sampling) {
  CountOptions own = count_options(options);
  const ReadResult first = read_within(a, own, false);
  const ReadResult second = read_within(b, own, false);
  return ratio(first, second, own, sampling);
}

SamplingForecast explain_estimate(const Input& input, const Options& options,
                                  const EstimateOptions& sampling) {
  CountOptions own = count_options(options);
  const ReadResult read = read_within(input, own, false);
  return explain_estimate(read, own, sampling);
}

SamplingForecast explain_ratio(const Input& a, const Input& b, const Options& options,
                               const EstimateOptions& sampling) {
  CountOptions own = count_options(options);
  const ReadResult first = read_within(a, own, false);
  const ReadResult second = read_within(b, own, false);
  return explain_ratio(first, second, own, sampling);
}

RatioResult integrate(const Input& input, const LetterRange& range, const Options& options,
                      const EstimateOptions& sampling) {
  CountOptions own = count_options(options);
  return integrate(read_within(input, own, false, true), range, own, sampling);
}

SignedSum signed_sum(const Input& input, const Options& options, const EstimateOptions& sampling) {
  CountOptions own = count_options(options);
  return signed_sum(read_within(input, own, false), own, sampling);
}

SamplingForecast explain_integral(const Input& input, const LetterRange& range, const Options& options,
                                  const EstimateOptions& sampling) {
  CountOptions own = count_options(options);
  return explain_integral(read_within(input, own, false, true), range, own, sampling);
}

SamplingForecast explain_sampled_marginals(const Input& input, const Options& options,
                                           const EdgeSampling& sampling) {
  CountOptions own = count_options(options);
  ReadResult read = read_within(input, own, false);
  return explain_sampled_marginals(std::move(read), own, sampling);
}

LnZResult ln_z(const Input& input, const Options& options) {
  const CountOptions own = count_options(options);
  return ask_either(input, [&](auto&&... about) { return ln_z(about..., own); });
}

CertainBounds bounds(const Input& input, const Options& options) {
  const CountOptions own = count_options(options);
  return ask_either(input, [&](auto&&... about) { return bounds(about..., own); });
}

Marginals marginals(const Input& input, const Options& options) {
  CountOptions own = count_options(options);
  ReadResult read = read_within(input, own, false);
  return marginals(std::move(read), own);
}

ExactMarginals exact_marginals(const Input& input, const Options& options) {
  CountOptions own = count_options(options);
  ReadResult read = read_within(input, own, false);
  return exact_marginals(std::move(read), own);
}

SampledMarginals sampled_marginals(const Input& input, const Options& options, const EdgeSampling& sampling) {
  CountOptions own = count_options(options);
  ReadResult read = read_within(input, own, false);
  return sampled_marginals(std::move(read), own, sampling);
}

KekuleResult kekule(const Input& molecule, const Options& options) {
  CountOptions own = count_options(options);
  try {
    ReadResult read = read_within(molecule, own, false, true);
    return kekule(std::move(read), own);
  } catch (const NoPiSystem& none) {
    return without_pi_system(none);
  }
}

std::vector<mpq_class> pair_marginals(const Input& input,
                                      const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs,
                                      const Options& options) {
  CountOptions own = count_options(options);
  ReadResult read = read_within(input, own, false);
  return pair_marginals(std::move(read), pairs, own);
}

SampledPairMarginals sampled_pair_marginals(const Input& input,
                                            const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs,
                                            const Options& options, const EdgeSampling& sampling) {
  CountOptions own = count_options(options);
  ReadResult read = read_within(input, own, false);
  return sampled_pair_marginals(std::move(read), pairs, own, sampling);
}

std::uint64_t sample(const Input& input, std::uint64_t number, const MatchingIdSink& sink,
                     const Options& options) {
  CountOptions own = count_options(options);
  ReadResult read = read_within(input, own, false);
  SampleOptions samples;
  samples.count = number;
  return sample_matchings(std::move(read), own, samples, sink);
}

DrawnApproximately sample_approximately(const Input& input, std::uint64_t number, const MatchingIdSink& sink,
                                        const std::string& sampler, const Options& options) {
  CountOptions own = count_options(options);
  ReadResult read = read_within(input, own, false);
  SampleOptions samples;
  samples.count = number;
  return sample_approximately(std::move(read), own, sampler, samples, sink);
}

std::vector<std::vector<Edge>> sample(const Input& input, std::uint64_t number, const Options& options) {
  std::vector<std::vector<Edge>> matchings;
  sample(
      input, number,
      [&](const std::vector<Edge>& matching) {
        matchings.push_back(matching);
        return true;
      },
      options);
  return matchings;
}

std::uint64_t list(const Input& input, const MatchingIdSink& sink, const ListOptions& options) {
  CountOptions watched;
  watched.time_limit_seconds = std::numeric_limits<double>::infinity();
  watched.interrupted = options.interrupted;
  return list_matchings(read_within(input, watched, false), options, sink);
}

std::uint64_t list_orbits(const Input& input, const MatchingIdSink& sink, const ListOptions& options) {
  CountOptions watched;
  watched.time_limit_seconds = std::numeric_limits<double>::infinity();
  watched.interrupted = options.interrupted;
  return list_orbits(read_within(input, watched, false), options, sink);
}

}  // namespace countpm
