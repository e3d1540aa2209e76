#include "kernels/frontier/frontier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/competitor.hpp"
#include "kernels/frontier/branching.hpp"
#include "kernels/frontier/gpu/form.hpp"
#include "kernels/frontier/modulus_groups.hpp"
#include "kernels/frontier/order/elimination_cost.hpp"
#include "kernels/frontier/order/least_transitions.hpp"
#include "kernels/frontier/order/order_search.hpp"
#include "kernels/frontier/ranked/ranked_cost.hpp"
#include "kernels/frontier/ranked/run_ranked.hpp"
#include "kernels/frontier/tables/integer_column.hpp"
#include "kernels/frontier/tables/run_program.hpp"
#include "kernels/frontier/tables/spread_program.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/least_seconds.hpp"
#include "kernels/spread_form.hpp"
#include "kernels/support/plan_text.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t most_units = 65536;
// A block of 64 places holds several states: 20 bytes of keys for each block come to about this many a state.
// (20.4 bytes in all with values of 16 at 2^25 states: bench/results/frontier.md).
constexpr double key_bytes_a_state = 5;
constexpr double fixed_bytes = 1 << 20;
// Of a value modulo the smallest primes that there are, those of narrow_prime_ring.hpp.
constexpr double least_residue_bytes = 4;
// Tables with this many states are worth several threads.
constexpr double log2_wide_states = 18;
// States are numbered by 32 bits (run_program.cpp). Two tables are alive at once.
constexpr double log2_most_states = 32;
constexpr double seconds_to_order_a_unit = 0.02;
// AMD EPYC (Zen 4), one core, 2026-11-21: bench/results/frontier.md.
constexpr double most_transitions_a_second = 2.4e8;
// The same in tables without keys: bench/results/frontier.md, 2026-11-27.
constexpr double most_moves_a_second = 2e9;
constexpr double seconds_for_both_ends = 0.1;
// Tables with keys that take no longer on one core are not compared with others: that takes some
// milliseconds.
constexpr double seconds_to_compare_tables = 0.1;
// Tables without keys lose where they have so many times the work (log2).
constexpr double log2_hopeless_moves = 5;
// Searches for an order side by side: more of them find hardly more.
constexpr int most_searches = 16;
// Cutting into branches takes 0.05 to 0.3 s: not where even the whole, had it the memory, would be that many
// times as slow as another method.
constexpr double hopeless_factor = 2;
// The list of branches may take this share of the memory; the tables get the rest.
constexpr std::uint64_t share_of_branches = 8;
constexpr std::uint64_t fixed_list_bytes = std::uint64_t{1} << 18;  // of fixed_bytes

// Of tables that several parts share, each of which merges what it makes before it sends it, and what it gets
// (bench/results/checkpoints-and-ranks.md): transitions against those of one process ...
constexpr double shared_efficiency = 0.33;
// ... and the bytes that each sends a second. A network of 10 Gbit/s carries as much; shared memory more.
constexpr double sent_bytes_a_second = 1e9;
// Blocks are dealt by a hash: no part has more than this times its share.
constexpr double uneven_shares = 1.02;
// Branches of small tables, and those that branch further, take longer than their transitions say: a dense
// matrix of 19 rows in 12 branches and four passes took far longer than predicted (2026-11-27).
constexpr double branches_are_slower = 3;
// Where one part's memory suffices: shared if that part alone would be busy so long, and all together are
// predicted to take this share of the time at most.
constexpr double worth_sharing_seconds = 5;
constexpr double worth_sharing_share = 0.7;

