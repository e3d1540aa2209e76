#include "tests/products/generator/ask.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "src/chemistry/kekule.hpp"
#include "src/count/bounds.hpp"
#include "src/count/count_or_bounds.hpp"
#include "src/count/determinant.hpp"
#include "src/count/log_count.hpp"
#include "src/count/minors.hpp"
#include "src/count/orbit_count.hpp"
#include "src/count/outcome_probability.hpp"
#include "src/estimate/estimate.hpp"
#include "src/library/countpm.hpp"
#include "src/matchings/edge_pairs.hpp"
#include "src/matchings/integration.hpp"
#include "src/matchings/list_orbits.hpp"
#include "src/matchings/ratio.hpp"
#include "src/matchings/signed_sum.hpp"
#include "src/verify/verify_result.hpp"
#include "tests/products/generator/judge.hpp"
#include "tests/products/generator/refusals.hpp"
#include "tests/products/generator/written.hpp"

namespace countpm::products {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double time_limit = 2;
constexpr std::uint64_t memory_limit = std::uint64_t{1} << 30;
constexpr std::size_t most_listed = 300;

/// Not judged: samples, or more than the oracle does.
struct Unjudged {
  std::string why;
};

CountOptions options_of(const Product& product) {
  CountOptions options;
  options.method = product.text(Dimension::method);
  options.threads = product[Dimension::threads] + 1;
  options.time_limit_seconds = time_limit;
  options.memory_limit_bytes = memory_limit;
  options.seed = product.seed;
  for (std::size_t r = 0; r < rule_count; ++r)
    if (product[Dimension::reductions] == 1 || product[Dimension::reductions] == r + 2)
      options.rules.drop(rules()[r].rule);
  options.order = order_kinds()[product[Dimension::order]].kind;
  options.double_check = product.check() == Check::double_check;
  options.audit_share = product.check() == Check::audit ? 1 : 0;
  options.recheck = product.check() == Check::verify;
  switch (product.arithmetic()) {
    case Arithmetic::plain:
      options.floating = FloatChoice::plain;
      break;
    case Arithmetic::double_double:
      options.floating = FloatChoice::double_double;
      break;
    case Arithmetic::mpfr_64:
      options.precision_bits = 64;
      break;
    case Arithmetic::mpfr_300:
      options.precision_bits = 300;
      break;
    default:
      break;
  }
  if (options.precision_bits > 0) options.floating = FloatChoice::mpfr;
  switch (product.device()) {
    case Device::gpu:
      options.device = "gpu";
      options.emulated_gpus = 1;
      break;
    case Device::gpus_and_cpu:
      options.device = "auto";
      options.emulated_gpus = 2;
      options.gpus = 2;
      break;
    default:
      options.device = "cpu";
      break;
  }
  if (product.question() == Question::maximum || product.question() == Question::maximum_marginals)
    options.matchings = MatchingSize::maximum;
  return options;
}

/// What is asked by functions that have no emulated GPUs.
Options plain_options(const Product& product) {
  Options options = options_of(product);
  options.device = "cpu";
  options.gpus = 0;
  return options;
}

/// Ids of the library's graph as places of the oracle's.
class Ids {
 public:
  Ids(const Graph& graph, const Truth& truth) {
    for (Index v = 0; v < graph.left_labels.size(); ++v)
      left_.push_back(truth.place(graph.left_labels.label(v), false));
    const bool bipartite = graph.kind == GraphKind::bipartite;
    for (Index v = 0; v < graph.right_labels.size(); ++v)
      right_.push_back(truth.place(graph.right_labels.label(v), true));
    bipartite_ = bipartite;
    const Clean& clean = truth.clean();
    joined_ = !bipartite && clean.kind == Kind::bipartite;  // made undirected, left vertices first
    left_size_ = static_cast<std::size_t>(clean.left);
    truth_ = &truth;
  }
  /// The place of an edge in Clean::edges, behind those of vertices alone.
  int edge(const Edge& edge) const {
    const std::size_t edges = truth_->clean().edges.size();
    if (joined_) {
      const auto u = static_cast<int>(edge.from);
      const auto v = static_cast<int>(edge.to);
      if (u == v) return static_cast<int>(edges) + u;
      const auto l = static_cast<int>(left_size_);
      return truth_->edge_place(std::min(u, v), std::max(u, v) - l);
    }
    const int from = left_.at(edge.from);
    if (!bipartite_ && edge.from == edge.to && truth_->clean().kind == Kind::undirected)
      return static_cast<int>(edges) + from;
    return truth_->edge_place(from, (bipartite_ ? right_ : left_).at(edge.to));
  }

