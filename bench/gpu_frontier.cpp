// Goals on one NVIDIA H200: frontier in the sorted form with 2^28 to 2^31 states at the peak within 4 times
// of the time that CUB's radix sort takes for the same bytes, key and value of every record (a state and a
// choice) that the count sorts; and, where frontiers are full, the dense form three times as fast as the
// sorted one. Both forms in turn, medians, two Markdown tables; the forms' counts are the same, and that
// modulo 2^64 is the one modulo 2^128 (exit 4 where they are not), and known.tsv's where it is known.
//   bench_gpu_frontier SEARCH_SECONDS TURNS MATRIX_MARKET_FILE...
// After the files: random matrices, the widest of which take half of the card. A file
// FOLDER/NAME.mtx is looked up as NAME in FOLDER/known.tsv.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "bench/gpu.hpp"
#include "bench/gpu_sort/gpu_sort.hpp"
#include "bench/known_counts.hpp"
#include "graph/errors.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/gpu/form.hpp"
#include "kernels/gpu/launch.hpp"

namespace {

using namespace countpm;

struct Row {
  std::string name;
  std::string file;  // empty: none
  Block<std::int64_t> block;
  int turns;   // of the sorted form; one: the first is measured
  bool wider;  // modulo 2^128, too
};

/// Sorting takes about as long a record for so many as for more.
constexpr std::uint64_t sorted_at_most = std::uint64_t{1} << 28;

std::vector<Row> rows_of(int turns, char** files, int count) {
  std::vector<Row> rows;
  rows.reserve(static_cast<std::size_t>(count) + 6);
  for (int k = 0; k < count; ++k)
    rows.push_back({files[k], files[k], bench::read_block(files[k]), turns, true});
  struct Random {
    Index n;
    double density;
    int turns;
    bool wider;
  };
  // A search of half a nominal second forecasts at most 2^26.3, 2^28.1, 2^29.6, 2^30.6, 2^26.8 and 2^31.1
  // states at the peak.
  for (const Random& random : {Random{52, 0.12, turns, true},
                               {54, 0.11, 1, true},
                               {50, 0.12, 1, false},
                               {54, 0.12, 1, false},
                               {34, 0.3, turns, true},
                               {38, 0.3, 1, false}}) {
    rows.push_back({fmt::format("random n = {}, density {}", random.n, random.density), "",
                    bench::random_block(random.n, random.density), random.turns, random.wider});
  }
  return rows;
}

class Bench {
 public:
  Bench(const GpuInfo& gpu, double search_seconds, int turns)
      : gpu_(gpu), search_seconds_(search_seconds), turns_(turns) {}

  /// False where a count is wrong.
  bool show(const Row& row) {
    Arithmetic arithmetic;
    arithmetic.moduli = {Modulus{0, 64}};
    const auto job = frontier_method().make_job(row.block, arithmetic, {});
    const StopSignal never;
    job->improve(search_seconds_, never);
    const auto count = compare(*job, row, arithmetic);
    arithmetic.moduli = {Modulus{0, 128}};
    std::optional<mpz_class> wider;
    if (row.wider) wider = compare(*job->with_moduli_subset(arithmetic), row, arithmetic);
    if (!count) return right_;
    const std::string known = row.file.empty() ? "not known" : bench::verdict(row.file, *count);
    const bool same = !wider || mpz_class(*wider - *count) % (mpz_class(1) << 64) == 0;
    notes_ += fmt::format("{}: modulo 2^64 {}, {}{}\n", row.name, count->get_str(), known,
                          !wider ? ""
                          : same ? "; the same modulo 2^128"
                                 : "; NOT THE SAME modulo 2^128");
    return same && right_ && known != "WRONG";
  }

  /// The table of the forms beside each other.
  const std::string& forms() const { return forms_; }
  /// Counts and refusals.
  const std::string& notes() const { return notes_; }

 private:
  struct Run {
    double seconds = 0;  // the median
    FrontierDeviceStatistics statistics;
    mpz_class count;
  };

  /// Both forms; the count, where one of them has it.
  std::optional<mpz_class> compare(const Job& job, const Row& row, const Arithmetic& arithmetic) {
    const std::optional<Run> sorted = measure(job, row, arithmetic, TableForm::sorted);
    const std::optional<Run> dense = measure(job, row, arithmetic, TableForm::dense);
    if (sorted) show_sorted(row, arithmetic, *sorted);
    if (dense) add_dense(row, arithmetic, sorted, *dense);
    if (sorted && dense && sorted->count != dense->count) {
      right_ = false;
      notes_ += fmt::format("{}: THE FORMS' COUNTS ARE NOT THE SAME\n", row.name);
    }
    if (sorted) return sorted->count;
    if (dense) return dense->count;
    return std::nullopt;
  }

