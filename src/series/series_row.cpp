#include "src/series/series_row.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <numbers>
#include <utility>

#include "src/text/format_number.hpp"
#include "src/text/format_probability.hpp"

namespace countpm {
namespace {

SeriesRow row_of(const SeriesItem& item) {
  SeriesRow row;
  row.input = item.input;
  row.group = item.group;
  row.size = item.size;
  return row;
}

// "12", "-3/4", "4.39453125", "1.5e+40".
mpq_class exact_number(const std::string& text) {
  const std::size_t e = text.find('e');
  std::string digits = text.substr(0, e);
  std::int64_t exponent = e == std::string::npos ? 0 : std::stoll(text.substr(e + 1));
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    exponent -= static_cast<std::int64_t>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  mpq_class number(digits, 10);
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<std::uint64_t>(std::abs(exponent)));
  if (exponent < 0) return number / power;
  return number * power;
}

}  // namespace

SeriesFailure current_failure() {
  using Kind = SeriesFailure::Kind;
  try {
    throw;
  } catch (const InputError& error) {
    return {Kind::input, error.what(), error};
  } catch (const UsageError& error) {
    return {Kind::usage, error.what(), std::nullopt};
  } catch (const UnableError& error) {
    return {Kind::unable, error.what(), std::nullopt};
  } catch (const CheckError& error) {
    return {Kind::check, error.what(), std::nullopt};
  } catch (const std::bad_alloc&) {
    return {Kind::unable, "out of memory; try a smaller input or a machine with more", std::nullopt};
  }
}

SeriesRow series_row(const SeriesItem& item, const CountResult& result) {
  SeriesRow row = row_of(item);
  row.vertices = result.vertices;
  row.edges = result.edges;
  row.count = result.count;
  row.polynomial = result.polynomial.has_value() || !result.coefficients.empty();
  if (result.exact && result.count.find_first_of("/.e") == std::string::npos)
    row.digits = result.count.size() - (result.count.starts_with('-') ? 1 : 0);
  row.log10 = result.log10;
  row.exact = result.exact;
  row.error_bound = result.error_bound;
  row.entropy = result.entropy;
  // The range knows better than the lattice which of its sizes grow.
  if (row.entropy && row.entropy->limit) row.entropy->limit = item.limit;
  row.method = result.method;
  row.warnings = result.input.warnings;
  row.seconds = result.seconds.total;
  return row;
}

SeriesRow series_row(const SeriesItem& item, const LnZResult& result) {
  SeriesRow row = row_of(item);
  row.vertices = result.vertices;
  row.edges = result.edges;
  row.exact = false;
  row.method = "ln-z";
  row.warnings = result.input.warnings;
  row.seconds = result.seconds.total;
  row.log10 = result.ln_z / std::numbers::ln10;
  row.ln_z_error = result.ln_z_error;
  if (result.problem == Problem::cycle_covers || beyond_perfect_matchings(result.problem) ||
      result.vertices == 0 || !std::isfinite(result.ln_z) || result.of_absolute)
    return row;
  Entropy entropy;
  entropy.ln_z = result.ln_z;
  entropy.per_vertex = result.ln_z / static_cast<double>(result.vertices);
  entropy.per_dimer = 2 * entropy.per_vertex;
  if (!result.weighted && result.input.vertices_removed == 0) entropy.limit = item.limit;
  row.entropy = std::move(entropy);
  return row;
}

SeriesRow series_row(const SeriesItem& item, SeriesFailure failure) {
  SeriesRow row = row_of(item);
  row.failure = std::move(failure);
  return row;
}

std::optional<mpq_class> exact_count(const SeriesRow& row) {
  if (row.failure || !row.exact || row.polynomial || row.count.empty() || row.count.starts_with('('))
    return std::nullopt;
  return exact_number(row.count);
}

std::string count_ratio(const SeriesRow& row, const SeriesRow& first) {
  if (row.failure || first.failure) return "";
  if (row.ln_z_error && first.ln_z_error) {
    if (!std::isfinite(*first.log10)) return "";
    const double log10 = *row.log10 - *first.log10;
    constexpr double most = 300;  // of a double
    constexpr int digits = 9;
    if (std::abs(log10) > most) return format_log10(log10, digits);
    return fmt::format("{:.{}g}", std::exp(log10 * std::numbers::ln10), digits);
  }
  if (!row.exact || !first.exact) return "";
  const mpq_class denominator = exact_number(first.count);
  if (denominator == 0) return "";
  const mpq_class ratio = exact_number(row.count) / denominator;
  constexpr unsigned digits = 12;
  return format_fraction(ratio.get_num(), ratio.get_den(), digits);
}

}  // namespace countpm