 private:
  std::vector<int> left_, right_;
  bool bipartite_ = false, joined_ = false;
  std::size_t left_size_ = 0;
  const Truth* truth_ = nullptr;
};

class Asking {
 public:
  explicit Asking(const Product& product)
      : product_(product), instance_(draw(product)), options_(options_of(product)) {}

  Outcome run() {
    Outcome outcome;
    const Clock::time_point start = Clock::now();
    Clock::time_point answered = start;
    try {
      const Judge judge = answer(outcome);
      answered = Clock::now();
      outcome.what = judge();
      if (!outcome.what.empty()) outcome.kind = Outcome::Kind::wrong;
    } catch (const Unjudged& unjudged) {
      outcome.kind = Outcome::Kind::unjudged;
      outcome.what = unjudged.why;
    } catch (const CheckError& error) {
      wrong(outcome, std::string("a check failed: ") + error.what());
    } catch (const UsageError& error) {
      refused(outcome, std::string("usage: ") + error.what());
    } catch (const InputError& error) {
      refused(outcome, std::string("input: ") + error.what());
    } catch (const UnableError& error) {
      refused(outcome, std::string("unable: ") + error.what());
    } catch (const std::exception& error) {
      wrong(outcome, std::string("an internal fault: ") + error.what());
    }
    const Clock::time_point end = Clock::now();
    if (answered == start) answered = end;
    outcome.seconds = std::chrono::duration<double>(answered - start).count();
    outcome.oracle_seconds = std::chrono::duration<double>(end - answered).count();
    return outcome;
  }

 private:
  /// Asks the oracle, once the library has answered.
  using Judge = std::function<Fault()>;

  static void wrong(Outcome& outcome, const std::string& what) {
    outcome.kind = Outcome::Kind::wrong;
    outcome.what = what;
  }

  static void refused(Outcome& outcome, const std::string& what) {
    outcome.reason = refusal_of(what);
    outcome.what = outcome.reason < 0 ? "a refusal that is not in the table: " + what : what;
    outcome.kind = outcome.reason < 0 ? Outcome::Kind::wrong : Outcome::Kind::refused;
  }

  Input input(bool other = false) const { return input_of(instance_, product_, other); }
  ReadResult read(bool other = false) const {
    const Input whole = input(other);
    return whole.ask(
        [](const Source& source, const ReadOptions& reading) { return read_graph(source, reading); },
        [](const ReadResult& known) { return known; });
  }
  bool floating() const { return instance_.floating; }
  const Truth& truth() {
    if (!truth_) truth_.emplace(instance_, product_);
    return *truth_;
  }

  Judge judge_of(Value value) {
    return
        [this, value = std::move(value)] { return judge_value(truth().sum().at_one(), value, floating()); };
  }

  Judge answer(Outcome& outcome) {
    switch (product_.question()) {
      case Question::permanent:
        return judge_of(countpm::permanent(input(), plain_options(product_)));
      case Question::hafnian:
        return judge_of(countpm::hafnian(input(), plain_options(product_)));
      case Question::loop_hafnian:
        return judge_of(countpm::loop_hafnian(input(), plain_options(product_)));
      case Question::determinant:
      case Question::pfaffian:
        return determinant();
      case Question::orbits:
        return orbits();
      case Question::minors:
      case Question::minors_of_rectangle:
        return minors();
      case Question::probability:
        return probability();
      case Question::marginals:
        return marginals(countpm::marginals(read(), options_));
      case Question::exact_marginals:
      case Question::monomer_marginals:
      case Question::maximum_marginals:
        return marginals(countpm::exact_marginals(read(), options_));
      case Question::pairs:
        return pairs();
      case Question::ratio:
        return ratio();
      case Question::integral:
        return integral();
      case Question::signed_sum:
        return signed_sum();
      case Question::estimate:
        return estimate();
      case Question::log_only:
        return log_only();
      case Question::bounds:
        return bounds();
      case Question::count_or_bounds:
        return count_or_bounds(outcome);
      case Question::list:
        return list();
      case Question::orbit_list:
        return orbit_list();
      case Question::kekule:
        return kekule();
      case Question::series:
        return series();
      default:
        return count(outcome);
    }
  }

