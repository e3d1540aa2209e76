#pragma once
// The questions of ask.cpp: each asks the library, and hands back what compares the answer with the oracle's.
#include <functional>
#include <optional>
#include <string>

#include "src/library/countpm.hpp"
#include "tests/products/generator/ask.hpp"
#include "tests/products/generator/judge.hpp"
#include "tests/products/generator/refusals.hpp"
#include "tests/products/generator/written.hpp"

namespace countpm::products {

/// Not judged: samples, or more than the oracle does.
struct Unjudged {
  std::string why;
};

class Asking {
 public:
  explicit Asking(const Product& product);
  Outcome run();

 private:
  /// Asks the oracle, once the library has answered.
  using Judge = std::function<Fault()>;

  Judge answer(Outcome& outcome);

  // asking_counts.cpp
  Judge count(Outcome& outcome);
  Judge judge_result(CountResult result, Outcome& outcome);
  void note_methods(const CountResult& result, Outcome& outcome) const;
  void verify(const CountResult& result, const Source& source, const ReadOptions& reading) const;
  Judge determinant();
  Judge orbits();
  Judge minors();
  Judge probability();
  Judge series();

  // asking_edges.cpp
  Judge marginals();
  template <class Probabilities>
  Judge judge_marginals(Probabilities result);
  Judge pairs();
  Judge list();
  Judge orbit_list();
  Judge kekule();

  // asking_estimates.cpp
  Judge ratio();
  Judge integral();
  Judge signed_sum();
  Judge estimate();
  Judge ln_z();
  Judge bounds();
  Judge count_or_bounds(Outcome& outcome);

  /// Of a refusal.
  void refused(Outcome& outcome, const std::string& what);
  Fault judge_claim(Claim claim);
  Judge judge_of(Value value);
  Input input(bool other = false) const { return input_of(instance_, product_, other); }
  ReadResult read(bool other = false) const;
  bool floating() const { return instance_.floating; }
  const Truth& truth();
  /// For functions that have no emulated GPUs.
  Options plain_options() const;

  const Product product_;
  const Instance instance_;
  const CountOptions options_;
  std::optional<Truth> truth_;
};

}  // namespace countpm::products
