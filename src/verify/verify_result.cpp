#include "src/verify/verify_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "matching/fingerprint.hpp"
#include "src/checks/checks.hpp"
#include "src/count/planned_count.hpp"
#include "src/input/report.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/journal/rerun_units.hpp"
#include "src/number/agree.hpp"
#include "src/structure/balance.hpp"
#include "src/text/format_number.hpp"
#include "src/verify/conclusion.hpp"
#include "src/verify/second_count.hpp"
#include "src/verify/stored_result.hpp"
#include "src/verify/verify_polynomial.hpp"

namespace countpm {
namespace {

// A permanent modulo a power of two may take as long, on one core.
constexpr double seconds_of_power_of_two = 0.5;

/// What is refuted ends the verification.
struct Refuted {};

std::string spec_of(const std::string& lattice) {
  constexpr std::string_view prefix = "lattice:";
  return lattice.starts_with(prefix) ? lattice.substr(prefix.size()) : lattice;
}

class Verification {
 public:
  Verification(const StoredResult& stored, const Source& source, const ReadOptions& read_options,
               const CountOptions& options)
      : stored_(stored),
        source_(source),
        read_options_(read_options),
        options_(options),
        monitor_(options_),
        header_(plans_of(stored)) {
    read_options_.hash = true;
    read_options_.letters = stored.polynomial || stored.from_journal;
  }

  VerifyReport run() {
    try {
      monitor_.explained([this] { verify(); });
    } catch (const Refuted&) {
      // The last step says it.
    }
    return std::move(report_);
  }

 private:
  void say(const std::string& name, Verdict verdict, const std::string& detail) {
    report_.steps.push_back({name, verdict, detail});
  }
  [[noreturn]] void refute(const std::string& name, const std::string& detail) {
    say(name, Verdict::refuted, detail);
    throw Refuted();
  }

  ReadResult read_input() {
    monitor_.enter("reading the input");
    ReadResult read = read_graph(source_, read_options_);
    monitor_.throw_if_stopped();
    refuse_packed_sums(read, stored_);
    const bool other_lattice = read.info.lattice && spec_of(stored_.input) != spec_of(read.info.path);
    if (read.info.sha256 != stored_.sha256 || other_lattice)
      refuse_other_input(stored_, source_.name, read.info.sha256);
    return read;
  }

  void conclude(Extent extent, std::string how) {
    report_.extent = extent;
    report_.how = std::move(how);
  }

  void verify() {
    ReadResult read = read_input();
    say("input", Verdict::proved,
        read.info.lattice ? "the same lattice" : fmt::format("SHA-256 {}", read.info.sha256));
    if (read.info.ground_states) {
      report_.steps.push_back(weight_step(*read.info.ground_states, stored_));
      if (report_.refuted()) throw Refuted();
    }
    if (is_stored_polynomial(stored_) || read.graph.letter_bits != 0)
      return verify_polynomial(stored_, read, options_, monitor_, report_);
    Stopwatch watch;
    ReducedCount count = reduce_count(std::move(read.graph), read.info, options_, watch, monitor_);
    const std::string structure = "structure";
    if (count.result.violator) {
      if (stored_.count != "0")
        refute(structure, fmt::format("there is no perfect matching, but the count is given as {}",
                                      quoted(stored_.count, 60)));
      say(structure, Verdict::proved, "there is no perfect matching: the count is 0");
      conclude(Extent::whole, "proved by structure: there is no perfect matching");
      return;
    }
    if (stored_.count == "0" && header_.blocks.empty() && !count.reduced->blocks.empty())
      refute(structure, "there is a perfect matching, but none is claimed");
    say(structure, Verdict::proved, structure_text(count.result.problem, count.result.matched));
    weight_kind_ = count.weight_kind;
    const bool exact = weight_kind_ < WeightKind::real;
    // A journal by its tasks' arithmetic. Of decimal weights either may be, as the methods are.
    const bool arithmetic_known =
        (!stored_.from_journal || !header_.tasks().empty()) && weight_kind_ != WeightKind::real;
    if (arithmetic_known && stored_.exact != exact) {
      throw InputError(stored_.file, 0, stored_.exact ? "a number with its error" : "an exact number",
                       "the other, which weights like these do not have");
    }
    const std::vector<AnyBlock> left = check_blocks(count);
    if (exact) {
      check_exact(count, left);
    } else {
      check_floating(count, left);
    }
    if (stored_.from_journal) check_ranges();
  }

