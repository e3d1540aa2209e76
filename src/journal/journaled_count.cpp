#include "src/journal/journaled_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "kernels/support/plan_text.hpp"
#include "matching/fingerprint.hpp"
#include "src/journal/join_journals.hpp"
#include "src/plan/plan_at_points.hpp"
#include "src/plan/recount_in_residues.hpp"
#include "src/structure/balance.hpp"
#include "src/text/format_duration.hpp"

namespace countpm {
namespace {

std::vector<JournalBlock> journal_blocks(const std::vector<PlannedBlock>& planned) {
  std::vector<JournalBlock> result;
  for (const PlannedBlock& block : planned) {
    JournalBlock& last = result.emplace_back();
    last.reduced = block.reduced;
    last.same_methods = block.same_methods;
    last.digit_bits = block.digit_bits;
    for (std::size_t r = 0; r < block.plans.size(); ++r) {
      const BlockPlan& plan = block.plans[r];
      const AnyBlock& reduced = block.block.reduced[r];
      last.tasks.push_back({fingerprint(reduced), rows_of(reduced), entries_of(reduced),
                            std::string(plan.method->name()), plan.job->plan(), plan.choice.arithmetic,
                            plan.choice.points ? plan.choice.points->windows() : std::vector<PrimeWindow>(),
                            plan.skip_primes, plan.job->units(), plan.seconds});
    }
  }
  return result;
}

bool is_method(const std::string& name) {
  const std::vector<const Method*>& methods = exact_methods();
  return std::any_of(methods.begin(), methods.end(),
                     [&name](const Method* method) { return method->name() == name; });
}

/// Of a plan without a job: why no journal has it, where that is neither memory nor a GPU that is not there.
std::optional<std::string> why_never(const BlockPlan& plan) {
  for (const MethodForecast& method : plan.forecast.methods) {
    if (!method.obstacle || method.obstacle->kind == RefusalKind::memory || is_of_gpu(method.obstacle->kind))
      continue;
    return fmt::format("{} cannot: {}", method.method, method.obstacle->text);
  }
  return std::nullopt;
}

bool equal(const Arithmetic& a, const Arithmetic& b) {
  return a.kind == b.kind && a.moduli == b.moduli &&
         (a.kind == Arithmetic::Kind::residues || (a.precision == b.precision && a.bits == b.bits));
}

void check_task(const AnyBlock& block, const JournalTask& task, const std::string& file,
                const PlanRequest& request) {
  if (fingerprint(block) != task.fingerprint || rows_of(block) != task.rows ||
      entries_of(block) != task.entries) {
    throw_other_block(file, fmt::format("a block of {} rows and {} entries that reduces to another matrix",
                                        task.rows, task.entries));
  }
  if (!is_method(task.method))
    throw_other_block(file, fmt::format("a method '{}', which is none", quoted(task.method)));
  if (task.skip_primes != request.candidates.skip_primes)
    throw_other_block(file, fmt::format("{} that leaves out {} primes, and not {}", task.method,
                                        task.skip_primes, request.candidates.skip_primes));
}

void check_units(const BlockPlan& plan, const JournalTask& task, const std::string& file) {
  if (plan.job && (plan.job->units() != task.units || !equal(plan.choice.arithmetic, task.arithmetic)))
    throw_other_block(file, fmt::format("{} with other units or other residues", task.method));
}

/// At points, of a block whose form is known.
BlockPlan plan_points_as_before(const AnyBlock& block, const PackedForm& form, bool prove,
                                const JournalTask& task, const std::string& file, const CountOptions& options,
                                const Resources& resources, const PlanRequest& request, Monitor& monitor) {
  check_task(block, task, file, request);
  if (!task.plan.empty()) throw_other_block(file, fmt::format("{} with a plan, and at points", task.method));
  auto plan = plan_at_points_as_before(block, form, {task.method, task.points, prove}, options, resources,
                                       request.nominal, monitor);
  if (!plan)
    throw_other_block(file,
                      fmt::format("{} at points that are none, or too few, of this block", task.method));
  check_units(*plan, task, file);
  return *std::move(plan);
}

/// Of a block of a count: it is cut and packed as the journal's was.
void check_block(const PlannedBlock& planned, const JournalBlock& journaled, const PackedForm* form,
                 const std::string& file) {
  if (journaled.same_methods || journaled.reduced != (form == nullptr))
    throw_other_block(file, "a block with other reductions");
  if (journaled.digit_bits != planned.digit_bits)
    throw_other_block(file, fmt::format("a polynomial with digits of {} bits, and not {}",
                                        journaled.digit_bits, planned.digit_bits));
}

void plan_tasks(PlannedBlock& planned, const JournalBlock& journaled, const std::string& file,
                WeightKind weight_kind, const CountOptions& options, const Resources& resources,
                PlanRequest& request, Monitor& monitor, const PackedForm* form = nullptr, bool prove = true) {
  if (planned.block.reduced.size() != journaled.tasks.size())
    throw_other_block(file, "another number of blocks after the reductions");
  for (std::size_t r = 0; r < journaled.tasks.size(); ++r) {
    monitor.throw_if_stopped();
    ++request.block;
    const AnyBlock& block = planned.block.reduced[r];
    const JournalTask& task = journaled.tasks[r];
    const bool at_points = form != nullptr && !task.points.empty();
    planned.plans.push_back(
        at_points
            ? plan_points_as_before(block, *form, prove, task, file, options, resources, request, monitor)
            : plan_task_as_before(block, task, file, weight_kind, options, resources, request, monitor));
  }
}

/// Throws InputError where an input is another than the journal's.
void check_input(const std::string& kept, const std::string& sha256, const InputInfo& input,
                 const std::string& file) {
  const bool other_lattice = input.lattice && kept != input_argument(input);
  if (sha256 == input.sha256 && !other_lattice) return;
  throw InputError(file, 2, fmt::format("a checkpoint of {} (SHA-256 {})", input.path, input.sha256),
                   fmt::format("one of another input, {} (SHA-256 {})", quoted(kept, 400), sha256));
}

/// What several journals have together. Where units are missing it is written, and that is all.
std::unique_ptr<Checkpoint> merged_checkpoint(const CheckpointOptions& options,
                                              const Checkpoint::Notice& notice) {
  std::vector<NamedJournal> journals;
  for (const std::string& file : options.merge) {
    journals.push_back({file, read_journal(file)});
    const JournalHeader& header = journals.back().journal.header;
    if (header.estimate && !header.part) {
      throw UsageError(fmt::format("{} is the checkpoint of an estimate: 'countpm resume' goes on with it",
                                   quoted(file, 400)));
    }
    const std::uint64_t left_out =
        journals.back().journal.damaged_lines + journals.back().journal.repeated_lines;
    if (left_out > 0)
      notice(fmt::format("{} is damaged: {} of its lines are left out", quoted(file, 400), left_out));
    if (journal_in_use(file)) notice(fmt::format("{} is still being written", quoted(file, 400)));
  }
  Journal joined = join_journals(journals, options.free_options);
  if (joined.header.estimate) {
    // Samples with gaps are no estimate's, so that there is nothing to write.
    if (const std::string parts = missing_samples(journals); !parts.empty()) throw MissingUnitsError(parts);
    return Checkpoint::joined(std::move(joined), options.file, notice);
  }
  const std::string missing = missing_units(joined, journals);
  auto checkpoint = Checkpoint::joined(std::move(joined), options.file, notice);
  if (missing.empty()) return checkpoint;
  if (options.file.empty()) throw MissingUnitsError(missing);
  checkpoint->begin({}, [] { return JournalProgress(); });
  throw MissingUnitsError(fmt::format("{}; {}", missing, checkpoint->close()));
}

}  // namespace

std::unique_ptr<Checkpoint> open_checkpoint(const CheckpointOptions& options) {
  if (!options.used()) return nullptr;
  const Checkpoint::Notice notice = options.notice ? options.notice : [](const std::string&) {};
  if (!options.merge.empty()) return merged_checkpoint(options, notice);
  if (options.resume) return Checkpoint::resume(options.file, notice);
  return std::make_unique<Checkpoint>(options.file, notice);
}

void refuse_checkpoint_of_graph(const CheckpointOptions& checkpoint) {
  if (checkpoint.used())
    throw UsageError("a checkpoint needs an input that can be read again: a file or a lattice");
}

ReadOptions reading_for_checkpoint(const Source& source, const ReadOptions& options,
                                   const CheckpointOptions& checkpoint) {
  if (source.kind != Source::Kind::file && source.kind != Source::Kind::lattice)
    refuse_checkpoint_of_graph(checkpoint);
  ReadOptions reading = options;
  reading.hash = reading.hash || checkpoint.used();
  return reading;
}

void check_same_input(const Checkpoint& checkpoint, const InputInfo& input, const CountOptions& options) {
  if (checkpoint.journal() == nullptr) return;
  const JournalHeader& header = checkpoint.journal()->header;
  const std::string& file = options.checkpoint.name();
  if (header.version != version()) {
    throw InputError(
        file, 2, fmt::format("a checkpoint of version {}, which is running", version()),
        fmt::format("one of version {}, which may cut the work into other units", header.version));
  }
  check_input(header.input, header.sha256, input, file);
  if (header.rules != rules_in_use(options.rules))
    throw InputError(file, 2, "a checkpoint with the same reduction rules", "one with others");
  if (header.settings != options.settings.list())
    throw InputError(file, 2, "a checkpoint with the same settings", "one with others");
}

void check_same_other_input(const Checkpoint& checkpoint, const InputInfo& other,
                            const CountOptions& options) {
  if (checkpoint.journal() == nullptr) return;
  const std::string& file = options.checkpoint.name();
  const std::optional<JournalRatio>& ratio = checkpoint.journal()->header.ratio;
  if (!ratio) throw InputError(file, 2, "the checkpoint of a ratio", "one of a single sum");
  check_input(ratio->other, ratio->sha256, other, file);
}

void refuse_other_journals(const Checkpoint& checkpoint, const CountOptions& options) {
  if (checkpoint.journal() == nullptr) return;
  const JournalHeader& header = checkpoint.journal()->header;
  const std::string file = quoted(options.checkpoint.name(), 400);
  if (header.estimate)
    throw UsageError(fmt::format("{} is the checkpoint of an estimate, which has no count", file));
  if (!header.part) return;
  throw UsageError(
      fmt::format("{} is part {} of {} of a count: 'countpm merge' makes one number of all of them", file,
                  header.part->number, header.part->of));
}

void finish_at_once(Checkpoint* checkpoint, JournalHeader header, const std::string& count,
                    Monitor& monitor) {
  if (checkpoint == nullptr) return;
  checkpoint->begin(std::move(header), progress_of(monitor));
  checkpoint->finish(count);
}

[[noreturn]] void throw_other_block(const std::string& file, const std::string& why) {
  throw InputError(file, 0, "a checkpoint whose blocks this version makes of this input", why);
}

BlockPlan plan_task_as_before(const AnyBlock& block, const JournalTask& task, const std::string& file,
                              WeightKind weight_kind, const CountOptions& options, const Resources& resources,
                              PlanRequest request, Monitor& monitor) {
  check_task(block, task, file, request);
  if (!task.points.empty())
    throw_other_block(file, fmt::format("a block that {} has no points for", task.method));
  request.candidates.method = task.method;
  request.candidates.plan = task.plan;
  request.candidates.arithmetic = task.arithmetic;
  request.search = false;
  BlockPlan plan;
  try {
    plan = plan_block(block, weight_kind, options, resources, request, monitor);
  } catch (const PlanError& error) {
    throw_other_block(file, error.what());
  }
  if (!plan.job) {
    if (const auto why = why_never(plan)) throw_other_block(file, *why);
  }
  check_units(plan, task, file);
  return plan;
}

Checkpoint::Now progress_of(Monitor& monitor) {
  return [&monitor] {
    const Progress seen = monitor.progress();
    JournalProgress now{seen.elapsed_seconds, seen.remaining_seconds, seen.remaining_low, seen.remaining_high,
                        std::string()};
    now.lost_ranks = static_cast<std::uint64_t>(monitor.lost_ranks());
    return now;
  };
}

void annotate_interruption(Checkpoint* checkpoint, const std::function<void()>& work) {
  try {
    work();
  } catch (const InterruptedError&) {
    if (checkpoint == nullptr || !checkpoint->begun()) throw;
    throw InterruptedError("interrupted; " + checkpoint->close());
  } catch (const UnableError& error) {
    if (checkpoint == nullptr || !checkpoint->begun()) throw;
    throw UnableError(std::string(error.what()), checkpoint->close());
  }
}

std::string input_argument(const InputInfo& input) {
  if (input.lattice) return input.path.starts_with("lattice:") ? input.path : "lattice:" + input.path;
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(input.path, error);
  return error ? input.path : path.string();
}

std::vector<std::string> rules_in_use(const RuleSet& set) {
  std::vector<std::string> names;
  for (const RuleInfo& rule : rules()) {
    if (set.has(rule.rule)) names.emplace_back(rule.name);
  }
  return names;
}

JournalHeader journal_header(const InputInfo& input, const std::vector<PlannedBlock>& planned,
                             const std::vector<PlannedBlock>& recounts, const CountOptions& options) {
  JournalHeader header;
  header.input = input_argument(input);
  header.sha256 = input.sha256;
  header.options = options.checkpoint.options;
  header.rules = rules_in_use(options.rules);
  header.settings = options.settings.list();
  header.blocks = journal_blocks(planned);
  header.recounts = journal_blocks(recounts);
  return header;
}

std::vector<PlannedBlock> plan_as_before(std::vector<ReducedBlock> blocks,
                                         const std::vector<JournalBlock>& journaled, const std::string& file,
                                         WeightKind weight_kind, const CountOptions& options,
                                         const Resources& resources, Monitor& monitor, bool nominal,
                                         const PackedBlocks& packed) {
  if (blocks.size() != journaled.size()) throw_other_block(file, "another number of blocks");
  enter_planning(blocks, monitor);
  PlanRequest request;
  request.nominal = nominal;
  request.block = 0;
  request.blocks = 0;
  for (const ReducedBlock& block : blocks) request.blocks += block.reduced.size();
  std::vector<PlannedBlock> planned;
  planned.reserve(blocks.size());
  for (std::size_t b = 0; b < journaled.size(); ++b) {
    PlannedBlock& last = planned.emplace_back(std::move(blocks[b]));
    if (weight_kind >= WeightKind::real) balance(last.block);
    const PackedForm* form = packed.form ? packed.form(b) : nullptr;
    last.reduced = form == nullptr;
    last.digit_bits = packed.digit_bits ? packed.digit_bits(b) : 0;
    check_block(last, journaled[b], form, file);
    plan_tasks(last, journaled[b], file, weight_kind, options, resources, request, monitor, form,
               packed.prove);
  }
  return planned;
}

std::vector<PlannedBlock> plan_recounts_as_before(const std::vector<PlannedBlock>& planned,
                                                  const std::vector<JournalBlock>& journaled,
                                                  const std::string& file, WeightKind weight_kind,
                                                  const CountOptions& options, const Resources& resources,
                                                  Monitor& monitor, bool nominal) {
  if (planned.size() != journaled.size()) throw_other_block(file, "another double-check");
  PlanRequest request;
  request.nominal = nominal;
  request.block = 0;
  std::vector<PlannedBlock> recounts;
  recounts.reserve(planned.size());
  for (std::size_t b = 0; b < planned.size(); ++b) {
    const RecountVariant variant{journaled[b].reduced, journaled[b].same_methods};
    recounts.push_back(relabelled_block(planned[b], variant, weight_kind, options, monitor));
    request.candidates.skip_primes = primes_to_skip(planned[b].plans);
    const std::vector<JournalTask>& tasks = journaled[b].tasks;
    const auto primes = tasks.empty() || tasks.size() != recounts.back().block.reduced.size()
                            ? std::nullopt
                            : recount_primes_of(planned[b], recounts.back(), tasks.front().arithmetic);
    request.candidates.residues_only = primes.has_value();
    if (primes) {
      take_residues(recounts.back(), *primes);
      if (!std::all_of(tasks.begin(), tasks.end(),
                       [&](const JournalTask& task) { return task.arithmetic.moduli == *primes; }))
        throw_other_block(file, "a double-check modulo different primes");
    }
    plan_tasks(recounts.back(), journaled[b], file, primes ? WeightKind::rational : weight_kind, options,
               resources, request, monitor);
  }
  return recounts;
}

void refuse_units_beyond_limit(const std::vector<PlannedBlock>& planned, const CountOptions& options,
                               const Resources& resources, double elapsed_seconds) {
  for (const PlannedBlock& block : planned) {
    for (const BlockPlan& plan : block.plans) {
      if (!plan.job) continue;
      const auto units = static_cast<double>(plan.job->units());
      // Side by side, units take as much longer as threads are of use.
      const double side_by_side = plan.job->runs_on_all_threads() ? 1 : plan.job->speed_up(resources.threads);
      const double seconds = plan.seconds * side_by_side / units;
      if (seconds <= options.time_limit_seconds - elapsed_seconds) continue;
      throw UnableError(
          fmt::format("a unit of {} is predicted to take {} and the time limit is {}: it would never be done",
                      plan.method->name(), format_duration(seconds),
                      format_duration(options.time_limit_seconds)),
          advised_time_limit(elapsed_seconds, seconds));
    }
  }
}

std::vector<Ledger*> ledgers_of(const std::vector<PlannedBlock>& planned, std::size_t first,
                                Checkpoint* checkpoint) {
  std::vector<Ledger*> ledgers;
  if (checkpoint == nullptr) return ledgers;
  for (const PlannedBlock& block : planned) {
    for (std::size_t r = 0; r < block.plans.size(); ++r) ledgers.push_back(&checkpoint->ledger(first++));
  }
  return ledgers;
}

void check_new_parts(const std::vector<std::string>& files) {
  for (const std::string& file : files) JournalFile(file).check_free();
  remove_unfinished_journals(folder_of(files.front()));
  JournalFile(files.front()).check_new();
}

void write_parts(const std::vector<std::string>& files, const std::vector<std::string>& texts) {
  std::vector<FileIdentity> written;
  const auto take_away = [&] {
    for (std::size_t k = 0; k < written.size(); ++k) remove_journal(files[k], written[k]);
  };
  try {
    for (const std::string& file : files) JournalFile(file).check_free();
    for (std::size_t k = 0; k < files.size(); ++k) {
      JournalFile file(files[k]);
      file.replace(texts[k], true);
      written.push_back(file.identity());
    }
  } catch (const JournalFileError& error) {
    take_away();
    throw UnableError(fmt::format("the parts cannot be written: {}", quoted(error.what(), 400)),
                      "try another place for --output, or make room on its disk");
  } catch (...) {
    take_away();
    throw;
  }
}

ReadOptions reading_of_parts(const Source& source, ReadOptions options) {
  if (source.kind != Source::Kind::file && source.kind != Source::Kind::lattice)
    throw UsageError("parts need an input that can be read again: a file or a lattice");
  options.hash = true;
  return options;
}

}  // namespace countpm
