#include "src/journal/join_journals.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "graph/errors.hpp"
#include "src/number/agree.hpp"

namespace countpm {
namespace {

constexpr std::size_t ranges_named = 8;

uint128 difference(uint128 a, uint128 b, const Modulus& modulus) {
  if (modulus.prime != 0) return a >= b ? a - b : a + modulus.prime - b;
  return modulus.power_of_two == 64 ? uint128{static_cast<std::uint64_t>(a - b)} : a - b;
}

Partial difference(const Partial& a, const Partial& b, const Arithmetic& arithmetic) {
  Residues result = std::get<Residues>(a);
  for (std::size_t k = 0; k < result.residue.size(); ++k)
    result.residue[k] = difference(result.residue[k], std::get<Residues>(b).residue[k], arithmetic.moduli[k]);
  return result;
}

/// A record, and which of the journals has it.
struct FinishedIn {
  const FinishedRange* finished;
  std::size_t journal;
};

/// Of ranges that may overlap, disjoint ones with as many units as can be, in order.
std::vector<FinishedRange> most_units(std::vector<FinishedRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const FinishedRange& a, const FinishedRange& b) { return a.range.last < b.range.last; });
  struct Best {
    std::uint64_t units = 0;
    std::size_t before = 0;  // of how many of the first ranges the rest is the best
    bool taken = false;
  };
  std::vector<Best> best(ranges.size() + 1);
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    const auto before = static_cast<std::size_t>(
        std::partition_point(
            ranges.begin(), ranges.begin() + static_cast<std::ptrdiff_t>(k),
            [&](const FinishedRange& other) { return other.range.last <= ranges[k].range.first; }) -
        ranges.begin());
    const std::uint64_t with = best[before].units + ranges[k].range.size();
    best[k + 1] = with > best[k].units ? Best{with, before, true} : Best{best[k].units, k, false};
  }
  std::vector<FinishedRange> chosen;
  for (std::size_t k = ranges.size(); k > 0; k = best[k].before) {
    if (best[k].taken) chosen.push_back(std::move(ranges[k - 1]));
  }
  std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

/// Joins the records of one task.
class TaskJoin {
 public:
  TaskJoin(const JournalTask& task, const std::vector<NamedJournal>& journals)
      : task_(task), journals_(journals) {}

  std::vector<FinishedRange> join(const std::vector<FinishedIn>& sources) {
    return task_.arithmetic.kind == Arithmetic::Kind::residues ? join_residues(sources) : join_balls(sources);
  }

 private:
  /// What the units before a boundary add up to, less what those before the root of its tree do.
  struct Node {
    std::size_t parent;
    Partial value;
    double seconds = 0;
  };

