#include "src/journal/journal.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "graph/errors.hpp"
#include "graph/sha256.hpp"
#include "kernels/arithmetic/ball.hpp"
#include "src/journal/journal_file.hpp"

namespace countpm {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view magic = journal_magic;
constexpr int format_number = 1;
constexpr std::size_t checksum_digits = 32;

std::string checksum(const std::string& id, const std::string& text) {
  Sha256 hash;
  hash.update(id);
  hash.update("\n");
  hash.update(text);
  return hash.digest().substr(0, checksum_digits);
}

std::string dumped(const Json& content) {
  // A path need not be UTF-8; then it is to be given again.
  return content.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string line(const std::string& id, const std::string& text) {
  return checksum(id, text) + " " + text + "\n";
}

// What nlohmann throws for a key that is missing or of another type is caught by the readers of lines.
std::string to_text(const Modulus& modulus) {
  return modulus.prime != 0 ? std::to_string(modulus.prime) : fmt::format("2^{}", modulus.power_of_two);
}

Modulus modulus_from(const std::string& text) {
  if (text == "2^64") return {0, 64};
  if (text == "2^128") return {0, 128};
  return {std::stoull(text), 0};
}

Json to_json(const Arithmetic& arithmetic) {
  if (arithmetic.kind == Arithmetic::Kind::floating)
    return {{"floating", static_cast<int>(arithmetic.precision)}, {"bits", arithmetic.bits}};
  Json moduli = Json::array();
  for (const Modulus& modulus : arithmetic.moduli) moduli.push_back(to_text(modulus));
  return {{"moduli", moduli}};
}

Arithmetic arithmetic_from(const Json& json) {
  Arithmetic arithmetic;
  if (json.contains("floating")) {
    arithmetic.kind = Arithmetic::Kind::floating;
    arithmetic.precision = static_cast<Precision>(json.at("floating").get<int>());
    arithmetic.bits = json.at("bits").get<unsigned>();
    return arithmetic;
  }
  for (const auto& modulus : json.at("moduli"))
    arithmetic.moduli.push_back(modulus_from(modulus.get<std::string>()));
  return arithmetic;
}

Json to_json(const std::vector<JournalBlock>& blocks) {
  Json result = Json::array();
  for (const JournalBlock& block : blocks) {
    Json tasks = Json::array();
    for (const JournalTask& task : block.tasks) {
      tasks.push_back({{"fingerprint", task.fingerprint},
                       {"rows", task.rows},
                       {"entries", task.entries},
                       {"method", task.method},
                       {"plan", task.plan},
                       {"arithmetic", to_json(task.arithmetic)},
                       {"skip_primes", task.skip_primes},
                       {"units", task.units},
                       {"predicted_seconds", task.predicted_seconds}});
    }
    result.push_back({{"reduced", block.reduced}, {"same_methods", block.same_methods}, {"tasks", tasks}});
    for (const JournalSampling& sampled : block.sampled) {
      result.back()["sampled"].push_back({{"part", sampled.part},
                                          {"fingerprint", sampled.fingerprint},
                                          {"rows", sampled.rows},
                                          {"entries", sampled.entries},
                                          {"sampler", sampled.sampler}});
    }
  }
  return result;
}

std::vector<JournalBlock> blocks_from(const Json& json) {
  std::vector<JournalBlock> blocks;
  for (const auto& block : json) {
    JournalBlock& last = blocks.emplace_back();
    last.reduced = block.at("reduced").get<bool>();
    last.same_methods = block.at("same_methods").get<bool>();
    for (const auto& task : block.at("tasks")) {
      last.tasks.push_back({task.at("fingerprint").get<std::string>(), task.at("rows").get<std::uint64_t>(),
                            task.at("entries").get<std::uint64_t>(), task.at("method").get<std::string>(),
                            task.at("plan").get<std::string>(), arithmetic_from(task.at("arithmetic")),
                            task.at("skip_primes").get<unsigned>(), task.at("units").get<std::uint64_t>(),
                            task.at("predicted_seconds").get<double>()});
    }
    for (const auto& sampled : block.value("sampled", Json::array())) {
      last.sampled.push_back(
          {sampled.at("part").get<std::size_t>(), sampled.at("fingerprint").get<std::string>(),
           sampled.at("rows").get<std::uint64_t>(), sampled.at("entries").get<std::uint64_t>(),
           sampled.at("sampler").get<std::string>()});
    }
  }
  return blocks;
}

Json to_json(const JournalPart& part) {
  Json share = Json::array();
  for (const std::vector<UnitRange>& ranges : part.share) {
    Json of_task = Json::array();
    for (const UnitRange& range : ranges) of_task.push_back({range.first, range.last});
    share.push_back(std::move(of_task));
  }
  return {{"number", part.number}, {"of", part.of}, {"share", share}};
}

[[noreturn]] void throw_damaged(const char* what) {
  throw std::invalid_argument(what);
}

JournalPart part_from(const Json& json, const std::vector<const JournalTask*>& tasks) {
  JournalPart part;
  part.number = json.at("number").get<std::uint64_t>();
  part.of = json.at("of").get<std::uint64_t>();
  if (part.number == 0 || part.number > part.of) throw_damaged("a part that is not there");
  if (json.at("share").size() != tasks.size()) throw_damaged("a share of other blocks");
  for (const auto& ranges : json.at("share")) {
    const std::uint64_t units = tasks[part.share.size()]->units;
    std::vector<UnitRange>& last = part.share.emplace_back();
    for (const auto& range : ranges) {
      last.push_back({range.at(0).get<std::uint64_t>(), range.at(1).get<std::uint64_t>()});
      const bool in_order = last.size() == 1 || last[last.size() - 2].last < last.back().first;
      if (!in_order || last.back().first >= last.back().last || last.back().last > units)
        throw_damaged("a share of units that are not there");
    }
  }
  return part;
}

std::string exact_text(const BigFloat& value) {
  char* text = nullptr;
  mpfr_asprintf(&text, "%Ra", value.get());
  std::string result(text);
  mpfr_free_str(text);
  return result;
}

Json to_json(const Partial& value) {
  Json result = Json::array();
  if (const auto* residues = std::get_if<Residues>(&value)) {
    for (const uint128 residue : residues->residue) {
      const auto high = static_cast<std::uint64_t>(residue >> 64);
      const auto low = static_cast<std::uint64_t>(residue);
      result.push_back(high != 0 ? fmt::format("{:x}{:016x}", high, low) : fmt::format("{:x}", low));
    }
    return result;
  }
  const Ball& ball = std::get<Ball>(value);
  for (const BigFloat* part : {&ball.re, &ball.im, &ball.error}) result.push_back(exact_text(*part));
  return result;
}

uint128 residue_from(const std::string& text, const Modulus& modulus) {
  if (text.empty() || text.size() > 32 || text.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw_damaged("a residue is no hexadecimal number");
  uint128 value = 0;
  for (const char c : text) value = value << 4 | static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
  if (modulus.prime != 0 ? value >= modulus.prime : modulus.power_of_two == 64 && value >> 64 != 0)
    throw_damaged("a residue is beyond its modulus");
  return value;
}

Partial value_from(const Json& json, const Arithmetic& arithmetic) {
  Partial value = zero(arithmetic);
  if (auto* residues = std::get_if<Residues>(&value)) {
    if (json.size() != residues->residue.size()) throw_damaged("another number of residues");
    for (std::size_t k = 0; k < json.size(); ++k)
      residues->residue[k] = residue_from(json[k].get<std::string>(), arithmetic.moduli[k]);
    return value;
  }
  Ball& ball = std::get<Ball>(value);
  std::size_t k = 0;
  if (json.size() != 3) throw_damaged("a ball has three numbers");
  for (BigFloat* part : {&ball.re, &ball.im, &ball.error}) {
    const std::string text = json[k++].get<std::string>();
    char* end = nullptr;
    // Rounded nowhere: it was written with the same precision.
    if (mpfr_strtofr(part->get(), text.c_str(), &end, 0, MPFR_RNDN) != 0 || *end != '\0' || text.empty() ||
        mpfr_number_p(part->get()) == 0)
      throw_damaged("a ball's number is none");
  }
  if (mpfr_sgn(ball.error.get()) < 0) throw_damaged("a ball's error is negative");
  return value;
}

JournalProgress progress_from(const Json& json) {
  return {json.at("elapsed").get<double>(),         json.at("remaining").at(0).get<double>(),
          json.at("remaining").at(1).get<double>(), json.at("remaining").at(2).get<double>(),
          json.value("count", std::string()),       json.value("estimated", false)};
}

JournalHeader header_from(const Json& json) {
  JournalHeader header;
  header.version = json.at("version").get<std::string>();
  header.id = json.at("id").get<std::string>();
  header.input = json.at("input").at("path").get<std::string>();
  header.sha256 = json.at("input").at("sha256").get<std::string>();
  for (const auto& option : json.at("options"))
    header.options.emplace_back(option.at(0).get<std::string>(), option.at(1).get<std::string>());
  header.rules = json.at("rules").get<std::vector<std::string>>();
  header.blocks = blocks_from(json.at("blocks"));
  header.recounts = blocks_from(json.at("recounts"));
  if (json.contains("part")) header.part = part_from(json.at("part"), header.tasks());
  if (json.contains("estimate")) {
    header.estimate = {json.at("estimate").at("seed").get<std::uint64_t>(),
                       json.at("estimate").at("goal").get<std::string>(),
                       json.at("estimate").value("rule", 1U)};
  }
  return header;
}

/// The text after a line's checksum; empty where the checksum is another's.
std::string checked(const std::string& text, const std::string& id) {
  if (text.size() < checksum_digits + 2 || text[checksum_digits] != ' ') return {};
  std::string content = text.substr(checksum_digits + 1);
  if (text.compare(0, checksum_digits, checksum(id, content)) != 0) return {};
  return content;
}

/// Throws for what is none.
JournalRecord record_from(const Json& json, const std::vector<const JournalTask*>& tasks) {
  JournalRecord record;
  record.task = json.at("task").get<std::size_t>();
  if (record.task >= tasks.size()) throw_damaged("a task that is not there");
  record.finished.range = {json.at("first").get<std::uint64_t>(), json.at("last").get<std::uint64_t>()};
  record.finished.value = value_from(json.at("value"), tasks[record.task]->arithmetic);
  record.finished.seconds = json.at("seconds").get<double>();
  return record;
}

/// Reads the records after the header.
class RecordReader {
 public:
  explicit RecordReader(Journal& journal) : journal_(journal), tasks_(journal.header.tasks()) {
    journal.drawn.resize(journal.header.samplings().size());
    journal.stretches.resize(journal.drawn.size());
    stretches_seen_.resize(journal.drawn.size());
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      ledgers_.push_back(std::make_unique<Ledger>(tasks_[k]->units, tasks_[k]->arithmetic,
                                                  journal.header.share_of(k, *tasks_[k])));
    }
  }

  void read(const std::string& text) {
    const std::string content = checked(text, journal_.header.id);
    if (content.empty()) {
      ++journal_.damaged_lines;
      return;
    }
    try {
      const Json json = Json::parse(content);
      if (json.contains("elapsed")) {
        journal_.progress = progress_from(json);
        return;
      }
      if (json.contains("sampling")) {
        take(parse_samples(content));
        return;
      }
      JournalRecord record = record_from(json, tasks_);
      if (ledgers_[record.task]->add(record.finished)) {
        journal_.records.push_back(std::move(record));
      } else {
        ++journal_.repeated_lines;
      }
    } catch (const std::exception&) {
      ++journal_.damaged_lines;  // a checksum that fits by chance, or was made to
    }
  }

 private:
  /// Every record has all samples from the first on: the longest says it all.
  void take(SampleRecord record) {
    if (record.sampling >= journal_.drawn.size()) throw_damaged("a block that is not there");
    DrawnSamples& longest = journal_.drawn[record.sampling];
    const auto length = [](const DrawnSamples& drawn) {
      return std::make_pair(drawn.moments.samples, drawn.goal);
    };
    if (length(record.drawn) < length(longest)) return;
    if (record.drawn.moments.samples > longest.moments.samples)
      keep(record.sampling, {std::move(longest.moments), record.drawn.moments,
                             std::max(record.drawn.seconds - longest.seconds, 0.0)});
    longest = std::move(record.drawn);
  }

  /// Every stretch has the same chance (reservoir sampling).
  void keep(std::size_t sampling, SampleStretch stretch) {
    std::vector<SampleStretch>& kept = journal_.stretches[sampling];
    const std::uint64_t seen = stretches_seen_[sampling]++;
    if (seen < Journal::some_stretches) return kept.push_back(std::move(stretch));
    const std::uint64_t place = std::uniform_int_distribution<std::uint64_t>(0, seen)(random_);
    if (place < kept.size()) kept[place] = std::move(stretch);
  }

  Journal& journal_;
  std::vector<const JournalTask*> tasks_;
  std::vector<std::unique_ptr<Ledger>> ledgers_;
  std::vector<std::uint64_t> stretches_seen_;
  std::mt19937_64 random_{std::random_device{}()};
};

}  // namespace

std::vector<const JournalTask*> JournalHeader::tasks() const {
  std::vector<const JournalTask*> result;
  for (const auto* list : {&blocks, &recounts}) {
    for (const JournalBlock& block : *list) {
      for (const JournalTask& task : block.tasks) result.push_back(&task);
    }
  }
  return result;
}

std::vector<const JournalSampling*> JournalHeader::samplings() const {
  std::vector<const JournalSampling*> result;
  for (const JournalBlock& block : blocks) {
    for (const JournalSampling& sampled : block.sampled) result.push_back(&sampled);
  }
  return result;
}

std::vector<UnitRange> JournalHeader::share_of(std::size_t number, const JournalTask& task) const {
  if (part) return part->share[number];
  return {{0, task.units}};
}

std::uint64_t JournalHeader::units_of(std::size_t number, const JournalTask& task) const {
  std::uint64_t sum = 0;
  for (const UnitRange& range : share_of(number, task)) sum += range.size();
  return sum;
}

std::string header_text(const JournalHeader& header) {
  Json options = Json::array();
  for (const auto& [name, value] : header.options) options.push_back(Json::array({name, value}));
  Json json = {{"version", header.version},
               {"id", header.id},
               {"input", {{"path", header.input}, {"sha256", header.sha256}}},
               {"options", options},
               {"rules", header.rules},
               {"blocks", to_json(header.blocks)},
               {"recounts", to_json(header.recounts)}};
  if (header.part) json["part"] = to_json(*header.part);
  if (const auto& estimate = header.estimate)
    json["estimate"] = {{"seed", estimate->seed}, {"goal", estimate->goal}, {"rule", estimate->rule}};
  return dumped(json);
}

JournalHeader parse_header(const std::string& text) {
  return header_from(Json::parse(text));
}

std::string header_lines(const JournalHeader& header) {
  return fmt::format("{}{}\n", magic, format_number) + line("", header_text(header));
}

std::string record_line(const JournalHeader& header, const JournalRecord& record) {
  return line(header.id, dumped({{"task", record.task},
                                 {"first", record.finished.range.first},
                                 {"last", record.finished.range.last},
                                 {"value", to_json(record.finished.value)},
                                 {"seconds", record.finished.seconds}}));
}

std::string samples_line(const JournalHeader& header, const SampleRecord& record) {
  return line(header.id, samples_text(record));
}

std::string progress_line(const JournalHeader& header, const JournalProgress& progress) {
  Json json = {{"elapsed", progress.elapsed_seconds},
               {"remaining", {progress.remaining_seconds, progress.remaining_low, progress.remaining_high}}};
  if (!progress.count.empty()) json["count"] = progress.count;
  if (progress.estimated) json["estimated"] = true;
  return line(header.id, dumped(json));
}

std::optional<JournalRecord> parse_record(const JournalHeader& header, const std::string& line) {
  const std::string content = checked(line, header.id);
  if (content.empty()) return std::nullopt;
  try {
    return record_from(Json::parse(content), header.tasks());
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

double Journal::done_share() const {
  const std::vector<const JournalTask*> tasks = header.tasks();
  const auto seconds = [&](std::size_t task, std::uint64_t units) {
    return tasks[task]->predicted_seconds * static_cast<double>(units) /
           static_cast<double>(tasks[task]->units);
  };
  double all = 0;
  for (std::size_t task = 0; task < tasks.size(); ++task)
    all += seconds(task, header.units_of(task, *tasks[task]));
  double done = 0;
  for (const JournalRecord& record : records) done += seconds(record.task, record.finished.range.size());
  return all > 0 ? done / all : 1;
}

std::uint64_t Journal::units_done() const {
  std::uint64_t sum = 0;
  for (const JournalRecord& record : records) sum += record.finished.range.size();
  return sum;
}

std::uint64_t Journal::units() const {
  std::uint64_t sum = 0;
  std::size_t number = 0;
  for (const JournalTask* task : header.tasks()) sum += header.units_of(number++, *task);
  return sum;
}

Journal parse_journal(const std::string& text, const std::string& file) {
  Journal journal;
  journal.bytes = text.size();
  std::istringstream lines(text);
  std::string first;
  std::getline(lines, first);
  if (!first.starts_with(magic))
    throw InputError(file, 1, "a journal of countpm ('countpm journal 1')",
                     fmt::format("'{}'", countpm::quoted(first)));
  if (first != fmt::format("{}{}", magic, format_number)) {
    throw InputError(file, 1, fmt::format("a journal of format {}, which this version reads", format_number),
                     fmt::format("'{}'", countpm::quoted(first)));
  }
  std::string second;
  std::getline(lines, second);
  const std::string content = checked(second, "");
  const char* const sound = "the header of a journal, with its checksum";
  if (content.empty() || lines.eof())
    throw InputError(file, 2, sound, "a damaged one: nothing in this file can be believed");
  try {
    journal.header = parse_header(content);
  } catch (const std::exception& error) {
    throw InputError(file, 2, sound, countpm::quoted(error.what(), 200));
  }
  RecordReader reader(journal);
  std::string record;
  while (std::getline(lines, record)) {
    // A line without its end may be cut in the middle of a number, but then its checksum is not that of the
    // rest.
    reader.read(record);
  }
  return journal;
}

Journal read_journal(const std::string& file) {
  return parse_journal(read_journal_text(file), file);
}

}  // namespace countpm
