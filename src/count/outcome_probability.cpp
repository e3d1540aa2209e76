#include "src/count/outcome_probability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "graph/kinds/imaginary_unit.hpp"
#include "graph/kinds/repeat_lines.hpp"
#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/up_float.hpp"
#include "src/checks/count_checks.hpp"
#include "src/count/minors.hpp"
#include "src/input/with_graph.hpp"
#include "src/number/exact_complex.hpp"
#include "src/number/number.hpp"
#include "src/text/format_number.hpp"

namespace countpm {
namespace {

/// A permanent: at most `error` from `middle`.
struct Amplitude {
  ComplexRational middle;
  mpq_class error = 0;
  bool exact = true;
  std::string digits;
  std::string error_digits;
};

/// "-1.25e-03".
mpq_class decimal_in(std::string_view text) {
  std::string digits;
  std::int64_t exponent = 0;
  bool fraction = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == 'e') {
      exponent += std::stoll(std::string(text.substr(k + 1)));
      break;
    }
    if (text[k] == '.') {
      fraction = true;
    } else {
      digits += text[k];
      if (fraction) --exponent;
    }
  }
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<std::uint64_t>(std::abs(exponent)));
  mpq_class number{mpz_class(digits, 10)};  // 0 first is no sign of octal
  if (exponent < 0) {
    number /= power;
  } else {
    number *= power;
  }
  return number;
}

/// "(1.5e+00,-2e-01)", "1.5e+00".
ComplexRational complex_number_in(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return {decimal_in(text), 0};
  const std::string_view inside(text);
  return {decimal_in(inside.substr(1, comma - 1)),
          decimal_in(inside.substr(comma + 1, text.size() - comma - 2))};
}

Amplitude amplitude_of(const Value& value, bool exact_complex) {
  Amplitude result;
  std::visit(
      [&](const auto& number) {
        using Given = std::decay_t<decltype(number)>;
        if constexpr (std::is_same_v<Given, mpz_class> || std::is_same_v<Given, mpq_class>) {
          result.middle = {mpq_class(number), 0};
          result.digits = number.get_str();
        } else {
          result.digits = number.digits;
          result.exact = number.error == "0";
          if constexpr (std::is_same_v<Given, ComplexBall>) {
            result.middle = exact_complex ? exact_complex_number(number) : complex_number_in(number.digits);
          } else {
            result.middle = complex_number_in(number.digits);
          }
          if (result.exact) return;
          result.error = decimal_in(number.error);
          result.error_digits = number.error;
        }
      },
      value);
  return result;
}

mpq_class from_above(const UpFloat& value) {
  mpq_class result(value.mantissa);
  if (value.exponent >= 0) {
    mpq_mul_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(value.exponent));
  } else {
    mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(-value.exponent));
  }
  return result;
}

mpq_class squared_size(const ComplexRational& number) {
  return number.re * number.re + number.im * number.im;
}

/// At least |number|.
mpq_class size_above(const ComplexRational& number) {
  return from_above(UpFloat::root(UpFloat::of(squared_size(number))));
}

mpfr_prec_t bits_for(const CountOptions& options) {
  return std::max<mpfr_prec_t>(192, static_cast<mpfr_prec_t>(options.arithmetic.bits) + 64);
}

/// ||per|^2 - |middle|^2| <= (2 |middle| + error) error.
Number probability_of(const Amplitude& amplitude, const mpz_class& factorials, const CountOptions& options) {
  const mpq_class middle = squared_size(amplitude.middle) / factorials;
  if (amplitude.exact) return middle;
  const mpq_class off = (2 * size_above(amplitude.middle) + amplitude.error) * amplitude.error / factorials;
  Ball ball = ball_from(middle, bits_for(options));
  mpfr_add(ball.error.get(), ball.error.get(), BigFloat(off, BigFloat::default_bits, MPFR_RNDU).get(),
           MPFR_RNDU);
  return ball;
}

