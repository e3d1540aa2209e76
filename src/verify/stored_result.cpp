#include "src/verify/stored_result.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "graph/errors.hpp"
#include "graph/formats/open_error.hpp"
#include "graph/new_file.hpp"
#include "kernels/arithmetic/ball.hpp"
#include "src/journal/journal_fields.hpp"
#include "src/number/choose_arithmetic.hpp"
#include "src/number/number.hpp"

namespace countpm {
namespace {

using fields::Json;

StoredResult stored_result_of(const Journal& journal, const std::string& file) {
  if (journal.header.part)
    throw InputError(file, 2, "the checkpoint of a whole count", "a part: 'countpm merge' joins parts");
  if (journal.header.estimate)
    throw InputError(file, 2, "the checkpoint of a count",
                     "that of an estimate, of which no number can be verified: 'countpm resume' shows the "
                     "estimate, 'countpm estimate' with another --seed draws one to compare it with");
  if (journal.progress.count.empty() || journal.units_done() < journal.units()) {
    throw InputError(file, 0, "the checkpoint of a count that is done",
                     fmt::format("one with {} of {} units", journal.units_done(), journal.units()));
  }
  StoredResult stored;
  stored.file = file;
  stored.from_journal = true;
  stored.version = journal.header.version;
  stored.input = journal.header.input;
  stored.sha256 = journal.header.sha256;
  stored.count = journal.progress.count;
  stored.options = journal.header.options;
  stored.plans = header_text(journal.header);
  const std::vector<const JournalTask*> tasks = journal.header.tasks();
  stored.exact = std::all_of(tasks.begin(), tasks.end(), [](const JournalTask* task) {
    return task->arithmetic.kind == Arithmetic::Kind::residues;
  });
  return stored;
}

// A number of so many digits has left the reductions of no graph.
constexpr std::size_t most_digits = std::size_t{1} << 28;

const std::string& number_at(const Json& json, const char* key) {
  const std::string& text = fields::text_at(json, key);
  if (text.empty() || text.size() > most_digits) fields::refuse("a number without digits, or with too many");
  return text;
}

/// A polynomial of so many terms has left no count.
constexpr std::size_t most_terms = std::size_t{1} << 26;
constexpr std::int64_t most_exponent = std::int64_t{1} << 53;

mpq_class coefficient_of(const Json& json, const std::string& file) {
  return parse_rational(fields::text(json, "a coefficient"), file);
}

/// As it is printed: terms ascending, none of them 0.
Polynomial polynomial_of(const Json& json, const std::string& file) {
  Polynomial polynomial;
  for (const Json& variable : fields::list_at(json, "variables")) {
    const std::string& letter = fields::text(variable, "a variable");
    if (letter.size() != 1) fields::refuse("a variable that is not a letter");
    polynomial.variables += letter;
  }
  const Json& terms = fields::list_at(json, "terms");
  if (terms.size() > most_terms) fields::refuse("too many terms");
  for (const Json& term : terms) {
    if (!term.is_array() || term.size() != 2 || !term[0].is_array() ||
        term[0].size() != polynomial.variables.size())
      fields::refuse("a term that is not its exponents and its coefficient");
    PolynomialTerm& read = polynomial.terms.emplace_back();
    for (const Json& exponent : term[0]) {
      read.exponents.push_back(fields::integer(exponent, "an exponent", -most_exponent, most_exponent));
    }
    read.coefficient = coefficient_of(term[1], file);
    const std::size_t terms_so_far = polynomial.terms.size();
    if (read.coefficient == 0 ||
        (terms_so_far > 1 && polynomial.terms[terms_so_far - 2].exponents >= read.exponents))
      fields::refuse("terms that are 0, or not in order");
  }
  return polynomial;
}

void read_polynomial(const Json& json, StoredResult& stored) {
  const auto given = [&](const char* key) { return json.contains(key) && !json[key].is_null(); };
  if (given("method")) stored.method = fields::text_at(json, "method");
  if (given("polynomial")) stored.polynomial = polynomial_of(json["polynomial"], stored.file);
  if (given("power")) stored.power = fields::whole_at(json, "power", 0, most_terms);
  if (!given("coefficients")) return;
  const Json& list = fields::list_at(json, "coefficients");
  if (list.size() > most_terms) fields::refuse("too many coefficients");
  for (const Json& one : list) stored.coefficients.push_back(coefficient_of(one, stored.file));
}

StoredResult stored_result_of(const Json& json, const std::string& file) {
  if (!json.is_object()) fields::refuse("no object");
  if (json.contains("error"))
    throw InputError(file, 0, "the JSON of a count",
                     "that of an error: " + quoted(json["error"].dump(), 200));
  StoredResult stored;
  stored.file = file;
  stored.version = fields::text_at(json, "version");
  if (json.contains("residues") && json["residues"].is_array() && !json["residues"].empty())
    throw InputError(file, 0, "the JSON of a count", "that of residues, which are not verified: count again");
  stored.count = number_at(json, "count");
  if (json.contains("ground_state") && json["ground_state"].is_object()) {
    const Json& weight = fields::at(json["ground_state"], "weight");
    stored.ground_weight = weight.is_null() ? "none" : fields::text(weight, "weight");
  }
  stored.exact = fields::flag_at(json, "exact");
  if (!stored.exact) stored.error_bound = number_at(json, "error_bound");
  stored.input = fields::text_at(fields::at(json, "input"), "path");
  const Json& hash = fields::at(fields::at(json, "input"), "sha256");
  if (!hash.is_null()) stored.sha256 = fields::text(hash, "sha256");  // a lattice has none
  read_polynomial(json, stored);
  if (fields::at(json, "recheck").is_null()) throw std::invalid_argument("'recheck' is null");
  stored.plans = json["recheck"].dump();
  const JournalHeader header = parse_header(stored.plans);
  if (header.version != stored.version) throw std::invalid_argument("'recheck' is of another version");
  if (header.sha256 != stored.sha256) throw std::invalid_argument("'recheck' is of another input");
  stored.options = header.options;
  if (stored.polynomial || !stored.coefficients.empty()) {
    stored.plans.clear();  // what its blocks were counted as is not looked at
    return stored;
  }
  const Json& blocks = fields::list_at(json, "blocks");
  const std::vector<const JournalTask*> tasks = header.tasks();
  if (blocks.size() < tasks.size()) throw std::invalid_argument("'blocks' is shorter than its plans");
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    if (fields::text_at(blocks[k], "method") != tasks[k]->method)
      throw std::invalid_argument("'blocks' and 'recheck' name different methods");
    if (fields::at(blocks[k], "count").is_null()) refuse_exact_complex();
    stored.counts.push_back(number_at(blocks[k], "count"));
  }
  return stored;
}

constexpr const char* kinds_of_result = "the result of 'countpm INPUT --json', or a checkpoint";
constexpr std::string_view start_of_journal = "countpm journal";
// A JSON has the count of at most most_digits, and each of its blocks'.
constexpr std::size_t most_json_bytes = std::size_t{1} << 30;

[[noreturn]] void throw_unreadable(const std::string& file, std::string_view why) {
  throw InputError(file, 0, kinds_of_result, quoted(std::string(why), 200));
}

/// Opens a file of bytes or a pipe, which is not waited for where nobody writes to it: devices have no end.
Descriptor open_result(const std::string& file) {
  struct stat status {};
  const auto refuse_special = [&] {
    const std::string_view kind = S_ISFIFO(status.st_mode) ? "" : special_kind(status.st_mode);
    if (!kind.empty()) throw_unreadable(file, kind);
  };
  if (::stat(file.c_str(), &status) != 0) throw OpenError(file, std::strerror(errno));
  refuse_special();  // opening some devices does something
  Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!descriptor.is_open() || ::fstat(descriptor.get(), &status) != 0)
    throw OpenError(file, std::strerror(errno));
  refuse_special();
  return descriptor;
}