class FrontierJob : public Job,
                    public GpuForm,
                    public Improvable,
                    public Repeatable,
                    public Competitor,
                    public SpreadForm {
 public:
  /// rival_seconds: what the best of the other methods takes, on one core.
  FrontierJob(const AnyBlock& block, const Arithmetic& arithmetic, const MethodOptions& options,
              double rival_seconds = std::numeric_limits<double>::infinity())
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
    const StatesAllowed allowed{
        log2_states_allowed(value_bytes_),
        log2_states_allowed(modulus_bytes_.empty() ? value_bytes_ : least_residue_bytes)};
    search_ = std::make_shared<OrderSearch>(*graph_, options.seed, options.order, allowed);
    make_plan();
  }
  /// The same plan over another arithmetic. Memory stays planned for the original's values: where units
  /// branch further depends on it.
  FrontierJob(const FrontierJob& other, const Arithmetic& arithmetic)
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

  /// The same search over other moduli, with units of its own; gpu: for GPUs like it alone. Of the two jobs
  /// one only is used further.
  FrontierJob(const FrontierJob& other, const Arithmetic& arithmetic, const GpuInfo* gpu)
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

  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    return std::make_unique<FrontierJob>(*this, arithmetic);
  }
  std::string_view other_code() const override {
    if (ranked_) return fits(value_bytes_) ? "sorted tables with keys" : "the portable code";
    return integers_ ? "residues in place of integers" : "the portable merge code";
  }
  std::string describe() const override;
  std::string plan() const override {
    PlanWriter writer;
    std::vector<std::uint64_t> steps;
    for (const EliminationStep& step : elimination_->steps) steps.push_back(number_of(step));
    writer.put_all("steps", steps);
    writer.put_all("branches", branched_);
    if (passes() > 1) writer.put_all("passes", pass_sizes_);
    if (for_gpus_alone_) writer.put("gpus", 1);
    if (shared_) writer.put("shared", 1);
    return writer.text();
  }

  /// The passes of a branch are neighbours.
  std::uint64_t units() const override { return paths_.size() * passes(); }
  double log2_work() const override { return log2_work_; }
  bool sampled() const override { return forecast_.sampled; }
  bool runs_on_all_threads() const override {
    return units() > 1 || forecast_.log2_peak_states > log2_wide_states || both_ends_ != nullptr ||
           ranked_ != nullptr || for_gpus_alone_ || shared_;
  }
  std::uint64_t bytes_per_thread() const override {
    return runs_on_all_threads() ? 0 : to_bytes(log2_bytes_);
  }
  std::uint64_t bytes_shared() const override {
    if (for_gpus_alone_) return static_cast<std::uint64_t>(fixed_bytes);
    return runs_on_all_threads() ? to_bytes(log2_bytes_) : 0;
  }
  /// Where the memory is less than any order takes, no search helps.
  bool improvable() const override {
    return search_ != nullptr && static_cast<double>(options_.memory_bytes) > fixed_bytes;
  }

  void improve(double seconds, const StopSignal& stop) override {
    if (search_ == nullptr) return;
    // A machine that is assumed may have more.
    const auto here = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
    if (search_->improve(seconds, stop, std::clamp(options_.threads, 1, std::min(here, most_searches))))
      make_plan();
  }

  void compete_with(double seconds, int cores) override {
    rival_seconds_ = seconds * cores;
    if (left_uncut_ && !is_too_slow_to_cut()) make_plan();
  }

  double nominal_rate() const override;
  double sorted_rate() const;  // of tables with keys
  double measured_rate(double seconds) const override;
  double measured_branch_rate(double seconds) const;
  double speed_up(int threads) const override;

  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    const SomeModuli moduli = moduli_of(unit);
    if (passes() > 1 && moduli.places.empty()) return zero(arithmetic_);
    const BranchPath& path = path_of(unit);
    if (path.empty()) return run_tables(*graph_, *elimination_, moduli, stop);
    return run_branches(path, {elimination_.get(), false, log2_states_in_a_branch()}, stop,
                        [&](const BranchGraph& branch, double) {
                          return run_tables(branch.graph, branch.elimination, moduli, stop);
                        });
  }

  std::optional<Refusal> device_obstacle(const GpuInfo& gpu) const override;
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override;
  double nominal_device_rate(const GpuInfo& gpu) const override;

  bool short_of_memory() const override {
    return search_ != nullptr && arithmetic_.kind == Arithmetic::Kind::residues && ranked_ == nullptr &&
           (units() > 1 || for_gpus_alone_ || !fits(value_bytes_));
  }
  std::unique_ptr<Job> with_primes(const Arithmetic& primes) const override {
    if (search_ == nullptr) return nullptr;
    return std::make_unique<FrontierJob>(*this, primes, nullptr);
  }
  std::unique_ptr<Job> for_gpus_alone(const Arithmetic& moduli, const GpuInfo& gpu) const override {
    if (search_ == nullptr) return nullptr;
    return std::make_unique<FrontierJob>(*this, moduli, &gpu);
  }
  bool is_for_gpus_alone() const override { return for_gpus_alone_; }

  bool wants_parts() const override {
    if (!may_be_shared()) return false;
    const bool no_passes_fit =
        !fits(value_bytes_) && (modulus_bytes_.size() < 2 || !fits(least_value_bytes()));
    return no_passes_fit || seconds_by_itself() > worth_sharing_seconds;
  }
  void offer_parts(const PartsOffered& offered) override {
    offered_ = offered;
    if (options_.plan) {
      if (shared_) log2_bytes_ = log2_shared_bytes(offered_);
    } else if (may_be_shared()) {
      if (!fits(least_value_bytes())) {
        // Orders compete by what all parts have room for.
        const StatesAllowed allowed{log2_shared_states(value_bytes_),
                                    log2_shared_states(least_value_bytes())};
        search_ = std::make_shared<OrderSearch>(*graph_, options_.seed, options_.order, allowed);
      }
      make_plan();
    }
  }
  int parts() const override { return shared_ ? offered_.parts : 1; }
  Partial run_part(std::uint64_t unit, Exchange& exchange, const StopSignal& stop) const override;

 private:
  /// Exact, and on the CPU.
  bool may_be_shared() const {
    return arithmetic_.kind == Arithmetic::Kind::residues && !for_gpus_alone_ &&
           (search_ != nullptr || shared_);
  }
  /// On all of this part's threads.
  double seconds_by_itself() const {
    return std::exp2(log2_work_) / nominal_rate() / speed_up(options_.threads);
  }
  /// log2 of the states that all parts have room for, with so many bytes of values each.
  double log2_shared_states(double value_bytes) const {
    const auto buffers = static_cast<double>(spread_buffer_bytes(offered_.bytes_each, options_.threads));
    return log2_states_in((static_cast<double>(offered_.bytes_each) - buffers) / uneven_shares, value_bytes) +
           std::log2(offered_.parts);
  }
  /// log2 of the bytes that each part takes.
  double log2_shared_bytes(const PartsOffered& offered) const {
    const auto buffers = static_cast<double>(spread_buffer_bytes(offered.bytes_each, options_.threads));
    return log2_sum(forecast_.log2_peak_bytes_states - std::log2(offered.parts / uneven_shares) +
                        std::log2(pass_bytes() + key_bytes_a_state),
                    std::log2(fixed_bytes + buffers));
  }

  /// For the branches' factors. Not made with the job: a large block has entries times primes of them.
  const ValueColumns& columns() const {
    std::call_once(columns_made_, [this] { columns_ = make_value_columns(block_, arithmetic_); });
    return *columns_;
  }
  std::uint64_t passes() const { return std::max<std::uint64_t>(pass_sizes_.size(), 1); }
  const BranchPath& path_of(std::uint64_t unit) const { return paths_[unit / passes()]; }
  /// Those of a unit's pass that are in this job's arithmetic.
  SomeModuli moduli_of(std::uint64_t unit) const {
    if (passes() == 1) return moduli_among(arithmetic_, arithmetic_.moduli);
    return moduli_among(arithmetic_, pass_moduli_[unit % passes()]);
  }
  /// Of a state in the pass that has the most.
  double pass_bytes() const {
    return passes() == 1 ? value_bytes_ : static_cast<double>(largest_group(modulus_bytes_, pass_sizes_));
  }
  /// Of a state where there are as many passes as there can be.
  double least_value_bytes() const {
    return modulus_bytes_.empty()
               ? value_bytes_
               : static_cast<double>(*std::max_element(modulus_bytes_.begin(), modulus_bytes_.end()));
  }

  /// log2 of the bytes for that many states, joined keys left aside.
  double log2_bytes_for(double log2_states) const {
    return log2_sum(log2_states + std::log2(pass_bytes() + key_bytes_a_state), std::log2(fixed_bytes));
  }
  /// log2 of the states that fit with so many bytes of values each ...
  double log2_states_allowed(double value_bytes) const {
    return log2_states_in(static_cast<double>(options_.memory_bytes), value_bytes);
  }
  /// ... also beside the list of branches, and no more than one table may have.
  double log2_states_in_a_branch() const {
    const auto bytes = static_cast<double>(options_.memory_bytes - bytes_of_branches());
    return std::min(log2_states_in(bytes, pass_bytes()), log2_most_states);
  }
  /// Whether the elimination's tables fit with so many bytes of values a state.
  bool fits(double value_bytes) const {
    return forecast_.log2_peak_states < log2_most_states &&
           forecast_.log2_peak_bytes_states <= log2_states_allowed(value_bytes);
  }
  /// The memory set aside for the list of branches, beside what is fixed for it.
  std::uint64_t bytes_of_branches() const {
    const std::uint64_t share = options_.memory_bytes / share_of_branches;
    return share > fixed_list_bytes ? share - fixed_list_bytes : 0;
  }
  static double log2_states_in(double bytes, double value_bytes) {
    // Less a little, for the roundings of logarithms: what just fits must not be reported as a byte too much.
    const double left = (bytes - fixed_bytes) * (1 - 1e-12) - 2;
    return left <= 0 ? 0
                     : std::min(std::log2(left / (value_bytes + key_bytes_a_state)), log2_most_states + 1);
  }
  static std::uint64_t to_bytes(double log2_bytes) {
    if (log2_bytes >= 64) return std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(std::exp2(log2_bytes));
  }

  /// A step in a plan: the class that it eliminates, or one of these.
  static constexpr std::uint64_t push_number = no_index;
  static constexpr std::uint64_t join_number = push_number + 1;
  static std::uint64_t number_of(const EliminationStep& step) {
    if (step.kind == EliminationStep::Kind::eliminate) return step.vertex;
    return step.kind == EliminationStep::Kind::push ? push_number : join_number;
  }
  EliminationStep step_of(const mpz_class& number) const {
    if (number == push_number) return {EliminationStep::Kind::push, no_index};
    if (number == join_number) return {EliminationStep::Kind::join, no_index};
    if (number < 0 || number >= graph_->classes()) throw PlanError("a plan eliminates what is not there");
    return {EliminationStep::Kind::eliminate, static_cast<Index>(number.get_ui())};
  }

  /// Another job's elimination and branches.
  void follow(std::string_view text) {
    const PlanReader reader(text);
    Elimination elimination;
    // A class is eliminated once, in a table of its own at most, which is joined once.
    if (reader.all("steps").size() > 3 * std::uint64_t{graph_->classes()} + 1)
      throw PlanError("a plan has too many steps");
    for (const mpz_class& number : reader.all("steps")) elimination.steps.push_back(step_of(number));
    try {
      forecast_ = forecast_elimination(*graph_, elimination);
    } catch (const std::invalid_argument& error) {
      throw PlanError(std::string("a plan's elimination is none of this graph: ") + error.what());
    }
    elimination_ = std::make_shared<Elimination>(std::move(elimination));
    start_figures();
    if (reader.has("passes")) take_passes(journaled_passes(reader));
    if (reader.has("shared")) {
      if (!can_be_shared(*elimination_)) throw PlanError("a plan shares what cannot be shared");
      share_tables();
    }
    for_gpus_alone_ = reader.has("gpus");
    const std::vector<Index> branched = reader.indices("branches");
    if (branched.empty()) {
      if (passes() == 1 && !for_gpus_alone_ && !shared_) leave_keys_out(*elimination_, forecast_);
      return;
    }
    if (auto branches = branches_over(*graph_, branched, most_units / passes(), options_.memory_bytes))
      return take_branches(std::move(*branches));
    throw PlanError("a plan branches too often, or on what is not there");
  }

  /// Another job's passes.
  std::vector<std::uint32_t> journaled_passes(const PlanReader& reader) const {
    const std::vector<Index> sizes = reader.indices("passes");
    std::uint64_t moduli = 0;
    for (const Index size : sizes) moduli += size;
    const bool any_empty = std::find(sizes.begin(), sizes.end(), Index{0}) != sizes.end();
    if (sizes.size() < 2 || any_empty || moduli != modulus_bytes_.size())
      throw PlanError("a plan's passes do not take each of the moduli once");
    return {sizes.begin(), sizes.end()};
  }

  /// Of one unit, in the elimination at hand.
  void start_figures() {
    branched_.clear();
    paths_.assign(1, {});
    pass_sizes_.clear();
    pass_moduli_.clear();
    ranked_ = nullptr;
    shared_ = false;
    log2_work_ = std::max(forecast_.log2_transitions, 0.0);
    log2_bytes_ = log2_bytes_for(forecast_.log2_peak_bytes_states);
    choose_values();
  }

  /// Whether values are integers, and whether tables are made from both ends: where that takes long enough
  /// for a second thread, and where neither end has many more states than the whole.
  void choose_values() {
    integers_ = count_joins() == 0;
    if (integers_) {
      if (!factor_words_) factor_words_ = words_of_integer_weights(block_, arithmetic_);
      integers_ = *factor_words_ != 0;
    }
    both_ends_ = nullptr;
    if (!integers_ || std::exp2(log2_work_) < seconds_for_both_ends * sorted_rate()) return;
    const Elimination backwards = reversed(*elimination_);
    const auto back = forecast_within(*graph_, backwards, forecast_.log2_transitions + 1);
    if (!back || back->log2_peak_bytes_states > forecast_.log2_peak_bytes_states + 0.5) return;
    const double log2_bytes = log2_bytes_for(back->log2_peak_bytes_states) + 1;
    if (log2_bytes > std::log2(static_cast<double>(options_.memory_bytes))) return;
    auto ends = make_both_ends(*graph_, *elimination_);
    if (!ends) return;
    both_ends_ = std::make_shared<const BothEnds>(*std::move(ends));
    log2_bytes_ = std::max(log2_bytes_, log2_bytes);
  }

  /// Fixes units, work and memory from the order at hand.
  void make_plan() {
    left_uncut_ = false;
    elimination_ = std::make_shared<Elimination>(search_->best());
    forecast_ = search_->forecast();
    start_figures();
    if (gpu_) {
      FormChoice choice = choose_form(*device_plan(), *gpu_, modulus_bytes_);
      if (choice.passes.size() > 1) take_passes(std::move(choice.passes));
      return;
    }
    if (leave_keys_out(search_->best_linear(), search_->linear_forecast()) || fits(value_bytes_)) {
      if (sharing_is_faster()) share();
      return;
    }
    if (auto sizes = passes_that_fit(); !sizes.empty()) return take_passes(std::move(sizes));
    const bool shareable = can_share();
    left_uncut_ = !shareable && is_too_slow_to_cut();
    if (left_uncut_) {
      // Whatever the memory: tables have no more than 2^log2_most_states states.
      log2_bytes_ = std::max(log2_bytes_, std::log2(static_cast<double>(options_.memory_bytes)) + 1);
      return;
    }
    // Branches are dearer than passes, and the fewer the more states each may have. What does not fit is
    // reported as the least that it would take.
    auto sizes = group_moduli(modulus_bytes_, static_cast<std::uint64_t>(least_value_bytes()));
    if (sizes.size() > 1) take_passes(std::move(sizes));
    if (!shareable || !is_too_slow_to_cut()) branch();
    // Branches keep all parts busy, too, and exchange nothing, but are more work.
    if (shareable && (paths_.size() < static_cast<std::size_t>(offered_.parts) ||
                      branches_are_slower * std::exp2(log2_work_) / nominal_rate() > shared_seconds()))
      share();
  }

  /// Whether there are parts, and a line whose tables fit them, modulo one modulus at a time at least.
  bool can_share() const {
    return offered_.parts > 1 && may_be_shared() && can_be_shared(search_->best_linear()) &&
           search_->linear_forecast().log2_peak_bytes_states <= log2_shared_states(least_value_bytes()) &&
           search_->linear_forecast().log2_peak_states < log2_most_states + std::log2(offered_.parts) - 0.1;
  }
  bool can_be_shared(const Elimination& elimination) const {
    const auto joins = [](const EliminationStep& step) { return step.kind == EliminationStep::Kind::join; };
    return arithmetic_.kind == Arithmetic::Kind::residues &&
           std::none_of(elimination.steps.begin(), elimination.steps.end(), joins) &&
           make_program(*graph_, elimination).key_bits <= most_spread_key_bits;
  }
  /// Of all parts together, on one thread each.
  double shared_seconds() const {
    return std::exp2(search_->linear_forecast().log2_transitions) * shared_step_seconds(value_bytes_);
  }
  double shared_step_seconds(double value_bytes) const {
    return (1 + value_bytes / 16) / most_transitions_a_second / shared_efficiency +
           (value_bytes + key_bytes_a_state) / sent_bytes_a_second;
  }
  bool sharing_is_faster() const {
    if (!can_share() || search_->linear_forecast().log2_peak_bytes_states > log2_shared_states(value_bytes_))
      return false;
    const double alone = seconds_by_itself();
    const double shared = shared_seconds() / offered_.parts / speed_up(options_.threads);
    return alone > worth_sharing_seconds && shared < worth_sharing_share * alone;
  }
  /// The best line, in as few passes as fit all parts.
  void share() {
    elimination_ = std::make_shared<Elimination>(search_->best_linear());
    forecast_ = search_->linear_forecast();
    start_figures();
    if (forecast_.log2_peak_bytes_states > log2_shared_states(value_bytes_)) {
      double most = least_value_bytes();
      while (most * 2 < value_bytes_ && forecast_.log2_peak_bytes_states <= log2_shared_states(most * 2))
        most *= 2;
      auto sizes = group_moduli(modulus_bytes_, static_cast<std::uint64_t>(most));
      if (sizes.size() > 1) take_passes(std::move(sizes));
    }
    share_tables();
    log2_bytes_ = log2_shared_bytes(offered_);
  }
  void share_tables() {
    shared_ = true;
    integers_ = false;
    both_ends_ = nullptr;
  }

  /// Takes tables without keys (ranked/) along a line, and whether it did: where there are such of the block,
  /// they fit the memory, and those with keys do not or take longer.
  bool leave_keys_out(const Elimination& line, const EliminationForecast& forecast) {
    if (arithmetic_.kind != Arithmetic::Kind::residues || is_complex(block_)) return false;
    const bool keys_fit = fits(value_bytes_);
    const double with_keys = std::exp2(log2_work_) / sorted_rate();
    if (with_keys < seconds_to_compare_tables) return false;
    if (keys_fit && (forecast.log2_transitions > log2_work_ + log2_hopeless_moves ||
                     least_ranked_seconds(line.steps.size()) > with_keys))
      return false;
    if (!weights_) weights_ = std::make_shared<const IntegerWeights>(integer_weights(block_));
    auto program = make_ranked_program(*graph_, *weights_, line, words_enough());
    if (!program || program->zero) return false;
    const double bytes = ranked_bytes(*program);
    const double seconds = ranked_seconds(*program);
    if (bytes > static_cast<double>(options_.memory_bytes) || (keys_fit && seconds > with_keys)) return false;
    forecast_ = forecast;
    elimination_ = std::make_shared<Elimination>(line);
    ranked_ = std::make_shared<const RankedProgram>(*std::move(program));
    ranked_seconds_ = seconds;
    gain_of_ranked_ = keys_fit ? with_keys / seconds : 0;
    integers_ = false;
    both_ends_ = nullptr;
    log2_work_ = std::log2(std::max(ranked_->moves, 1.0));
    log2_bytes_ = std::log2(bytes);
    return true;
  }
  /// Modulo a power of two no more than its words matter.
  std::uint32_t words_enough() const {
    const bool one_power = arithmetic_.moduli.size() == 1 && arithmetic_.moduli[0].prime == 0;
    return one_power && weights_->scale == 1 ? (arithmetic_.moduli[0].power_of_two + 63) / 64
                                             : ~std::uint32_t{0};
  }

  /// Branches are never less work than the whole.
  bool is_too_slow_to_cut() const {
    return std::exp2(forecast_.log2_transitions) > hopeless_factor * rival_seconds_ * nominal_rate();
  }

  /// The sizes of the fewest passes that fit; empty where none do.
  std::vector<std::uint32_t> passes_that_fit() const {
    if (modulus_bytes_.size() < 2 || !fits(least_value_bytes())) return {};
    const double bytes = (static_cast<double>(options_.memory_bytes) - fixed_bytes) /
                         std::exp2(forecast_.log2_peak_bytes_states);
    const double values = bytes - key_bytes_a_state;
    return group_moduli(modulus_bytes_, std::max(static_cast<std::uint64_t>(least_value_bytes()),
                                                 static_cast<std::uint64_t>(std::min(values, value_bytes_))));
  }

  /// Each takes every step of the elimination: passes multiply the work, and divide what a state holds.
  void take_passes(std::vector<std::uint32_t> sizes) {
    integers_ = false;
    both_ends_ = nullptr;
    pass_sizes_ = std::move(sizes);
    pass_moduli_ = cut_moduli(arithmetic_.moduli, pass_sizes_);
    log2_work_ = std::max(forecast_.log2_transitions, 0.0) + std::log2(static_cast<double>(passes()));
    log2_bytes_ = log2_bytes_for(forecast_.log2_peak_bytes_states);
  }

  /// Cuts the count, in the passes at hand, into branches that fit, unless that would take too many.
  void branch() {
    // Every class taken out lowers the peak by a bit or two: hopeless where it would take too many.
    constexpr double most_bits_too_many = 16;
    if (forecast_.log2_peak_bytes_states > log2_states_in_a_branch() + most_bits_too_many) return;
    const std::uint64_t list_bytes = bytes_of_branches() + fixed_list_bytes;
    auto branches =
        plan_branches(*graph_, *elimination_, log2_states_in_a_branch(), most_units / passes(), list_bytes);
    if (branches) take_branches(std::move(*branches));
  }

  void take_branches(BranchPlan&& branches) {
    integers_ = false;
    both_ends_ = nullptr;
    branched_ = std::move(branches.classes);
    paths_ = std::move(branches.paths);
    log2_bytes_ = log2_sum(log2_bytes_for(log2_states_in_a_branch()),
                           std::log2(static_cast<double>(bytes_of_branches() + 1)));
    // Some of the units, spread evenly, stand for all.
    constexpr std::size_t looked_at = 32;
    double work = -std::numeric_limits<double>::infinity();
    std::size_t count = 0;
    for (std::size_t k = 0; k < paths_.size(); k += paths_.size() / looked_at + 1, ++count) {
      const BranchGraph branch = branch_graph(*graph_, *elimination_, paths_[k]);
      work = log2_sum(work, forecast_elimination(branch.graph, branch.elimination).log2_transitions);
    }
    work += std::log2(static_cast<double>(paths_.size()) / static_cast<double>(count));
    log2_work_ = std::max(work, 0.0) + std::log2(static_cast<double>(passes()));
  }

  /// How a unit's branches are counted.
  struct BranchRules {
    const Elimination* elimination;  // of the whole graph
    bool linear;                     // no joins
    double log2_states;              // that fit, alive at once
  };

  /// The sum over the path, or, where that needs too much, over paths that branch further. run: the count of
  /// one branch, with the log2 of the states alive at once.
  template <class Run>
  Partial run_branches(const BranchPath& path, const BranchRules& rules, const StopSignal& stop,
                       const Run& run) const {
    Partial total = zero(arithmetic_);
    std::vector<BranchPath> open{path};
    while (!open.empty()) {
      const BranchPath at = std::move(open.back());
      open.pop_back();
      BranchGraph branch = branch_graph(*graph_, *rules.elimination, at);
      const double log2_states = better_order(branch, rules, stop);
      if (log2_states > rules.log2_states) {
        std::vector<BranchPath> further = branch_further(*graph_, *rules.elimination, at, 16);
        std::move(further.begin(), further.end(), std::back_inserter(open));
        continue;
      }
      Partial term = run(branch, log2_states);
      for (const BranchChoice& choice : at) {
        multiply(term, columns().factor(block_, choice.entry, choice.ways), arithmetic_);
      }
      add(total, term, arithmetic_);
    }
    return total;
  }

  /// Puts the better of the inherited order and a fresh one into the branch; log2 of the states that are
  /// alive at once.
  double better_order(BranchGraph& branch, const BranchRules& rules, const StopSignal& stop) const {
    EliminationForecast forecast = forecast_elimination(branch.graph, branch.elimination);
    const double seconds = std::exp2(forecast.log2_transitions) / nominal_rate() / 10;
    // Searching is for units that take long.
    if (seconds > seconds_to_order_a_unit) {
      OrderSearch search(branch.graph, options_.seed, options_.order, {rules.log2_states, rules.log2_states});
      search.improve(seconds_to_order_a_unit, stop);
      const EliminationForecast& own = rules.linear ? search.linear_forecast() : search.forecast();
      if (own.log2_transitions < forecast.log2_transitions &&
          own.log2_peak_bytes_states <= std::max(rules.log2_states, forecast.log2_peak_bytes_states)) {
        forecast = own;
        branch.elimination = rules.linear ? search.best_linear() : search.best();
      }
    }
    return forecast.log2_peak_bytes_states;
  }

  /// Modulo these alone, 0 modulo the others.
  Partial run_tables(const ClassGraph& graph, const Elimination& elimination, const SomeModuli& moduli,
                     const StopSignal& stop) const {
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
  Partial widened_to_all(const Partial& value, const SomeModuli& moduli) const {
    return passes() == 1 ? value : widened(value, moduli, arithmetic_);
  }
  Partial run_without_keys(int threads, const Arithmetic& arithmetic, const StopSignal& stop) const {
    RankedOptions options;
    options.threads = threads;
    options.memory_bytes = options_.memory_bytes;
    if (code_ == MergeCode::portable) options.code = RunCode::portable;
    options.progress = [&stop](double share) { stop.report_share(share); };
    mpq_class value(run_ranked(*ranked_, stop, options), weights_->scale);
    value.canonicalize();
    return from_factor(value, arithmetic);
  }

  std::string ranked_text() const {
    const std::string why = gain_of_ranked_ > 0
                                ? fmt::format("{:.1f} times as fast as with keys", gain_of_ranked_)
                                : "with keys they do not fit the memory";
    return fmt::format(", tables of 2^{:.1f} values without keys ({})",
                       std::log2(static_cast<double>(ranked_->peak_states)), why);
  }
  std::string passes_text() const {
    const std::uint32_t most = *std::max_element(pass_sizes_.begin(), pass_sizes_.end());
    return fmt::format("; in {} passes to fit the {}memory, {}", passes(), for_gpus_alone_ ? "GPU's " : "",
                       most == 1 ? "one modulus at a time" : fmt::format("of {} moduli at most", most));
  }
  std::ptrdiff_t count_joins() const {
    return std::count_if(
        elimination_->steps.begin(), elimination_->steps.end(),
        [](const EliminationStep& step) { return step.kind == EliminationStep::Kind::join; });
  }
  /// For the order at hand; made when it is first asked for.
  std::shared_ptr<const FrontierDevicePlan> device_plan() const;
  /// Of a state in this arithmetic, in each pass that has any of its moduli.
  std::vector<ValueBytes> device_value_bytes() const {
    std::vector<ValueBytes> bytes;
    for (std::uint64_t pass = 0; pass < passes(); ++pass) {
      ValueBytes own = value_bytes_of(moduli_of(pass).arithmetic.moduli);
      if (!own.empty() || passes() == 1) bytes.push_back(std::move(own));
    }
    return bytes;
  }
  AnyBlock block_;
  Arithmetic arithmetic_;
  MethodOptions options_;
  double rival_seconds_ = std::numeric_limits<double>::infinity();
  bool left_uncut_ = false;  // it does not fit the memory, and no branches were looked for
  mutable std::once_flag columns_made_;
  mutable std::unique_ptr<ValueColumns> columns_;
  double value_bytes_;                   // a state's, of the arithmetic that was planned for
  ValueBytes modulus_bytes_;             // the same modulo each of its moduli
  std::shared_ptr<OrderSearch> search_;  // none: the plan is another job's
  std::shared_ptr<const ClassGraph> graph_;
  std::shared_ptr<const Elimination> elimination_;  // the best so far, and its forecast
  EliminationForecast forecast_;
  MergeCode code_ = MergeCode::best;
  std::optional<double> factor_words_;             // of a weight as an integer; once it is known
  bool integers_ = false;                          // in place of residues (integer_column.hpp)
  std::shared_ptr<const BothEnds> both_ends_;      // none: from the first step to the last
  std::shared_ptr<const IntegerWeights> weights_;  // of ranked_; once they are asked for
  std::shared_ptr<const RankedProgram> ranked_;    // tables without keys; none: they have keys
  double ranked_seconds_ = 0;                      // on one core, nominal
  double gain_of_ranked_ = 0;                      // in time; 0: tables with keys do not fit
  std::vector<Index> branched_;                    // the classes that paths_ choose for
  std::vector<BranchPath> paths_;
  std::vector<std::uint32_t> pass_sizes_;          // moduli of each pass; none: all in one
  std::vector<std::vector<Modulus>> pass_moduli_;  // the same, by name
  bool for_gpus_alone_ = false;
  PartsOffered offered_;        // that may share the tables
  bool shared_ = false;         // and do
  std::optional<GpuInfo> gpu_;  // whose memory the passes are made for, in place of options_'s
  double log2_work_ = 0;
  double log2_bytes_ = 0;

  mutable std::mutex device_plan_mutex_;
  mutable std::shared_ptr<const Elimination> device_planned_for_;
  mutable std::shared_ptr<const FrontierDevicePlan> device_plan_;
  mutable FormChoice device_form_;  // on the GPU last asked about
};

