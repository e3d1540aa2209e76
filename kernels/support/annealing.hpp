#pragma once
// Simulated annealing (S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, Science 220 (1983) 671), for the
// searches of orders: geometric cooling, Metropolis' rule.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/arithmetic/uniform.hpp"

namespace countpm {

/// From one temperature to another, geometrically. Temperatures are in the energies' own unit.
struct Cooling {
  double hot = 1;
  double cold = 1;
  /// done: the share of the run, 0 .. 1.
  double at(double done) const { return hot * std::pow(cold / hot, done); }
};

/// The element at `from` goes to `to`, those between move up or down by one.
template <class T>
void move_element(std::vector<T>& order, std::size_t from, std::size_t to) {
  const auto at = [&](std::size_t k) { return order.begin() + static_cast<std::ptrdiff_t>(k); };
  if (from < to) {
    std::rotate(at(from), at(from) + 1, at(to) + 1);
  } else {
    std::rotate(at(to), at(from), at(from) + 1);
  }
}

/// `moves` moves of one chain that begins with `energy`. propose() changes the state and yields its energy,
/// or nothing where it has changed nothing; infinity is never taken. Then either undo() or keep(energy) is
/// called, keep() always where the energy does not rise. It ends early where go_on() is false.
template <class Random, class GoOn, class Propose, class Undo, class Keep>
void anneal(std::uint64_t moves, Cooling cooling, double energy, Random& random, GoOn go_on, Propose propose,
            Undo undo, Keep keep) {
  for (std::uint64_t move = 0; move < moves && go_on(); ++move) {
    const std::optional<double> proposed = propose();
    if (!proposed) continue;
    const double temperature = cooling.at(static_cast<double>(move) / static_cast<double>(moves));
    const double uniform = unit_interval(random());
    if (*proposed > energy && uniform >= std::exp((energy - *proposed) / temperature)) {
      undo();
      continue;
    }
    energy = *proposed;
    keep(energy);
  }
}

}  // namespace countpm
