#include "kernels/frontier/order/order_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <random>

#include "kernels/frontier/order/elimination_cost.hpp"
#include "kernels/frontier/order/linear_annealing.hpp"
#include "kernels/frontier/order/sampled_forecast.hpp"
#include "kernels/frontier/order/tree_annealing.hpp"
#include "kernels/frontier/order/tree_order.hpp"
#include "kernels/orders/linear_order.hpp"
#include "kernels/support/nested_dissection.hpp"
#include "kernels/support/parallel_ranges.hpp"

namespace countpm {
namespace {

// Word operations that the annealers of lines do in a second, edges that samples look at, and, for trees,
// classes that are forecast: about these on one core of the 2-core EPYC (2026-11-21;
// bench/results/frontier.md).
constexpr double nominal_speed = 2.5e8;
constexpr double seconds_a_tree_start = 1e-5;  // for each class and neighbour: 2.2 s for a 10 x 5000 lattice
constexpr double nominal_tests = 1e8;
constexpr double nominal_classes = 1.2e6;
// Wide frontiers take longer a class: 52 times on 300 vertices all joined but along a cycle (2026-11-25).
constexpr double free_width = 24;
constexpr double width_of_a_class = 6;
// Word operations of a minimum fill in a second: each may take as long as all starts are priced at.
constexpr double nominal_fill = 1e9;
// Beyond so many classes the searches of one kind are not tried: minimum fill (quadratic), trees (a forecast
// a move).
constexpr Index most_for_fill = 1500;
constexpr Index most_for_tree_annealing = 4096;
// Tables wider than this are out of reach, and so are the starts that lead there.
constexpr Index most_degree = 120;
constexpr std::uint64_t most_fill_a_class = 200;
// A tree that is behind the line by more bits of work than this seldom catches up.
constexpr double trees_within_reach = 4;
// Subtrees up to these sizes are eliminated in their siblings' tables rather than joined: what does best is
// kept.
constexpr std::array<Index, 3> inlined_sizes{1, 4, 16};
constexpr double first_chain_seconds = 0.004;
constexpr double chain_growth = 2;
constexpr double longest_chain_seconds = 4;
// For each class and neighbour, with its forecast (2-core EPYC, Zen 4, 2026-11-27).
constexpr double seconds_a_thin_line = 1.2e-7;
constexpr double share_of_thin_lines = 0.25;
// Where so many transitions are left after the first starts, half a day of them, annealing has to save it,
// and other starts would only take time: 0.55 s on 40 x 40 vertices with two edges more (2026-11-26).
constexpr double log2_hopeless_transitions = 43;
constexpr int starts_where_hopeless = 2;
constexpr double cold = 0.03;
// Shorter searches are one thread's.
constexpr double least_shared_seconds = 0.02;

struct Candidate {
  Elimination elimination;
  EliminationForecast forecast;
};

double price_of_width(const Candidate& tree) {
  return 1 + std::max(0.0, tree.forecast.peak_width - free_width) / width_of_a_class;
}

// Tables beyond the memory are made in passes: half of the memory is twice the passes, each with half of the
// values. Beyond that they are cut into branches: a bit less of memory costs two or three of work.
constexpr double price_of_a_bit_in_passes = 1;
constexpr double price_of_a_bit = 3;
// Tables with keys take five times as long (bench/results/frontier.md), but where they take under 0.1 s
// others are not looked at.
constexpr double price_of_keys = 2.3;
constexpr double log2_transitions_in_no_time = 23;

}  // namespace

struct OrderSearch::State {
  State(ClassGraph graph_in, std::uint64_t seed, OrderKind kind_in, const StatesAllowed& allowed_in)
      : graph(std::move(graph_in)), kind(kind_in), allowed(allowed_in), random(seed) {
    start();
    show();
  }

  /// From what another has found, without its trees' first starts.
  State(const State& from, std::uint64_t seed)
      : graph(from.graph), kind(from.kind), allowed(from.allowed), random(seed), trees_started(true) {
    take_better(from);
  }

  void take_better(const State& from) {
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (from.lines[k].log2_cost < lines[k].log2_cost) lines[k] = from.lines[k];
    }
    if (from.linear && (!linear || cost(from.linear->forecast) < cost(linear->forecast)))
      linear = from.linear;
    if (from.tree && (!tree || cost(from.tree->forecast) < cost(tree->forecast))) {
      tree = from.tree;
      tree_order = from.tree_order;
      tree_inlined = from.tree_inlined;
    }
  }

