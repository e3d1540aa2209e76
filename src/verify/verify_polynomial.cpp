#include "src/verify/verify_polynomial.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "graph/letters.hpp"
#include "graph/text.hpp"
#include "graph/weight_values.hpp"
#include "src/count/planned_count.hpp"
#include "src/verify/conclusion.hpp"
#include "src/verify/second_count.hpp"

namespace countpm {
namespace {

constexpr const char* counted_again = "counted again";

/// Integers modulo a prime of 61 bits.
class Field {
 public:
  explicit Field(std::uint64_t prime) : prime_(static_cast<std::uint64_t>(prime)) {}

  mpz_class of(const mpq_class& value) const {
    const mpz_class product = value.get_num() * inverse(value.get_den());
    return reduced(product);
  }
  mpz_class reduced(const mpz_class& value) const {
    mpz_class result;
    mpz_mod(result.get_mpz_t(), value.get_mpz_t(), prime_.get_mpz_t());
    return result;
  }
  /// Of what is not 0.
  mpz_class power(const mpz_class& base, std::int64_t exponent) const {
    mpz_class result;
    const mpz_class steps = static_cast<std::int64_t>(exponent);
    mpz_powm(result.get_mpz_t(), base.get_mpz_t(), steps.get_mpz_t(), prime_.get_mpz_t());
    return result;
  }
  /// From 2 on.
  mpz_class random() const {
    std::random_device random;
    const std::uint64_t drawn = std::uint64_t{random()} << 32U | random();
    return reduced(mpz_class(static_cast<std::uint64_t>(drawn)) % (prime_ - 2)) + 2;
  }

 private:
  mpz_class inverse(const mpz_class& value) const {
    if (value == 1) return value;
    mpz_class result;
    // A prime that divides a denominator is drawn once in 2^50 times, and then nothing can be said.
    if (mpz_invert(result.get_mpz_t(), value.get_mpz_t(), prime_.get_mpz_t()) == 0)
      throw UnableError("the prime that was drawn divides a denominator", "verify again");
    return result;
  }

  mpz_class prime_;
};

/// What stands for the letters.
struct PointValues {
  std::string letters;
  std::vector<mpz_class> value;
};

std::string text_of(const PointValues& point) {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < point.letters.size(); ++k)
    texts.push_back(fmt::format("{} = {}", point.letters[k], point.value[k].get_str()));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// The letters of the polynomial that the input has; empty where it has none.
std::string letters_of(const Graph& graph) {
  if (graph.letters) return graph.letters->letters;
  if (graph.letter_bits == 0) return "";
  return graph.covers ? "x" : "t";
}

/// Whether the letter, which all vertices or all tiles have, is the edge's weight.
bool has_common_letter(const Graph& graph, const Edge& edge) {
  if (graph.letter_bits == 0) return false;
  if (!graph.covers) return edge.from == edge.to;
  const Index first_tile = graph.left_labels.size() - graph.tiles;
  return edge.from >= first_tile || edge.to >= first_tile;
}

/// The graph whose count is the polynomial's value there, modulo the prime: its weights are residues.
Graph graph_at(const Graph& graph, const PointValues& point, const Field& field) {
  Graph result = graph;
  std::vector<std::int64_t> residues;
  residues.reserve(graph.edges.size());
  const auto* const places = graph.letters ? std::get_if<std::vector<std::int64_t>>(&graph.values) : nullptr;
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    mpz_class residue = 1;
    if (graph.letters) {
      const Monomial& weight = graph.letters->weight[places == nullptr ? 1 : (*places)[k]];
      residue = field.of(weight.coefficient);
      for (std::size_t l = 0; l < point.value.size(); ++l)
        residue = field.reduced(residue * field.power(point.value[l], weight.exponent[l]));
    } else {
      residue = has_common_letter(graph, graph.edges[k]) ? point.value.front()
                                                         : field.of(exact_value(graph.values, k));
    }
    if (residue == 0) throw UnableError("the prime that was drawn divides a weight", "verify again");
    residues.push_back(residue.get_si());
  }
  result.values = std::move(residues);
  result.weight_kind = WeightKind::integer;
  result.letters = nullptr;
  result.letter_bits = 0;
  return result;
}

class PolynomialVerification {
 public:
  PolynomialVerification(const StoredResult& stored, const ReadResult& read, const CountOptions& options,
                         Monitor& monitor, VerifyReport& report)
      : stored_(stored),
        read_(read),
        options_(options),
        monitor_(monitor),
        report_(report),
        prime_{random_prime(), 0},
        field_(prime_.prime) {}

  void run() {
    require_same_letters();
    report_.how = not_counted_anew;
    if (!check_sum()) return;
    for (std::size_t k = 0; k < point_.letters.size(); ++k) point_.value.push_back(field_.random());
    Stopwatch watch;
    ReducedCount count =
        reduce_count(graph_at(read_.graph, point_, field_), read_.info, options_, watch, monitor_);
    if (count.result.violator) {
      check_nothing();
    } else {
      say("structure", Verdict::proved, structure_text(count.result.problem, count.result.matched));
      check_point(count);
    }
  }

 private:
  void say(const std::string& name, Verdict verdict, const std::string& detail) {
    report_.steps.push_back({name, verdict, detail});
  }
  void conclude(Extent extent, const std::string& how) {
    report_.extent = extent;
    report_.how = how;
  }