  /// Sums between boundaries are differences of potentials, so that every record is an edge between two
  /// boundaries: what hangs together is known, and a cycle that does not close is a contradiction.
  std::vector<FinishedRange> join_residues(const std::vector<FinishedIn>& sources) {
    for (const FinishedIn& source : sources) {
      boundaries_.push_back(source.finished->range.first);
      boundaries_.push_back(source.finished->range.last);
    }
    std::sort(boundaries_.begin(), boundaries_.end());
    boundaries_.erase(std::unique(boundaries_.begin(), boundaries_.end()), boundaries_.end());
    for (std::size_t k = 0; k < boundaries_.size(); ++k) nodes_.push_back({k, zero(task_.arithmetic), 0});
    for (const FinishedIn& source : sources) connect(source);

    std::map<std::size_t, std::size_t> last_of_tree;
    std::vector<FinishedRange> ranges;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      const auto [last, fresh] = last_of_tree.try_emplace(find(k), k);
      if (fresh) continue;
      const Node& from = nodes_[last->second];
      ranges.push_back({{boundaries_[last->second], boundaries_[k]},
                        difference(nodes_[k].value, from.value, task_.arithmetic),
                        std::max(nodes_[k].seconds - from.seconds, 0.0)});
      last->second = k;
    }
    return most_units(std::move(ranges));
  }

  std::size_t node_of(std::uint64_t boundary) const {
    return static_cast<std::size_t>(std::lower_bound(boundaries_.begin(), boundaries_.end(), boundary) -
                                    boundaries_.begin());
  }

  /// The root of a node's tree; then its parent is the root.
  std::size_t find(std::size_t node) {
    std::vector<std::size_t> path;
    while (nodes_[node].parent != node) {
      path.push_back(node);
      node = nodes_[node].parent;
    }
    // From the one below the root down: what is above a node is added to it.
    for (std::size_t k = path.size(); k-- > 1;) {
      Node& below = nodes_[path[k - 1]];
      add(below.value, nodes_[path[k]].value, task_.arithmetic);
      below.seconds += nodes_[path[k]].seconds;
      below.parent = node;
    }
    return node;
  }

  void connect(const FinishedIn& source) {
    const FinishedRange& finished = *source.finished;
    const std::size_t first = node_of(finished.range.first);
    const std::size_t last = node_of(finished.range.last);
    const std::size_t first_root = find(first);
    const std::size_t last_root = find(last);
    if (first_root == last_root) {
      const Partial known = difference(nodes_[last].value, nodes_[first].value, task_.arithmetic);
      if (!agree(known, finished.value)) contradict(source, known);
      return;
    }
    // Where last's root has the value that makes last - first what the record says.
    Partial value = nodes_[first].value;
    add(value, finished.value, task_.arithmetic);
    Node& root = nodes_[last_root];
    root.value = difference(value, nodes_[last].value, task_.arithmetic);
    root.seconds = nodes_[first].seconds + finished.seconds - nodes_[last].seconds;
    root.parent = first_root;
  }

  /// Floating-point sums depend on their order: no differences.
  std::vector<FinishedRange> join_balls(const std::vector<FinishedIn>& sources) const {
    std::map<std::pair<std::uint64_t, std::uint64_t>, FinishedRange> ranges;
    for (const FinishedIn& source : sources) {
      const FinishedRange& finished = *source.finished;
      const auto [known, fresh] = ranges.try_emplace({finished.range.first, finished.range.last}, finished);
      if (!fresh && !agree(known->second.value, finished.value)) contradict(source, known->second.value);
    }
    std::vector<FinishedRange> list;
    list.reserve(ranges.size());
    for (auto& [range, finished] : ranges) list.push_back(std::move(finished));
    return most_units(std::move(list));
  }

  [[noreturn]] void contradict(const FinishedIn& source, const Partial& known) const {
    const FinishedRange& finished = *source.finished;
    throw CheckError(fmt::format(
        "{} contradicts the checkpoints before it: units {} to {} of {} add up to {} there, and to {} by "
        "them; "
        "one of the machines miscounts, and nothing of this should be believed before it is known which",
        quoted(journals_[source.journal].file, 400), finished.range.first + 1, finished.range.last,
        task_.method, to_text(finished.value, task_.arithmetic), to_text(known, task_.arithmetic)));
  }

  const JournalTask& task_;
  const std::vector<NamedJournal>& journals_;
  std::vector<std::uint64_t> boundaries_;
  std::vector<Node> nodes_;
};

/// What must be the same of journals that belong together.
JournalHeader essence(const JournalHeader& header, const std::vector<std::string>& free_options) {
  JournalHeader result = header;
  result.id.clear();
  result.input.clear();  // compared by its hash
  result.part.reset();
  std::erase_if(result.options, [&](const auto& option) {
    return std::find(free_options.begin(), free_options.end(), option.first) != free_options.end();
  });
  std::sort(result.options.begin(), result.options.end());
  for (auto* list : {&result.blocks, &result.recounts}) {
    for (JournalBlock& block : *list) {
      for (JournalTask& task : block.tasks) task.predicted_seconds = 0;
    }
  }
  return result;
}

