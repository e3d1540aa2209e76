#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "src/count/determinant.hpp"
#include "src/count/minors.hpp"
#include "src/count/orbit_count.hpp"
#include "src/count/outcome_probability.hpp"
#include "src/verify/verify_result.hpp"
#include "tests/products/generator/asking.hpp"

namespace countpm::products {

void Asking::note_methods(const CountResult& result, Outcome& outcome) const {
  outcome.method = result.method;
  for (const BlockReport& block : result.blocks) {
    const std::size_t place = block.arithmetic.find(" primes");
    if (place == std::string::npos || place == 0) continue;
    std::size_t first = place;
    while (first > 0 && block.arithmetic[first - 1] >= '0' && block.arithmetic[first - 1] <= '9') --first;
    outcome.residues = std::max(outcome.residues, std::atoi(block.arithmetic.c_str() + first));
  }
}

Asking::Judge Asking::judge_result(CountResult result, Outcome& outcome) {
  note_methods(result, outcome);
  return [this, result = std::move(result)] { return judge_count(truth(), result, product_, instance_); };
}

Asking::Judge Asking::count(Outcome& outcome) {
  if (product_.check() != Check::verify) return judge_result(countpm::count(read(), options_), outcome);
  if (product_.form() == Form::edge_view || product_.form() == Form::sparse_view)
    return judge_result(countpm::count(read(), options_), outcome);
  const Source source = source_of(instance_, product_);
  ReadOptions reading = reading_of(instance_, product_);
  reading.hash = true;
  CountResult result = countpm::count(source, reading, options_);
  verify(result, source, reading);
  return judge_result(std::move(result), outcome);
}

void Asking::verify(const CountResult& result, const Source& source, const ReadOptions& reading) const {
  static std::atomic<std::uint64_t> number{0};
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() /
      ("countpm-product-" + std::to_string(getpid()) + "-" + std::to_string(++number) + ".json");
  std::ofstream(file) << json_text(result) << "\n";
  try {
    CountOptions own = options_;
    own.recheck = false;
    own.device = "cpu";  // it asks for no device
    own.gpus = own.emulated_gpus = 0;
    const VerifyReport report = verify_result(read_stored_result(file.string()), source, reading, own);
    std::filesystem::remove(file);
    if (!report.refuted()) return;
    for (const VerificationStep& step : report.steps)
      if (step.verdict == Verdict::refuted)
        throw CheckError("verify refutes: " + step.name + ": " + step.detail);
  } catch (...) {
    std::filesystem::remove(file);
    throw;
  }
}

Asking::Judge Asking::determinant() {
  const bool pfaffian = product_.question() == Question::pfaffian;
  Value value =
      pfaffian ? countpm::pfaffian(input(), plain_options()) : countpm::determinant(input(), plain_options());
  return [this, pfaffian, value = std::move(value)] {
    return judge_value(pfaffian ? truth().pfaffian() : truth().determinant(), value, floating());
  };
}

Asking::Judge Asking::orbits() {
  OrbitCount result = countpm::count_orbits(read(), options_);
  return [this, result = std::move(result)]() -> Fault {
    const auto right = truth().orbits();
    if (!right) throw Unjudged{"too many symmetries for the oracle"};
    const Fault fault = judge_value(right->orbits, result.orbits, false);
    return fault.empty() ? judge_text(right->matchings, result.matchings, "", false) : fault;
  };
}

Asking::Judge Asking::minors() {
  const bool rectangle = product_.question() == Question::minors_of_rectangle;
  const bool view = product_.form() == Form::edge_view || product_.form() == Form::sparse_view;
  if (view) {
    std::vector<Value> values = countpm::minors(read(), options_);
    return [this, values = std::move(values)]() -> Fault {
      const bool rows = truth().clean().left > truth().clean().right;
      for (std::size_t k = 0; k < values.size(); ++k) {
        const int line = static_cast<int>(k);
        const Fault fault = judge_value(
            truth().permanent_without(rows ? line : -1, rows ? -1 : line).at_one(), values[k], floating());
        if (!fault.empty() && !fault.starts_with("no digit"))
          return "line " + std::to_string(k) + ": " + fault;
      }
      return {};
    };
  }
  std::optional<std::string> column;
  if (!rectangle && instance_.column >= 0)
    column = (instance_.kind == Kind::bipartite
                  ? instance_.right_label
                  : instance_.left_label)[static_cast<std::size_t>(instance_.column)];
  Minors result =
      countpm::minors(source_of(instance_, product_), reading_of(instance_, product_), column, options_);
  return [this, column, result = std::move(result)]() -> Fault {
    const bool bipartite = truth().clean().kind == Kind::bipartite;
    const int without = column ? truth().place(*column, bipartite) : -1;
    for (const Minor& minor : result.minors) {
      const int line = truth().place(minor.label, bipartite && !result.rows);
      if (line < 0) return "no line " + minor.label;
      const Complex right =
          truth().permanent_without(result.rows ? line : -1, result.rows ? without : line).at_one();
      const Fault fault = judge_value(right, minor.value, floating());
      if (!fault.empty() && !fault.starts_with("no digit")) return "without " + minor.label + ": " + fault;
    }
    return {};
  };
}

Asking::Judge Asking::probability() {
  Photons photons;
  photons.in = instance_.columns;
  photons.out = instance_.rows;
  OutcomeProbability result = countpm::outcome_probability(read(), photons, options_);
  return [this, result = std::move(result)] {
    // Where all of it cancels, the error exceeds the probability, as is said there.
    Fault fault = judge_value(truth().probability(), result.value, floating());
    return fault.starts_with("no digit") ? Fault() : fault;
  };
}

Asking::Judge Asking::series() {
  const std::vector<Input> inputs{input(), Input(Source::from_argument("lattice:square:2x2"), {}), input()};
  std::size_t next = 0;
  std::vector<EachResult> results;
  countpm::count_many(
      [&]() -> std::optional<Input> {
        return next < inputs.size() ? std::optional(inputs[next++]) : std::nullopt;
      },
      [&](std::uint64_t, EachResult result) {
        results.push_back(std::move(result));
        return true;
      },
      plain_options());
  if (results.size() != inputs.size()) throw CheckError("series: some results are missing");
  for (const EachResult& result : results)
    if (const auto* failure = std::get_if<std::exception_ptr>(&result)) std::rethrow_exception(*failure);
  return [this, results = std::move(results)]() -> Fault {
    const Fault between = judge_value({2, 0}, std::get<CountResult>(results[1]).value, false);
    if (!between.empty()) return "the second of the series: " + between;
    const Fault first = judge_count(truth(), std::get<CountResult>(results[0]), product_, instance_);
    return first.empty() ? judge_count(truth(), std::get<CountResult>(results[2]), product_, instance_)
                         : first;
  };
}

}  // namespace countpm::products