/// The next bytes; none at the end.
std::string_view read_piece(const Descriptor& descriptor, std::array<char, 65536>& buffer,
                            const std::string& file) {
  for (;;) {
    const ssize_t got = ::read(descriptor.get(), buffer.data(), buffer.size());
    if (got >= 0) return {buffer.data(), static_cast<std::size_t>(got)};
    if (errno != EAGAIN && errno != EINTR) throw OpenError(file, std::strerror(errno));
    pollfd waiting{descriptor.get(), POLLIN, 0};
    ::poll(&waiting, 1, -1);
  }
}

}  // namespace

// Of what begins neither as JSON nor as a journal, the beginning.
std::string text_of_result(const std::string& file) {
  const Descriptor descriptor = open_result(file);
  std::array<char, 65536> buffer{};
  std::string text;
  for (;;) {
    const std::string_view piece = read_piece(descriptor, buffer, file);
    text += piece;
    if (piece.empty()) return text;
    if (text.size() < start_of_journal.size() || text.starts_with(start_of_journal)) continue;
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos ? text.size() > buffer.size() : text[first] != '{') return text;
    if (text.size() > most_json_bytes)
      throw InputError(file, 0, fmt::format("a result of at most {} MiB", most_json_bytes >> 20U),
                       "a larger one");
  }
}

