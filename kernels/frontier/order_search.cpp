#include "kernels/frontier/order_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "kernels/frontier/linear_annealing.hpp"
#include "kernels/frontier/linear_order.hpp"

namespace countpm {
namespace {

// Word operations a second that the annealers count as one second.
constexpr double nominal_speed = 1e9;
// Chains: the first ones are this long (in nominal seconds), each round's longer by the factor.
constexpr double first_chain_seconds = 0.004;
constexpr double chain_growth = 2;
constexpr double longest_chain_seconds = 4;
constexpr double cold = 0.03;

struct Candidate {
  Elimination elimination;
  EliminationForecast forecast;
};

double cost(const EliminationForecast& forecast) {
  return forecast.log2_transitions;
}

}  // namespace

struct OrderSearch::State {
  State(ClassGraph graph_in, std::uint64_t seed, OrderKind kind_in)
      : graph(std::move(graph_in)), kind(kind_in), random(seed) {
    start();
  }

  bool sided() const { return !graph.general; }
  bool may(Drivers drivers) const {
    if (drivers == Drivers::all) return !sided() || (kind != OrderKind::rows && kind != OrderKind::columns);
    if (!sided()) return false;
    return drivers == Drivers::rows ? kind != OrderKind::columns : kind != OrderKind::rows;
  }

  /// The greedy starts. Large graphs get fewer: each is O(entries).
  void start() {
    const Index classes = graph.classes();
    const std::uint64_t size = classes + graph.neighbour.size();
    const int tries = size < 20000 ? 8 : size < 200000 ? 2 : 1;
    for (const Drivers drivers : {Drivers::rows, Drivers::columns, Drivers::all}) {
      if (!may(drivers)) continue;
      offer_sequence(drivers, first_of(drivers, 0));
      for (int attempt = 0; attempt < tries && classes > 0; ++attempt) {
        const Index from = static_cast<Index>(random() % classes);
        const Index first = attempt % 2 == 0 ? far_class(graph, from) : from;
        if (attempt < 2) offer_sequence(drivers, level_sequence(graph, drivers, first));
        for (const TieRule ties : {TieRule::oldest, TieRule::newest, TieRule::random}) {
          offer_sequence(drivers, greedy_sequence(graph, drivers, ties, first, random()));
        }
      }
    }
  }

  /// The drivers in their own order: what a matrix with a narrow band wants.
  std::vector<Index> first_of(Drivers drivers, Index) const {
    std::vector<Index> sequence;
    for (Index v = 0; v < graph.classes(); ++v) {
      if (drives(graph, drivers, v)) sequence.push_back(v);
    }
    return sequence;
  }

  void offer_sequence(Drivers drivers, std::vector<Index> sequence) {
    Candidate candidate;
    candidate.elimination = linear_elimination(graph, sequence);
    candidate.forecast = forecast_elimination(graph, candidate.elimination);
    const double log2_cost = cost(candidate.forecast);
    Line& line = lines[static_cast<std::size_t>(drivers)];
    if (log2_cost < line.log2_cost) {
      line.log2_cost = log2_cost;
      line.sequence = std::move(sequence);
    }
    if (!linear || log2_cost < cost(linear->forecast)) linear = std::move(candidate);
  }

  const Candidate& best() const {
    return tree && cost(tree->forecast) < cost(linear->forecast) ? *tree : *linear;
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

  bool searches() const {
    return kind != OrderKind::greedy && kind != OrderKind::nested_dissection && graph.classes() > 2 &&
           graph.classes() <= LinearAnnealing::most_classes;
  }

  /// The next chain of the round-robin.
  void next_chain() {
    constexpr std::array<Drivers, 4> turns{Drivers::rows, Drivers::columns, Drivers::all, Drivers::all};
    do {
      running_drivers = turns[turn % turns.size()];
      ++turn;
      if (turn % turns.size() == 0) {
        chain_seconds = std::min(chain_seconds * chain_growth, longest_chain_seconds);
      }
    } while (!may(running_drivers));
    std::optional<LinearAnnealing>& chain = chains[static_cast<std::size_t>(running_drivers)];
    if (!chain) chain.emplace(graph, running_drivers, random());
    chain->start(start_of(running_drivers));
    hot = turn % 8 < 4 ? 0.5 : 1.5;
    planned = chain_seconds;
    done = 0;
    running = true;
  }

  void improve(double seconds, const StopSignal& stop) {
    while (seconds > 1e-6) {
      stop.check();
      if (!running) next_chain();
      LinearAnnealing& chain = *chains[static_cast<std::size_t>(running_drivers)];
      const double slice = std::min(seconds, planned - done);
      const auto temperature = [&](double at) { return hot * std::pow(cold / hot, at / planned); };
      chain.run(temperature(done), temperature(done + slice),
                static_cast<std::uint64_t>(slice * nominal_speed), stop);
      done += slice;
      seconds -= slice;
      if (done < planned && seconds > 1e-6) continue;
      offer_sequence(running_drivers, chain.best());
      if (done >= planned) running = false;
    }
  }

  struct Line {
    std::vector<Index> sequence;
    double log2_cost = std::numeric_limits<double>::infinity();
  };

  ClassGraph graph;
  OrderKind kind;
  std::mt19937_64 random;
  std::array<Line, 3> lines;  // by Drivers
  std::optional<Candidate> linear;
  std::optional<Candidate> tree;

  std::array<std::optional<LinearAnnealing>, 3> chains;
  Drivers running_drivers = Drivers::all;  // of the running chain
  std::uint64_t turn = 0;
  double chain_seconds = first_chain_seconds;
  double planned = 0;
  double done = 0;
  double hot = 1;
  bool running = false;
};

OrderSearch::OrderSearch(ClassGraph graph, std::uint64_t seed, OrderKind kind)
    : state_(std::make_unique<State>(std::move(graph), seed, kind)) {}
OrderSearch::~OrderSearch() = default;
OrderSearch::OrderSearch(OrderSearch&&) noexcept = default;
OrderSearch& OrderSearch::operator=(OrderSearch&&) noexcept = default;

bool OrderSearch::improve(double seconds, const StopSignal& stop) {
  if (!improvable()) return false;
  const double before = cost(forecast());
  state_->improve(seconds, stop);
  return cost(forecast()) < before;
}
bool OrderSearch::improvable() const {
  return state_->searches();
}
void OrderSearch::sample(double, const StopSignal&) {}

const ClassGraph& OrderSearch::graph() const {
  return state_->graph;
}
const Elimination& OrderSearch::best() const {
  return state_->best().elimination;
}
const EliminationForecast& OrderSearch::forecast() const {
  return state_->best().forecast;
}
const Elimination& OrderSearch::best_linear() const {
  return state_->linear->elimination;
}
const EliminationForecast& OrderSearch::linear_forecast() const {
  return state_->linear->forecast;
}

}  // namespace countpm
