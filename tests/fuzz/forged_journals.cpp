#include "tests/fuzz/forged_journals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "graph/errors.hpp"
#include "graph/read.hpp"
#include "graph/sha256.hpp"
#include "src/api/entries.hpp"
#include "src/estimate/estimate.hpp"
#include "src/matchings/ratio.hpp"
#include "src/verify/verify_result.hpp"
#include "tests/file_text.hpp"
#include "tests/fuzz/forge_fields.hpp"

namespace countpm::forge {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* first_line = "countpm journal 1";
constexpr std::size_t checksum_digits = 32;
// A forged journal may make work of any size: it is stopped then, which is a refusal.
constexpr double seconds = 10;

std::string checksum(const std::string& id, const std::string& text) {
  Sha256 hash;
  hash.update(id);
  hash.update("\n");
  hash.update(text);
  return hash.digest().substr(0, checksum_digits);
}

/// A random matrix with a full diagonal, as Matrix Market text.
std::string matrix(unsigned rows, unsigned percent, std::uint64_t seed, const char* field,
                   const std::vector<std::string>& values) {
  Random random(seed);
  std::string entries;
  std::size_t count = 0;
  for (unsigned i = 1; i <= rows; ++i) {
    for (unsigned j = 1; j <= rows; ++j) {
      if (i != j && random() % 100 >= percent) continue;
      ++count;
      entries += fmt::format("{} {}", i, j);
      if (!values.empty()) entries += " " + values[random() % values.size()];
      entries += '\n';
    }
  }
  return fmt::format("%%MatrixMarket matrix coordinate {} general\n{} {} {}\n{}", field, rows, rows, count,
                     entries);
}

std::string edges(unsigned vertices, unsigned percent, std::uint64_t seed) {
  Random random(seed);
  std::string text;
  for (unsigned i = 0; i < vertices; ++i) {
    for (unsigned j = i + 1; j < vertices; ++j) {
      if (j == i + 1 || random() % 100 < percent) text += fmt::format("{} {}\n", i, j);
    }
  }
  return text;
}

/// The weights of one direction, and of the other.
std::string grid(unsigned side, const char* down = "", const char* right = "") {
  std::string text;
  for (unsigned i = 0; i < side; ++i) {
    for (unsigned j = 0; j < side; ++j) {
      if (i + 1 < side) text += fmt::format("{} {}{}\n", i * side + j, (i + 1) * side + j, down);
      if (j + 1 < side) text += fmt::format("{} {}{}\n", i * side + j, i * side + j + 1, right);
    }
  }
  return text;
}

/// A circulant graph with odd cycles, the edges of one kind with that weight.
std::string circulant(const char* weight) {
  constexpr unsigned vertices = 12;
  std::string text;
  for (unsigned i = 0; i < vertices; ++i) {
    for (const unsigned step : {1U, 2U, 5U})
      text += fmt::format("{} {} {}\n", i, (i + step) % vertices, step == 2 ? weight : "1");
  }
  return text;
}

std::vector<Case> make_cases() {
  const std::vector<std::string> integers{"1", "2", "-3", "70000000007"};
  const std::vector<std::string> large{"1", "-7", "123456789012345678901234567890"};
  const std::vector<std::string> reals{"0.5", "1.25", "3.1"};
  std::vector<Case> cases;
  for (const char* method : {"ryser", "sparyser", "skipper", "codegen", "grouped", "pruned", "frontier",
                             "forbert-marx", "definition", "enumerate"})
    cases.push_back({method, matrix(9, 40, 1, "pattern", {}), ".mtx", method});
  cases.push_back({"rook", matrix(9, 85, 2, "pattern", {}), ".mtx", "rook"});
  cases.push_back({"double-check", matrix(8, 45, 3, "pattern", {}), ".mtx", "pruned", false, true});
  for (const char* method : {"pruned", "skipper", "frontier", "forbert-marx"})
    cases.push_back(
        {std::string(method) + " weighted", matrix(8, 45, 4, "integer", integers), ".mtx", method, true});
  for (const char* method : {"pruned", "frontier"})
    cases.push_back(
        {std::string(method) + " large", matrix(7, 45, 5, "integer", large), ".mtx", method, true});
  for (const char* method : {"ryser", "skipper", "frontier", "codegen"})
    cases.push_back({std::string(method) + " real", matrix(7, 50, 6, "real", reals), ".mtx", method, true});
  cases.push_back({"frontier general", edges(10, 35, 7), ".edgelist", "frontier"});
  cases.push_back({"planar", grid(6), ".edgelist", "planar"});
  cases.push_back({"condensation", grid(6), ".edgelist", "condensation"});
  cases.push_back({"letters", grid(6, " x", " 1/2"), ".edgelist", "planar", true});
  cases.push_back({"letters as numbers", grid(4, " x", " -2*y"), ".edgelist", "frontier", true});
  cases.push_back({"estimate", matrix(8, 50, 8, "pattern", {}), ".mtx", ""});
  cases.push_back({"estimate weighted", matrix(8, 50, 9, "integer", {"1", "5", "9"}), ".mtx", "", true});
  cases.push_back({"guarantee", matrix(6, 70, 10, "pattern", {}), ".mtx", "", false, false, true});
  cases.push_back({"ratio", circulant("1.02"), ".edgelist", "", true, false, false, circulant("1")});
  cases.push_back(
      {"ratio apart", circulant("20"), ".edgelist", "", true, false, false, circulant("1"), 0.08});
  // Every input by itself, so that its hash says which it is.
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const bool mtx = cases[k].ending == ".mtx";
    const std::size_t end = mtx ? cases[k].input.find('\n') + 1 : 0;
    cases[k].input.insert(end, fmt::format("{} {}\n", mtx ? '%' : '#', k));
  }
  return cases;
}

