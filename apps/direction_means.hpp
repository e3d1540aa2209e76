#pragma once
// Of a lattice: how many dimers of each direction a random perfect matching has on average.
#include <gmpxx.h>

#include <optional>
#include <string>
#include <vector>

#include "apps/options.hpp"
#include "graph/lattices/lattice.hpp"
#include "src/report/json.hpp"

namespace countpm::app {

class DirectionMeans {
 public:
  /// Of the request's lattice; of other inputs there is nothing to say.
  explicit DirectionMeans(const Request& request);

  /// Every edge of the input, in its order, which is the lattice's less what was removed.
  void take(const EdgeProbability& edge);
  /// On standard error, where a report is wanted.
  void report() const;
  /// Empty where there is nothing to say.
  std::optional<std::vector<DirectionMean>> means() const;

 private:
  struct Direction {
    std::string name;
    std::uint64_t edges = 0;
    mpq_class exact = 0;
    double rounded = 0;
  };

  std::string mean_of(const Direction& direction) const;

  const Request& request_;
  Graph lattice_;
  std::vector<std::uint8_t> direction_of_;
  std::size_t next_ = 0;  // edge of the lattice
  std::vector<Direction> directions_;
};

}  // namespace countpm::app