  std::optional<Run> measure(const Job& job, const Row& row, const Arithmetic& arithmetic, TableForm form) {
    const StopSignal never;
    std::vector<double> seconds;
    Partial sum;
    Run run;
    try {
      const auto device = job.on_device(gpu_);
      auto& tables = dynamic_cast<FrontierDeviceJob&>(*device);
      tables.take_form(form);
      const int turns = form == TableForm::dense ? turns_ : row.turns;
      if (turns > 1) sum = device->run(0, job.units(), never);  // loads the kernels, takes the memory
      for (int turn = 0; turn < turns; ++turn) {
        const FrontierDeviceStatistics before = tables.statistics();
        const double start = bench::wall_seconds();
        sum = device->run(0, job.units(), never);
        seconds.push_back(bench::wall_seconds() - start);
        run.statistics = tables.statistics();
        run.statistics.moves -= before.moves;
        run.statistics.states -= before.states;
        run.statistics.slices -= before.slices;
      }
    } catch (const UnableError& error) {
      notes_ += fmt::format("{}, modulo 2^{}, {}: {}\n", row.name, arithmetic.moduli[0].power_of_two,
                            form == TableForm::dense ? "dense" : "sorted", error.what());
      return std::nullopt;
    }
    run.seconds = bench::median(seconds);
    run.count = join_residues(std::get<Residues>(sum), arithmetic.moduli, false);
    return run;
  }

  void show_sorted(const Row& row, const Arithmetic& arithmetic, const Run& run) const {
    const unsigned value_bits = arithmetic.moduli[0].power_of_two;
    const FrontierDeviceStatistics& statistics = run.statistics;
    const auto moves = static_cast<double>(statistics.moves);
    const std::uint64_t sorted = std::min(statistics.moves, sorted_at_most);
    const double sorting = on_gpu<bench::SortForm>(gpu_, sorted, statistics.key_bits, value_bits / 8) *
                           moves / static_cast<double>(sorted);
    fmt::print(
        "| {} | 2^{} | 2^{:.2f} | 2^{:.2f} | {} | {} | {:.1f} | {:.4f} | {:.3g} | {:.4f} | {:.2f} | {} |\n",
        row.name, value_bits, std::log2(static_cast<double>(statistics.peak_states)), std::log2(moves),
        statistics.key_bits, statistics.slices, static_cast<double>(statistics.bytes) * 0x1p-30, run.seconds,
        moves / run.seconds, sorting, run.seconds / sorting, statistics.peak_states >> 28 != 0 ? "4" : "");
    std::fflush(stdout);
  }

  void add_dense(const Row& row, const Arithmetic& arithmetic, const std::optional<Run>& sorted,
                 const Run& run) {
    const unsigned value_bits = arithmetic.moduli[0].power_of_two;
    const FrontierDeviceStatistics& statistics = run.statistics;
    const auto values = static_cast<double>(statistics.moves) + static_cast<double>(statistics.states);
    forms_ += fmt::format(
        "| {} | 2^{} | 2^{:.2f} | 2^{:.2f} | {} | {:.1f} | {:.4f} | {:.3g} | {:.2f} | {} | {} | {} |\n",
        row.name, value_bits, std::log2(static_cast<double>(statistics.peak_states)),
        std::log2(static_cast<double>(statistics.moves)), statistics.slices,
        static_cast<double>(statistics.bytes) * 0x1p-30, run.seconds,
        static_cast<double>(statistics.moves) / run.seconds, values * value_bits / 8 / run.seconds * 1e-12,
        sorted ? fmt::format("{:.0f} %", 100 * static_cast<double>(sorted->statistics.states) /
                                             static_cast<double>(statistics.states))
               : "",
        sorted ? fmt::format("{:.4f}", sorted->seconds) : "does not fit",
        sorted ? fmt::format("{:.2f}", sorted->seconds / run.seconds) : "");
  }

  GpuInfo gpu_;
  double search_seconds_;
  int turns_;  // of the dense form
  std::string forms_;
  std::string notes_;
  bool right_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || std::atoi(argv[2]) < 1) {
    fmt::print(stderr, "usage: bench_gpu_frontier SEARCH_SECONDS TURNS FILE...\n");
    return 2;
  }
  const std::optional<GpuInfo> gpu = bench::announced_gpu();
  if (!gpu) return bench::exit_without_gpu;
  fmt::print(
      "\nThe sorted form. Sorting: CUB's radix sort of as many pairs of 8-byte keys and values, by as many "
      "bits (timed for at "
      "most 2^28 and scaled).\n\n| matrix | modulo | states at the peak | records | key bits | slices | GiB "
      "| "
      "seconds | records/s | sorting, s | ratio | goal "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  bool right = true;
  Bench bench(*gpu, std::atof(argv[1]), std::atoi(argv[2]));
  for (const Row& row : rows_of(std::atoi(argv[2]), argv + 3, argc - 3)) right = bench.show(row) && right;
  fmt::print(
      "\nThe dense form, and beside it the sorted one; TB/s: of the values pulled and written, as if none "
      "came "
      "from a cache.\n\n| matrix | modulo | values at the peak | pulled | launches | GiB | seconds | "
      "pulled/s "
      "| TB/s | reached, of all tables | sorted, s | times as fast "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|\n{}\n{}",
      bench.forms(), bench.notes());
  return right ? 0 : 4;
}