std::uint64_t photons_of(const std::vector<Index>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

Index modes_in(const Graph& graph) {
  return graph.kind == GraphKind::bipartite ? graph.right_labels.size() : graph.left_labels.size();
}

void require_beside_modes(const ReadResult& read, const Photons& photons) {
  const std::string input = quoted(read.info.path, 200);
  if (read.graph.kind == GraphKind::undirected)
    throw UsageError(
        fmt::format("{}: amplitudes are a matrix, and this is an undirected graph (--kind bipartite "
                    "takes a file as a matrix)",
                    input));
  const auto require = [&](const char* name, std::size_t numbers, Index lines, const char* what) {
    if (numbers != lines)
      throw UsageError(fmt::format("{}: {} has {}, and the matrix has {}, one a mode", input, name,
                                   counted(numbers, "number"), counted(lines, what)));
  };
  require("in", photons.in.size(), modes_in(read.graph), "column");
  require("out", photons.out.size(), read.graph.left_labels.size(), "row");
  const std::uint64_t in = photons_of(photons.in);
  const std::uint64_t out = photons_of(photons.out);
  if (in != out)
    throw UsageError(fmt::format("{}: as many photons leave as enter, and in adds up to {} and out to {}",
                                 input, in, out));
}

mpz_class factorials_of(const Photons& photons) {
  // A photon more multiplies by at most 2^20; the permanent of so many has no end.
  constexpr std::uint64_t most_photons = 1'000'000;
  if (photons_of(photons.in) > most_photons)
    throw UnableError(fmt::format("{} photons are more than {}", photons_of(photons.in), most_photons),
                      "fewer photons");
  mpz_class product = 1;
  for (const auto* side : {&photons.in, &photons.out}) {
    for (const Index number : *side) {
      mpz_class orders;
      mpz_fac_ui(orders.get_mpz_t(), number);
      product *= orders;
    }
  }
  return product;
}

/// The permanent along the first column that a photon enters (Laplace).
Amplitude along_a_column(const ReadResult& read, Photons photons, const CountOptions& options) {
  const auto at = std::find_if(photons.in.begin(), photons.in.end(), [](Index number) { return number > 0; });
  const auto column = static_cast<Index>(at - photons.in.begin());
  --*at;
  ReadResult lacking = read;
  repeat_lines(lacking.graph, photons.out, photons.in, read.info.path, true);
  const std::vector<Value> minors = countpm::minors(std::move(lacking), options);
  std::vector<std::size_t> first;  // of each row
  std::size_t rows = 0;
  for (const Index copies : photons.out) {
    first.push_back(rows);
    rows += copies;
  }
  Amplitude sum;
  const std::vector<ComplexRational> weights = complex_weights(read.graph);
  for (std::size_t e = 0; e < weights.size(); ++e) {
    const Edge& edge = read.graph.edges[e];
    const Index copies = photons.out[edge.from];
    if (edge.to != column || copies == 0) continue;
    const Amplitude minor = amplitude_of(minors[first[edge.from]], read.info.exact);
    const ComplexRational& a = weights[e];
    sum.middle.re += copies * (a.re * minor.middle.re - a.im * minor.middle.im);
    sum.middle.im += copies * (a.re * minor.middle.im + a.im * minor.middle.re);
    sum.error += copies * size_above(a) * minor.error;
    sum.exact = sum.exact && minor.exact;
  }
  Ball ball = ball_from(sum.middle, bits_for(options));
  mpfr_add(ball.error.get(), ball.error.get(), BigFloat(sum.error, BigFloat::default_bits, MPFR_RNDU).get(),
           MPFR_RNDU);
  sum.digits = to_string(Number(ball));
  sum.error_digits = error_string(Number(ball));
  return sum;
}

OutcomeProbability probability_within(Monitor& monitor, const ReadResult& read, const Photons& photons,
                                      const CountOptions& options) {
  require_beside_modes(read, photons);
  OutcomeProbability result;
  summarise_input(read.graph, read.info, result);
  result.photons = photons;
  result.number = photons_of(photons.in);
  result.factorials = factorials_of(photons);
  const WeightKind kind = read.graph.weight_kind;
  ReadResult repeated = read;
  repeat_lines(repeated.graph, photons.out, photons.in, read.info.path);
  Amplitude amplitude;
  try {
    CountResult permanent = count(std::move(repeated), options);
    amplitude = amplitude_of(permanent.value, read.info.exact);
    amplitude.digits = permanent.count;
    if (!amplitude.exact) amplitude.error_digits = permanent.error_bound;
    result.method = permanent.method;
    result.notes = permanent.notes;
  } catch (const UncertainError&) {
    constexpr double least_seconds = 1e-3;
    CountOptions within = options;
    within.time_limit_seconds = std::max(options.time_limit_seconds - monitor.elapsed(), least_seconds);
    amplitude = along_a_column(read, photons, within);
    result.method = "minors";
    result.notes.emplace_back(
        "the permanent cancels so far that no digit of it is certain: the probability is at most the sum of "
        "these digits and their error");
  }
  const Number probability = probability_of(amplitude, result.factorials, options);
  // Exact decimals are shown as decimals, as their count is; of complex numbers fractions are.
  const WeightKind shown = kind == WeightKind::complex && amplitude.exact ? WeightKind::rational : kind;
  const WeightKind as_real = shown == WeightKind::complex ? WeightKind::real : shown;
  const NumberText text = shown_number(probability, as_real, options.arithmetic.bits);
  result.probability = text.digits;
  result.error = text.error;
  result.value = to_value(probability, as_real, options.arithmetic.bits);
  result.permanent = amplitude.digits;
  result.permanent_error = amplitude.error_digits;
  const auto* exact = std::get_if<mpq_class>(&probability);
  const bool too_large = exact != nullptr ? *exact > 1 : [&] {
    const Ball& ball = std::get<Ball>(probability);
    BigFloat least(ball.re.bits());
    mpfr_sub(least.get(), ball.re.get(), ball.error.get(), MPFR_RNDD);
    return mpfr_cmp_ui(least.get(), 1) > 0;
  }();
  if (too_large)
    result.notes.emplace_back(
        "this exceeds 1: the matrix is no part of a unitary one, whose squared absolute "
        "values add up to at most 1 in every line");
  result.seconds = monitor.elapsed();
  return result;
}

}  // namespace

OutcomeProbability outcome_probability(const Source& source, const ReadOptions& read_options,
                                       const Photons& photons, const CountOptions& options) {
  ReadOptions each_once = read_options;
  each_once.rows.reset();
  each_once.columns.reset();
  return with_graph(GraphQuestion::probability, source, each_once, options,
                    [&](Monitor& monitor, const ReadResult& read) {
                      return probability_within(monitor, read, photons, options);
                    });
}

OutcomeProbability outcome_probability(ReadResult read, const Photons& photons, const CountOptions& options) {
  return with_graph(GraphQuestion::probability, std::move(read), options,
                    [&](Monitor& monitor, const ReadResult& checked) {
                      return probability_within(monitor, checked, photons, options);
                    });
}

}  // namespace countpm
