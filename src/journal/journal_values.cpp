#include "src/journal/journal_values.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "kernels/arithmetic/ball.hpp"

namespace countpm {
namespace {

using fields::Json;
using fields::refuse;

constexpr std::uint64_t most_coefficients = std::uint64_t{1} << 26;
constexpr std::size_t most_moduli = std::size_t{1} << 24;
constexpr std::uint64_t largest_prime = std::uint64_t{1} << 62;
// As check_options() has them; more than the digits of such a number.
constexpr unsigned least_bits = 24;
constexpr unsigned most_bits = 900;
constexpr std::size_t most_ball_digits = 400;
// Far beyond what products of 2^32 doubles come to, and far from any overflow.
constexpr mpfr_exp_t largest_exponent = mpfr_exp_t{1} << 44;

std::string to_text(const Modulus& modulus) {
  return modulus.prime != 0 ? std::to_string(modulus.prime) : fmt::format("2^{}", modulus.power_of_two);
}

Modulus modulus_from(const std::string& text) {
  if (text == "2^64") return {0, 64};
  if (text == "2^128") return {0, 128};
  constexpr std::size_t most_digits = 19;
  if (!fields::is_decimal(text) || text.size() > most_digits) refuse("a modulus is no number");
  const std::uint64_t prime = std::stoull(text);
  if (prime < 3 || prime % 2 == 0 || prime >= largest_prime) refuse("a modulus is no odd prime below 2^62");
  return {prime, 0};
}

/// The places, first and behind the last, of what is written.
std::pair<std::size_t, std::size_t> listed(const std::vector<uint128>& residues) {
  std::size_t first = 0;
  std::size_t last = residues.size();
  if (last <= most_listed) return {first, last};
  while (last > 0 && residues[last - 1] == 0) --last;
  while (first < last && residues[first] == 0) ++first;
  return {first, last};
}

std::string exact_text(const BigFloat& value) {
  char* text = nullptr;
  mpfr_asprintf(&text, "%Ra", value.get());
  std::string result(text);
  mpfr_free_str(text);
  return result;
}

uint128 residue_from(const std::string& text, const Modulus& modulus) {
  constexpr std::size_t most_digits = 32;
  if (text.size() > most_digits || !fields::is_hexadecimal(text))
    refuse("a residue is no hexadecimal number");
  uint128 value = 0;
  for (const char c : text) value = value << 4 | static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
  if (modulus.prime != 0 ? value >= modulus.prime : modulus.power_of_two == 64 && value >> 64 != 0)
    refuse("a residue is beyond its modulus");
  return value;
}

void read_exactly(const std::string& text, BigFloat& into) {
  char* end = nullptr;
  // Rounded nowhere: it was written with the same precision. And written as this would be.
  if (text.size() > most_ball_digits || mpfr_strtofr(into.get(), text.c_str(), &end, 0, MPFR_RNDN) != 0 ||
      *end != '\0' || mpfr_number_p(into.get()) == 0 || exact_text(into) != text)
    refuse("a ball's number is none");
  if (mpfr_regular_p(into.get()) != 0 &&
      (mpfr_get_exp(into.get()) > largest_exponent || mpfr_get_exp(into.get()) < -largest_exponent))
    refuse("a ball's number is beyond reason");
}

}  // namespace

Json to_json(const Arithmetic& arithmetic) {
  if (arithmetic.kind == Arithmetic::Kind::floating)
    return {{"floating", static_cast<int>(arithmetic.precision)}, {"bits", arithmetic.bits}};
  Json moduli = Json::array();
  for (const Modulus& modulus : arithmetic.moduli) moduli.push_back(to_text(modulus));
  return {{"moduli", moduli}};
}

Json to_json(const std::vector<PrimeWindow>& windows) {
  Json list = Json::array();
  for (const PrimeWindow& window : windows)
    list.push_back(Json::array({window.prime, window.first, window.last, window.points}));
  return {{"points", list}};
}

std::vector<PrimeWindow> windows_from(const Json& json) {
  std::vector<PrimeWindow> windows;
  if (!json.is_object() || !json.contains("points")) return windows;
  for (const Json& one : fields::list_at(json, "points")) {
    if (!one.is_array() || one.size() != 4) refuse("points of a prime are four numbers");
    constexpr std::uint64_t most = PointResidues::most_points;
    windows.push_back({fields::whole(one[0], "prime", 3, largest_prime - 1),
                       fields::whole(one[1], "points", 0, most_coefficients),
                       fields::whole(one[2], "points", 0, most_coefficients),
                       fields::whole(one[3], "points", 1, most)});
  }
  if (windows.empty()) refuse("no points");
  return windows;
}

Arithmetic arithmetic_from(const Json& json) {
  Arithmetic arithmetic;
  if (json.is_object() && json.contains("floating")) {
    arithmetic.kind = Arithmetic::Kind::floating;
    arithmetic.precision =
        static_cast<Precision>(fields::whole_at(json, "floating", 0, static_cast<int>(Precision::mpfr)));
    arithmetic.bits = static_cast<unsigned>(fields::whole_at(json, "bits", least_bits, most_bits));
    return arithmetic;
  }
  const Json& moduli = fields::list_at(json, "moduli");
  if (moduli.empty() || moduli.size() > most_moduli) refuse("no moduli, or too many");
  for (const Json& modulus : moduli)
    arithmetic.moduli.push_back(modulus_from(fields::text(modulus, "modulus")));
  return arithmetic;
}

Json to_json(const Partial& value) {
  Json result = Json::array();
  if (const auto* residues = std::get_if<Residues>(&value)) {
    const auto [first, last] = listed(residues->residue);
    for (std::size_t k = first; k < last; ++k) {
      const uint128 residue = residues->residue[k];
      const auto high = static_cast<std::uint64_t>(residue >> 64);
      const auto low = static_cast<std::uint64_t>(residue);
      result.push_back(high != 0 ? fmt::format("{:x}{:016x}", high, low) : fmt::format("{:x}", low));
    }
    if (last - first == residues->residue.size()) return result;
    return {{"from", first}, {"residues", std::move(result)}};
  }
  const Ball& ball = std::get<Ball>(value);
  for (const BigFloat* part : {&ball.re, &ball.im, &ball.error}) result.push_back(exact_text(*part));
  return result;
}

Partial value_from(const Json& json, const Arithmetic& arithmetic) {
  const std::size_t all = arithmetic.moduli.size();
  if (arithmetic.kind == Arithmetic::Kind::residues) {
    const bool some = json.is_object();
    const std::size_t first = some ? fields::whole_at(json, "from", 0, all) : 0;
    const Json& list = some ? fields::list_at(json, "residues") : json;
    if (!list.is_array() || list.size() > all - first || (!some && list.size() != all))
      refuse("another number of residues");
    Partial value = zero(arithmetic);
    std::vector<uint128>& residues = std::get<Residues>(value).residue;
    for (std::size_t k = 0; k < list.size(); ++k)
      residues[first + k] = residue_from(fields::text(list[k], "residue"), arithmetic.moduli[first + k]);
    if (listed(residues) != std::pair(first, first + list.size()) || (some && list.size() == all))
      refuse("residues in another form");
    return value;
  }
  if (!json.is_array() || json.size() != 3) refuse("a ball has three numbers");
  Partial value = zero(arithmetic);
  Ball& ball = std::get<Ball>(value);
  std::size_t k = 0;
  for (BigFloat* part : {&ball.re, &ball.im, &ball.error}) {
    read_exactly(fields::text(json[k], "ball"), *part);
    ++k;
  }
  if (mpfr_signbit(ball.error.get()) != 0) refuse("a ball's error is negative");
  return value;
}

}  // namespace countpm