ReadOptions reading(const Case& one) {
  ReadOptions options;
  options.weights = one.weights;
  return options;
}

CountOptions counting(const Case& one) {
  CountOptions options;
  if (!one.method.empty()) options.method = one.method;
  options.device = "cpu";
  options.threads = 1;
  options.double_check = one.double_check;
  options.time_limit_seconds = seconds;
  return options;
}

EstimateOptions estimating(const Case& one) {
  EstimateOptions options;
  options.all_sampled = true;
  options.device = "cpu";
  options.time_limit_seconds = seconds;
  options.samples = one.guarantee ? 0 : 100;
  if (one.guarantee) options.guarantee = GuaranteeGoal{0.5, 0.2};
  if (one.other.empty()) return options;
  options.sampler.kind = SamplerKind::bethe;
  if (one.ln_error > 0) {
    options.samples = 0;
    options.ln_error = one.ln_error;
  }
  return options;
}

/// What is shown of an estimate, or of a ratio.
std::string estimated(const Case& one, const std::string& input, const std::string& other,
                      const ReadOptions& read, const CountOptions& options) {
  const Source source = Source::from_argument(input);
  if (!one.other.empty())
    return fmt::format("{:.6f}",
                       ratio(source, Source::from_argument(other), read, options, estimating(one)).ln);
  return fmt::format("{:.6f}", estimate(source, read, options, estimating(one)).estimate.value().log10);
}

void write(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// Calls, and sorts what is thrown.
template <class Work>
Outcome outcome_of(const Work& work) {
  Outcome outcome;
  try {
    outcome.answer = work();
  } catch (const Error& error) {
    outcome.refused = error.what();
  } catch (const std::bad_alloc&) {
    outcome.broken = "out of memory";
  } catch (const std::exception& error) {
    outcome.broken = error.what();
  }
  return outcome;
}

std::string result_json(const CountResult& result) {
  Json blocks = Json::array();
  for (const BlockReport& block : result.blocks)
    blocks.push_back({{"method", block.method}, {"count", block.count}});
  Json json = {{"version", version()},
               {"count", result.count},
               {"exact", result.exact},
               {"error_bound", result.exact ? Json(nullptr) : Json(result.error_bound)},
               {"input", {{"path", result.input.path}, {"sha256", result.input.sha256}}},
               {"violator", nullptr},
               {"blocks", blocks},
               {"recheck", result.recheck.empty() ? Json(nullptr) : Json::parse(result.recheck)}};
  return json.dump();
}

}  // namespace

