#include "src/matchings/ratio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "graph/clock.hpp"
#include "graph/text.hpp"
#include "graph/validate.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/distributed/rank_jobs.hpp"
#include "src/input/asked_kinds.hpp"
#include "src/input/report.hpp"
#include "src/input/sound_options.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/ratio_apart.hpp"
#include "src/matchings/ratio_journal.hpp"
#include "src/matchings/ratio_run.hpp"
#include "src/matchings/shared_uses.hpp"
#include "src/matchings/union_graph.hpp"
#include "src/sampling/check_options.hpp"
#include "src/sampling/foretell.hpp"
#include "src/structure/analysis.hpp"

namespace countpm {
namespace {

constexpr double no_number = -std::numeric_limits<double>::infinity();
constexpr std::size_t longest_path = 400;
constexpr double least_seconds_left = 0.1;

/// Decimals are kept as the fractions that they spell.
ReadResult exactly(const ReadResult& one) {
  ReadResult read(one);
  if (read.graph.weight_kind == WeightKind::real) read.graph.weight_kind = WeightKind::rational;
  return read;
}

/// Both counted, where that takes no longer than it may: A over B. Empty: it takes longer, or a number is
/// none that divides exactly.
std::optional<mpq_class> counted_ratio(const ReadResult& a, const ReadResult& b, const CountOptions& options,
                                       double seconds) {
  CountOptions quick = options;
  quick.time_limit_seconds = seconds;
  std::vector<mpq_class> counts;
  for (const ReadResult* one : {&a, &b}) {
    try {
      const CountResult result = count(exactly(*one), quick);
      if (const auto* integer = std::get_if<mpz_class>(&result.value)) {
        counts.emplace_back(*integer);
      } else if (const auto* fraction = std::get_if<mpq_class>(&result.value)) {
        counts.push_back(*fraction);
      } else {
        return std::nullopt;
      }
    } catch (const UnableError&) {
      return std::nullopt;
    }
  }
  return mpq_class(counts[0] / counts[1]);
}

/// How long counted_ratio() is predicted to take; empty: each takes longer than that, or one does.
std::optional<double> counting_seconds(const ReadResult& a, const ReadResult& b, const CountOptions& options,
                                       double seconds) {
  CountOptions quick = options;
  quick.time_limit_seconds = seconds;
  if (quick.device == "auto" && quick.gpus == 0) quick.device = "cpu";  // a GPU's start may take that long
  double sum = 0;
  for (const ReadResult* one : {&a, &b}) {
    try {
      const Explanation explanation = explain(exactly(*one), quick);
      if (!explanation.feasible) return std::nullopt;
      if (!explanation.blocks.empty()) sum += std::pow(10, explanation.log10_total_seconds);
    } catch (const UnableError&) {
      return std::nullopt;
    }
  }
  return sum;
}

void check_of_ratio(const ReadResult& one, const CountOptions& options) {
  validate(one.graph, one.info.path);
  refuse_kinds(GraphQuestion::ratio, one.graph, one.info, options);
}

/// Both graphs, checked, and what is known without a sample: nothing, or that the ratio is 0.
RatioResult begin_ratio(const ReadResult& a, const ReadResult& b, const CountOptions& own,
                        const EstimateOptions& options) {
  check_of_ratio(a, own);
  check_of_ratio(b, own);
  RatioResult result;
  summarise_input(a.graph, a.info, result);
  result.problem = to_instance(a.graph).problem;
  result.other = b.info;
  result.weighted = a.graph.weight_kind != WeightKind::none || b.graph.weight_kind != WeightKind::none;
  result.confidence = options.confidence;
  result.seed = own.seed;
  result.pareto_k = no_pareto_k;
  Monitor monitor(own);
  monitor.explained([&] {
    monitor.enter("looking at the graphs' structure");
    if (!has_perfect_matching(b, monitor))
      throw UnableError(
          quoted(b.info.path, longest_path) + " has no perfect matching: there is no ratio to it",
          "'countpm' says why there is none");
    if (!has_perfect_matching(a, monitor)) result.exact = mpq_class(0);
  });
  return result;
}

CountOptions ratio_options(const CountOptions& count_options, const EstimateOptions& options) {
  check_matching_estimate(options, "a ratio", "ratios");
  CountOptions own = monitored(count_options, options);
  own.channel = nullptr;  // other ranks draw samples of both at a time, and no more
  own.checkpoint = {};    // RatioJournal's
  check_options(own);
  return own;
}

bool may_be_counted(const EstimateOptions& options) {
  return !options.all_sampled && options.exact_below_seconds > 0;
}

/// Begins, and tells whether each sum is better drawn for itself: then what both are to reach. chosen: an
/// earlier session found that it is not.
std::optional<ApartGoal> goal_apart(const ReadResult& a, const ReadResult& b, UnionGraph all, RatioRun& run,
                                    const EstimateOptions& options, const CountOptions& own, bool chosen) {
  if (run.begin(std::move(all)) || chosen) return std::nullopt;
  ApartGoal apart{error_wanted(options), ratio_goal_text(options), {}, sampler_named(run.sampler())};
  apart.trial = try_apart(a, b, own, options, apart);
  if (!better_apart(run.trial(), apart.trial)) return std::nullopt;
  return apart;
}

/// Draws samples of both, unless it returns that each is better drawn for itself.
std::optional<ApartGoal> draw_together(const ReadResult& a, const ReadResult& b, UnionGraph all,
                                       const EstimateOptions& options, const CountOptions& own,
                                       Channel* channel, RatioJournal& journal, RatioResult& result) {
  Monitor monitor(own);
  return monitor.explained([&] {
    RatioRun run(options, own, monitor, journal, result);
    std::optional<ApartGoal> apart =
        goal_apart(a, b, std::move(all), run, options, own, journal.way().has_value());
    if (!apart) run.run(channel);
    return apart;
  });
}

/// Both sums by samples, in what is left of the time limit since `begin`.
void sample_ratio(const ReadResult& a, const ReadResult& b, UnionGraph all, CountOptions own,
                  const EstimateOptions& options, double begin, Channel* channel, RatioJournal& journal,
                  RatioResult& result) {
  EstimateOptions left = options;
  const auto limit = [&] {
    own.time_limit_seconds =
        std::max(options.time_limit_seconds - (seconds_now() - begin), least_seconds_left);
    left.time_limit_seconds = own.time_limit_seconds;
  };
  limit();
  std::optional<ApartGoal> apart;
  if (journal.way() == RatioWay::apart) {
    apart = journal.goal_apart(options);
    journal.begin(RatioJournal::apart(*apart));
  } else {
    apart = draw_together(a, b, std::move(all), left, own, channel, journal, result);
    if (apart) journal.begin(RatioJournal::apart(*apart));
  }
  if (!apart) return;
  limit();
  ratio_apart(a, b, own, left, *apart, {journal.checkpoint(), journal.file()}, result);
}

/// Both counted, where they are to be.
std::optional<mpq_class> count_ratio(const ReadResult& a, const ReadResult& b, CountOptions own,
                                     const EstimateOptions& options, const RatioJournal& journal) {
  const std::optional<RatioWay> before = journal.way();
  if (before ? before != RatioWay::counted : !may_be_counted(options)) return std::nullopt;
  own.progress = nullptr;
  const double seconds = before ? options.time_limit_seconds : options.exact_below_seconds;
  std::optional<mpq_class> exact = counted_ratio(a, b, own, seconds);
  if (before && !exact)
    throw UnableError("both sums were counted before, and within the limits of this session they cannot be",
                      "a longer --time-limit may do");
  return exact;
}

RatioResult ratio_of(const ReadResult& a, const ReadResult& b, const CountOptions& count_options,
                     const EstimateOptions& options, RatioJournal& journal) {
  const double begin = seconds_now();
  const CountOptions own = ratio_options(count_options, options);
  RatioResult result = begin_ratio(a, b, own, options);
  UnionGraph all = unite(a, b);
  if (!result.exact) result.exact = count_ratio(a, b, own, options, journal);
  if (result.exact) {
    const mpq_class& exact = *result.exact;
    result.ln = result.low = result.high = exact == 0 ? no_number : log_of_positive(exact);
    journal.begin({});
  } else {
    sample_ratio(a, b, std::move(all), own, options, begin, count_options.channel, journal, result);
  }
  journal.end(result);
  result.seconds = seconds_now() - begin;
  return result;
}

std::vector<ReadResult> read_all(const std::vector<const Source*>& sources, const ReadOptions& read_options,
                                 const CountOptions& own) {
  std::vector<ReadResult> read;
  Monitor monitor(own);
  monitor.explained([&] {
    monitor.enter("reading the input");
    for (const Source* source : sources) read.push_back(read_graph(*source, read_options));
    monitor.throw_if_stopped();
  });
  return read;
}

/// Which two inputs a journal is of; integral: as JournalRatio has it.
struct RatioInputs {
  const InputInfo& a;
  const InputInfo& b;
  std::string integral;
};

/// draw(journal), with what the checkpoint has; null: there is none.
template <class Draw>
RatioResult ratio_in_journal(Checkpoint* checkpoint, const RatioInputs& inputs,
                             const CountOptions& count_options, const EstimateOptions& options,
                             const Draw& draw) {
  RatioJournal journal;
  if (checkpoint != nullptr)
    journal = RatioJournal(*checkpoint, inputs.a, inputs.b, count_options, options, inputs.integral);
  return draw(journal);
}

/// Of graphs in memory.
template <class Draw>
RatioResult ratio_of_graphs(const RatioInputs& inputs, const CountOptions& count_options,
                            const EstimateOptions& options, const Draw& draw) {
  if (inputs.a.sha256.empty() || inputs.b.sha256.empty())
    refuse_checkpoint_of_graph(count_options.checkpoint);
  const std::unique_ptr<Checkpoint> checkpoint = open_checkpoint(count_options.checkpoint);
  RatioResult result;
  annotate_interruption(checkpoint.get(), [&] {
    result = ratio_in_journal(checkpoint.get(), inputs, count_options, options, draw);
  });
  return result;
}

/// draw(read, journal): the ratio of what was read, or of what is made of it.
template <class Draw>
RatioResult ratio_of_sources(const std::vector<const Source*>& sources, ReadOptions reading,
                             const CountOptions& count_options, const EstimateOptions& options,
                             const std::string& integral, const Draw& draw) {
  const CountOptions own = ratio_options(count_options, options);
  reading = reading_on_ranks(reading, count_options);
  for (const Source* source : sources)
    reading = reading_for_checkpoint(*source, reading, count_options.checkpoint);
  const std::unique_ptr<Checkpoint> checkpoint = open_checkpoint(count_options.checkpoint);
  RatioResult result;
  annotate_interruption(checkpoint.get(), [&] {
    const std::vector<ReadResult> read = read_all(sources, reading, own);
    result =
        ratio_in_journal(checkpoint.get(), {read.front().info, read.back().info, integral}, count_options,
                         options, [&](RatioJournal& journal) { return draw(read, journal); });
  });
  return result;
}

/// Another rank's part: both(first) are the two graphs, made of the one that follow_passes() reads.
template <class Both>
void follow_both(GraphQuestion question, const Source& source, const ReadOptions& read_options,
                 const CountOptions& count_options, const EstimateOptions& options, const Both& both) {
  CountOptions own = ratio_options(count_options, options);
  own.channel = count_options.channel;
  follow_passes(question, source, read_options, own, [&](ReadResult read, Monitor& monitor) {
    const auto [first, second] = both(std::move(read));
    check_of_ratio(first, own);
    check_of_ratio(second, own);
    RatioResult result;
    result.input = first.info;
    result.other = second.info;
    RatioJournal nowhere;
    RatioRun(options, own, monitor, nowhere, result).follow(unite(first, second), *own.channel);
  });
}

}  // namespace

RatioResult ratio(const ReadResult& a, const ReadResult& b, const CountOptions& count_options,
                  const EstimateOptions& options) {
  return ratio_of_graphs({a.info, b.info, {}}, count_options, options, [&](RatioJournal& journal) {
    return ratio_of(a, b, count_options, options, journal);
  });
}

RatioResult ratio(const Source& a, const Source& b, const ReadOptions& read_options,
                  const CountOptions& count_options, const EstimateOptions& options) {
  return ratio_of_sources({&a, &b}, read_options, count_options, options, {},
                          [&](const std::vector<ReadResult>& read, RatioJournal& journal) {
                            return ratio_of(read.front(), read.back(), count_options, options, journal);
                          });
}

RatioResult ratio_of_ends(const ReadResult& read, const RatioEnds& ends, const CountOptions& count_options,
                          const EstimateOptions& options) {
  return ratio_of_graphs({read.info, read.info, ends.integral}, count_options, options,
                         [&](RatioJournal& journal) {
                           const auto [first, second] = ends.make(read);
                           return ratio_of(first, second, count_options, options, journal);
                         });
}

RatioResult ratio_of_ends(const Source& source, const RatioEnds& ends, const ReadOptions& read_options,
                          const CountOptions& count_options, const EstimateOptions& options) {
  return ratio_of_sources({&source}, read_options, count_options, options, ends.integral,
                          [&](const std::vector<ReadResult>& read, RatioJournal& journal) {
                            const auto [first, second] = ends.make(read.front());
                            return ratio_of(first, second, count_options, options, journal);
                          });
}

void follow_ratio(const Source& a, const Source& b, const ReadOptions& read_options,
                  const CountOptions& count_options, const EstimateOptions& options) {
  follow_both(GraphQuestion::ratio, a, read_options, count_options, options, [&](ReadResult first) {
    return std::pair(std::move(first), read_graph(b, reading_on_ranks(read_options, count_options)));
  });
}

void follow_ratio_of_ends(const Source& source, const RatioEnds& ends, const ReadOptions& read_options,
                          const CountOptions& count_options, const EstimateOptions& options) {
  follow_both(GraphQuestion::integral, source, read_options, count_options, options,
              [&](const ReadResult& read) { return ends.make(read); });
}

SamplingForecast explain_ratio(const ReadResult& a, const ReadResult& b, const CountOptions& count_options,
                               const EstimateOptions& options) {
  const CountOptions own = ratio_options(count_options, options);
  RatioResult result = begin_ratio(a, b, own, options);
  UnionGraph all = unite(a, b);
  SamplingForecast forecast = begin_forecast(SampledQuestion::ratio, result, options.time_limit_seconds, own);
  forecast.other = result.other;
  if (result.exact) {
    forecast.counted = true;
    forecast.notes.emplace_back("the first has no perfect matching: the ratio is 0");
    return forecast;
  }
  if (may_be_counted(options)) {
    if (const auto seconds = counting_seconds(a, b, own, options.exact_below_seconds)) {
      forecast.counted = true;
      forecast.count_seconds = forecast.seconds = *seconds;
      forecast.feasible = forecast.seconds <= forecast.time_limit_seconds;
      return forecast;
    }
  }
  std::optional<ApartGoal> apart;
  {
    Monitor monitor(own);
    monitor.explained([&] {
      RatioJournal nowhere;
      RatioRun run(options, own, monitor, nowhere, result);
      apart = goal_apart(a, b, std::move(all), run, options, own, false);
      forecast.goal = ratio_goal_text(options);
      if (!apart) run.foretell(forecast);
    });
  }
  if (apart) foretell_apart(a, b, own, options, *apart, forecast);
  return forecast;
}

SamplingForecast explain_ratio(const Source& a, const Source& b, const ReadOptions& read_options,
                               const CountOptions& count_options, const EstimateOptions& options) {
  const std::vector<ReadResult> read =
      read_all({&a, &b}, read_options, ratio_options(count_options, options));
  return explain_ratio(read[0], read[1], count_options, options);
}

}  // namespace countpm
