#include "src/journal/journal.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <utility>

#include "graph/errors.hpp"
#include "graph/sha256.hpp"
#include "src/journal/journal_fields.hpp"
#include "src/journal/journal_file.hpp"
#include "src/journal/journal_header.hpp"
#include "src/journal/journal_values.hpp"

namespace countpm {
namespace {

using Json = fields::Json;

constexpr std::string_view magic = journal_magic;
constexpr int format_number = 1;
constexpr std::size_t checksum_digits = 32;
constexpr double most_remaining = 1e300;

std::string checksum(const std::string& id, const std::string& text) {
  Sha256 hash;
  hash.update(id);
  hash.update("\n");
  hash.update(text);
  return hash.digest().substr(0, checksum_digits);
}

std::string line(const std::string& id, const std::string& text) {
  return checksum(id, text) + " " + text + "\n";
}

JournalProgress progress_from(const Json& json) {
  const Json& remaining = fields::list_at(json, "remaining");
  const auto left = [&remaining](std::size_t k) {
    return fields::number(fields::nth(remaining, k), "remaining", -1, most_remaining);
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
    if (journal.header.ratio && journal.header.ratio->way == RatioWay::apart)
      journal.sums.resize(Journal::most_sums);
    records_of_sums_.resize(journal.sums.size());
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
      } else if (json.contains("sum")) {
        take_of_sum(json);
      } else {
        take(json);
      }
    } catch (const std::exception&) {
      ++journal_.damaged_lines;  // a checksum that fits by chance, or was made to
    }
  }

  /// Estimates are read once their headers are known, which may come after their records.
  void read_sums() {
    for (std::size_t k = 0; k < journal_.sums.size(); ++k) {
      Journal& sum = journal_.sums[k];
      sum.bytes = journal_.bytes;
      if (!sum.header.estimate) {
        journal_.damaged_lines += records_of_sums_[k].size();
        continue;
      }
      RecordReader reader(sum);
      for (const Json& record : records_of_sums_[k]) {
        try {
          reader.take(record);
        } catch (const std::exception&) {
          ++journal_.damaged_lines;
        }
      }
      journal_.repeated_lines += std::exchange(sum.repeated_lines, 0);
    }
  }

 private:
  /// Of units or samples. Throws for what is none.
  void take(const Json& json) {
    if (json.contains("sampling")) return take(parse_samples(json.dump()));
    if (json.contains("piece")) return take(parse_ratio(json.dump()));
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
  }

  void take(RatioRecord record) {
    if (!journal_.header.ratio || record.piece >= journal_.header.ratio->pieces.size())
      fields::refuse("a piece that is not there");
    if (chunks_seen_.emplace(record.piece, record.chunk).second) {
      journal_.ratio_records.push_back(std::move(record));
    } else {
      ++journal_.repeated_lines;
    }
  }

  void take_of_sum(const Json& json) {
    if (journal_.sums.empty()) fields::refuse("sums that are not apart");
    const std::size_t number = fields::whole_at(json, "sum", 0, journal_.sums.size() - 1);
    if (!json.contains("header")) return records_of_sums_[number].push_back(fields::at(json, "record"));
    JournalHeader header = header_from(fields::at(json, "header"));
    if (!header.estimate || header.part || header.ratio) fields::refuse("a sum that is no estimate");
    Journal& sum = journal_.sums[number];
    if (sum.header.estimate) fields::refuse("a sum with two headers");
    sum.header = std::move(header);
  }

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
  std::set<std::pair<std::size_t, std::uint64_t>> chunks_seen_;
  std::vector<std::vector<Json>> records_of_sums_;
  std::mt19937_64 random_{std::random_device{}()};
};

}  // namespace

std::string header_lines(const JournalHeader& header) {
  return fmt::format("{}{}\n", magic, format_number) + line("", header_text(header));
}

std::string record_text(const JournalRecord& record) {
  return fields::dumped({{"task", record.task},
                         {"first", record.finished.range.first},
                         {"last", record.finished.range.last},
                         {"value", to_json(record.finished.value)},
                         {"seconds", record.finished.seconds}});
}

std::string record_line(const JournalHeader& header, const JournalRecord& record) {
  return line(header.id, record_text(record));
}

std::string samples_line(const JournalHeader& header, const SampleRecord& record) {
  return line(header.id, samples_text(record));
}

std::string text_line(const JournalHeader& header, const std::string& record) {
  return line(header.id, record);
}

std::string sum_header_line(const JournalHeader& header, std::size_t number, const JournalHeader& of_sum) {
  return line(header.id, fmt::format("{{\"sum\":{},\"header\":{}}}", number, header_text(of_sum)));
}

std::string sum_line(const JournalHeader& header, std::size_t number, const std::string& record) {
  return line(header.id, fmt::format("{{\"sum\":{},\"record\":{}}}", number, record));
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
  return line(header.id, fields::dumped(json));
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
    throw InputError(file, 1, "a checkpoint of countpm, which begins with 'countpm journal 1'",
                     fmt::format("'{}'", countpm::quoted(first)));
  if (first != fmt::format("{}{}", magic, format_number)) {
    throw InputError(file, 1,
                     fmt::format("a checkpoint of format {}, which this version reads", format_number),
                     fmt::format("'{}'", countpm::quoted(first)));
  }
  std::string second;
  std::getline(lines, second);
  const std::string content = checked(second, "");
  const char* const sound = "the header of a checkpoint, with its checksum";
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
  reader.read_sums();
  return journal;
}

Journal read_journal(const std::string& file) {
  return parse_journal(read_journal_text(file), file);
}

}  // namespace countpm
