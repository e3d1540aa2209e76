#include "src/journal/journal.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "graph/errors.hpp"
#include "graph/sha256.hpp"
#include "graph/sparse_matrix.hpp"
#include "src/journal/journal_fields.hpp"
#include "src/journal/journal_file.hpp"
#include "src/journal/journal_part.hpp"
#include "src/journal/journal_values.hpp"

namespace countpm {
namespace {

using Json = fields::Json;

constexpr std::string_view magic = journal_magic;
constexpr int format_number = 1;
constexpr std::size_t checksum_digits = 32;

// Beyond what there can be, and small enough for what is done with them.
constexpr std::uint64_t most_entries = std::uint64_t{1} << 48;
constexpr std::uint64_t most_primes = std::uint64_t{1} << 24;
constexpr std::uint64_t most_digit_bits = std::uint64_t{1} << 27;
constexpr double most_predicted = 1e300;

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
                       {"arithmetic", task.points.empty() ? to_json(task.arithmetic) : to_json(task.points)},
                       {"skip_primes", task.skip_primes},
                       {"units", task.units},
                       {"predicted_seconds", task.predicted_seconds}});
    }
    result.push_back({{"reduced", block.reduced}, {"same_methods", block.same_methods}, {"tasks", tasks}});
    if (block.digit_bits != 0) result.back()["digit_bits"] = block.digit_bits;
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

JournalTask task_from(const Json& json) {
  JournalTask task;
  task.fingerprint = fields::text_at(json, "fingerprint");
  task.rows = fields::whole_at(json, "rows", 0, no_index);
  task.entries = fields::whole_at(json, "entries", 0, most_entries);
  task.method = fields::text_at(json, "method");
  task.plan = fields::text_at(json, "plan");
  const Json& arithmetic = fields::at(json, "arithmetic");
  task.points = windows_from(arithmetic);
  if (task.points.empty()) task.arithmetic = arithmetic_from(arithmetic);
  task.skip_primes = static_cast<unsigned>(fields::whole_at(json, "skip_primes", 0, most_primes));
  task.units = fields::whole_at(json, "units", 1, fields::most_units);
  task.predicted_seconds = fields::number_at(json, "predicted_seconds", 0, most_predicted);
  return task;
}

JournalSampling sampling_from(const Json& json) {
  return {fields::whole_at(json, "part", 0, no_index), fields::text_at(json, "fingerprint"),
          fields::whole_at(json, "rows", 0, no_index), fields::whole_at(json, "entries", 0, most_entries),
          fields::text_at(json, "sampler")};
}

std::vector<JournalBlock> blocks_from(const Json& header, const char* key) {
  std::vector<JournalBlock> blocks;
  for (const Json& block : fields::list_at(header, key)) {
    JournalBlock& last = blocks.emplace_back();
    last.reduced = fields::flag_at(block, "reduced");
    last.same_methods = fields::flag_at(block, "same_methods");
    for (const Json& task : fields::list_at(block, "tasks")) last.tasks.push_back(task_from(task));
    if (block.contains("digit_bits"))
      last.digit_bits = fields::whole_at(block, "digit_bits", 1, most_digit_bits);
    if (!block.contains("sampled")) continue;
    for (const Json& sampled : fields::list_at(block, "sampled"))
      last.sampled.push_back(sampling_from(sampled));
  }
  return blocks;
}

/// The moduli of polynomials at points: no more of them than any count has.
void add_moduli(std::vector<JournalBlock>& blocks, std::uint64_t& left) {
  for (JournalBlock& block : blocks) {
    for (JournalTask& task : block.tasks) {
      for (const PrimeWindow& window : task.points) {
        if (window.points > left) fields::refuse("more points than any count has");
        left -= window.points;
      }
      if (!task.points.empty()) task.arithmetic = arithmetic_of(task.points);
    }
  }
}

JournalProgress progress_from(const Json& json) {
  const Json& remaining = fields::list_at(json, "remaining");
  const auto left = [&remaining](std::size_t k) {
    return fields::number(fields::nth(remaining, k), "remaining", -1, most_predicted);
  };
  JournalProgress progress;
  progress.elapsed_seconds = fields::seconds_at(json, "elapsed");
  progress.remaining_seconds = left(0);
  progress.remaining_low = left(1);
  progress.remaining_high = left(2);
  if (json.contains("count")) progress.count = fields::text_at(json, "count");
  if (progress.count.find_first_not_of("0123456789-+./e(),") != std::string::npos)
    fields::refuse("a count that is no number");
  if (json.contains("estimated")) progress.estimated = fields::flag_at(json, "estimated");
  if (json.contains("lost_ranks"))
    progress.lost_ranks = fields::whole_at(json, "lost_ranks", 1, fields::most_units);
  return progress;
}

std::pair<std::string, std::string> option_from(const Json& json) {
  return {fields::text(fields::nth(json, 0), "option"), fields::text(fields::nth(json, 1), "option")};
}