void refuse_exact_complex() {
  throw UnableError("an exact sum of complex weights cannot be verified: its blocks hold polynomials in i",
                    "count again with --double-check");
}

JournalHeader plans_of(const StoredResult& stored) {
  if (stored.plans.empty()) return {};
  const char* const expected = "the plans of a count, as in its `recheck`";
  JournalHeader header;
  try {
    header = parse_header(stored.plans);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw InputError(stored.file, 0, expected, quoted(error.what(), 200));
  }
  const std::size_t tasks = header.tasks().size();
  if (!stored.from_journal && stored.counts.size() < tasks)
    throw InputError(stored.file, 0, fmt::format("the counts of {} blocks", tasks),
                     fmt::format("{} of them", stored.counts.size()));
  return header;
}

mpq_class parse_rational(const std::string& text, const std::string& file) {
  const auto refuse = [&] {
    throw InputError(file, 0, "an integer or a fraction in lowest terms", "'" + quoted(text, 60) + "'");
  };
  mpq_class value;
  if (text.find_first_not_of("0123456789-/") != std::string::npos || value.set_str(text, 10) != 0 ||
      value.get_den() == 0)
    refuse();
  mpq_class canonical = value;
  canonical.canonicalize();
  if (canonical.get_str() != text) refuse();
  return canonical;
}

/// A number as results print it, with its error, as a ball: "1.5e+00" or "(1.5e+00,-2e-01)".
Ball parse_ball(const std::string& text, const std::string& error, const std::string& file) {
  constexpr unsigned bits = 1024;
  Ball ball = zero_ball(bits);
  std::string re = text;
  std::string im = "0";
  const std::size_t comma = text.find(',');
  if (text.starts_with('(') && text.ends_with(')') && comma != std::string::npos) {
    re = text.substr(1, comma - 1);
    im = text.substr(comma + 1, text.size() - comma - 2);
  }
  // "1.5e+00": no other letters, and an exponent that arithmetic does not overflow with.
  constexpr std::size_t most_exponent_digits = 12;
  const auto is_plain = [](const std::string& number) {
    const std::size_t e = number.find('e');
    return !number.empty() && number.find_first_not_of("0123456789.+-e") == std::string::npos &&
           (e == std::string::npos || number.size() - e - 1 <= most_exponent_digits + 1);
  };
  const auto read = [&](BigFloat& into, const std::string& from, mpfr_rnd_t rounding) {
    if (!is_plain(from) || mpfr_set_str(into.get(), from.c_str(), 10, rounding) != 0 ||
        mpfr_number_p(into.get()) == 0)
      throw InputError(file, 0, "a decimal number", "'" + quoted(from, 60) + "'");
  };
  read(ball.re, re, MPFR_RNDN);
  read(ball.im, im, MPFR_RNDN);
  read(ball.error, error, MPFR_RNDU);
  if (mpfr_signbit(ball.error.get()) != 0)
    throw InputError(file, 0, "an error of 0 or more", "'" + quoted(error, 60) + "'");
  return ball;
}

std::vector<mpq_class> counts_of_journal(const Journal& journal, const std::vector<AnyBlock>& left) {
  const std::vector<const JournalTask*> tasks = journal.header.tasks();
  std::vector<Partial> sums;
  sums.reserve(tasks.size());
  for (const JournalTask* task : tasks) sums.push_back(zero(task->arithmetic));
  for (const JournalRecord& record : journal.records)
    add(sums[record.task], record.finished.value, tasks[record.task]->arithmetic);
  std::vector<mpq_class> counts;
  counts.reserve(left.size());
  for (std::size_t k = 0; k < left.size(); ++k) {
    const BlockBound bound = bound_of(left[k]);
    counts.push_back(
        std::get<mpq_class>(to_number(sums[k], {tasks[k]->arithmetic, bound.denominator, bound.is_signed})));
  }
  return counts;
}

StoredResult read_stored_result(const std::string& file) {
  return stored_result_of_text(text_of_result(file), file);
}

StoredResult stored_result_of_text(const std::string& text, const std::string& file) {
  const char* const expected = kinds_of_result;
  if (text.starts_with(start_of_journal)) return stored_result_of(parse_journal(text, file), file);
  try {
    return stored_result_of(fields::parse(text), file);
  } catch (const nlohmann::json::parse_error& error) {
    throw InputError(file, 0, expected, fmt::format("what is no JSON from byte {} on", error.byte));
  } catch (const nlohmann::json::exception& error) {
    throw InputError(file, 0, expected, quoted(error.what(), 200));
  } catch (const std::logic_error& error) {
    throw InputError(file, 0, expected, quoted(error.what(), 200));
  }
}

}  // namespace countpm