  void require_same_letters() {
    point_.letters = letters_of(read_.graph);
    const std::string claimed = stored_.polynomial ? stored_.polynomial->variables : point_.letters;
    const bool by_list = !stored_.polynomial;
    if (point_.letters.empty() || by_list != (read_.graph.letters == nullptr) || claimed != point_.letters) {
      throw InputError(
          stored_.file, 0,
          point_.letters.empty() ? std::string("a number, which is what the options in it ask for")
                                 : fmt::format("a polynomial in {}", spaced(point_.letters)),
          by_list ? std::string("a list of coefficients") : fmt::format("one in {}", spaced(claimed)));
    }
  }
  static std::string spaced(const std::string& letters) {
    std::vector<std::string> each;
    for (const char letter : letters) each.emplace_back(1, letter);
    return each.empty() ? "no letter" : fmt::format("{}", fmt::join(each, ", "));
  }

  /// What `count` is to be: the sum of the coefficients, or one of them.
  mpq_class claimed_count() const {
    mpq_class sum;
    if (stored_.power)
      return *stored_.power < stored_.coefficients.size() ? stored_.coefficients[*stored_.power] : sum;
    for (const mpq_class& one : stored_.coefficients) sum += one;
    if (stored_.polynomial) {
      for (const PolynomialTerm& term : stored_.polynomial->terms) sum += term.coefficient;
    }
    return sum;
  }
  bool check_sum() {
    const mpq_class expected = claimed_count();
    const std::string name = stored_.power ? "coefficient" : "sum of coefficients";
    if (expected.get_str() != stored_.count) {
      say(name, Verdict::refuted,
          fmt::format("it is {}, but the count is given as {}", quoted(expected.get_str(), 80),
                      quoted(stored_.count, 80)));
      return false;
    }
    say(name, Verdict::proved, "it is the count");
    return true;
  }

  bool is_zero() const {
    const auto zero = [](const mpq_class& one) { return one == 0; };
    if (stored_.polynomial) return stored_.polynomial->terms.empty();
    return std::all_of(stored_.coefficients.begin(), stored_.coefficients.end(), zero);
  }
  void check_nothing() {
    if (!is_zero()) {
      say("structure", Verdict::refuted, "there is no perfect matching, but the polynomial is not 0");
      return;
    }
    say("structure", Verdict::proved, "there is no perfect matching: the polynomial is 0");
    conclude(Extent::whole, "proved by structure: there is no perfect matching");
  }

  /// At the point.
  mpz_class claimed_value() const {
    mpz_class sum = 0;
    if (stored_.polynomial) {
      for (const PolynomialTerm& term : stored_.polynomial->terms) {
        mpz_class product = field_.of(term.coefficient);
        for (std::size_t l = 0; l < term.exponents.size(); ++l)
          product = field_.reduced(product * field_.power(point_.value[l], term.exponents[l]));
        sum += product;
      }
      return field_.reduced(sum);
    }
    // By number of edges, each of which leaves two vertices fewer alone; or by number of rings.
    const bool rings = read_.graph.covers;
    const auto vertices = static_cast<std::int64_t>(read_.graph.left_labels.size());
    for (std::size_t k = 0; k < stored_.coefficients.size(); ++k) {
      const auto number = static_cast<std::int64_t>(k);
      const std::int64_t exponent = rings ? number : vertices - 2 * number;
      if (exponent < 0 && stored_.coefficients[k] == 0) continue;
      sum += field_.of(stored_.coefficients[k]) * field_.power(point_.value.front(), exponent);
    }
    return field_.reduced(sum);
  }

  void check_point(ReducedCount& count) {
    Arithmetic one;
    one.moduli = {prime_};
    std::vector<AnyBlock> left;
    Partial product = from_factor(mpq_class(1), one);
    const auto times = [&](const Factor& factor) {
      multiply(product, from_factor(std::get<mpq_class>(factor), one), one);
    };
    times(count.reduced->factor);
    for (ReducedBlock& block : count.reduced->blocks) {
      times(block.factor);
      std::move(block.reduced.begin(), block.reduced.end(), std::back_inserter(left));
    }
    SecondCount second(count.weight_kind, options_, prime_, monitor_);
    const std::vector<Recount> recounts =
        second.count(left, std::vector<std::string>(left.size(), stored_.method), {});
    for (std::size_t k = 0; k < recounts.size(); ++k) {
      if (!recounts[k].value) {
        say(counted_again, Verdict::not_checked,
            fmt::format("a block of {} rows: {}", rows_of(left[k]), recounts[k].why_not));
        return;
      }
      multiply(product, *recounts[k].value, one);
    }
    compare(join_residues(std::get<Residues>(product), one.moduli, false), methods_of(recounts));
  }

  void compare(const mpz_class& found, const std::vector<std::string>& methods) {
    const mpz_class claimed = claimed_value();
    const std::string where =
        fmt::format("at {}, modulo the prime {}, both drawn now", text_of(point_), prime_.prime);
    if (found != claimed) {
      say(counted_again, Verdict::refuted,
          fmt::format("{}, it is {}, and the polynomial there is {}", where, found.get_str(),
                      claimed.get_str()));
      return;
    }
    say(counted_again, Verdict::agrees,
        fmt::format("{}, it is what the polynomial is there, {}", where,
                    methods.empty() ? "by structure and reductions alone" : "by " + method_names(methods)));
    conclude(Extent::whole, counted_at_a_point_text(methods, prime_.prime));
  }

  const StoredResult& stored_;
  const ReadResult& read_;
  const CountOptions& options_;
  Monitor& monitor_;
  VerifyReport& report_;
  Modulus prime_;
  Field field_;
  PointValues point_;
};

}  // namespace

bool is_stored_polynomial(const StoredResult& stored) {
  return stored.polynomial || !stored.coefficients.empty();
}

void verify_polynomial(const StoredResult& stored, const ReadResult& read, const CountOptions& options,
                       Monitor& monitor, VerifyReport& report) {
  PolynomialVerification(stored, read, options, monitor, report).run();
}

}  // namespace countpm