void refuse_foreign(const NamedJournal& first, const NamedJournal& other,
                    const std::vector<std::string>& free_options) {
  const JournalHeader a = essence(first.journal.header, free_options);
  const JournalHeader b = essence(other.journal.header, free_options);
  const std::string name = quoted(first.file, 400);
  const auto refuse = [&](const std::string& expected, const std::string& found) {
    throw InputError(other.file, 2, expected, found);
  };
  // A file may be elsewhere on another machine; a lattice has its name alone.
  const std::string& input = first.journal.header.input;
  const std::string& other_input = other.journal.header.input;
  const bool other_lattice =
      (input.starts_with("lattice:") || other_input.starts_with("lattice:")) && input != other_input;
  if (a.sha256 != b.sha256 || other_lattice) {
    refuse(fmt::format("a checkpoint of the same input as {} (SHA-256 {})", name, a.sha256),
           fmt::format("one of {} (SHA-256 {})", quoted(other.journal.header.input, 400), b.sha256));
  }
  if (a.version != b.version)
    refuse(fmt::format("a checkpoint of version {}, as {} is", a.version, name),
           fmt::format("one of version {}", b.version));
  if (a.options != b.options)
    refuse(fmt::format("a checkpoint of a count with the same options as {}", name), "one with others");
  if (header_lines(a) != header_lines(b)) {
    refuse(fmt::format("a checkpoint with the same plan as {}", name),
           "one that cuts the same count into other units: those are joined that one 'countpm split' made");
  }
}

std::string list_text(const std::vector<std::string>& items) {
  if (items.size() <= ranges_named) return fmt::format("{}", fmt::join(items, ", "));
  return fmt::format("{}, and {} more", fmt::join(items.begin(), items.begin() + ranges_named, ", "),
                     items.size() - ranges_named);
}

/// Which parts are not there, and which are not done.
std::string missing_parts(const std::vector<NamedJournal>& journals) {
  std::set<std::uint64_t> given;
  std::vector<std::string> unfinished;
  std::uint64_t of = 0;
  for (const NamedJournal& journal : journals) {
    const auto& part = journal.journal.header.part;
    if (!part || (of != 0 && part->of != of)) return {};
    of = part->of;
    given.insert(part->number);
    if (journal.journal.units_done() < journal.journal.units() || !journal.journal.has_all_samples())
      unfinished.push_back(quoted(journal.file, 400));
  }
  std::vector<std::string> absent;
  for (std::uint64_t number = 1; number <= of && absent.size() <= ranges_named; ++number) {
    if (!given.contains(number)) absent.push_back(fmt::format("part {} of {}", number, of));
  }
  if (absent.size() > ranges_named) {
    const std::uint64_t more = of - given.size() - ranges_named;
    absent.resize(ranges_named);
    absent.push_back(fmt::format("and {} more", more));
  }
  std::string text;
  if (!absent.empty()) text += fmt::format("; not given: {}", fmt::join(absent, ", "));
  if (!unfinished.empty())
    text += fmt::format("; not done: {} ('countpm resume' goes on)", list_text(unfinished));
  return text;
}

/// By their numbers, of copies one that has all. Throws InputError where they are of another cut.
std::map<std::uint64_t, const NamedJournal*> whole_parts(const std::vector<NamedJournal>& journals) {
  std::map<std::uint64_t, const NamedJournal*> parts;
  const std::uint64_t of = journals.front().journal.header.part->of;
  for (const NamedJournal& journal : journals) {
    const JournalPart& part = *journal.journal.header.part;
    if (part.of != of)
      throw InputError(journal.file, 2, fmt::format("a part of {}", of), fmt::format("one of {}", part.of));
    if (journal.journal.has_all_samples()) parts.try_emplace(part.number, &journal);
  }
  return parts;
}

/// A part's trials after those of the parts before it.
void join_trials(const NamedJournal& named, std::size_t sampling, DrawnSamples& joined) {
  const TrialShare& share = named.journal.header.part->trials[sampling];
  if (!joined.trials) {
    joined.trials.emplace();
    joined.share_bits = share.share_bits;
  }
  if (share.share_bits != joined.share_bits)
    throw InputError(named.file, 2, fmt::format("trials with hits of 2^-{}", joined.share_bits),
                     fmt::format("those of 2^-{}", share.share_bits));
  const DrawnSamples& drawn = named.journal.drawn[sampling];
  for (const TrialHits& trial : drawn.trials.value_or(std::vector<TrialHits>{}))
    joined.trials->push_back({share.range.first + trial.trial, trial.hits});
}