  /// The blocks that the reductions leave, as the result has them.
  std::vector<AnyBlock> check_blocks(ReducedCount& count) {
    const std::string name = "reductions";
    std::vector<AnyBlock> left;
    for (ReducedBlock& block : count.reduced->blocks) {
      if (count.weight_kind >= WeightKind::real) balance(block);
      left.insert(left.end(), block.reduced.begin(), block.reduced.end());
    }
    std::size_t tasks = 0;
    for (const JournalBlock& block : header_.blocks) {
      for (const JournalTask& task : block.tasks) {
        if (tasks < left.size() && fingerprint(left[tasks]) == task.fingerprint) {
          ++tasks;
          continue;
        }
        refuse_other_version();
        refute(name, fmt::format("block {} is not what the reductions leave of this input", tasks + 1));
      }
    }
    if (tasks != left.size() || header_.blocks.size() != count.reduced->blocks.size()) {
      refuse_other_version();
      refute(name, fmt::format("they leave {} to count, not {}", counted(left.size(), "block"), tasks));
    }
    if (header_.rules != rules_in_use(options_.rules)) refute(name, "the rules are not those of the options");
    if (header_.settings != options_.settings.list())
      refute(name, "the settings are not those of the options");
    say(name, Verdict::proved, fmt::format("done again: {} left to count", counted(left.size(), "block")));
    return left;
  }

  void refuse_other_version() const {
    if (stored_.version == version()) return;
    throw InputError(
        stored_.file, 0, fmt::format("a result whose blocks version {} makes", version()),
        fmt::format("one of version {}, which reduces otherwise: verify it with that", stored_.version));
  }

  void check_exact(const ReducedCount& count, const std::vector<AnyBlock>& left) {
    const mpq_class total = parse_rational(stored_.count, stored_.file);
    std::vector<mpq_class> counts;
    for (const std::string& text : stored_.counts) counts.push_back(parse_rational(text, stored_.file));
    check_moduli(left);  // before residues are joined by them
    if (stored_.from_journal) counts = counts_of_journal(read_journal(stored_.file), left);
    check_product(count, counts, total);
    check_blocks_counts(count, counts);
    recount(left, counts);
  }

  /// Enough residues for the bound, and every modulus what it says.
  void check_moduli(const std::vector<AnyBlock>& left) {
    const std::string name = "moduli";
    std::size_t next = 0;
    std::size_t few = 0;
    for (const JournalTask* task : header_.tasks()) {
      if (next == left.size()) break;  // a double-check's
      double bits = 0;
      std::vector<std::uint64_t> primes;
      for (const Modulus& modulus : task->arithmetic.moduli) {
        bits += modulus.prime == 0 ? modulus.power_of_two : std::log2(static_cast<double>(modulus.prime));
        if (modulus.prime == 0) continue;
        primes.push_back(modulus.prime);
        const mpz_class prime(static_cast<std::uint64_t>(modulus.prime));
        if (mpz_probab_prime_p(prime.get_mpz_t(), 30) == 0)
          refute(name, fmt::format("{} is no prime", modulus.prime));
      }
      std::sort(primes.begin(), primes.end());
      if (std::adjacent_find(primes.begin(), primes.end()) != primes.end())
        refute(name, fmt::format("a prime of block {} is there twice", next + 1));
      const BlockBound bound = bound_of(left[next++]);
      if (bits * (1 - 1e-12) < bound.log2_bound + (bound.is_signed ? 1 : 0)) ++few;
    }
    if (few > 0) {
      say(name, Verdict::not_checked,
          fmt::format(
              "{} blocks have fewer residues than the general bound asks for: their method has a bound of "
              "its own",
              few));
    } else {
      say(name, Verdict::proved, "primes, and enough of them for the upper bound of every block");
    }
  }

  void check_product(const ReducedCount& count, const std::vector<mpq_class>& counts,
                     const mpq_class& total) {
    const NumberArithmetic exact;
    Number result = to_number(count.reduced->factor, exact);
    std::size_t next = 0;
    for (const ReducedBlock& block : count.reduced->blocks) {
      multiply(result, to_number(block.factor, exact), exact);
      for (std::size_t r = 0; r < block.reduced.size(); ++r) multiply(result, Number(counts[next++]), exact);
    }
    const std::string name = "product";
    if (std::get<mpq_class>(result) != total)
      refute(name, fmt::format("the blocks and what the reductions factored out give {}, not {}",
                               quoted(to_string(result), 80), quoted(stored_.count, 80)));
    say(name, Verdict::proved, "what the reductions factored out times the blocks' counts is the count");
  }

