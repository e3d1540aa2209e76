// Every question of the interface, handed on to the room that answers it.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "src/api/entries.hpp"
#include "src/count/bounds.hpp"
#include "src/count/log_count.hpp"
#include "src/count/small_sum.hpp"
#include "src/estimate/estimate.hpp"
#include "src/input/report.hpp"
#include "src/library/countpm.hpp"
#include "src/library/matrices.hpp"
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
/// values count, whatever the input says.
ReadResult read_within(const Input& input, CountOptions& options, bool weights) {
  check_options(options);
  return input.ask(
      [&](const Source& source, ReadOptions reading) {
        reading.weights = reading.weights || weights;
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
  if (std::optional<mpz_class> sum = small_sum(read.graph, options)) return *std::move(sum);
  return count(std::move(read), options).value;
}

}  // namespace

ReadResult read_input(const Input& input, const Options& options) {
  CountOptions own = count_options(options);
  return read_within(input, own, false);
}

Value permanent(const Input& matrix, const Options& options) {
  CountOptions own = count_options(options);
  ReadResult read = read_within(matrix, own, true);
  return value_of(matrix_of(std::move(read)), own);
}

Value hafnian(const Input& matrix, const Options& options) {
  CountOptions own = count_options(options);
  ReadResult read = read_within(matrix, own, true);
  return value_of(symmetric_graph(std::move(read), LoopPolicy::drop), own);
}

CountResult count(const Input& input, const Options& options) {
  const CountOptions own = count_options(options);
  return ask_either(input, [&](auto&&... about) { return count(about..., own); });
}

Explanation explain(const Input& input, const Options& options) {
  const CountOptions own = count_options(options);
  return ask_either(input, [&](auto&&... about) { return explain(about..., own); });
}

EstimateResult estimate(const Input& input, const Options& options, const EstimateOptions& sampling) {
  const CountOptions own = count_options(options);
  return ask_either(input, [&](auto&&... about) { return estimate(about..., own, sampling); });
}

LogCountResult log_count(const Input& input, const Options& options) {
  const CountOptions own = count_options(options);
  return ask_either(input, [&](auto&&... about) { return log_count(about..., own); });
}

BoundsReport bounds(const Input& input, const Options& options) {
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

std::uint64_t sample(const Input& input, std::uint64_t number, const MatchingIdSink& sink,
                     const Options& options) {
  CountOptions own = count_options(options);
  ReadResult read = read_within(input, own, false);
  SampleOptions samples;
  samples.count = number;
  return sample_matchings(std::move(read), own, samples, sink);
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

}  // namespace countpm