Partial FrontierJob::run_part(std::uint64_t unit, Exchange& exchange, const StopSignal& stop) const {
  const SomeModuli moduli = moduli_of(unit);
  if (passes() > 1 && moduli.places.empty()) return zero(arithmetic_);
  SpreadOptions options;
  options.threads = options_.threads;
  options.memory_bytes = offered_.bytes_each;
  options.code = code_;
  const double log2_moves = log2_work_ - std::log2(static_cast<double>(units()));
  options.progress = [&stop, log2_moves](std::uint64_t moves) {
    stop.report_share(std::min(1.0, static_cast<double>(moves) / std::exp2(log2_moves)));
  };
  const Partial value = run_spread(
      make_program(*graph_, *elimination_), [&] { return make_value_columns(block_, moduli.arithmetic); },
      exchange, stop, options);
  return passes() == 1 ? value : widened(value, moduli, arithmetic_);
}

std::shared_ptr<const FrontierDevicePlan> FrontierJob::device_plan() const {
  const std::lock_guard lock(device_plan_mutex_);
  if (device_planned_for_ != elimination_) {
    const Elimination* linear = count_joins() == 0 ? elimination_.get()
                                : search_          ? &search_->best_linear()
                                                   : nullptr;
    device_plan_ =
        std::make_shared<FrontierDevicePlan>(frontier_device_plan(*graph_, *elimination_, linear, paths_));
    device_planned_for_ = elimination_;
  }
  return device_plan_;
}

