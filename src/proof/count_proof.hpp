#pragma once
// The proof of a count: what it takes is known before counting, and it is made when the number is there.
#include <memory>
#include <string>

#include "graph/graph.hpp"
#include "src/api/entries.hpp"
#include "src/proof/statement.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

class CountProof {
 public:
  /// Searches for an order, and looks how large its tables are. Throws UnableError for what has no proof
  /// (statement_of()).
  CountProof(const Graph& graph, const InputInfo& input, const CountOptions& options, Monitor& monitor);
  ~CountProof();
  CountProof(const CountProof&) = delete;
  CountProof& operator=(const CountProof&) = delete;

  const ProofForecast& forecast() const { return forecast_; }
  /// Throws UnableError where the limits do not allow what is forecast, after a count of so many seconds.
  void require_within_limits(double count_seconds = 0) const;

  /// The file. Throws CheckError where the sum modulo the proof's prime is another one than the count.
  std::string of(const CountResult& result);

 private:
  struct Parts;
  const CountOptions& options_;
  Monitor& monitor_;
  ProofForecast forecast_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace countpm