  /// Parity, upper bound, sign; and the certified bounds.
  void check_blocks_counts(const ReducedCount& count, const std::vector<mpq_class>& counts) {
    Checks checks;
    std::size_t next = 0;
    std::uint64_t to_bound = most_entries_to_bound;
    for (const ReducedBlock& block : count.reduced->blocks) {
      monitor_.throw_if_stopped();
      mpq_class value = std::get<mpq_class>(block.factor);
      for (std::size_t r = 0; r < block.reduced.size(); ++r) value *= counts[next++];
      try {
        verify_block(block, Number(value), seconds_of_power_of_two, checks);
        verify_certified_bounds(block.original, Number(value), to_bound, checks);
      } catch (const CheckError& error) {
        refute("parity, bounds and sign", error.what());
      }
    }
    for (const Check& check : checks.list())
      say(check.name, check.ran ? Verdict::agrees : Verdict::not_checked, check.detail);
  }

  double time_left() const { return options_.time_limit_seconds - monitor_.elapsed(); }

  void recount(const std::vector<AnyBlock>& left, const std::vector<mpq_class>& counts) {
    const std::string name = "counted again";
    if (left.empty()) {
      say(name, Verdict::proved, "the reductions leave nothing to count");
      conclude(Extent::whole, "proved by structure and reductions, done again: they leave nothing to count");
      return;
    }
    conclude(Extent::nothing, not_counted_anew);
    const Modulus prime{random_prime(), 0};
    Arithmetic one;
    one.moduli = {prime};
    const auto compare = [&](std::size_t k, const Recount& again) {
      const Partial claimed = from_factor(counts[k], one);
      if (agree(claimed, *again.value)) return;
      refute(name, fmt::format("block {} counted by {} is {}, but {} by {}", k + 1, again.before,
                               to_text(claimed, one), to_text(*again.value, one), again.method->name()));
    };
    SecondCount second(weight_kind_, options_, prime, monitor_);
    const std::vector<Recount> recounts = second.count(left, methods_before(), compare);
    std::map<std::string, std::size_t> by_other;
    std::map<std::string, std::size_t> by_same;
    std::map<std::string, std::size_t> not_at_all;
    for (std::size_t k = 0; k < left.size(); ++k) {
      const Recount& again = recounts[k];
      if (!again.value) {
        ++not_at_all[fmt::format("{} rows by {}: {}", rows_of(left[k]), again.before, again.why_not)];
        continue;
      }
      const bool same = again.method->name() == again.before;
      ++(same ? by_same : by_other)[fmt::format("{} rows by {}{}, by {} before", rows_of(left[k]),
                                                again.method->name(), again.remark, again.before)];
    }
    conclude_counted_anew(recounts, prime);
    const auto tell = [&](const std::map<std::string, std::size_t>& kinds, Verdict verdict,
                          const std::string& how) {
      std::size_t named = 0;
      for (const auto& [kind, times] : kinds) {
        if (++named > most_named) return;
        const std::string blocks = times == 1 ? "a block of " : fmt::format("{} blocks of ", times);
        say(name, verdict, fmt::format("{}{}{}", blocks, kind, how));
      }
    };
    const std::string modulo = fmt::format(", modulo the prime {} drawn now", prime.prime);
    tell(by_other, Verdict::agrees, modulo);
    tell(by_same, Verdict::agrees, modulo);
    tell(not_at_all, Verdict::not_checked, "");
  }

  /// Of the blocks.
  std::vector<std::string> methods_before() const {
    std::vector<std::string> names;
    for (const JournalTask* task : header_.tasks()) names.push_back(task->method);
    return names;
  }

  void conclude_counted_anew(const std::vector<Recount>& recounts, const Modulus& prime) {
    const std::vector<std::string> methods = methods_of(recounts);
    if (methods.empty()) return;  // said
    conclude(methods.size() == recounts.size() ? Extent::whole : Extent::part,
             counted_anew_text(methods, recounts.size(), prime.prime));
  }