std::optional<Refusal> FrontierJob::device_obstacle(const GpuInfo& gpu) const {
  if (arithmetic_.kind != Arithmetic::Kind::residues)
    return Refusal{RefusalKind::no_gpu_form_here, "no form for GPUs where numbers are floating"};
  if (shared_)
    return Refusal{RefusalKind::no_gpu_form_here, "no form for GPUs where several ranks share a table"};
  const bool asked_for_joins =
      options_.order == OrderKind::tree || options_.order == OrderKind::nested_dissection;
  if (asked_for_joins && count_joins() != 0)
    return Refusal{RefusalKind::no_gpu_form_here,
                   "no form for GPUs where tables are joined, as in the order that is asked for"};
  const auto plan = device_plan();
  const std::vector<ValueBytes> bytes = device_value_bytes();
  const std::lock_guard lock(device_plan_mutex_);
  device_form_ = choose_form(*plan, gpu, bytes.front());
  std::string why;
  for (const ValueBytes& of_pass : bytes) {
    if (why.empty()) why = frontier_device_obstacle(*plan, gpu, of_pass);
  }
  if (why.empty()) return std::nullopt;
  return Refusal{RefusalKind::no_gpu_form_here, std::move(why)};
}

double FrontierJob::nominal_device_rate(const GpuInfo& gpu) const {
  if (device_obstacle(gpu)) return 0;
  double seconds = 0;
  for (const ValueBytes& of_pass : device_value_bytes())
    seconds += frontier_device_seconds(*device_plan(), gpu, of_pass);
  // In the CPU's state transitions, though a GPU may have others to do.
  return std::exp2(std::min(log2_work_, 1000.0)) / seconds;
}

