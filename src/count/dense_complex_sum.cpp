#include "src/count/dense_complex_sum.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "graph/errors.hpp"
#include "graph/first_failure.hpp"
#include "kernels/arithmetic/ball.hpp"
#include "kernels/least_seconds.hpp"
#include "kernels/method.hpp"
#include "src/machine/resources.hpp"
#include "src/machine/startable_threads.hpp"
#include "src/number/choose_arithmetic.hpp"
#include "src/structure/balance.hpp"

namespace countpm {
namespace {

constexpr std::size_t most_lines = 32;
// The rest of a count takes 3 to 6 ms of CPU time beside its sums, up to 30 rows, in part on one thread: a
// tenth of a permanent of 24 rows. AMD EPYC (Zen 4), 2026-11-26.
constexpr double most_seconds_at_once = 0.08;
// Scaling takes half a millisecond at 24 rows, and halves the bound on the error.
constexpr double least_seconds_to_scale = 0.01;

/// Every place of the matrix with its weight; null where there is none.
using Places = std::vector<const ComplexRational*>;

/// Empty where an edge is missing, of a matrix or between different vertices.
std::optional<Places> dense_places(const Graph& graph, std::size_t lines) {
  const auto* const weights = std::get_if<std::vector<ComplexRational>>(&graph.values);
  if (weights == nullptr) return std::nullopt;
  const bool symmetric = graph.kind == GraphKind::undirected;
  if (graph.edges.size() < (symmetric ? lines * (lines - 1) / 2 : lines * lines)) return std::nullopt;
  Places places(lines * lines, nullptr);
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const Edge& edge = graph.edges[k];
    places[edge.from * lines + edge.to] = &(*weights)[k];
    if (symmetric) places[edge.to * lines + edge.from] = &(*weights)[k];
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (places[k] == nullptr && !(symmetric && k % (lines + 1) == 0)) return std::nullopt;
  }
  return places;
}

/// Whether the columns' largest weights are within a factor of 16.
bool columns_are_alike(const Places& places, std::size_t lines) {
  constexpr double log2_alike = 4;
  double least = 0;
  double most = 0;
  for (std::size_t column = 0; column < lines; ++column) {
    double largest = 0;
    for (std::size_t row = 0; row < lines; ++row) {
      const ComplexRational& weight = *places[row * lines + column];
      largest = std::max({largest, std::abs(weight.re.get_d()), std::abs(weight.im.get_d())});
    }
    if (!(largest > 0)) return false;  // beyond the range of doubles
    const double size = std::log2(largest);
    least = column == 0 ? size : std::min(least, size);
    most = column == 0 ? size : std::max(most, size);
  }
  return std::isfinite(least) && std::isfinite(most) && most - least <= log2_alike;
}

AnyBlock dense_block(const Graph& graph, const Places& places, std::size_t lines) {
  Block<ComplexRational> block;
  block.general = graph.kind == GraphKind::undirected;
  block.monomers = graph.monomers;
  block.matrix.rows = block.matrix.columns = static_cast<Index>(lines);
  block.matrix.value.reserve(places.size());
  block.matrix.column.reserve(places.size());
  for (std::size_t row = 0; row < lines; ++row) {
    for (std::size_t column = 0; column < lines; ++column) {
      const ComplexRational* const weight = places[row * lines + column];
      if (weight == nullptr) continue;
      block.matrix.column.push_back(static_cast<Index>(column));
      block.matrix.value.push_back(*weight);
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

double nominal_seconds(const Job& job) {
  return std::exp2(job.log2_work()) / job.nominal_rate();
}

/// Of the methods that are set up at once the first that would be done in time.
std::unique_ptr<Job> quick_job(const AnyBlock& block, std::size_t lines, const Arithmetic& arithmetic) {
  constexpr double at_once = 0.0003;
  for (const Method* const method : exact_methods()) {
    const MethodTraits traits = method->traits();
    const bool suits = is_general(block) ? method->counts_general_graphs() &&
                                               (!has_monomers(block) || method->counts_monomers()) &&
                                               (!traits.for_tiny_graphs || lines <= tiny_rows)
                                         : traits.for_tiny_matrices;
    if (!suits || method->setup_seconds() > at_once) continue;
    if (least_seconds(*method, block) > most_seconds_at_once || method->obstacle(block, arithmetic)) continue;
    std::unique_ptr<Job> job = method->make_job(block, arithmetic, {});
    if (nominal_seconds(*job) <= most_seconds_at_once) return job;
  }
  return nullptr;
}

/// All units, on as many threads as start; their sum does not depend on that.
Ball sum_of_units(const Job& job, const Arithmetic& arithmetic, int threads) {
  const std::uint64_t units = job.units();
  std::vector<Partial> parts(units);
  std::atomic<std::uint64_t> next{0};
  FirstFailure failure;
  const StopSignal never;
  const auto work = [&] {
    failure.guard([&] {
      for (std::uint64_t unit = next.fetch_add(1); unit < units; unit = next.fetch_add(1))
        parts[unit] = job.run(unit, never);
    });
  };
  const std::uint64_t wanted = std::min(static_cast<std::uint64_t>(threads), units) - 1;
  std::vector<std::thread> others;
  others.reserve(wanted);
  try {
    while (others.size() < wanted) others.push_back(start_thread(work));
  } catch (const UnableError&) {
    // Those that have started do everything, then.
  }
  work();
  for (std::thread& other : others) other.join();
  failure.rethrow();
  Partial sum = zero(arithmetic);
  for (const Partial& part : parts) add(sum, part, arithmetic);
  return std::get<Ball>(std::move(sum));
}

}  // namespace

std::optional<Number> dense_complex_sum(const Graph& graph, const Options& options) {
  const std::size_t lines = graph.left_labels.size();
  const bool symmetric = graph.kind == GraphKind::undirected;
  if (graph.kind == GraphKind::directed || lines == 0 || lines > most_lines || graph.covers)
    return std::nullopt;
  if (symmetric ? lines % 2 != 0 && !graph.monomers : graph.right_labels.size() != lines) return std::nullopt;
  const std::optional<Places> places = dense_places(graph, lines);
  if (!places || (!symmetric && !columns_are_alike(*places, lines))) return std::nullopt;
  ReducedBlock block{{}, mpq_class(1), {dense_block(graph, *places, lines)}};
  const Arithmetic arithmetic = floating_arithmetic({});
  std::unique_ptr<Job> job = quick_job(block.reduced.front(), lines, arithmetic);
  if (job && nominal_seconds(*job) >= least_seconds_to_scale) {
    balance(block);
    job = quick_job(block.reduced.front(), lines, arithmetic);
  }
  if (!job) return std::nullopt;
  Ball sum = sum_of_units(*job, arithmetic, job->units() > 1 ? wanted_threads(options) : 1);
  multiply(sum, ball_from(std::get<mpq_class>(block.factor), ball_bits(arithmetic)));
  Number number = std::move(sum);
  if (!is_certain(number)) return std::nullopt;
  return number;
}

}  // namespace countpm
