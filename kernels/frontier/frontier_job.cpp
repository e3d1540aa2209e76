#include "kernels/frontier/frontier_job.hpp"

#include <fmt/format.h>
#include <gmpxx.h>

#include <thread>

#include "kernels/frontier/ranked/run_ranked.hpp"
#include "kernels/frontier/tables/integer_column.hpp"
#include "kernels/frontier/tables/run_program.hpp"

namespace countpm {
namespace {

// Of a value modulo the smallest primes that there are, those of narrow_prime_ring.hpp.
constexpr double least_residue_bytes = 4;
// Searches for an order side by side: more of them find hardly more.
constexpr int most_searches = 16;

}  // namespace

FrontierJob::FrontierJob(const AnyBlock& block, const Arithmetic& arithmetic, const MethodOptions& options,
                         double rival_seconds)
    : block_(block),
      arithmetic_(arithmetic),
      options_(options),
      rival_seconds_(rival_seconds),
      value_bytes_(bytes_a_state(block, arithmetic)),
      graph_(std::make_shared<ClassGraph>(class_graph(block))) {
  if (arithmetic.kind == Arithmetic::Kind::residues) modulus_bytes_ = value_bytes_of(arithmetic.moduli);
  if (options.plan) {
    follow(*options.plan);
    return;
  }
  StatesAllowed allowed{log2_states_allowed(value_bytes_),
                        log2_states_allowed(modulus_bytes_.empty() ? value_bytes_ : least_residue_bytes)};
  if (may_leave_keys_out()) allowed.widest_without_keys = most_ranked_width;
  search_ = std::make_shared<OrderSearch>(*graph_, options.seed, options.order, allowed);
  make_plan();
}

FrontierJob::FrontierJob(const FrontierJob& other, const Arithmetic& arithmetic)
    : block_(other.block_),
      arithmetic_(arithmetic),
      options_(other.options_),
      value_bytes_(other.value_bytes_),
      modulus_bytes_(other.modulus_bytes_),
      graph_(other.graph_),
      elimination_(other.elimination_),
      forecast_(other.forecast_),
      code_(other.code_ == MergeCode::best ? MergeCode::portable : MergeCode::best),
      branched_(other.branched_),
      paths_(other.paths_),
      pass_sizes_(other.pass_sizes_),
      pass_moduli_(other.pass_moduli_),
      for_gpus_alone_(other.for_gpus_alone_),
      offered_(other.offered_),
      shared_(other.shared_),
      log2_work_(other.log2_work_),
      log2_bytes_(other.log2_bytes_) {
  // The other code are tables with keys, where there is room for them.
  if (other.ranked_ && !fits(bytes_a_state(block_, arithmetic))) {
    ranked_ = other.ranked_;
    ranked_seconds_ = other.ranked_seconds_;
    weights_ = other.weights_;
  }
}

FrontierJob::FrontierJob(const FrontierJob& other, const Arithmetic& arithmetic, const GpuInfo* gpu)
    : block_(other.block_),
      arithmetic_(arithmetic),
      options_(other.options_),
      rival_seconds_(other.rival_seconds_),
      value_bytes_(bytes_a_state(block_, arithmetic)),
      modulus_bytes_(value_bytes_of(arithmetic.moduli)),
      search_(other.search_),
      graph_(other.graph_),
      for_gpus_alone_(gpu != nullptr),
      offered_(other.offered_) {
  if (gpu != nullptr) gpu_ = *gpu;
  make_plan();
}

std::string_view FrontierJob::other_code() const {
  if (ranked_) return fits(value_bytes_) ? "sorted tables with keys" : "the portable code";
  return integers_ ? "residues in place of integers" : "the portable merge code";
}

void FrontierJob::improve(double seconds, const StopSignal& stop) {
  if (search_ == nullptr) return;
  // A machine that is assumed may have more.
  const auto here = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  if (search_->improve(seconds, stop, std::clamp(options_.threads, 1, std::min(here, most_searches))))
    make_plan();
}

void FrontierJob::compete_with(double seconds, int cores) {
  rival_seconds_ = seconds * cores;
  if (left_uncut_ && !is_too_slow_to_cut()) make_plan();
}

Partial FrontierJob::run(std::uint64_t unit, const StopSignal& stop) const {
  const SomeModuli moduli = moduli_of(unit);
  if (passes() > 1 && moduli.places.empty()) return zero(arithmetic_);
  const BranchPath& path = path_of(unit);
  if (path.empty()) return run_tables(*graph_, *elimination_, moduli, stop);
  return run_branches(path, {elimination_.get(), false, log2_states_in_a_branch()}, stop,
                      [&](const BranchGraph& branch, double) {
                        return run_tables(branch.graph, branch.elimination, moduli, stop);
                      });
}

const ValueColumns& FrontierJob::columns() const {
  std::call_once(columns_made_, [this] { columns_ = make_value_columns(block_, arithmetic_); });
  return *columns_;
}

Partial FrontierJob::run_tables(const ClassGraph& graph, const Elimination& elimination,
                                const SomeModuli& moduli, const StopSignal& stop) const {
  if (ranked_) return widened_to_all(run_without_keys(options_.threads, moduli.arithmetic, stop), moduli);
  RunOptions options;
  options.threads = runs_on_all_threads() ? options_.threads : 1;
  options.code = code_;
  options.memory_bytes = options_.memory_bytes;
  if (paths_.size() > 1) options.memory_bytes -= bytes_of_branches();
  if (runs_on_all_threads()) {
    const double log2_moves = log2_work_ - std::log2(static_cast<double>(units()));
    options.progress = [&stop, log2_moves](std::uint64_t moves) {
      stop.report_share(std::min(1.0, static_cast<double>(moves) / std::exp2(log2_moves)));
      return true;
    };
  }
  if (both_ends_)
    return run_both_ends(
        *both_ends_, [this] { return make_integer_columns(block_, arithmetic_); }, stop, options);
  // A column set keeps the weights of the round it is in: every unit has its own.
  const auto columns =
      integers_ ? make_integer_columns(block_, arithmetic_) : make_value_columns(block_, moduli.arithmetic);
  const Partial value = run_program(make_program(graph, elimination), *columns, stop, options);
  return widened_to_all(value, moduli);
}

Partial FrontierJob::run_without_keys(int threads, const Arithmetic& arithmetic,
                                      const StopSignal& stop) const {
  RankedOptions options;
  options.threads = threads;
  options.memory_bytes = options_.memory_bytes;
  if (code_ == MergeCode::portable) options.code = RunCode::portable;
  options.progress = [&stop](double share) { stop.report_share(share); };
  mpq_class value(run_ranked(*ranked_, stop, options), weights_->scale);
  value.canonicalize();
  return from_factor(value, arithmetic);
}

std::string FrontierJob::ranked_text() const {
  const std::string why = gain_of_ranked_ > 0
                              ? fmt::format("{:.1f} times as fast as with keys", gain_of_ranked_)
                              : "with keys they do not fit the memory";
  std::string text = fmt::format(", tables of 2^{:.1f} values without keys ({})",
                                 std::log2(static_cast<double>(ranked_->peak_states)), why);
  if (ranked_->groups > 0)
    text +=
        fmt::format(", {:.1f} times fewer as {} group{} of vertices that are alike are merged",
                    ranked_->sets_apart / ranked_->sets, ranked_->groups, ranked_->groups == 1 ? "" : "s");
  return text;
}

std::string FrontierJob::passes_text() const {
  const std::uint32_t most = *std::max_element(pass_sizes_.begin(), pass_sizes_.end());
  return fmt::format("; in {} passes to fit the {}memory, {}", passes(), for_gpus_alone_ ? "GPU's " : "",
                     most == 1 ? "one modulus at a time" : fmt::format("of {} moduli at most", most));
}

std::string FrontierJob::describe() const {
  const std::ptrdiff_t joins = count_joins();
  const std::string order = joins == 0 ? "eliminated in a line"
                                       : fmt::format("a tree with {} join{}", joins, joins == 1 ? "" : "s");
  std::string text = fmt::format("2^{:.1f} states at the widest, a frontier of {} classes, {}",
                                 forecast_.log2_peak_states, forecast_.peak_width, order);
  if (both_ends_) text += " from both ends";
  if (ranked_) text += ranked_text();
  if (integers_) text += ", values as integers";
  if (paths_.size() > 1) text += fmt::format("; {} branches to fit the memory", paths_.size());
  if (passes() > 1) text += passes_text();
  if (shared_ && offered_.parts > 1)
    text += fmt::format("; the table is spread over {} ranks, {:.3g} GB on each", offered_.parts,
                        std::exp2(log2_bytes_) / 1e9);
  const std::lock_guard lock(device_plan_mutex_);
  if (device_plan_ && device_planned_for_ == elimination_)
    text += frontier_device_text(*device_plan_, device_form_, joins != 0);
  return text;
}

}  // namespace countpm