std::unique_ptr<DeviceJob> FrontierJob::on_device(const GpuInfo& gpu) const {
  if (const auto obstacle = device_obstacle(gpu))
    throw UnableError(obstacle->text, "--device cpu, or another method");
  const auto plan = device_plan();
  FrontierDeviceTask task;
  task.block = &block_;
  task.arithmetic = &arithmetic_;
  task.value_bytes = value_bytes_of(arithmetic_.moduli);
  task.units = units();
  task.log2_work = log2_work_;
  task.nominal_rate = nominal_device_rate(gpu);
  // A pass may have one modulus alone.
  const std::uint64_t least_bytes =
      arithmetic_.moduli.empty() ? 0 : *std::max_element(task.value_bytes.begin(), task.value_bytes.end());
  const FrontierRoom room = frontier_room(gpu, device_key_bytes(plan->key_bits).value_or(16), least_bytes);
  const double log2_room = std::log2(static_cast<double>(room.states));
  task.run_unit = [this, plan, log2_room](std::uint64_t unit, const StopSignal& stop,
                                          const FrontierDeviceTask::RunTables& run) {
    const std::vector<std::uint32_t> moduli = moduli_of(unit).places;
    if (moduli.empty()) return zero(arithmetic_);
    const BranchPath& path = path_of(unit);
    if (path.empty())
      return run(
          {graph_.get(), &plan->elimination, moduli, plan->log2_states, plan->log2_work, plan->log2_share});
    const double log2_moves = plan->log2_work - std::log2(static_cast<double>(paths_.size()));
    return run_branches(
        path, {&plan->elimination, true, log2_room}, stop,
        [&](const BranchGraph& branch, double log2_states) {
          return run({&branch.graph, &branch.elimination, moduli, log2_states, log2_moves, plan->log2_share});
        });
  };
  return on_gpu<FrontierForm>(gpu, task);
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

double FrontierJob::nominal_rate() const {
  return ranked_ ? ranked_->moves / ranked_seconds_ : sorted_rate();
}

double FrontierJob::sorted_rate() const {
  if (integers_) {
    // AMD EPYC (Zen 4), one core, 2026-11-25. Values grow from nothing to all words, from both ends to half.
    const double share = both_ends_ ? 0.25 : 0.5;
    return 1e9 / (10 + 0.65 * share * integer_words(arithmetic_) * *factor_words_);
  }
  if (shared_) return 1 / shared_step_seconds(pass_bytes());
  // What is done with a value modulo a small prime takes no less time than modulo a large one.
  double bytes = value_bytes_;
  for (const std::uint64_t one : modulus_bytes_) bytes += one < 8 ? static_cast<double>(8 - one) : 0;
  return most_transitions_a_second / (1 + bytes / static_cast<double>(passes()) / 16);
}

double FrontierJob::measured_rate(double seconds) const {
  if (paths_.size() > 1) return measured_branch_rate(seconds);
  if (both_ends_ || shared_) return nominal_rate();
  // The first steps of a long run are small and slow, and say nothing of the large ones.
  const double work = std::exp2(log2_work_) / static_cast<double>(units());
  if (work > seconds * nominal_rate()) return nominal_rate();
  const double start = seconds_now();
  try {
    if (ranked_) {
      run_without_keys(1, arithmetic_, stop_signal_here());
    } else {
      run(0, stop_signal_here());
    }
  } catch (const UnableError&) {
    return nominal_rate();
  }
  const double elapsed = seconds_now() - start;
  return std::max(work / std::max(elapsed, 1e-9), 1.0);
}

double FrontierJob::measured_branch_rate(double seconds) const {
  const double work = std::exp2(log2_work_) / static_cast<double>(units());  // a unit's, as forecast
  if (work > seconds * nominal_rate()) return nominal_rate();
  // Units of small tables take longer than their transitions say, and those that branch further much longer.
  constexpr double patience = 4;
  constexpr std::size_t most = 16;
  const double start = seconds_now();
  const auto elapsed = [&] { return seconds_now() - start; };
  StopSignal stop;
  std::mutex mutex;
  std::condition_variable_any over;
  std::size_t done = 0;
  {
    const std::jthread watch([&, &outer = stop_signal_here()](const std::stop_token& token) {
      std::unique_lock lock(mutex);
      const std::chrono::duration<double> tick(std::min(0.02, seconds * patience));
      while (!over.wait_for(lock, token, tick, [&] { return token.stop_requested(); }))
        if (outer.requested() || elapsed() > seconds * patience) return stop.request();
    });
    try {
      for (std::size_t k = 0; k < most && (k == 0 || elapsed() < seconds); ++k, ++done)
        run(k * units() / most, stop);
    } catch (const Stopped&) {
      done = std::max<std::size_t>(done, 1);  // at best
    } catch (const UnableError&) {
      return nominal_rate();
    }
  }
  check_stop();
  return std::max(work * static_cast<double>(done) / std::max(elapsed(), 1e-9), 1.0);
}

double FrontierJob::speed_up(int threads) const {
  if (!runs_on_all_threads()) return Job::speed_up(threads);
  if (both_ends_ && forecast_.log2_peak_states <= log2_wide_states) return threads > 1 ? 1.9 : 1;
  // Threads share a table: small ones are one thread's.
  if (paths_.size() > 1 && log2_states_in_a_branch() < log2_wide_states) return 1;
  if (passes() > 1 && forecast_.log2_peak_states < log2_wide_states) return 1;
  // What is done by one thread: small tables, joins, cutting into stretches.
  constexpr double serial = 0.06;
  const auto count = static_cast<double>(std::max(threads, 1));
  return 1 / (serial + (1 - serial) / count);
}

class Frontier : public Method, public BoundedBelow, public CompetingMethod {
 public:
  std::string_view name() const override { return "frontier"; }
  std::string_view summary() const override {
    return "dynamic programming over a frontier of partly matched vertices; sparse or path-like blocks";
  }
  std::string_view complexity() const override {
    return "O(sum over steps of states x degree) time, O(states) memory, at most 2^w states for frontiers of "
           "w";
  }
  std::string_view reference() const override {
    return "D. Cifuentes, P. A. Parrilo, An efficient tree decomposition method for permanents and mixed "
           "discriminants, Linear Algebra Appl. 493 (2016)";
  }
  std::string_view work_name() const override { return "state transitions"; }
  double setup_seconds() const override { return 0.01; }  // greedy orders
  MethodTraits traits() const override {
    MethodTraits traits;
    traits.prefers_wrap_around = true;
    traits.wraps_beside_primes = true;
    return traits;
  }
  bool counts_general_graphs() const override { return true; }
  bool counts_monomers() const override { return true; }
  double least_seconds(const AnyBlock& block) const override {
    if (tiles_of(block) != 0) return 0;
    return std::exp2(std::min(log2_least_transitions(class_graph(block)), 1000.0)) / most_moves_a_second;
  }
  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    return countpm::obstacle(block, arithmetic);
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions& options) const override {
    return std::make_unique<FrontierJob>(block, arithmetic, options);
  }
  std::unique_ptr<Job> make_job_beside(double core_seconds, const AnyBlock& block,
                                       const Arithmetic& arithmetic,
                                       const MethodOptions& options) const override {
    return std::make_unique<FrontierJob>(block, arithmetic, options, core_seconds);
  }
};

}  // namespace

const Method& frontier_method() {
  static const Frontier method;
  return method;
}

}  // namespace countpm
