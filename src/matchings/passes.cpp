#include "src/matchings/passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>

#include "kernels/frontier/frontier.hpp"
#include "kernels/planar/planar.hpp"
#include "src/input/report.hpp"
#include "src/input/sound_options.hpp"
#include "src/structure/analysis.hpp"
#include "src/structure/blocks.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_quantity.hpp"

namespace countpm {
namespace {

// Counted twice (states, then values) and once backwards: an estimate for a (state, stream) pair of all
// three, from single runs on a busy machine (2 cores of an AMD EPYC, Zen 4, 2026-11-21); not calibrated.
constexpr double seconds_a_transition = 2e-8;
// The search for an order may take that share of the predicted passes.
constexpr double search_share = 0.2;
constexpr double search_slice_seconds = 0.05;
constexpr double most_search_seconds = 2;
// Beyond that many bits of transitions (10^4 years) no search brings an order within reach.
constexpr double hopeless_bits = 64;
// By how many bits the bound on states may exceed the limits before the passes are refused unseen.
constexpr double bound_slack_bits = 10;
constexpr std::uint64_t order_seed = 20261121;
// Frontier passes of a piece that are predicted to take no longer than that are not compared with anything:
// small graphs have the same draws however many are asked for.
constexpr double short_seconds = 0.002;
// planar: multiplications a second, passes in terms of one elimination (a draw, or the edges' uses), and what
// the bookkeeping of a row takes, of the uses and of a draw, for each orientation. The first is that of 8
// lanes on one core, whatever the machine: the choice must not depend on it. Square lattices and tori of 8 x
// 8 to 20 x 20, one core of an AMD EPYC (Zen 4), 2026-11-25.
constexpr double planar_rate = 6e9;
constexpr double planar_eliminations = 3;
constexpr double uses_seconds_a_row = 6e-6;
constexpr double draw_seconds_a_row = 1.5e-5;
// A draw's walk through the frontier's layers, for each row.
constexpr double walk_seconds_a_row = 4e-7;
// Layers of more transitions, some 16 bytes each, are taken for too large to keep between draws, whatever the
// machine's memory.
constexpr double most_kept_bits = 27;

}  // namespace

bool has_negative(const Values& values) {
  return std::visit(
      [](const auto& list) {
        using List = std::decay_t<decltype(list)>;
        if constexpr (std::is_same_v<List, std::vector<std::int64_t>> ||
                      std::is_same_v<List, std::vector<mpq_class>>) {
          return std::any_of(list.begin(), list.end(), [](const auto& value) { return value < 0; });
        } else {
          return false;
        }
      },
      values);
}

ReadOptions reading_on_ranks(ReadOptions read_options, const CountOptions& options) {
  read_options.hash = read_options.hash || options.channel != nullptr;
  return read_options;
}

PassInput prepare_passes(ReadResult read, const CountOptions& options, Monitor& monitor) {
  monitor.enter("looking at the graph's structure");
  PassInput input;
  monitor.throw_if_stopped();
  if (read.graph.weight_kind == WeightKind::complex) {
    throw UnableError("complex weights have no probabilities",
                      read.graph.monomers ? "give edges and vertices real weights"
                                          : "without --weights every perfect matching is equally likely");
  }
  refuse_covers(read.graph, "probabilities and samples");
  refuse_letter(read.graph, "probabilities and samples");
  require_own_matchings(read.graph, "probabilities and samples");
  summarise_input(read.graph, read.info, input.start);
  input.edges = read.graph.edges;
  input.instance = instance_of(std::move(read.graph), options.matchings);
  report_problem(input.instance, options.matchings, input.start);
  input.start.notes = report_notes(input.instance, input.start.input);
  monitor.throw_if_stopped();
  Analysis analysis = analyse(
      input.instance, input.start.input, [&] { monitor.throw_if_stopped(); }, input.start.notes,
      options.matchings);
  input.start.violator = std::move(analysis.violator);
  if (!input.start.violator) {
    add_notes(resources_for(options), input.start.notes);
    input.pieces = cut_pieces(input.instance, analysis);
  }
  monitor.throw_if_stopped();
  return input;
}

PassProgress::PassProgress(Monitor& monitor, const std::string& stage, const std::vector<Piece>& pieces,
                           std::uint64_t rounds)
    : monitor_(monitor), start_{0} {
  for (const Piece& piece : pieces)
    start_.push_back(start_.back() + static_cast<double>(piece.entries.size()));
  monitor_.begin_stage(stage, start_.back() * static_cast<double>(rounds));
}

void PassProgress::begin(std::size_t piece) {
  if (piece == 0 && done_ > 0) round_start_ += start_.back();
  half_start_ = round_start_ + start_[piece];
  half_ = (start_[piece + 1] - start_[piece]) / 2;
  piece_ = piece;
  go_to(half_start_);
}

void PassProgress::describe(const std::string& method) {
  monitor_.describe(method, piece_ + 1, start_.size() - 1);
}

void PassProgress::second_half() {
  half_start_ += half_;
  go_to(half_start_);
}

void PassProgress::set(double share) {
  go_to(half_start_ + share * half_);
}

void PassProgress::go_to(double done) {
  monitor_.finish(done - done_);
  done_ = done;
}

void throw_too_large(const LayersTooLarge& error) {
  throw UnableError(
      fmt::format(
          "the frontier passes need {} of memory or more for their layers, and the limit leaves {} for "
          "them",
          format_bytes(error.needed()), format_bytes(error.limit())),
      "a larger --memory-limit may suffice; layers that do not fit are computed again, so that only the "
      "largest ones matter");
}

namespace {

const char* const beyond_passes =
    "'countpm marginals --sampled' estimates probabilities, and 'countpm sample --sampler bethe' draws "
    "approximately";

/// A piece's order of elimination, found by the same search everywhere: the draws depend on it.
struct PiecePlan {
  ClassGraph graph;
  ClassLines lines;
  Elimination elimination;
  EliminationForecast forecast;  // by the bound on states, mostly several times too much
};

double predicted_seconds(const OrderSearch& search) {
  return std::exp2(search.linear_forecast().log2_transitions) * seconds_a_transition;
}

/// Of the uses, or of all the draws; both by the piece and its use alone.
double frontier_seconds(const OrderSearch& search, const Piece& piece, PassUse use) {
  const bool kept = search.linear_forecast().log2_transitions < most_kept_bits;
  const double walks = static_cast<double>(use.draws) * static_cast<double>(rows_of(piece.block));
  return predicted_seconds(search) * (kept || use.draws == 0 ? 1.0 : static_cast<double>(use.draws)) +
         walks * walk_seconds_a_row;
}

double planar_seconds(const PlanarPasses& passes, const Piece& piece, PassUse use) {
  const double rows = static_cast<double>(rows_of(piece.block)) * passes.orientations();
  const double once = passes.work() * planar_eliminations / planar_rate +
                      rows * (use.draws == 0 ? uses_seconds_a_row : draw_seconds_a_row);
  return once * static_cast<double>(std::max<std::uint64_t>(use.draws, 1));
}

void improve(OrderSearch& search, const StopSignal& stop) {
  for (double spent = 0; search.improvable() && search.linear_forecast().log2_transitions < hopeless_bits &&
                         spent + search_slice_seconds / 2 <
                             std::min(most_search_seconds, search_share * predicted_seconds(search));
       spent += search_slice_seconds) {
    search.improve(search_slice_seconds, stop);
  }
}

void refuse_beyond(const Piece& piece, const PiecePlan& plan, const FrontierPasses& passes,
                   const Resources& resources, std::uint64_t memory_bytes, const CountOptions& options) {
  const double log2_bytes =
      plan.forecast.log2_peak_bytes_states + std::log2(static_cast<double>(passes.bytes_per_state()));
  if (log2_bytes > std::log2(static_cast<double>(memory_bytes)) + bound_slack_bits) {
    throw UnableError(
        fmt::format(
            "the frontier passes of a piece with {} rows and {} entries may need 2^{:.0f} "
            "bytes of memory, at a frontier of {} classes, and the limit is {}; planar passes cannot: {}",
            rows_of(piece.block), entries_of(piece.block), log2_bytes, plan.forecast.peak_width,
            format_bytes(resources.memory_bytes),
            PlanarPasses::obstacle(piece.block).value_or("they are slower yet")),
        beyond_passes);
  }
  const double log10_seconds =
      (plan.forecast.log2_transitions + std::log2(seconds_a_transition)) * std::log10(2.0);
  if (log10_seconds > std::log10(options.time_limit_seconds) + bound_slack_bits * std::log10(2.0)) {
    throw UnableError(
        fmt::format("the frontier passes are predicted to take up to {} and the time limit is {}",
                    format_log10_duration(log10_seconds), format_duration(options.time_limit_seconds)),
        fmt::format("--time-limit {} allows it; {}", time_limit_text(std::pow(10, log10_seconds)),
                    beyond_passes));
  }
}

LayerLimits layer_limits(const Resources& resources, PassUse use) {
  return {static_cast<std::uint64_t>(static_cast<double>(resources.memory_bytes) * use.memory_share),
          resources.threads};
}

/// Those of planar, where they are predicted to be faster than frontier's by this first order: how far a
/// search for a better one gets depends on the machine.
std::optional<PlanarPasses> planar_if_faster(const Piece& piece, const OrderSearch& first, PassUse use,
                                             const LayerLimits& limits,
                                             const std::function<void(double)>& on_progress) {
  if (predicted_seconds(first) <= short_seconds || PlanarPasses::obstacle(piece.block)) return std::nullopt;
  PlanarPasses passes(piece.block, limits, on_progress);
  if (planar_seconds(passes, piece, use) < frontier_seconds(first, piece, use)) return passes;
  return std::nullopt;
}

std::variant<FrontierPasses, PlanarPasses> make_passes(const Piece& piece, const CountOptions& options,
                                                       PassUse use, std::function<void(double)> on_progress,
                                                       const StopSignal& stop) {
  const Resources resources = resources_for(options);
  const LayerLimits limits = layer_limits(resources, use);
  PiecePlan plan;
  plan.graph = class_graph(piece.block, true, &plan.lines);
  OrderSearch search(plan.graph, order_seed);
  if (auto planar = planar_if_faster(piece, search, use, limits, on_progress)) return *std::move(planar);
  improve(search, stop);
  plan.elimination = search.best_linear();
  plan.forecast = search.linear_forecast();
  FrontierPasses passes{piece.block,      plan.graph, plan.lines,
                        plan.elimination, limits,     std::move(on_progress)};
  refuse_beyond(piece, plan, passes, resources, limits.memory_bytes, options);
  return passes;
}

}  // namespace

void add_method(const std::string& name, std::string& methods) {
  const std::string in_list = ", " + methods + ",";
  if (in_list.find(", " + name + ",") != std::string::npos) return;
  methods += (methods.empty() ? "" : ", ") + name;
}

bool planar_is_faster(const Piece& piece, const CountOptions& options, PassUse use) {
  const ClassGraph graph = class_graph(piece.block, true, nullptr);
  return planar_if_faster(piece, OrderSearch(graph, order_seed), use,
                          layer_limits(resources_for(options), use), {})
      .has_value();
}

PiecePasses::PiecePasses(const Piece& piece, const CountOptions& options, PassUse use,
                         std::function<void(double)> on_progress, const StopSignal& stop)
    : passes_(make_passes(piece, options, use, std::move(on_progress), stop)) {}

std::string PiecePasses::method() const {
  const bool planar = std::holds_alternative<PlanarPasses>(passes_);
  return std::string((planar ? planar_method() : frontier_method()).name());
}

const mpz_class& PiecePasses::total(const StopSignal& stop) {
  return std::visit([&](auto& passes) -> const mpz_class& { return passes.total(stop); }, passes_);
}

EdgeUses PiecePasses::edge_uses(const StopSignal& stop) {
  return std::visit([&](auto& passes) { return passes.edge_uses(stop); }, passes_);
}

void PiecePasses::prepare_draws(const StopSignal& stop) {
  if (auto* frontier = std::get_if<FrontierPasses>(&passes_)) frontier->total(stop);
}

std::vector<PairList> PiecePasses::draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                                        std::uint64_t count, const StopSignal& stop) {
  return std::visit([&](auto& passes) { return passes.draw(seed, stream, first, count, stop); }, passes_);
}

}  // namespace countpm
