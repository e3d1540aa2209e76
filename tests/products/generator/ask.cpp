#include "tests/products/generator/ask.hpp"

#include <chrono>

#include "tests/products/generator/asking.hpp"
#include "tests/products/generator/refusals.hpp"

namespace countpm::products {
namespace {
using Clock = std::chrono::steady_clock;

constexpr double time_limit = 2;
constexpr std::uint64_t memory_limit = std::uint64_t{1} << 30;

/// Of counts by a method that has some, every other product has one of the library's settings, with what it
/// needs.
Settings settings_of(const Product& product, const CountOptions& options) {
  if (product.question() != Question::count && product.question() != Question::maximum) return {};
  std::uint64_t dice = product.seed * 0x9e3779b97f4a7c15U >> 20;
  const auto below = [&dice](std::uint64_t limit) {
    const std::uint64_t number = dice % limit;
    dice /= limit;
    return number;
  };
  const SettingInfo& info = settings()[below(settings().size())];
  const bool letters = among(product.weights(), {Weights::letter, Weights::inverse_letter,
                                                 Weights::two_letters, Weights::at_one_of_two});
  if (below(2) == 0 || (letters && info.setting == Setting::structure) ||
      (options.double_check && info.setting == Setting::grid))
    return {};
  Settings set;
  const std::uint64_t number =
      info.setting == Setting::gpu_number ? 0 : info.least + below(9) * info.multiple_of;
  set.set(info.name,
          info.values.empty() ? std::to_string(number) : std::string(info.values[below(info.values.size())]));
  if (!info.needed.empty())
    set.set(settings()[static_cast<std::size_t>(info.needs)].name, info.needed[below(info.needed.size())]);
  try {
    set.check(options.method, options.device);
  } catch (const UsageError&) {
    return {};
  }
  return set;
}

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
      options.arithmetic.choice = FloatChoice::plain;
      break;
    case Arithmetic::double_double:
      options.arithmetic.choice = FloatChoice::double_double;
      break;
    case Arithmetic::mpfr_64:
      options.arithmetic = FloatArithmetic::of_bits(64);
      break;
    case Arithmetic::mpfr_300:
      options.arithmetic = FloatArithmetic::of_bits(300);
      break;
    default:
      break;
  }
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
  options.settings = settings_of(product, options);
  return options;
}

void wrong(Outcome& outcome, const std::string& what) {
  outcome.kind = Outcome::Kind::wrong;
  outcome.what = what;
}

}  // namespace

Asking::Asking(const Product& product)
    : product_(product), instance_(draw(product)), options_(options_of(product)) {}

Outcome Asking::run() {
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

void Asking::refused(Outcome& outcome, const std::string& what) {
  outcome.reason = refusal_of(what);
  if (outcome.reason < 0) return wrong(outcome, "a refusal that is not in the table: " + what);
  const Fault fault = judge_claim(refusals()[static_cast<std::size_t>(outcome.reason)].claim);
  if (!fault.empty()) return wrong(outcome, what + ": but " + fault);
  outcome.what = what;
  outcome.kind = Outcome::Kind::refused;
}

Asking::Judge Asking::answer(Outcome& outcome) {
  switch (product_.question()) {
    case Question::permanent:
      return judge_of(countpm::permanent(input(), plain_options()));
    case Question::hafnian:
      return judge_of(countpm::hafnian(input(), plain_options()));
    case Question::loop_hafnian:
      return judge_of(countpm::loop_hafnian(input(), plain_options()));
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
    case Question::exact_marginals:
    case Question::monomer_marginals:
    case Question::maximum_marginals:
      return marginals();
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
    case Question::ln_z:
      return ln_z();
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

Asking::Judge Asking::judge_of(Value value) {
  return [this, value = std::move(value)] { return judge_value(truth().sum().at_one(), value, floating()); };
}

ReadResult Asking::read(bool other) const {
  const Input whole = input(other);
  return whole.ask(
      [](const Source& source, const ReadOptions& reading) { return read_graph(source, reading); },
      [](const ReadResult& known) { return known; });
}

const Truth& Asking::truth() {
  if (!truth_) truth_.emplace(instance_, product_);
  return *truth_;
}

Options Asking::plain_options() const {
  Options options = static_cast<const Options&>(options_);
  options.device = "cpu";
  options.gpus = 0;
  return options;
}

Outcome ask(const Product& product) {
  return Asking(product).run();
}

std::string repeated(const Product& product) {
  return command_line(draw(product), product);
}

}  // namespace countpm::products