  /// The same on several threads.
  void improve(double seconds, const StopSignal& stop, std::size_t threads) {
    if (threads < 2 || seconds < least_shared_seconds || !searches()) return improve(seconds, stop);
    while (others.size() + 1 < threads) others.push_back(std::make_unique<State>(*this, random()));
    const StopScope scope(&stop);
    parallel_ranges(static_cast<int>(threads), threads, 1, [&](std::uint64_t k, std::uint64_t) {
      (k == 0 ? *this : *others[k - 1]).improve(seconds, stop);
    });
    for (std::size_t k = 0; k + 1 < threads; ++k) take_better(*others[k]);
    for (std::size_t k = 0; k + 1 < threads; ++k) others[k]->take_better(*this);
  }

  /// The best's forecast, by the bound or with the shares sampled last.
  void show() {
    const EliminationForecast& bound = best().forecast;
    shown = bound;
    shown.sampled = shares.sampled;
    shown.log2_states = std::max(0.0, bound.log2_states + shares.log2_states);
    shown.log2_peak_states = std::max(0.0, bound.log2_peak_states + shares.log2_peak_states);
    shown.log2_likely_peak = std::max(0.0, bound.log2_likely_peak + shares.log2_likely_peak);
    shown.log2_transitions = std::max(0.0, bound.log2_transitions + shares.log2_transitions);
  }

  void sample(double seconds, const StopSignal& stop) {
    const EliminationForecast& bound = best().forecast;
    const EliminationForecast estimate = sampled_forecast(
        graph, best().elimination, static_cast<std::uint64_t>(seconds * nominal_tests), random(), stop);
    shares.sampled = estimate.sampled;
    shares.log2_states = estimate.log2_states - bound.log2_states;
    shares.log2_peak_states = estimate.log2_peak_states - bound.log2_peak_states;
    shares.log2_likely_peak = estimate.log2_likely_peak - bound.log2_likely_peak;
    shares.log2_transitions = estimate.log2_transitions - bound.log2_transitions;
    show();
  }

  /// The work, and what cutting it up for the memory will add.
  double cost(const EliminationForecast& forecast) const {
    const double peak = forecast.log2_peak_bytes_states;
    double price = 0;
    if (peak > allowed.at_once)
      price += price_of_a_bit_in_passes * (std::min(peak, allowed.in_passes) - allowed.at_once);
    if (peak > allowed.in_passes) price += price_of_a_bit * (peak - allowed.in_passes);
    if (forecast.peak_width > allowed.widest_without_keys)
      price += std::clamp(forecast.log2_transitions - log2_transitions_in_no_time, 0.0, price_of_keys);
    return forecast.log2_transitions + price;
  }

  bool sided() const { return !graph.general; }
  bool may(Drivers drivers) const {
    if (drivers == Drivers::all) return !sided() || (kind != OrderKind::rows && kind != OrderKind::columns);
    if (!sided()) return false;
    return drivers == Drivers::rows ? kind != OrderKind::columns : kind != OrderKind::rows;
  }

  bool may_trees() const {
    return kind == OrderKind::automatic || kind == OrderKind::tree || kind == OrderKind::nested_dissection;
  }

  /// The greedy starts. Large graphs get fewer: each is O(entries).
  void start() {
    const Index classes = graph.classes();
    const std::uint64_t size = classes + graph.neighbour.size();
    const int tries = size < 20000 ? 8 : size < 200000 ? 2 : 1;
    for (const Drivers drivers : {Drivers::rows, Drivers::columns, Drivers::all}) {
      if (!may(drivers)) continue;
      offer_sequence(drivers, in_own_order(drivers));
      for (int attempt = 0; attempt < tries && classes > 0; ++attempt) {
        if (attempt >= starts_where_hopeless && linear->forecast.log2_transitions > log2_hopeless_transitions)
          break;
        const Index from = static_cast<Index>(random() % classes);
        const Index first = attempt % 2 == 0 ? far_class(graph, from) : from;
        if (attempt < 2) offer_sequence(drivers, level_sequence(graph, drivers, first));
        if (attempt == 0 && tries > 1) {
          // From either end: bfwb398's 2^35.1 transitions became 2^29.6, which no annealing had found.
          offer_sequence(drivers, sloan_sequence(graph, drivers, first));
          offer_sequence(drivers, sloan_sequence(graph, drivers, far_class(graph, first)));
        }
        for (const TieRule ties : {TieRule::oldest, TieRule::newest, TieRule::random}) {
          if (tries == 1 && ties != TieRule::oldest) continue;
          offer_sequence(drivers, greedy_sequence(graph, drivers, ties, first, random()));
        }
      }
    }
    if (kind == OrderKind::nested_dissection) {
      offer_tree(nested_dissection(graph.start, graph.neighbour, random()));
    } else if (may_trees()) {
      offer_tree(minimum_degree_order(graph, random(), most_degree));
    }
    // Something must be there, if only to say that it is hopeless.
    if (kind == OrderKind::tree || kind == OrderKind::nested_dissection) {
      if (!tree) tree = linear;
    }
  }

