// A count, from the graph to the checked number. `count_instance` is the whole house: one call a step.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "src/analysis.hpp"
#include "src/blocks.hpp"
#include "src/countpm.hpp"
#include "src/monitor.hpp"
#include "src/number.hpp"
#include "src/plan.hpp"
#include "src/planned_block.hpp"
#include "src/report.hpp"
#include "src/verify.hpp"

namespace countpm {
namespace {

// Seconds since the last lap.
class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Runs longer than this have a unit of theirs run again.
constexpr double rerun_above_seconds = 5;
// ... unless that unit is a larger share of the whole.
constexpr double largest_rerun_share = 0.25;

// Re-runs one unit of every long task with its residues computed one prime at a time, a different path
// through the arithmetic, and compares. The unit is one of the plan that ran: a job that searched cannot be
// made a second time.
void rerun_sampled_units(const std::vector<PlannedBlock>& planned, const BlockCounts& counts,
                         Monitor& monitor, Checks& checks) {
  const std::string name = "unit run again";
  for (std::size_t b = 0; b < planned.size(); ++b) {
    for (std::size_t r = 0; r < planned[b].plans.size(); ++r) {
      const BlockPlan& plan = planned[b].plans[r];
      const TaskResult& result = counts.results[b][r];
      if (result.thread_seconds < rerun_above_seconds ||
          plan.choice.arithmetic.kind != Arithmetic::Kind::residues)
        continue;
      if (result.sampled_seconds > largest_rerun_share * result.thread_seconds) {
        checks.not_applicable(name, "the count is one piece of work, or a few");
        continue;
      }
      const Residues& residues = std::get<Residues>(result.sampled_value);
      Arithmetic last_alone = plan.choice.arithmetic;
      last_alone.moduli = {plan.choice.arithmetic.moduli.back()};
      const std::unique_ptr<Job> job = plan.job->with(last_alone);
      if (!job || job->units() != plan.job->units()) {
        checks.not_applicable(name, "the units depend on the arithmetic");
        continue;
      }
      Partial again;
      try {
        again = job->run(result.sampled_unit, monitor.stop_signal());
      } catch (const Stopped&) {
        monitor.explain_stop();
        throw;
      }
      const auto text = [](uint128 value) {
        return fmt::format("{:#018x}{:016x}", static_cast<std::uint64_t>(value >> 64),
                           static_cast<std::uint64_t>(value));
      };
      if (std::get<Residues>(again).residue[0] != residues.residue.back()) {
        Checks::failed(name, text(residues.residue.back()), text(std::get<Residues>(again).residue[0]));
      }
      checks.passed(name, fmt::format("unit {} of {} gave the same residue by itself",
                                      result.sampled_unit + 1, plan.job->units()));
    }
  }
}

// The two counts of one block by two methods: equal, or within their errors of each other.
void compare_counts(const Number& count, const Number& recount, const std::string& how, Checks& checks) {
  const std::string name = "double-check";
  bool agree = false;
  if (const auto* exact = std::get_if<mpq_class>(&count)) {
    agree = *exact == std::get<mpq_class>(recount);
  } else {
    const auto& a = std::get<Ball>(count);
    const auto& b = std::get<Ball>(recount);
    BigFloat re(a.re.bits());
    BigFloat im(a.re.bits());
    mpfr_sub(re.get(), a.re.get(), b.re.get(), MPFR_RNDA);
    mpfr_sub(im.get(), a.im.get(), b.im.get(), MPFR_RNDA);
    mpfr_hypot(re.get(), re.get(), im.get(), MPFR_RNDU);
    mpfr_sub(re.get(), re.get(), a.error.get(), MPFR_RNDD);
    agree = mpfr_lessequal_p(re.get(), b.error.get()) != 0;
  }
  if (!agree)
    Checks::failed(name, fmt::format("{} again", to_string(count)),
                   fmt::format("{} on {}", to_string(recount), how));
  checks.passed(name, fmt::format("counted again on {}", how));
}

// A ball that holds 0 has no certain digit, perhaps not even its sign: that is no answer.
void refuse_uncertain(const BlockCounts& counts) {
  for (const Number& count : counts.counts) {
    if (is_certain(count)) continue;
    throw UnableError(
        fmt::format("rounding leaves no digit certain: a block's sum is {} with an error of up to {}",
                    to_string(count), error_string(count)),
        "--precision with more bits may do it; weights written as fractions p/q are summed exactly");
  }
}

std::string methods_of(const PlannedBlock& planned) {
  std::vector<std::string> names;
  for (const BlockPlan& plan : planned.plans) {
    std::string name(plan.method->name());
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names.empty() ? "reductions alone" : fmt::format("{}", fmt::join(names, ", "));
}

// How a recount was done: "the transpose by ryser".
std::string way_of(const PlannedBlock& recount) {
  return fmt::format(
      "{} by {}{}",
      is_general(recount.block.original) ? "the graph with its vertices renumbered" : "the transpose",
      methods_of(recount), recount.same_methods ? " again, with another order and other primes" : "");
}

void report_blocks(const std::vector<PlannedBlock>& planned, const BlockCounts& counts, CountResult& result) {
  BlockReport by_reductions;
  by_reductions.method = "reductions";
  std::vector<mpq_class> reduced_counts;
  double longest = -1;
  for (std::size_t b = 0; b < planned.size(); ++b) {
    if (planned[b].plans.empty()) {
      by_reductions.work += 1;
      by_reductions.rows += rows_of(planned[b].block.original);
      by_reductions.entries += entries_of(planned[b].block.original);
      by_reductions.general = by_reductions.general || is_general(planned[b].block.original);
      if (const auto* exact = std::get_if<mpq_class>(&counts.counts[b])) reduced_counts.push_back(*exact);
      if (reduced_counts.empty()) by_reductions.count = to_string(counts.counts[b]);
    }
    for (std::size_t r = 0; r < planned[b].plans.size(); ++r) {
      const BlockPlan& plan = planned[b].plans[r];
      BlockReport report;
      report.rows = plan.forecast.rows;
      report.entries = plan.forecast.entries;
      report.general = plan.forecast.general;
      report.method = plan.method->name();
      report.count = to_string(to_number(counts.results[b][r].value, plan.choice));
      report.seconds = counts.results[b][r].seconds;
      report.predicted_seconds = plan.seconds;
      report.work = std::pow(2, plan.job->log2_work());
      report.work_name = plan.method->work_name();
      report.arithmetic = plan.choice.arithmetic.name();
      report.device = plan.processors.name();
      if (report.seconds > longest) {
        longest = report.seconds;
        result.method = report.method;
        result.device = report.device;
      }
      result.blocks.push_back(std::move(report));
    }
  }
  if (by_reductions.work > 0) {
    if (!reduced_counts.empty()) by_reductions.count = product(std::move(reduced_counts)).get_str();
    by_reductions.work_name = "blocks";
    if (longest < 0) result.method = "reductions";
    result.blocks.push_back(std::move(by_reductions));
  }
}

CountResult count_instance(const Instance& instance, const CountOptions& options, Stopwatch& watch,
                           Monitor& monitor, CountResult result) {
  const Poll poll = [&monitor] { monitor.explain_stop(); };
  Analysis analysis = analyse(instance, result.input, poll, result.notes);
  result.seconds.structure = watch.lap();
  if (analysis.violator) {
    result.violator = std::move(analysis.violator);
    result.count = "0";
    result.log10 = -std::numeric_limits<double>::infinity();
    result.method = "structure";
    result.reductions = report_rules({});
    result.checks.push_back({"zero iff no perfect matching", true, true,
                             fmt::format("a {} violator shows that there is none",
                                         result.violator->odd_components.empty() ? "Hall" : "Tutte")});
    return result;
  }

  const Resources resources = resources_for(options);
  const bool floating = instance.weight_kind >= WeightKind::real;
  ReducedInstance reduced = reduce_blocks(instance, analysis, options.rules, poll);
  result.seconds.reduce = watch.lap();
  monitor.explain_stop();

  const std::vector<PlannedBlock> planned =
      plan_blocks(std::move(reduced.blocks), instance.weight_kind, options, resources, monitor);
  refuse_if_beyond_limits(planned, options, resources, monitor.elapsed());
  std::vector<PlannedBlock> recounts;
  if (options.double_check) {
    recounts = plan_double_check(planned, instance.weight_kind, options, resources, monitor);
    refuse_if_beyond_limits(recounts, options, resources, monitor.elapsed() + predicted_seconds(planned));
  }
  result.seconds.plan = watch.lap();

  const Arithmetic factor_arithmetic = floating ? floating_arithmetic(options) : Arithmetic{};
  const BlockCounts counts = run_planned(planned, floating, factor_arithmetic, "count", resources, monitor);
  result.seconds.count = watch.lap();
  result.threads = counts.threads;

  refuse_uncertain(counts);
  Checks checks;
  if (planned.empty())
    checks.passed("zero iff no perfect matching", "there is one perfect matching, of single entries");
  for (std::size_t b = 0; b < planned.size(); ++b) verify_block(planned[b].block, counts.counts[b], checks);
  rerun_sampled_units(planned, counts, monitor, checks);
  if (options.double_check) {
    const BlockCounts second =
        run_planned(recounts, floating, factor_arithmetic, "double-check", resources, monitor);
    for (std::size_t b = 0; b < planned.size(); ++b)
      compare_counts(counts.counts[b], second.counts[b], way_of(recounts[b]), checks);
    if (planned.empty()) checks.not_applicable("double-check", "every block is a single entry");
  }

  Number total = to_number(reduced.factor, floating, factor_arithmetic);
  if (floating) {
    for (const Number& count : counts.counts) multiply(total, count, factor_arithmetic);
  } else {
    std::vector<mpq_class> factors{std::get<mpq_class>(total)};
    for (const Number& count : counts.counts) factors.push_back(std::get<mpq_class>(count));
    total = product(std::move(factors));
  }
  result.method = "structure";
  report_blocks(planned, counts, result);
  if (options.method != "auto" && options.method != result.method) {
    result.notes.push_back(
        fmt::format("the structure and the reductions left nothing for {} to count", options.method));
  }
  for (const PlannedBlock& block : planned) {
    for (const BlockPlan& plan : block.plans) reduced.tally.add(plan.job->tally());
  }
  result.reductions = report_rules(reduced.tally);
  result.count = to_string(total);
  result.log10 = log10_of(total);
  result.exact = !floating;
  result.proved = !floating;
  result.error_bound = error_string(total);
  result.checks = checks.list();
  result.seconds.verify = watch.lap();
  return result;
}

CountResult count_graph(Graph graph, const InputInfo& input, const CountOptions& options, Stopwatch& watch,
                        Monitor& monitor) {
  CountResult result;
  result.input = input;
  result.seconds.read = watch.lap();
  result.kind = graph.kind;
  result.vertices = vertices_of(graph);
  result.edges = graph.edges.size();
  result.weighted = graph.weight_kind != WeightKind::none;
  const Instance instance = to_instance(std::move(graph));
  result.problem = instance.problem;
  result.notes = report_notes(instance, input);
  monitor.explain_stop();
  result = count_instance(instance, options, watch, monitor, std::move(result));
  result.seconds.total = monitor.elapsed();
  return result;
}

}  // namespace

CountResult count(const Source& source, const ReadOptions& read_options, const CountOptions& options) {
  check_options(options);
  Monitor monitor(options);
  Stopwatch watch;
  ReadResult read = read_graph(source, read_options);
  monitor.explain_stop();
  return count_graph(std::move(read.graph), read.info, options, watch, monitor);
}

CountResult count(Graph graph, const CountOptions& options) {
  check_options(options);
  Monitor monitor(options);
  Stopwatch watch;
  InputInfo input;
  input.path = "<graph>";
  return count_graph(std::move(graph), input, options, watch, monitor);
}

}  // namespace countpm