std::vector<std::string> contents_of(const std::string& journal) {
  std::vector<std::string> contents;
  std::istringstream lines(journal);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line))
    contents.push_back(line.substr(std::min(line.size(), checksum_digits + 1)));
  return contents;
}

std::string with_checksums(const std::vector<std::string>& contents) {
  std::string text = std::string(first_line) + "\n";
  std::string id;
  for (std::size_t k = 0; k < contents.size(); ++k) {
    text += checksum(k == 0 ? "" : id, contents[k]) + " " + contents[k] + "\n";
    if (k > 0) continue;
    const Json header = Json::parse(contents[0], nullptr, false);
    if (header.is_object() && header.contains("id") && header["id"].is_string()) id = header["id"];
  }
  return text;
}

const std::vector<Case>& Trials::cases() {
  static const std::vector<Case> list = make_cases();
  return list;
}

Trials::Trials() {
  const fs::path memory = "/dev/shm";
  std::error_code error;
  const fs::path place = fs::is_directory(memory, error) ? memory : fs::temp_directory_path();
  folder_ = (place / fmt::format("countpm-forge-{:016x}", Random(std::random_device()())())).string();
  fs::create_directories(folder_);
  for (std::size_t k = 0; k < cases().size(); ++k) {
    const Case& one = cases()[k];
    inputs_.push_back(fmt::format("{}/{}{}", folder_, k, one.ending));
    write(inputs_[k], one.input);
    others_.push_back(fmt::format("{}/{}-other{}", folder_, k, one.ending));
    if (!one.other.empty()) write(others_[k], one.other);
    Sha256 hash;
    hash.update(one.input);
    by_hash_[hash.digest()] = k;
    const std::string file = fmt::format("{}/{}.journal", folder_, k);
    const Source source = Source::from_argument(inputs_[k]);
    CountOptions options = counting(one);
    options.checkpoint.file = file;
    options.recheck = true;
    ReadOptions hashed = reading(one);
    hashed.hash = true;
    if (one.method.empty()) {
      answers_.push_back(estimated(one, inputs_[k], others_[k], hashed, options));
      results_.emplace_back();
    } else {
      const CountResult result = count(source, hashed, options);
      answers_.push_back(result.count);
      results_.push_back(result_json(result));
    }
    journals_.push_back(testing::file_text(file));
  }
}

Trials::~Trials() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::optional<std::size_t> Trials::case_of(const std::string& sha256) const {
  const auto found = by_hash_.find(sha256);
  return found == by_hash_.end() ? std::nullopt : std::optional(found->second);
}

std::string Trials::damaged(std::size_t number, Random& random) const {
  std::string text = journals_[number];
  // The header is most of such a file: half of the time it is spared.
  const std::size_t head = text.find('\n', text.find('\n') + 1) + 1;
  const std::size_t from = random() % 2 == 0 && head < text.size() ? head : 0;
  for (std::uint64_t k = 1 + random() % 4; k > 0 && from < text.size(); --k) {
    const std::size_t at = from + random() % (text.size() - from);
    switch (random() % 5) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text.erase(at, 1 + random() % 40);
        break;
      case 2:
        text.insert(at, text.substr(from + random() % (text.size() - from), random() % 400));
        break;
      default:
        text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
    }
  }
  return text;
}

std::string Trials::forged(std::size_t number, Random& random, std::string& what) const {
  std::vector<std::string> contents = contents_of(journals_[number]);
  const std::size_t at = random() % 3 != 0 || contents.size() < 2 ? 0 : 1 + random() % (contents.size() - 1);
  what = at == 0 ? "header" : "record";
  Json json = Json::parse(contents[at]);
  if (at == 0 && random() % 8 == 0) {
    // a part, which this is none
    json["part"] = {{"number", 1}, {"of", 2}, {"share", Json::array({Json::array({Json::array({0, 1})})})}};
  }
  what += change_fields(json, random);
  contents[at] = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  // Without records nothing stands in the way of the plan.
  if (at == 0 && random() % 2 == 0) contents.resize(1);
  if (random() % 6 == 0) contents.push_back(contents[random() % contents.size()]);
  return with_checksums(contents);
}

