// A count, from the graph to the checked number. `count_graph` is the whole house: one call a step.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "graph/clock.hpp"
#include "graph/letters.hpp"
#include "src/api/entries.hpp"
#include "src/checks/count_checks.hpp"
#include "src/checks/further_residue.hpp"
#include "src/count/advise_estimate.hpp"
#include "src/count/bounds_in_reserve.hpp"
#include "src/count/count_modulo.hpp"
#include "src/count/count_on_board.hpp"
#include "src/count/count_or_bounds.hpp"
#include "src/count/count_run.hpp"
#include "src/count/planned_count.hpp"
#include "src/count/report_count.hpp"
#include "src/count/total.hpp"
#include "src/distributed/rank_jobs.hpp"
#include "src/input/report.hpp"
#include "src/input/with_graph.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/number/number.hpp"
#include "src/proof/count_proof.hpp"
#include "src/text/format_duration.hpp"
#include "src/watch/monitor.hpp"
#include "src/watch/stopwatch.hpp"

namespace countpm {
namespace {

/// For CountResult::recheck.
std::string recheck_text(const InputInfo& input, const std::vector<PlannedBlock>& planned,
                         const CountOptions& options) {
  JournalHeader header = journal_header(input, planned, {}, options);
  header.version = version();
  return header_text(header);
}

/// Of another count, in what is left of the time.
CountOptions beside_a_count(const CountOptions& options, const Monitor& monitor) {
  CountOptions own;
  constexpr double least_seconds = 1e-3;
  own.time_limit_seconds = std::max(options.time_limit_seconds - monitor.elapsed(), least_seconds);
  own.memory_limit_bytes = options.memory_limit_bytes;
  own.threads = options.threads;
  own.seed = options.seed;
  own.device = "cpu";
  own.interrupted = options.interrupted;
  return own;
}

/// Where weights cancel, the last coefficients may be 0, and are there all the same: as far as those of the
/// same covers with the weights' sizes go.
void fill_up_coefficients(const Letter& letter, const CountOptions& options, const Monitor& monitor,
                          CountResult& result) {
  try {
    fill_up(result.coefficients,
            count(in_memory(*letter.of_sizes), beside_a_count(options, monitor)).coefficients);
  } catch (const UnableError& error) {
    result.notes.push_back(fmt::format(
        "coefficients of more rings may be 0 and are not shown, since weights cancel: {}", error.what()));
  }
}

/// The polynomial's coefficient without rings against a count of its own: of perfect matchings, reduced and
/// planned as these are, by whatever method is the fastest for them.
void count_without_rings(const Letter& letter, const CountOptions& options, Monitor& monitor,
                         const std::vector<mpq_class>& coefficients, Checks& checks) {
  const CountOptions own = beside_a_count(options, monitor);
  try {
    const Value value = count(in_memory(*letter.without_rings), own).value;
    const mpq_class matchings = std::holds_alternative<mpz_class>(value)
                                    ? mpq_class(std::get<mpz_class>(value))
                                    : std::get<mpq_class>(value);
    verify_without_rings(coefficients, matchings, checks);
  } catch (const UnableError& error) {
    checks.not_applicable("covers without rings", error.what());
  }
}

/// The proof is stopped, and the count, which is there, is not lost.
void say_count_without_proof(const CountResult& result, const CountOptions& options, const Monitor& monitor) {
  constexpr std::size_t most_digits = 1000;
  const bool one_number = !result.polynomial && result.coefficients.empty();
  const std::string count = !one_number                          ? "the polynomial is counted"
                            : result.count.size() <= most_digits ? "the count is " + result.count
                                                                 : "the number is counted";
  const std::string remedy = "'countpm prove' proves a result of --json or a checkpoint";
  if (monitor.limit_is_over()) {
    throw UnableError(fmt::format("the time limit of {} is over while the proof was made; {}",
                                  format_duration(options.time_limit_seconds), count),
                      remedy + ", with a limit of its own");
  }
  if (monitor.interrupt_signal().requested())
    throw InterruptedError(fmt::format("interrupted while the proof was made; {}; {}", count, remedy));
}

CountResult count_planned(PlannedCount& plan, CountRun& run, const InputInfo& input,
                          const CountOptions& options, Stopwatch& watch, Monitor& monitor,
                          Checkpoint* checkpoint) {
  CountResult result = std::move(plan.result);
  Checks checks;
  run.check_journaled_units(checks);
  const BlockCounts counts = run.count();
  result.threads = counts.threads;
  if (counts.fitting_threads < plan.resources.threads)
    result.notes.push_back(note_on_threads(counts.fitting_threads, plan.resources));
  result.ranks = options.channel != nullptr ? options.channel->ranks() : 1;
  result.seconds.count = watch.lap();

  verify_blocks(plan.blocks, counts, result.problem, checks);
  if (!plan.letter) verify_further_residues(plan.blocks, counts, options, plan.resources, monitor, checks);
  rerun_sampled_units(plan.blocks, counts, monitor, checks);
  if (!options.modulo.empty()) verify_residues(plan, counts, options, monitor, checks);
  if (options.audit_share > 0) result.audit = run.audit(checks);
  if (options.double_check) verify_recounts(counts, plan.recounts, run.recount(plan.recounts), checks);

  const Number total = total_of(plan, counts.counts, run.arithmetic(), checks, result);
  if (plan.letter) {
    const CountedPolynomial polynomial{result.coefficients, plan.letter->bits, plan.letter->rings,
                                       plan.letter->vertices, std::get<mpq_class>(plan.factor)};
    verify_polynomial_residue(plan.blocks, counts, polynomial, options, plan.resources, monitor, checks);
  }
  if (plan.letter && plan.letter->rings) {
    count_without_rings(*plan.letter, options, monitor, result.coefficients, checks);
    if (plan.letter->of_sizes) fill_up_coefficients(*plan.letter, options, monitor, result);
  }
  if (!options.modulo.empty()) {
    report_residues(std::get<mpq_class>(total), options.modulo, checks, result);
  } else {
    report_total(total, plan.weight_kind, options.arithmetic.bits, checks, result);
  }
  if (plan.unit) report_complex(with_imaginary_unit(std::get<mpq_class>(total), *plan.unit), result);
  report_entropy(result);
  report_blocks(plan.blocks, counts, plan.weight_kind, options.arithmetic.bits, result);
  report_packed_blocks(plan, result);
  report_reductions(plan.tally, plan.blocks, result);
  if (options.recheck && options.modulo.empty()) {
    // Of a polynomial in letters the blocks are not looked at again: it is counted at a point.
    const std::vector<PlannedBlock> none;
    result.recheck = recheck_text(input, plan.letters ? none : plan.blocks, options);
  }
  if (options.method != "auto" && options.method != result.method) {
    result.notes.push_back(
        fmt::format("the structure and the reductions left nothing for {} to count", options.method));
  }
  if (checkpoint != nullptr) {
    checkpoint->finish(result.count);
    if (std::string trouble = checkpoint->trouble(); !trouble.empty())
      result.notes.push_back(std::move(trouble));
  }
  result.lost_ranks = monitor.lost_ranks();
  result.seconds.verify = watch.lap();
  result.seconds.total = monitor.elapsed();
  return result;
}

/// Nobody knows how many will run the units: as with a checkpoint, what is predicted to take longer than the
/// limit is begun, but for single units.
CountOptions planned_for_others(CountOptions options) {
  if (!options.checkpoint.used()) options.checkpoint.file = "the plan";
  return options;
}

CountResult count_in_limits(Graph graph, const InputInfo& input, const CountOptions& options,
                            Stopwatch& watch, Monitor& monitor, Checkpoint* checkpoint,
                            BoundsInReserve* reserve, UnitBoard* board) {
  const Journal* journal = checkpoint != nullptr ? checkpoint->journal() : nullptr;
  std::unique_ptr<CountProof> proof;
  if (options.proof) {
    proof = std::make_unique<CountProof>(graph, input, options, monitor);
    proof->require_within_limits();
  }
  const auto proved = [&](CountResult result) {
    if (!proof) return result;
    watch.lap();
    try {
      result.proof = proof->of(result);
    } catch (const Stopped&) {
      say_count_without_proof(result, options, monitor);
      throw;
    }
    result.seconds.proof = watch.lap();
    result.seconds.total = monitor.elapsed();
    return result;
  };
  const std::string letters = graph.letters ? graph.letters->letters : "";
  PlannedCount plan =
      plan_count(std::move(graph), input, board == nullptr ? options : planned_for_others(options), watch,
                 monitor, journal, reserve);
  if (plan.result.violator) {
    CountResult result = std::move(plan.result);
    if (!letters.empty()) result.polynomial = Polynomial{letters, {}};
    for (const mpz_class& number : options.modulo) result.residues.push_back({number, 0});
    if (!options.modulo.empty()) result.count.clear();
    if (options.recheck && options.modulo.empty()) result.recheck = recheck_text(input, {}, options);
    finish_at_once(checkpoint, journal_header(input, {}, {}, options), result.count, monitor);
    return proved(std::move(result));
  }
  // What a checkpoint keeps may take longer, and is proved afterwards.
  if (proof && checkpoint == nullptr) proof->require_within_limits(predicted_seconds(plan.blocks));

  CountRun run(plan, input, options, monitor, checkpoint, reserve != nullptr, board);
  if (reserve == nullptr) return proved(count_planned(plan, run, input, options, watch, monitor, checkpoint));
  reserve->improve(plan.blocks, plan.resources.threads, options.time_limit_seconds - monitor.elapsed());
  try {
    return proved(count_planned(plan, run, input, options, watch, monitor, checkpoint));
  } catch (...) {
    reserve->keep_finished(plan.blocks, run.ledgers());
    throw;
  }
}

CountResult count_graph(Graph graph, const InputInfo& input, const CountOptions& options, Stopwatch& watch,
                        Monitor& monitor, Checkpoint* checkpoint, BoundsInReserve* reserve,
                        UnitBoard* board = nullptr) {
  return advising_estimates(options.modulo.empty() && can_be_estimated(graph), monitor, [&] {
    return count_in_limits(std::move(graph), input, options, watch, monitor, checkpoint, reserve, board);
  });
}

/// Bounds need the structure and the reductions: a shorter time limit stops what comes after these.
void wait_for_bounds(const BoundsInReserve* reserve, Monitor& monitor) {
  constexpr double most_seconds = 1;
  if (reserve != nullptr) monitor.allow_grace(most_seconds);
}

GraphQuestion question_of(const BoundsInReserve* reserve) {
  return reserve != nullptr ? GraphQuestion::bounds : GraphQuestion::count;
}

CountResult count_source(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                         BoundsInReserve* reserve) {
  check_options(options, true);
  Monitor monitor(options);
  wait_for_bounds(reserve, monitor);
  Stopwatch watch;
  ReadOptions reading = reading_for_checkpoint(source, read_options, options.checkpoint);
  reading.letters = is_answered(question_of(reserve), CountKind::weight_polynomial);
  if (options.channel != nullptr) reading.hash = true;
  const std::unique_ptr<Checkpoint> checkpoint =
      monitor.explained([&] { return open_checkpoint(options.checkpoint); });
  CountResult result;
  annotate_interruption(checkpoint.get(), [&] {
    monitor.explained([&] {
      monitor.enter("reading the input");
      ReadResult read = read_graph(source, reading);
      monitor.throw_if_stopped();
      warn_of_shape(read, reading, options.matchings);
      if (checkpoint) check_same_input(*checkpoint, read.info, options);
      if (checkpoint) refuse_other_journals(*checkpoint, options);
      result =
          count_graph(std::move(read.graph), read.info, options, watch, monitor, checkpoint.get(), reserve);
    });
  });
  return result;
}

CountResult count_read(ReadResult read, const CountOptions& options, BoundsInReserve* reserve) {
  refuse_checkpoint_of_graph(options.checkpoint);
  if (options.channel != nullptr && shared_name(read.info).empty())
    throw UsageError("several ranks need an input that each of them can read");
  Stopwatch watch;
  std::optional<CountOptions> without_settings;  // for with_graph(), which is for other questions, too
  if (!options.settings.empty() || !options.modulo.empty()) {
    check_settings(options, true);
    CountOptions& others = without_settings.emplace(options);
    others.settings = {};
    others.modulo = {};
  }
  return with_graph(question_of(reserve), std::move(read), without_settings ? *without_settings : options,
                    [&](Monitor& monitor, ReadResult checked) {
                      wait_for_bounds(reserve, monitor);
                      return count_graph(std::move(checked.graph), checked.info, options, watch, monitor,
                                         nullptr, reserve);
                    });
}

/// What count(reserve) returns, or what it leaves in the reserve where it is beyond the limits.
template <class Count>
CountOrBounds count_with_reserve(const Count& count) {
  const double start = seconds_now();
  BoundsInReserve reserve;
  try {
    return count(&reserve);
  } catch (const UnableError& error) {
    if (!reserve.ready()) throw;
    return reserve.result(error.what(), seconds_now() - start);
  } catch (const std::bad_alloc&) {
    if (!reserve.ready()) throw;
    return reserve.result(
        "there is not enough memory for the count; a larger --memory-limit, or fewer --threads, may do",
        seconds_now() - start);
  }
}

}  // namespace

CountResult count(const Source& source, const ReadOptions& read_options, const CountOptions& options) {
  return count_source(source, read_options, options, nullptr);
}

CountResult count(ReadResult read, const CountOptions& options) {
  return count_read(std::move(read), options, nullptr);
}

CountOrBounds count_or_bounds(const Source& source, const ReadOptions& read_options,
                              const CountOptions& options) {
  return count_with_reserve(
      [&](BoundsInReserve* reserve) { return count_source(source, read_options, options, reserve); });
}

CountOrBounds count_or_bounds(ReadResult read, const CountOptions& options) {
  return count_with_reserve(
      [&](BoundsInReserve* reserve) { return count_read(std::move(read), options, reserve); });
}

CountResult count(Graph graph, const CountOptions& options) {
  return count(in_memory(std::move(graph)), options);
}

CountResult count_on_board(UnitBoard& board, ReadResult read, const CountOptions& options) {
  check_options(options, true);
  validate(read.graph, read.info.path);
  Monitor monitor(options);
  Stopwatch watch;
  const std::unique_ptr<Checkpoint> checkpoint =
      monitor.explained([&] { return open_checkpoint(options.checkpoint); });
  CountResult result;
  annotate_interruption(checkpoint.get(), [&] {
    monitor.explained([&] {
      if (checkpoint) check_same_input(*checkpoint, read.info, options);
      if (checkpoint) refuse_other_journals(*checkpoint, options);
      result = count_graph(std::move(read.graph), read.info, options, watch, monitor, checkpoint.get(),
                           nullptr, &board);
    });
  });
  return result;
}

}  // namespace countpm
