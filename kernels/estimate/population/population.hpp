#pragma once
// A sample as a whole population of partial matchings: dynamic programming over the frontier of used columns
// in which at most so many states stay alive, the others dropped at random without a bias.
//
// All states have the same rows done. A step lets every state take each column that its row may take; states
// with the same used columns become one. A state carries its priority g = (sum over the partial matchings
// that lead there of their weights) * h (PopulationPlan), so that after the last row, where h = 1, the one
// state left has the sample. Where more than N states are there, those of g >= c stay as they are, any other
// stays with probability g / c and has g = c then, c such that N stay: E[g] is unchanged, whatever h is, and
// no other choice with N states has a smaller variance of the total. Systematic sampling decides, over states
// in the order of their parents, so that of similar states about the right share stays (resample.hpp). With N
// states or fewer throughout, the sample is the permanent.
//
// P. Fearnhead, P. Clifford, On-line inference for hidden Markov models via particle filters, J. R. Statist.
// Soc. B 65 (2003); P. Del Moral, A. Doucet, A. Jasra, Sequential Monte Carlo samplers, J. R. Statist. Soc. B
// 68 (2006).
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/arithmetic/counter_random.hpp"
#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/population/plan.hpp"
#include "kernels/method.hpp"

namespace countpm {

/// The most live columns that a population's states have bits for.
inline constexpr std::uint32_t most_population_width = 65536;
inline constexpr std::uint32_t most_population = 1 << 20;

/// Bytes of one PopulationWalk, at most.
std::uint64_t population_bytes(const PopulationPlan& plan, std::uint32_t members);

/// How much longer a state of the plan's many columns takes than one of 64 columns.
double population_price(const PopulationPlan& plan);

/// The most members whose sample takes some 50 ms (2^21 children of states of one word, about); from 16 to
/// largest_affordable.
inline constexpr std::uint32_t largest_affordable = 1 << 14;
std::uint32_t affordable_population(const PopulationPlan& plan);

/// UnableError: a state's priority is no double any more.
[[noreturn]] void refuse_population_weights();

/// Some of the states before each step, and their priorities.
struct PopulationTrace {
  std::size_t most_states = 0;  // that are recorded of a step
  std::uint32_t words = 0;      // of a set of used columns
  std::vector<std::vector<std::uint64_t>> sets;
  std::vector<std::vector<double>> priority;
};

/// Draws samples one after the other. Not thread-safe: one for each thread.
class PopulationWalk {
 public:
  virtual ~PopulationWalk() = default;
  /// A sample: the mantissa is 0 where every state met a dead end. O(members * entries) time. Throws Stopped;
  /// UnableError where weights leave the range of doubles.
  virtual Scaled draw(CounterRandom& random, const StopSignal& stop) = 0;
  /// The same, and what it went through: into `trace`, but for most_states.
  virtual Scaled record(CounterRandom& random, const StopSignal& stop, PopulationTrace& trace) = 0;
};
/// Precondition: 1 <= members <= most_population, plan.width <= most_population_width.
std::unique_ptr<PopulationWalk> make_population_walk(const PopulationPlan& plan, std::uint32_t members);

}  // namespace countpm