  /// METIS and more greedy orders of elimination, in about so many seconds.
  void start_trees(double seconds) {
    const Index classes = graph.classes();
    const auto most_fill = static_cast<std::uint64_t>(seconds * nominal_fill);
    for (int attempt = 0; attempt < 2; ++attempt)
      offer_tree(nested_dissection(graph.start, graph.neighbour, random()));
    for (int attempt = 0; attempt < 4; ++attempt) {
      offer_tree(minimum_degree_order(graph, random(), most_degree));
      if (classes <= most_for_fill) offer_tree(minimum_fill_order(graph, random(), most_fill));
    }
  }

  void offer_tree(const std::vector<Index>& order) {
    if (order.size() != graph.classes()) return;
    for (const Index inlined : inlined_sizes) {
      auto elimination = tree_elimination(graph, order, inlined, most_fill_a_class * graph.classes());
      if (!elimination) return;
      const double limit = tree ? cost(tree->forecast) : std::numeric_limits<double>::infinity();
      const auto within = forecast_within(graph, *elimination, limit);
      if (!within || cost(*within) >= limit) continue;
      tree = Candidate{std::move(*elimination), *within};
      tree_order = order;
      tree_inlined = inlined;
    }
  }

  /// The drivers in their own order: what a matrix with a narrow band wants.
  std::vector<Index> in_own_order(Drivers drivers) const {
    std::vector<Index> sequence;
    for (Index v = 0; v < graph.classes(); ++v) {
      if (drives(graph, drivers, v)) sequence.push_back(v);
    }
    return sequence;
  }

  void offer_sequence(Drivers drivers, std::vector<Index> sequence) {
    Candidate candidate;
    candidate.elimination = linear_elimination(graph, sequence);
    Line& line = lines[static_cast<std::size_t>(drivers)];
    const auto within = forecast_within(graph, candidate.elimination, line.log2_cost);
    if (!within) return;
    candidate.forecast = *within;
    const double log2_cost = cost(candidate.forecast);
    if (log2_cost < line.log2_cost) {
      line.log2_cost = log2_cost;
      line.sequence = std::move(sequence);
    }
    if (!linear || log2_cost < cost(linear->forecast)) linear = std::move(candidate);
  }

  const Candidate& best() const {
    if (!tree || !may_trees()) return *linear;
    return kind != OrderKind::automatic || cost(tree->forecast) < cost(linear->forecast) ? *tree : *linear;
  }

  /// The best sequence known, named for all drivers of a chain over `drivers`.
  std::vector<Index> start_of(Drivers drivers) {
    const Line& own = lines[static_cast<std::size_t>(drivers)];
    if (drivers != Drivers::all) return own.sequence;
    const Line* best_line = &own;
    for (const Line& line : lines) {
      if (line.log2_cost < best_line->log2_cost) best_line = &line;
    }
    std::vector<Index> sequence = best_line->sequence;
    std::vector<char> named(graph.classes(), 0);
    for (const Index v : sequence) named[v] = 1;
    for (Index v = 0; v < graph.classes(); ++v) {
      if (named[v] == 0) sequence.push_back(v);
    }
    return sequence;
  }

  bool may_anneal_lines() const {
    return kind != OrderKind::tree && graph.classes() <= LinearAnnealing::most_classes;
  }
  bool may_anneal_trees() const {
    return (kind == OrderKind::automatic || kind == OrderKind::tree) && !tree_order.empty() &&
           graph.classes() <= most_for_tree_annealing;
  }
  bool searches() const {
    if (kind == OrderKind::greedy || kind == OrderKind::nested_dissection || graph.classes() <= 2)
      return false;
    return may_anneal_lines() || may_anneal_trees() || (may_trees() && !trees_started);
  }

  /// From a class and one far from it: where they are better, the chain goes on from them. Once they take no
  /// more than a share of it.
  void offer_thin_lines(Drivers drivers) {
    const auto size = static_cast<double>(graph.classes() + graph.neighbour.size());
    if (2 * seconds_a_thin_line * size > share_of_thin_lines * chain_seconds) return;
    const auto from = static_cast<Index>(random() % graph.classes());
    for (const Index first : {far_class(graph, from), from})
      offer_sequence(drivers, sloan_sequence(graph, drivers, first));
  }