  /// The whole by what fits the time, against the number and its error.
  void check_floating(const ReducedCount& count, const std::vector<AnyBlock>& left) {
    const std::string name = "counted again";
    conclude(Extent::nothing, not_counted_anew);
    if (stored_.from_journal) {
      conclude(Extent::nothing, "whose checkpoint does not hold its error bound: verify the JSON");
      say(name, Verdict::not_checked,
          "a checkpoint does not hold the error bound of its number: verify the JSON");
      return;
    }
    const std::string claimed_error = stored_.exact ? "0" : stored_.error_bound;
    const Ball claimed = parse_ball(stored_.count, claimed_error, stored_.file);
    const NumberArithmetic arithmetic = number_arithmetic(count.weight_kind, options_);
    Number total = to_number(count.reduced->factor, arithmetic);
    for (const ReducedBlock& block : count.reduced->blocks)
      multiply(total, to_number(block.factor, arithmetic), arithmetic);
    SecondCount second(count.weight_kind, options_, std::nullopt, monitor_);
    const std::vector<Recount> recounts = second.count(left, methods_before(), {});
    for (std::size_t k = 0; k < recounts.size(); ++k) {
      if (!recounts[k].value) {
        say(name, Verdict::not_checked,
            fmt::format("a block of {} rows: {}", rows_of(left[k]), recounts[k].why_not));
        return;
      }
      multiply(total, to_number(*recounts[k].value, recounts[k].choice), arithmetic);
    }
    if (!balls_meet(claimed, ball_around(total))) {
      const NumberText text = shown_number(total, count.weight_kind, options_.arithmetic.bits);
      refute(name, fmt::format("the sum is {} with an error of up to {}, not {} with one of {}", text.digits,
                               text.exact ? "0" : text.error, stored_.count, claimed_error));
    }
    const std::vector<std::string> methods = methods_of(recounts);
    say(name, Verdict::agrees, fmt::format("within the errors of both, by {}", fmt::join(methods, ", ")));
    conclude(Extent::whole, within_errors_text(methods));
  }

  /// Of a journal: some of its ranges, on its own plan.
  void check_ranges() {
    const std::string name = "checkpointed units";
    ReadResult read = read_input();
    const Journal journal = read_journal(stored_.file);
    CountOptions options = options_;
    options.double_check = false;
    options.checkpoint.file = stored_.file;
    Stopwatch watch;
    try {
      const PlannedCount plan =
          plan_count(std::move(read.graph), read.info, options, watch, monitor_, &journal);
      std::vector<std::unique_ptr<Ledger>> ledgers;
      std::vector<Ledger*> pointers;
      for (const JournalBlock& block : journal.header.blocks) {
        for (const JournalTask& task : block.tasks) {
          ledgers.push_back(std::make_unique<Ledger>(task.units, task.arithmetic));
          pointers.push_back(ledgers.back().get());
        }
      }
      for (const JournalRecord& record : journal.records) {
        if (record.task < ledgers.size()) ledgers[record.task]->add(record.finished);
      }
      Checks checks;
      rerun_journaled_units(plan.blocks, pointers, time_left(), monitor_, checks);
      for (const Check& check : checks.list())
        say(name, check.ran ? Verdict::agrees : Verdict::not_checked, check.detail);
    } catch (const CheckError& error) {
      refute(name, error.what());
    } catch (const UnableError& error) {
      say(name, Verdict::not_checked, error.what());
    }
  }

  static constexpr std::size_t most_named = 8;

  const StoredResult& stored_;
  Source source_;
  ReadOptions read_options_;
  CountOptions options_;
  Monitor monitor_;
  JournalHeader header_;
  WeightKind weight_kind_ = WeightKind::none;
  VerifyReport report_;
};

}  // namespace

bool VerifyReport::refuted() const {
  return !steps.empty() && steps.back().verdict == Verdict::refuted;
}

VerifyReport verify_result(const StoredResult& stored, const Source& source, const ReadOptions& read_options,
                           const CountOptions& options) {
  CountOptions own = options;
  own.checkpoint = {};
  own.device = "cpu";
  own.method = "auto";
  CountOptions without_settings = own;
  without_settings.settings = {};  // they are of the result's method
  check_options(without_settings);
  return Verification(stored, source, read_options, own).run();
}

}  // namespace countpm