std::string Trials::forged_result(std::size_t number, Random& random, std::string& what) const {
  if (results_[number].empty()) return {};
  Json json = Json::parse(results_[number]);
  what = "result" + change_fields(json, random);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Outcome Trials::run(std::size_t number, const std::string& file,
                    const std::vector<std::string>& merged) const {
  const Case& one = cases()[number];
  return outcome_of([&] {
    const Source source = Source::from_argument(inputs_[number]);
    CountOptions options = counting(one);
    options.checkpoint.file = merged.empty() ? file : "";
    options.checkpoint.resume = merged.empty();
    options.checkpoint.merge = merged;
    if (!one.method.empty()) return count(source, reading(one), options).count;
    return estimated(one, inputs_[number], others_[number], reading(one), options);
  });
}

Outcome Trials::resume(std::size_t number, const std::string& journal) const {
  const std::string file = folder_ + "/forged";
  write(file, journal);
  return run(number, file, {});
}

Outcome Trials::merge(std::size_t number, const std::string& journal, const std::string& other) const {
  const std::string first = folder_ + "/first";
  const std::string second = folder_ + "/second";
  write(first, journal);
  write(second, other);
  return run(number, {}, {first, second});
}

Outcome Trials::status(const std::string& journal) const {
  const std::string file = folder_ + "/status";
  write(file, journal);
  return outcome_of([&] {
    const JournalStatus status = journal_status(file);
    if (!std::isfinite(status.done) || status.done < 0 || status.done > 1 + 1e-9)
      throw std::logic_error(fmt::format("done: {}", status.done));
    return std::string("status");
  });
}

Outcome Trials::verify(std::size_t number, const std::string& result) const {
  const std::string file = folder_ + "/result";
  write(file, result);
  return outcome_of([&] {
    const Case& one = cases()[number];
    const StoredResult stored = read_stored_result(file);
    CountOptions options = counting(one);
    options.method = "auto";
    const VerifyReport report =
        verify_result(stored, Source::from_argument(inputs_[number]), reading(one), options);
    // What stands is right.
    if (!report.refuted() && stored.exact && stored.count != answers_[number])
      throw std::logic_error("verified: " + stored.count);
    return std::string(report.refuted() ? "refuted" : "stands");
  });
}

void try_one(const Trials& trials, std::uint64_t seed, Tally& tally) {
  Random random(seed);
  const std::size_t number = random() % Trials::cases().size();
  const Case& one = Trials::cases()[number];
  const bool damage = random() % 5 == 0;
  std::string what = "bytes";
  const std::string journal = damage ? trials.damaged(number, random) : trials.forged(number, random, what);
  ++(damage ? tally.damaged : tally.forged);
  const auto judge = [&](const char* command, const Outcome& outcome, const std::string& right) {
    std::string wrong = outcome.broken;
    if (!outcome.answer.empty() && !right.empty() && outcome.answer != right)
      wrong = outcome.answer + " in place of " + right;
    if (wrong.empty()) {
      ++(outcome.answer.empty() ? tally.refused : tally.right);
      return;
    }
    ++tally.wrong;
    if (tally.first_wrong.empty())
      tally.first_wrong = fmt::format("seed {}, {} of {}, {}: {}", seed, what, one.name, command, wrong);
  };
  // The sums of samples cannot all be drawn again, and floating sums differ in their last digits: there only
  // that it ends as it should.
  const bool certain = !one.method.empty() && one.name.find("real") == std::string::npos;
  judge("resume", trials.resume(number, journal), certain ? trials.answer(number) : "");
  const Outcome status = trials.status(journal);
  if (!status.broken.empty()) judge("status", status, "");
  switch (random() % 8) {
    case 0:
      judge("merge", trials.merge(number, journal, trials.journal(number)), "");
      break;
    case 1:
      judge("verify", trials.verify(number, journal), "");
      break;
    case 2:
      if (const std::string result = trials.forged_result(number, random, what); !result.empty())
        judge("verify", trials.verify(number, result), "");
      break;
    default:
      break;
  }
}

}  // namespace countpm::forge