  /// The next chain of the round-robin: rows, columns, all, all, tree.
  void next_chain() {
    constexpr std::array<Drivers, 4> turns{Drivers::rows, Drivers::columns, Drivers::all, Drivers::all};
    while (true) {
      const std::size_t now = turn++ % (turns.size() + 1);
      if (now == 0 && turn > 1) chain_seconds = std::min(chain_seconds * chain_growth, longest_chain_seconds);
      on_tree = now == turns.size();
      if (on_tree) {
        if (!may_anneal_trees()) continue;
        if (kind == OrderKind::automatic &&
            cost(tree->forecast) > cost(linear->forecast) + trees_within_reach) {
          continue;
        }
        break;
      }
      running_drivers = turns[now];
      if (may_anneal_lines() && may(running_drivers)) break;
    }
    hot = turn / (turns.size() + 1) % 2 == 0 ? 0.5 : 1.5;
    if (on_tree) {
      if (!tree_chain) tree_chain.emplace(graph, random());
      tree_chain->start(tree_order, tree_inlined);
      hot /= 2;
    } else {
      offer_thin_lines(running_drivers);
      std::optional<LinearAnnealing>& chain = chains[static_cast<std::size_t>(running_drivers)];
      if (!chain) chain.emplace(graph, running_drivers, random());
      chain->start(start_of(running_drivers));
    }
    planned = chain_seconds;
    done = 0;
    running = true;
  }

  void improve(double seconds, const StopSignal& stop) {
    if (may_trees() && !trees_started) {
      // Saved up where a call gives less than these starts take.
      saved += seconds;
      const double price =
          seconds_a_tree_start * static_cast<double>(graph.classes() + graph.neighbour.size());
      if (saved < price) return;
      seconds = saved - price;
      start_trees(price);
      trees_started = true;
    }
    if (!searches()) return;
    while (seconds > 1e-6) {
      stop.check();
      if (!running) next_chain();
      const double slice = std::min(seconds, planned - done);
      const auto temperature = [&](double at) { return hot * std::pow(cold / hot, at / planned); };
      const double from = temperature(done);
      const double to = temperature(done + slice);
      if (on_tree) {
        const double moves = slice * nominal_classes / (price_of_width(*tree) * graph.classes());
        tree_chain->run(from, to, 1 + static_cast<std::uint64_t>(moves), stop);
      } else {
        chains[static_cast<std::size_t>(running_drivers)]->run(
            from, to, static_cast<std::uint64_t>(slice * nominal_speed), stop);
      }
      done += slice;
      seconds -= slice;
      running = done < planned;
      if (running && seconds > 1e-6) continue;
      if (on_tree) {
        offer_tree(tree_chain->best());
      } else {
        offer_sequence(running_drivers, chains[static_cast<std::size_t>(running_drivers)]->best());
      }
    }
  }

  struct Line {
    std::vector<Index> sequence;
    double log2_cost = std::numeric_limits<double>::infinity();
  };

  ClassGraph graph;
  OrderKind kind;
  StatesAllowed allowed;
  std::mt19937_64 random;
  std::array<Line, 3> lines;  // by Drivers
  std::optional<Candidate> linear;
  std::optional<Candidate> tree;
  std::vector<Index> tree_order;
  Index tree_inlined = 1;
  bool trees_started = false;
  double saved = 0;  // seconds given while they were not
  EliminationForecast shown;
  EliminationForecast shares{};  // log2 of estimate / bound, as sampled last

  std::vector<std::unique_ptr<State>> others;  // of the other threads

  std::array<std::optional<LinearAnnealing>, 3> chains;
  std::optional<TreeAnnealing> tree_chain;
  bool on_tree = false;                    // the running chain
  Drivers running_drivers = Drivers::all;  // of the running chain
  std::uint64_t turn = 0;
  double chain_seconds = first_chain_seconds;
  double planned = 0;
  double done = 0;
  double hot = 1;
  bool running = false;
};

OrderSearch::OrderSearch(ClassGraph graph, std::uint64_t seed, OrderKind kind, const StatesAllowed& allowed)
    : state_(std::make_unique<State>(std::move(graph), seed, kind, allowed)) {}
OrderSearch::~OrderSearch() = default;
OrderSearch::OrderSearch(OrderSearch&&) noexcept = default;
OrderSearch& OrderSearch::operator=(OrderSearch&&) noexcept = default;

bool OrderSearch::improve(double seconds, const StopSignal& stop, int threads) {
  if (!improvable()) return false;
  const double before = state_->cost(state_->best().forecast);
  state_->improve(seconds, stop, static_cast<std::size_t>(std::max(threads, 1)));
  const double after = state_->cost(state_->best().forecast);
  if (after < before) state_->show();
  return after < before;
}
bool OrderSearch::improvable() const {
  return state_->searches();
}
void OrderSearch::sample(double seconds, const StopSignal& stop) {
  state_->sample(seconds, stop);
}

const ClassGraph& OrderSearch::graph() const {
  return state_->graph;
}
const Elimination& OrderSearch::best() const {
  return state_->best().elimination;
}
const EliminationForecast& OrderSearch::forecast() const {
  return state_->shown;
}
const Elimination& OrderSearch::best_linear() const {
  return state_->linear->elimination;
}
const EliminationForecast& OrderSearch::linear_forecast() const {
  return state_->linear->forecast;
}

}  // namespace countpm