JournalHeader header_from(const Json& json) {
  JournalHeader header;
  header.version = fields::text_at(json, "version");
  header.id = fields::text_at(json, "id");
  header.input = fields::text_at(fields::at(json, "input"), "path");
  header.sha256 = fields::text_at(fields::at(json, "input"), "sha256");
  for (const Json& option : fields::list_at(json, "options")) header.options.push_back(option_from(option));
  for (const Json& rule : fields::list_at(json, "rules")) header.rules.push_back(fields::text(rule, "rule"));
  header.blocks = blocks_from(json, "blocks");
  header.recounts = blocks_from(json, "recounts");
  std::uint64_t points_left = PointResidues::most_points;
  add_moduli(header.blocks, points_left);
  add_moduli(header.recounts, points_left);
  if (json.contains("part")) header.part = part_from(fields::at(json, "part"), header);
  if (json.contains("estimate")) {
    const Json& estimate = fields::at(json, "estimate");
    // Journals of before the rules have none.
    const std::uint64_t rule =
        estimate.contains("rule") ? fields::whole_at(estimate, "rule", 1, ~std::uint32_t{0}) : 1;
    header.estimate = {fields::whole_at(estimate, "seed", 0, ~std::uint64_t{0}),
                       fields::text_at(estimate, "goal"), static_cast<unsigned>(rule)};
  }
  const bool samples = !header.samplings().empty();
  if (header.part && header.part->of_estimate() != header.estimate.has_value())
    fields::refuse("a part of an estimate without samples, or of a count with some");
  if (samples && !header.estimate) fields::refuse("blocks to sample in a count");
  if (header.estimate && !header.recounts.empty()) fields::refuse("a double-check of an estimate");
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
  if (tasks.empty()) fields::refuse("a task that is not there");
  JournalRecord record;
  record.task = fields::whole_at(json, "task", 0, tasks.size() - 1);
  const JournalTask& task = *tasks[record.task];
  record.finished.range.first = fields::whole_at(json, "first", 0, task.units - 1);
  record.finished.range.last = fields::whole_at(json, "last", record.finished.range.first + 1, task.units);
  record.finished.value = value_from(fields::at(json, "value"), task.arithmetic);
  record.finished.seconds = fields::seconds_at(json, "seconds");
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
      const Json json = fields::parse(content);
      if (json.contains("elapsed")) {
        journal_.progress = progress_from(json);
        return;
      }
      if (json.contains("sampling")) {
        take(parse_samples(content));
        return;
      }
      JournalRecord record = record_from(json, tasks_);
      // What leaves residues out takes more memory than text.
      if (fields::at(json, "value").is_object()) residues_left_out_ += residues_of(record);
      if (residues_left_out_ > most_left_out + residues_a_byte * journal_.bytes)
        fields::refuse("more residues left out than any count has");
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
    if (record.sampling >= journal_.drawn.size()) fields::refuse("a block that is not there");
    if (const auto& part = journal_.header.part;
        part && !part->trials.empty() != record.drawn.trials.has_value())
      fields::refuse("samples in the place of trials, or the other way round");
    if (const auto& part = journal_.header.part;
        part && record.drawn.moments.samples > part->samples_of(record.sampling).size())
      fields::refuse("more samples than the part's");
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

  std::uint64_t residues_of(const JournalRecord& record) const {
    return tasks_[record.task]->arithmetic.moduli.size();
  }

  // Some hundred megabytes; of the longest counts a few times what is written.
  static constexpr std::uint64_t most_left_out = std::uint64_t{1} << 24;
  static constexpr std::uint64_t residues_a_byte = 4;

  Journal& journal_;
  std::uint64_t residues_left_out_ = 0;
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
  return header_from(fields::parse(text));
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

std::string batch_line(const JournalHeader& header, const SampleBatch& batch) {
  return line(header.id, batch_text(batch));
}

std::string progress_line(const JournalHeader& header, const JournalProgress& progress) {
  Json json = {{"elapsed", progress.elapsed_seconds},
               {"remaining", {progress.remaining_seconds, progress.remaining_low, progress.remaining_high}}};
  if (!progress.count.empty()) json["count"] = progress.count;
  if (progress.estimated) json["estimated"] = true;
  if (progress.lost_ranks > 0) json["lost_ranks"] = progress.lost_ranks;
  return line(header.id, dumped(json));
}

std::optional<JournalRecord> parse_record(const JournalHeader& header, const std::string& line) {
  const std::string content = checked(line, header.id);
  if (content.empty()) return std::nullopt;
  try {
    return record_from(fields::parse(content), header.tasks());
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::optional<SampleBatch> parse_batch_line(const JournalHeader& header, const std::string& line) {
  const std::string content = checked(line, header.id);
  if (content.empty()) return std::nullopt;
  try {
    SampleBatch batch = parse_batch(content);
    if (batch.series >= series_a_block * header.samplings().size()) return std::nullopt;
    return batch;
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

bool Journal::has_all_samples() const {
  for (std::size_t k = 0; header.part && k < drawn.size(); ++k) {
    if (drawn[k].moments.samples < header.part->samples_of(k).size()) return false;
  }
  return true;
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