  void note_methods(const CountResult& result, Outcome& outcome) const {
    outcome.method = result.method;
    for (const BlockReport& block : result.blocks) {
      const std::size_t place = block.arithmetic.find(" primes");
      if (place == std::string::npos || place == 0) continue;
      std::size_t first = place;
      while (first > 0 && block.arithmetic[first - 1] >= '0' && block.arithmetic[first - 1] <= '9') --first;
      outcome.residues = std::max(outcome.residues, std::atoi(block.arithmetic.c_str() + first));
    }
  }

  Judge judge_result(CountResult result, Outcome& outcome) {
    note_methods(result, outcome);
    return [this, result = std::move(result)] { return judge_count(truth(), result, product_, instance_); };
  }

  Judge count(Outcome& outcome) {
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

  void verify(const CountResult& result, const Source& source, const ReadOptions& reading) const {
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

  Judge determinant() {
    const bool pfaffian = product_.question() == Question::pfaffian;
    Value value = pfaffian ? countpm::pfaffian(input(), plain_options(product_))
                           : countpm::determinant(input(), plain_options(product_));
    return [this, pfaffian, value = std::move(value)] {
      return judge_value(pfaffian ? truth().pfaffian() : truth().determinant(), value, floating());
    };
  }

  Judge orbits() {
    OrbitCount result = countpm::count_orbits(read(), options_);
    return [this, result = std::move(result)]() -> Fault {
      const auto right = truth().orbits();
      if (!right) throw Unjudged{"too many symmetries for the oracle"};
      const Fault fault = judge_value(right->orbits, result.orbits, false);
      return fault.empty() ? judge_text(right->matchings, result.matchings, "", false) : fault;
    };
  }

  Judge minors() {
    const bool rectangle = product_.question() == Question::minors_of_rectangle;
    const bool view = product_.form() == Form::edge_view || product_.form() == Form::sparse_view;
    if (view) {
      std::vector<Value> values = countpm::permanents_without_a_line(read(), options_);
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

  Judge probability() {
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

  template <class Probabilities>
  Judge marginals(Probabilities result) {
    const Graph graph = read().graph;
    return [this, graph, result = std::move(result)]() -> Fault {
      const Ids ids(graph, truth());
      const Complex all = truth().sum().at_one();
      if (result.edge.empty())
        return all.zero() || truth().clean().edges.empty() ? Fault()
                                                           : "there are matchings, and no edge is told";
      std::set<int> told;
      for (std::size_t e = 0; e < result.edge.size(); ++e) {
        const int place = ids.edge(result.edge[e]);
        if (place < 0) return "an edge that there is not";
        told.insert(place);
        if (product_.input() == InputSort::strip && e % 16 != product_.seed % 16)
          continue;  // it has a hundred
        const Complex right = truth().with_pieces({static_cast<std::size_t>(place)}) / all;
        Fault fault;
        if constexpr (std::is_same_v<std::decay_t<decltype(result.probability[e])>, double>) {
          fault = judge_double(right, result.probability[e]);
        } else {
          fault = judge_value(right, Value(result.probability[e]), false);
        }
        if (!fault.empty()) return "edge " + std::to_string(e) + ": " + fault;
      }
      return told.size() >= truth().clean().edges.size() ? Fault() : "edges are missing";
    };
  }

  Judge pairs() {
    ReadResult from = read();
    const Graph graph = from.graph;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> asked;
    for (const auto& [a, b] : instance_.pairs)
      if (!graph.edges.empty()) asked.emplace_back(a % graph.edges.size(), b % graph.edges.size());
    std::vector<mpq_class> result = countpm::joint_probabilities(std::move(from), asked, options_);
    return [this, graph, asked, result = std::move(result)]() -> Fault {
      const Ids ids(graph, truth());
      const Complex all = truth().sum().at_one();
      if (!truth().any()) {
        const bool none =
            std::all_of(result.begin(), result.end(), [](const mpq_class& p) { return p == 0; });
        return none ? Fault() : "there is no matching, and a pair has a probability";
      }
      for (std::size_t k = 0; k < result.size(); ++k) {
        std::vector<std::size_t> both{static_cast<std::size_t>(ids.edge(graph.edges[asked[k].first]))};
        if (asked[k].second != asked[k].first)
          both.push_back(static_cast<std::size_t>(ids.edge(graph.edges[asked[k].second])));
        const Fault fault = judge_value(truth().with_pieces(both) / all, Value(result[k]), false);
        if (!fault.empty()) return "pair " + std::to_string(k) + ": " + fault;
      }
      return {};
    };
  }

  static EstimateOptions few_samples() {
    EstimateOptions sampling;
    sampling.samples = 50;
    sampling.time_limit_seconds = 1;
    sampling.second = SecondOpinion::none;
    return sampling;
  }

  Judge ratio() {
    RatioResult result = countpm::ratio(read(), read(true), options_, few_samples());
    return [this, result = std::move(result)]() -> Fault {
      if (!result.exact) throw Unjudged{"a ratio by samples"};
      Instance second = instance_;
      for (std::size_t t = 0; t < second.ties.size(); ++t) second.ties[t].weight = instance_.other[t];
      if (instance_.other_lacks_last) second.ties.pop_back();
      if (product_.form() == Form::lattice)
        for (Tie& tie : second.ties) tie.weight.value = mpq_class(2, 3);
      if (product_.form() == Form::lattice) second.weighted = true;
      const Complex below = Truth(second, product_).sum().at_one();
      if (below.zero()) return "the second sum is 0";
      return judge_value(truth().sum().at_one() / below, Value(*result.exact), false);
    };
  }

  Judge integral() {
    LetterRange range;
    range.from = instance_.range.first;
    range.to = instance_.range.second;
    RatioResult result = countpm::integrate(read(), range, options_, few_samples());
    return [this, result = std::move(result)]() -> Fault {
      if (!result.exact) throw Unjudged{"an integral by samples"};
      return judge_value(truth().at(instance_.range.second) / truth().at(instance_.range.first),
                         Value(*result.exact), false);
    };
  }

  Judge signed_sum() {
    SignedSum result = countpm::signed_sum(read(), options_, few_samples());
    return [this, result = std::move(result)]() -> Fault {
      if (result.exact.empty()) throw Unjudged{"a signed sum by samples"};
      const Complex right = truth().sum().at_one();
      if (!floating()) return judge_text(right, result.exact, "", false);
      const Complex off = right - parse_number(result.exact);
      const double size = std::hypot(right.re.get_d(), right.im.get_d());
      return std::hypot(off.re.get_d(), off.im.get_d()) <= 1e-9 * size
                 ? Fault()
                 : "it is " + text_of(right) + ", not " + result.exact;
    };
  }

  Judge estimate() {
    EstimateResult result = countpm::estimate(read(), options_, few_samples());
    return [this, result = std::move(result)]() -> Fault {
      if (!result.exact_value) throw Unjudged{"an estimate by samples"};
      return judge_value(truth().sum().at_one(), *result.exact_value, floating() || instance_.exact);
    };
  }

  Judge log_only() {
    LogCountResult result = countpm::log_count(read(), options_);
    return [this, result = std::move(result)] {
      return judge_log(truth().sum().at_one(), result.ln_z, result.error_estimate);
    };
  }

  static Fault within(const Complex& right, double log10_lower, double log10_upper) {
    if (right.zero()) return std::isinf(log10_lower) ? Fault() : "the sum is 0, and said to be above it";
    const double log10 = natural_log(right.re) / std::log(10.0);
    const double slack = 1e-12 * (1 + std::fabs(log10));
    return log10_lower <= log10 + slack && log10 - slack <= log10_upper
               ? Fault()
               : "10^" + std::to_string(log10) + " is not between 10^" + std::to_string(log10_lower) +
                     " and 10^" + std::to_string(log10_upper);
  }

  Judge bounds() {
    const BoundsReport result = countpm::bounds(read(), options_);
    return [this, result] { return within(truth().sum().at_one(), result.log10_lower, result.log10_upper); };
  }

  Judge count_or_bounds(Outcome& outcome) {
    CountOptions hurried = options_;
    hurried.time_limit_seconds = product_.seed % 2 == 0 ? 1e-6 : 1e-3;
    std::variant<CountResult, BoundedCount> result = countpm::count_or_bounds(read(), hurried);
    if (auto* whole = std::get_if<CountResult>(&result)) return judge_result(std::move(*whole), outcome);
    return [this, bounded = std::get<BoundedCount>(std::move(result))]() -> Fault {
      const Complex right = truth().sum().at_one();
      const mpq_class lower = parse_number(bounded.lower).re;
      const mpq_class upper = parse_number(bounded.upper).re;
      if (lower > right.re || right.re > upper)
        return "it is " + text_of(right) + ", not within " + bounded.lower + " .. " + bounded.upper;
      return {};
    };
  }

  Judge list() {
    ListOptions options;
    options.last = most_listed;
    const ReadResult from = read();
    std::vector<std::vector<Edge>> listed;
    countpm::list_matchings(from, options, [&](const std::vector<Edge>& matching) {
      listed.push_back(matching);
      return true;
    });
    return [this, graph = from.graph, listed = std::move(listed)]() -> Fault {
      const Ids ids(graph, truth());
      std::set<std::vector<int>> different;
      std::vector<std::size_t> pieces;
      for (const std::vector<Edge>& matching : listed) {
        std::vector<int> places;
        pieces.clear();
        for (const Edge& edge : matching) {
          places.push_back(ids.edge(edge));
          if (places.back() < 0) return "an edge that there is not";
        }
        std::sort(places.begin(), places.end());
        different.insert(std::move(places));
      }
      if (different.size() != listed.size()) return "a matching is listed twice";
      if (product_.input() == InputSort::strip)  // too many for the oracle to list
        return listed.empty() == !truth().any() ? Fault() : "there is one, or none";
      const auto right = truth().matchings(most_listed);
      if (!right) return listed.size() == most_listed ? Fault() : "some are missing";
      return std::set<std::vector<int>>(right->begin(), right->end()) == different ? Fault()
                                                                                   : "other matchings";
    };
  }

  Judge orbit_list() {
    const ReadResult from = read();
    std::vector<std::vector<Edge>> listed;
    countpm::list_orbits(from, {}, [&](const std::vector<Edge>& matching) {
      listed.push_back(matching);
      return true;
    });
    return [this, graph = from.graph, listed = std::move(listed)]() -> Fault {
      const Ids ids(graph, truth());
      const auto all = truth().matchings(5000);
      if (!all) throw Unjudged{"too many matchings for the oracle"};
      const std::vector<std::size_t> orbit = truth().orbit_of_each();
      if (orbit.empty() && !all->empty()) throw Unjudged{"too many symmetries for the oracle"};
      std::set<std::size_t> met;
      for (const std::vector<Edge>& matching : listed) {
        std::vector<int> places;
        for (const Edge& edge : matching) places.push_back(ids.edge(edge));
        std::sort(places.begin(), places.end());
        const auto found = std::find(all->begin(), all->end(), places);
        if (found == all->end()) return "what is listed is no matching";
        if (!met.insert(orbit[static_cast<std::size_t>(found - all->begin())]).second)
          return "an orbit is listed twice";
      }
      const std::set<std::size_t> right(orbit.begin(), orbit.end());
      return met == right ? Fault()
                          : std::to_string(right.size()) + " orbits, not " + std::to_string(met.size());
    };
  }

  Judge kekule() {
    KekuleResult result = countpm::kekule(read(), options_);
    return [this, result = std::move(result)]() -> Fault {
      const Ids ids(result.graph, truth());
      const Complex all = truth().sum().at_one();
      Fault fault = judge_value(all, Value(result.structures), false);
      for (std::size_t e = 0; e < result.order.size() && fault.empty(); ++e) {
        if (product_.input() == InputSort::strip && e % 16 != product_.seed % 16)
          continue;  // it has a hundred
        const int place = ids.edge(result.graph.edges[e]);
        if (place < 0) return "an edge that there is not";
        fault = judge_value(truth().with_pieces({static_cast<std::size_t>(place)}) / all,
                            Value(result.order[e]), false);
      }
      return fault;
    };
  }

  Judge series() {
    const std::vector<Input> inputs{input(), Input(Source::from_argument("lattice:square:2x2"), {}), input()};
    std::size_t next = 0;
    std::vector<EachResult> results;
    countpm::count_each(
        [&]() -> std::optional<Input> {
          return next < inputs.size() ? std::optional(inputs[next++]) : std::nullopt;
        },
        [&](std::uint64_t, EachResult result) {
          results.push_back(std::move(result));
          return true;
        },
        plain_options(product_));
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

  const Product product_;
  const Instance instance_;
  const CountOptions options_;
  std::optional<Truth> truth_;
};

}  // namespace

Outcome ask(const Product& product) {
  return Asking(product).run();
}

std::string repeated(const Product& product) {
  return command_line(draw(product), product);
}

}  // namespace countpm::products
