// Every question about every kind of count: what the table says is answered has an answer, the right one
// where it is the sum itself, and what it says is refused is refused in its words.
#include "src/input/asked_kinds.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <set>

#include "src/count/minors.hpp"
#include "src/estimate/compare.hpp"
#include "src/library/advanced.hpp"
#include "src/library/countpm.hpp"

namespace countpm::asked_kinds_test {
namespace {

using Number = std::complex<double>;
constexpr double rounding = 1e-9;

/// A small input of a kind. Where the kind is one of matrices, too, matrix questions are about that.
struct Sample {
  CountKind kind;
  Input graph;
  Number sum;  // over what is counted, letters and t being 1
  Input matrix;
  MatchingSize matchings = MatchingSize::perfect;
};

Input read_as(Format format, const char* text, const std::function<void(ReadOptions&)>& set = {}) {
  ReadOptions options;
  options.format = format;
  if (set) set(options);
  return {Source::from_bytes(text, "input"), options};
}

/// Sums by hand. K4 has 3 cycles of length 4.
std::vector<Sample> samples() {
  const char* const square = "a b\nb c\nc d\nd a\na c\n";  // and a diagonal
  const char* const k4 = "a b\nc d\nb c\nd a\na c\nb d\n";
  const auto graph = [](const char* text, const std::function<void(ReadOptions&)>& set) {
    return read_as(Format::edge_list, text, set);
  };
  const auto matrix = [](const char* text, const std::function<void(ReadOptions&)>& set) {
    return read_as(Format::dense, text, set);
  };
  const auto weighted = [](ReadOptions& o) { o.weights = true; };
  const auto least = [](ReadOptions& o) { o.ground_state = Extremum::minimum; };
  const auto monomers = [](ReadOptions& o) { o.monomers = "2"; };
  const auto letter_t = [](ReadOptions& o) { o.monomers = "t"; };
  const auto degree = [](ReadOptions& o) { o.degree = 2; };
  const auto letters = [](ReadOptions& o) { o.weights = o.letters = true; };
  const Input path = graph("a b\nb c\n", {});
  const Input odd = graph("a b 0\nb c 0\na c 0\nd e 0\ne f 0\nd f 0\na d 5\nb e 5\nc f 5\n", least);
  const Input sets = read_as(Format::hyper, "1 2 3\n4 5 6\n1 4\n2 5\n3 6\n");
  return {
      {CountKind::maximum, path, 2, matrix("1 1\n", {}), MatchingSize::maximum},
      // 2^4 without an edge, 2^2 for each edge, 2 perfect ones.
      {CountKind::monomers, graph(square, monomers), 16 + 5 * 4 + 2, graph(square, monomers)},
      {CountKind::size_polynomial, graph(square, letter_t), 1 + 5 + 2, graph(square, letter_t)},
      {CountKind::factors, graph(k4, degree), 3, matrix("1 1 1\n1 1 1\n1 1 1\n", degree)},
      // ab and cd, bc and da weigh 4, the third one more.
      {CountKind::ground_states, graph("a b 1\nc d 3\nb c 2\nd a 2\na c 1\nb d 9\n", least), 2,
       matrix("1 2\n1 2\n", least)},
      // Of a prism's 4 perfect matchings the 3 with two edges of triangles.
      {CountKind::odd_ground_states, odd, 3, odd},
      {CountKind::covers, sets, 2, sets},
      {CountKind::weight_polynomial, graph("a b x\nb c 2\nc d 1\nd a 2\n", letters), 1 + 4,
       matrix("x 2\n3 1\n", letters)},
      {CountKind::complex_weights, graph("a b i\nb c 2\nc d 1\nd a 2\n", weighted), Number(4, 1),
       matrix("i 2\n3 1\n", weighted)},
  };
}

Number number_of(const Value& value) {
  if (const auto* ball = std::get_if<ComplexBall>(&value)) return ball->middle;
  if (const auto* ball = std::get_if<RealBall>(&value)) return ball->middle;
  if (const auto* fraction = std::get_if<mpq_class>(&value)) return fraction->get_d();
  return std::get<mpz_class>(value).get_d();
}

void expect_near(const Value& value, const Number& expected) {
  EXPECT_NEAR(std::abs(number_of(value) - expected), 0, rounding * std::abs(expected));
}

CountOptions all_of(const Options& options) {
  CountOptions all;
  static_cast<Options&>(all) = options;
  return all;
}

EstimateOptions few_samples() {
  EstimateOptions options;
  options.samples = 50;
  options.second = SecondOpinion::none;
  return options;
}

EdgeSampling few_edge_samples() {
  EdgeSampling sampling;
  sampling.samples = 50;
  return sampling;
}

/// Calls about(source, options), or about(read).
template <class About>
auto as_is(const Input& input, const About& about) {
  return input.ask([&](const Source& source, const ReadOptions& reading) { return about(source, reading); },
                   [&](const ReadResult& read) { return about(read); });
}

/// A way to ask: of a matrix or a graph, with what is expected of its sum.
struct Asking {
  GraphQuestion question;
  bool of_matrix;
  std::function<void(const Input&, const Options&, const Number& sum)> ask;
  bool of_memory = true;  // else of sources alone
};

const MatchingIdSink any = [](const std::vector<Edge>&) { return true; };

std::vector<Asking> counting() {
  using Q = GraphQuestion;
  using I = const Input&;
  using O = const Options&;
  using N = const Number&;
  return {
      {Q::count, false, [](I i, O o, N sum) { expect_near(count(i, o).value, sum); }},
      {Q::explain, false, [](I i, O o, N) { EXPECT_TRUE(explain(i, o).feasible); }},
      {Q::structure, true,
       [](I i, O o, N) {
         int drawn = 0;
         const PatternSink sink = [&](const PatternStages&) { ++drawn; };
         as_is(i, [&](auto&&... about) { return explain(about..., all_of(o), sink); });
         EXPECT_EQ(drawn, 1);
       }},
      {Q::bounds, false,
       [](I i, O o, N sum) {
         const CertainBounds report = bounds(i, o);
         EXPECT_LE(report.log10_lower, std::log10(sum.real()) + rounding);
         EXPECT_GE(report.log10_upper, std::log10(sum.real()) - rounding);
       }},
      {Q::bounds, false,
       [](I i, O o, N sum) { expect_near(std::get<CountResult>(count_or_bounds(i, o)).value, sum); }},
      {Q::ln_z, false, [](I i, O o, N sum) { EXPECT_NEAR(ln_z(i, o).ln_z, std::log(sum.real()), rounding); }},
      {Q::orbits, false,
       [](I i, O o, N sum) { EXPECT_EQ(count_orbits(i, o).matchings, fmt::format("{}", sum.real())); }},
      {Q::permanent, true, [](I i, O o, N) { expect_near(permanent(i, o), number_of(count(i, o).value)); }},
      {Q::hafnian, false, [](I i, O o, N sum) { expect_near(hafnian(i, o), sum); }},
      // ad - bc: of ground states all entries are 1.
      {Q::determinant, true,
       [](I i, O o, N) {
         const bool complex = read_input(i).graph.weight_kind == WeightKind::complex;
         expect_near(determinant(i, o), complex ? Number(-6, 1) : Number(0));
       }},
      {Q::pfaffian, true,
       [](I i, O o, N) {
         // Skew-symmetric, as no sample is.
         const bool complex = read_input(i).graph.weight_kind == WeightKind::complex;
         if (!complex) return static_cast<void>(pfaffian(i, o));
         ReadOptions reading;
         reading.format = Format::dense;
         const Input skew(Source::from_bytes("0 i\n-i 0\n", "skew"), reading);
         expect_near(pfaffian(skew, o), Number(0, 1));
       }},
      {Q::minors, true,
       [](I i, O o, N) {
         const CountOptions own = all_of(o);
         i.ask(
             [&](const Source& source, const ReadOptions& reading) {
               EXPECT_EQ(minors(source, reading, "1", own).minors.size(), 2U);
             },
             [](const ReadResult&) {});
       },
       false},
      {Q::probability, true,
       [](I i, O o, N) {
         const Graph graph = read_input(i).graph;
         const std::vector<Index> one(graph.left_labels.size(), 1);
         EXPECT_NE(outcome_probability(i, {one, one}, o).probability, "");
       }},
      {Q::kekule, false,
       [](I i, O o, N) {
         const KekuleResult result = kekule(i, o);
         EXPECT_EQ(result.structures, 2);  // whatever the weights
       }},
  };
}

std::vector<Asking> drawing() {
  using Q = GraphQuestion;
  using I = const Input&;
  using O = const Options&;
  using N = const Number&;
  return {
      {Q::list, false,
       [](I i, O, N) {
         std::set<std::vector<std::pair<Index, Index>>> all;
         const std::uint64_t listed = list(i, [&](const std::vector<Edge>& matching) {
           std::vector<std::pair<Index, Index>> pairs;
           pairs.reserve(matching.size());
           for (const Edge& edge : matching) pairs.emplace_back(edge.from, edge.to);
           all.insert(pairs);
           return true;
         });
         EXPECT_GT(listed, 0U);
         EXPECT_EQ(all.size(), listed);
       }},
      {Q::list_orbits, false, [](I i, O, N) { EXPECT_GT(list_orbits(i, any), 0U); }},
      {Q::marginals, false,
       [](I i, O o, N) {
         mpq_class most = 0;
         for (const mpq_class& one : exact_marginals(i, o).probability) most = std::max(most, one);
         EXPECT_GT(most, 0);
         EXPECT_LE(most, 1);
       }},
      {Q::marginals, false,
       [](I i, O o, N) { EXPECT_FALSE(sampled_marginals(i, o, few_edge_samples()).probability.empty()); }},
      {Q::marginals, false, [](I i, O o, N) { explain_sampled_marginals(i, o, few_edge_samples()); }},
      {Q::pairs, false,
       [](I i, O o, N) {
         const mpq_class both = pair_marginals(i, {{0, 1}}, o).front();
         EXPECT_GE(both, 0);
         EXPECT_LE(both, 1);
       }},
      {Q::pairs, false,
       [](I i, O o, N) {
         EXPECT_EQ(sampled_pair_marginals(i, {{0, 1}}, o, few_edge_samples()).pairs.size(), 1U);
       }},
      {Q::sample, false, [](I i, O o, N) { EXPECT_EQ(sample(i, 3, o).size(), 3U); }},
      {Q::sample, false,
       [](I i, O o, N) { EXPECT_EQ(sample_approximately(i, 3, any, "annealed", o).draws, 3U); }},
  };
}

std::vector<Asking> estimating() {
  using Q = GraphQuestion;
  using I = const Input&;
  using O = const Options&;
  using N = const Number&;
  const LetterRange range{'x', 1, 2};
  return {
      {Q::estimate, false,
       [](I i, O o, N sum) { expect_near(*estimate(i, o, few_samples()).exact_value, sum); }},
      {Q::estimate, false, [](I i, O o, N) { explain_estimate(i, o, few_samples()); }},
      {Q::compare, false,
       [](I i, O o, N sum) {
         CompareOptions options;
         options.samples = {20};
         i.ask(
             [&](const Source& source, const ReadOptions& reading) {
               return compare(
                   source, reading, all_of(o), few_samples(), options,
                   [&](const ComparisonStart& start) { expect_near(start.exact->value, sum); },
                   [](const ComparedEstimate&) {}, [](const LeftOutSampler&) {}, {});
             },
             [](const ReadResult&) { return std::size_t{0}; });
       },
       false},
      {Q::ratio, false, [](I i, O o, N) { EXPECT_EQ(*ratio(i, i, o, few_samples()).exact, 1); }},
      {Q::ratio, false, [](I i, O o, N) { explain_ratio(i, i, o, few_samples()); }},
      // x + 4 from 1 to 2.
      {Q::integral, false,
       [range](I i, O o, N) { EXPECT_EQ(*integrate(i, range, o, few_samples()).exact, mpq_class(6, 5)); }},
      {Q::integral, false, [range](I i, O o, N) { explain_integral(i, range, o, few_samples()); }},
      {Q::signed_sum, false, [](I i, O o, N) { EXPECT_NE(signed_sum(i, o, few_samples()).exact, ""); }},
  };
}

/// What is said of a pair that does not go together, and by which exception; "" where it is answered.
std::pair<std::string, bool> refusal_when(const Asking& asking, const Input& input, const Options& options,
                                          const Number& sum) {
  try {
    asking.ask(input, options, sum);
  } catch (const UsageError& error) {
    return {error.what(), true};
  } catch (const Error& error) {
    return {error.what(), false};
  }
  return {"", false};
}

void expect_as_the_table_says(const Asking& asking, const Sample& sample, bool in_memory) {
  const std::string pair = fmt::format("{} of {}{}", words_of(asking.question).how,
                                       words_of(sample.kind).title, in_memory ? ", in memory" : "");
  SCOPED_TRACE(pair);
  Options options;
  options.matchings = sample.matchings;
  options.threads = 1;
  const Input& input = asking.of_matrix ? sample.matrix : sample.graph;
  const auto [text, usage] =
      refusal_when(asking, in_memory ? Input(read_input(input)) : input, options, sample.sum);
  if (is_answered(asking.question, sample.kind)) {
    EXPECT_EQ(text, "");
    return;
  }
  // A matching polynomial is one of monomers, too.
  const bool of_monomers =
      sample.kind == CountKind::size_polynomial && !is_answered(asking.question, CountKind::monomers);
  const CountKind said = of_monomers ? CountKind::monomers : sample.kind;
  EXPECT_EQ(usage, words_of(said).usage) << text;
  const std::string expected = refusal_of(asking.question, said);
  if (sample.kind != CountKind::weight_polynomial) {
    EXPECT_EQ(text, expected);
  } else {
    // It names the input and its letters.
    EXPECT_NE(text.find(words_of(sample.kind).reason), std::string::npos) << text;
  }
}

/// ListOptions do not say which matchings: perfect ones are listed.
bool can_be_asked(GraphQuestion question, CountKind kind) {
  return kind != CountKind::maximum ||
         (question != GraphQuestion::list && question != GraphQuestion::list_orbits);
}

void expect_all(const std::vector<Asking>& ways) {
  for (const Asking& asking : ways) {
    for (const Sample& sample : samples()) {
      if (!can_be_asked(asking.question, sample.kind)) continue;
      expect_as_the_table_says(asking, sample, false);
      if (asking.of_memory) expect_as_the_table_says(asking, sample, true);
    }
  }
}

TEST(AskedKinds, CountsAreAsTheTableSays) {
  expect_all(counting());
}
TEST(AskedKinds, DrawsAreAsTheTableSays) {
  expect_all(drawing());
}
TEST(AskedKinds, EstimatesAreAsTheTableSays) {
  expect_all(estimating());
}

TEST(AskedKinds, EveryPairIsAsked) {
  std::set<GraphQuestion> asked;
  for (const auto& ways : {counting(), drawing(), estimating()})
    for (const Asking& asking : ways) asked.insert(asking.question);
  EXPECT_EQ(asked.size(), graph_questions);
  std::set<CountKind> kinds;
  for (const Sample& sample : samples()) kinds.insert(sample.kind);
  EXPECT_EQ(kinds.size(), count_kinds);
}

// Several kinds at a time: each is looked at, and maximum matchings have none beside them.
TEST(AskedKinds, SeveralAtATime) {
  const auto refused = [](const std::function<void(ReadOptions&)>& set, const Options& options) {
    const Input input = read_as(Format::edge_list, "a b 1\nb c 2\nc a 1\n", [&](ReadOptions& o) {
      o.weights = true;
      set(o);
    });
    try {
      count(input, options);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  Options maximum;
  maximum.matchings = MatchingSize::maximum;
  EXPECT_EQ(refused([](ReadOptions&) {}, maximum), "");
  EXPECT_NE(refused([](ReadOptions& o) { o.monomers = "1"; }, maximum), "");
  EXPECT_NE(refused([](ReadOptions& o) { o.degree = 1; }, maximum), "");
  EXPECT_NE(refused([](ReadOptions& o) { o.rings = {3}; }, maximum), "");
  EXPECT_NE(refused([](ReadOptions& o) { o.ground_state = Extremum::maximum; }, maximum), "");
}

}  // namespace
}  // namespace countpm::asked_kinds_test
