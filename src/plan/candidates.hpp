#pragma once
// The methods that could count a block, each with its job and what that job is predicted to take.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/method.hpp"
#include "src/api/entries.hpp"
#include "src/machine/processors.hpp"
#include "src/machine/resources.hpp"
#include "src/number/choose_arithmetic.hpp"
#include "src/plan/gpu_teams.hpp"

namespace countpm {

/// A method and its job for one block. The job is made once, in the arithmetic that it will count in, and
/// kept: searching improves it, measuring times it, running runs it.
struct Candidate {
  const Method* method = nullptr;
  std::size_t place = 0;  // in the table of methods
  ArithmeticChoice choice;
  double log2_bound = 0;     // that it was chosen by: BlockBound's, or the method's own where that is less
  unsigned skip_primes = 0;  // and how many of the first primes it left out
  double arithmetic_seconds = 0;    // what its primes add to the method's own work, on one core
  bool pinned = false;              // the arithmetic is a journal's, whatever would be faster here
  bool asked = false;               // whether `choice` was made
  std::optional<Refusal> obstacle;  // empty where it can
  std::unique_ptr<Job> job;         // empty where it cannot

  double log10_work = 0;
  double log10_seconds = 0;         // predicted, with all processors
  Processors processors;            // those of the resources that will run it
  int threads = 1;                  // of those of the resources: as many as fit the memory limit
  std::uint64_t memory_bytes = 0;   // with those
  std::uint64_t waiting_bytes = 0;  // of them, for tables that wait until a GPU has room for them
  bool fits = true;                 // in the memory limit, on one thread at least, and in the GPUs' where
                                    // they are to count alone
  double log10_too_large = 0;       // where it does not: the memory that it takes over what there is

  std::optional<ArithmeticChoice> first_choice;  // where fit_memory() has made another

  bool measured = false;
  double log10_correction = 0;      // measured rate over nominal rate, on the CPU
  double log10_gpu_correction = 0;  // and on a GPU
  bool nominal_gpus = false;        // they are assumed: `measured` is of the CPU alone
  double measured_log10_work = 0;   // the work that the job had then

  bool can() const { return job != nullptr && fits; }
  double start_seconds = 0;  // of the predicted ones: they pass before work begins, whatever its plan
  /// Reads the job's figures again: after it was made, improved or measured.
  void predict(const Resources& resources);
  /// The same, after the job was made or GPUs joined: it counts modulo the smaller primes that its GPU form
  /// wants, more of them, where that is predicted to be faster.
  void fit_primes(const Resources& resources);
  /// The same where memory is short: modulo primes of fewer bits, or on GPUs alone; and back, where a search
  /// has found what needs none of that. Where GPUs are to count alone and none takes it, the nearest is
  /// kept, which a search may improve.
  void fit_memory(const Resources& resources);
  /// Whether a search may bring it within the memory of GPUs that are to count alone.
  bool may_come_to_fit() const;
  /// Times a slice of the job for about `seconds`, on the CPU and on the first GPU, where they will run it:
  /// nominal rates are right within a factor of ten or so.
  void measure(double seconds, const Resources& resources);
  /// The chosen arithmetic and the predictions, for the table of `explain`.
  MethodForecast forecast() const;

 private:
  /// Looks whether GPUs that are to run it have the memory.
  void predict_gpu_memory(const Resources& resources);
  bool tables_wait() const { return !processors.gpus.empty() && processors.gpus.front().host_bytes > 0; }
  std::uint64_t allowed_bytes(const Resources& resources) const;
  /// What the job leaves of the memory.
  HostRoom host_room(const Resources& resources) const;
  /// Keeps the other job where it fits and this one does not, or where both do and it is clearly faster.
  void prefer(ArithmeticChoice other_choice, std::unique_ptr<Job> other_job, const Resources& resources);
  double log10_cpu_rate(const Resources& resources) const;
  /// Of one unit on one thread.
  double log10_unit_seconds(const Resources& resources) const;
  /// How many of them there is work for.
  double machines_at_work(const Resources& resources) const;
  /// Of GPUs, one by one or in teams (gpu_teams.hpp), with these nominal rates; -infinity where it does not
  /// run on one.
  double log10_gpu_rate(const std::vector<double>& rates, const Resources& resources) const;
  /// The nominal rates of the teams that have something to do. Leaves out those whose start takes longer than
  /// what they save.
  std::vector<double> rates_of_paying(std::vector<GpuInfo>& teams, const Resources& resources) const;
};

/// Which methods are asked.
struct CandidateRequest {
  const std::vector<const Method*>* methods = &exact_methods();
  std::string method = "auto";           // or one by name
  std::vector<std::string> exclude;      // methods that must not be used: a double-check wants another
  unsigned skip_primes = 0;              // and fresh primes
  std::optional<std::string> plan;       // of the one named: a journal's, in place of a search
  std::optional<Arithmetic> arithmetic;  // and its primes, where they are enough
  bool residues_only = false;            // what is counted is compared modulo these: they need not be enough
  bool ask_all = false;                  // also those that cannot be the best, for `explain`
};

/// In the order of the table of methods, with nominal predictions. Unless all are asked, it ends as soon as
/// one is predicted to count the block before the next could be set up, or can count a large block in
/// polynomial time.
std::vector<Candidate> set_up_candidates(const AnyBlock& block, const BlockBound& bound,
                                         WeightKind weight_kind, const CountOptions& options,
                                         const Resources& resources, const CandidateRequest& request);
/// The same for the methods that are slow to set up, which set_up_candidates leaves out, where the best of
/// the others takes long enough: once each, and only those whose set-up is a small share of the seconds
/// searched already, or before a search (0) a tiny one of the best's. Says whether there was one.
bool add_slow_candidates(std::vector<Candidate>& candidates, const AnyBlock& block, const BlockBound& bound,
                         WeightKind weight_kind, const CountOptions& options, const Resources& resources,
                         const CandidateRequest& request, double searched_seconds);

/// The one with the least predicted seconds of those that can; null where none can.
Candidate* fastest(std::vector<Candidate>& candidates);
/// Of decimal weights: whether it counts them as the fractions that they spell, within a second; and the
/// fastest of these, or else of all. So what is soon counted has an exact result, however fast floats are.
bool is_soon_exact(const Candidate& candidate);
Candidate* fastest_of_decimals(std::vector<Candidate>& candidates);

}  // namespace countpm