void join_samples(const std::vector<NamedJournal>& journals, Journal& joined) {
  const std::size_t samplings = joined.header.samplings().size();
  joined.drawn.resize(samplings);
  joined.stretches.resize(samplings);
  const std::map<std::uint64_t, const NamedJournal*> parts = whole_parts(journals);
  if (parts.size() < journals.front().journal.header.part->of) return;
  std::vector<std::uint64_t> next(samplings, 0);
  for (const auto& [number, named] : parts) {
    const Journal& part = named->journal;
    for (std::size_t k = 0; k < samplings; ++k) {
      const UnitRange samples = part.header.part->samples_of(k);
      if (samples.first != next[k])
        throw InputError(named->file, 2, fmt::format("samples from number {} on", next[k]),
                         fmt::format("those from {} on", samples.first));
      next[k] = samples.last;
      if (!part.header.part->trials.empty()) join_trials(*named, k, joined.drawn[k]);
      joined.drawn[k].moments.join(part.drawn[k].moments);
      joined.drawn[k].seconds += part.drawn[k].seconds;
      joined.drawn[k].goal = next[k];
      for (SampleStretch stretch : part.stretches[k]) {
        stretch.before.samples += samples.first;
        stretch.after.samples += samples.first;
        joined.stretches[k].push_back(std::move(stretch));
      }
    }
  }
}

}  // namespace

Journal join_journals(const std::vector<NamedJournal>& journals,
                      const std::vector<std::string>& free_options) {
  for (const NamedJournal& other : journals) refuse_foreign(journals.front(), other, free_options);
  Journal joined;
  joined.header = journals.front().journal.header;
  joined.header.id.clear();
  joined.header.part.reset();
  const std::vector<const JournalTask*> tasks = joined.header.tasks();
  std::vector<std::vector<FinishedIn>> sources(tasks.size());
  for (std::size_t j = 0; j < journals.size(); ++j) {
    joined.progress.elapsed_seconds += journals[j].journal.progress.elapsed_seconds;
    joined.progress.lost_ranks += journals[j].journal.progress.lost_ranks;
    for (const JournalRecord& record : journals[j].journal.records)
      sources[record.task].push_back({&record.finished, j});
  }
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    TaskJoin join(*tasks[task], journals);
    for (FinishedRange& finished : join.join(sources[task]))
      joined.records.push_back({task, std::move(finished)});
  }
  if (joined.header.estimate) join_samples(journals, joined);
  return joined;
}

std::string missing_samples(const std::vector<NamedJournal>& journals) {
  const std::string parts = missing_parts(journals);
  return parts.empty() ? parts : "samples are missing" + parts;
}

std::string missing_units(const Journal& joined, const std::vector<NamedJournal>& journals) {
  const std::uint64_t units = joined.units();
  const std::uint64_t done = joined.units_done();
  if (done == units) return {};
  // Whoever has parts goes by their names, not by units.
  if (const std::string parts = missing_parts(journals); !parts.empty())
    return fmt::format("{} of {} units are missing{}", units - done, units, parts);
  const std::vector<const JournalTask*> tasks = joined.header.tasks();
  std::vector<std::vector<UnitRange>> ranges(tasks.size());
  for (const JournalRecord& record : joined.records) ranges[record.task].push_back(record.finished.range);
  std::vector<std::string> missing;
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    for (const UnitRange& gap : rest_of(tasks[task]->units, ranges[task])) {
      missing.push_back(gap.size() == 1
                            ? fmt::format("unit {} of block {}", gap.last, task + 1)
                            : fmt::format("units {} to {} of block {}", gap.first + 1, gap.last, task + 1));
    }
  }
  return fmt::format("{} of {} units are missing: {}", units - done, units, list_text(missing));
}

}  // namespace countpm
