// How fast large frontiers go: states and transitions a second and bytes a state, against a plain sort of as
// many (key, value) records in the same run, and with 1 and 2 threads. Goals: within 4 times the sort for a
// state of the tables; near twice as fast with 2 threads for a count of 10 s or more.
//   bench_frontier MATRIX [SECONDS OF ORDER SEARCH [THREADS]]
// And whether peak resident memory is within 15 % of the method's forecast (Job::bytes_shared) or below: each
// count in a process of its own, with a start-up of some MB included. Matrices as they are, without
// reductions.
//   bench_frontier memory THREADS SECONDS OF ORDER SEARCH MATRIX...
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include "bench/blocks.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/order/order_search.hpp"
#include "kernels/frontier/tables/run_program.hpp"

namespace countpm {
namespace {

struct Record {
  std::uint64_t key;
  uint128 value;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Of all threads of the process, user and system.
double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// Nanoseconds a record of a plain sort by key, on one thread.
double sort_nanoseconds(std::uint64_t count) {
  std::mt19937_64 random(1);
  std::vector<Record> records(count);
  for (Record& record : records) record = {random(), record.value};
  const double start = cpu_seconds();
  std::sort(records.begin(), records.end(), [](const Record& a, const Record& b) { return a.key < b.key; });
  return (cpu_seconds() - start) / static_cast<double>(count) * 1e9;
}

double resident_peak() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

int run(const std::string& path, double search_seconds, int most_threads) {
  const Block<std::int64_t> block = bench::read_block(path);
  const StopSignal never;
  OrderSearch search(class_graph(block), 1);
  search.improve(search_seconds, never);
  const EliminationForecast& forecast = search.forecast();
  fmt::print("{}: peak 2^{:.2f} states of width {}, 2^{:.2f} transitions (bounds)\n", path,
             forecast.log2_peak_states, forecast.peak_width, forecast.log2_transitions);
  const Program program = make_program(search.graph(), search.best());
  Arithmetic arithmetic;
  arithmetic.moduli = {{0, 128}};
  double one = 0;
  std::uint64_t peak_states = 0;
  for (int threads = 1; threads <= most_threads; ++threads) {
    const auto columns = make_value_columns(block, arithmetic);
    RunOptions options;
    options.threads = threads;
    RunStatistics statistics;
    const auto start = std::chrono::steady_clock::now();
    const double cpu_start = cpu_seconds();
    run_program(program, *columns, never, options, &statistics);
    const double seconds = seconds_since(start);
    const double cpu = cpu_seconds() - cpu_start;
    if (threads == 1) one = seconds;
    peak_states = statistics.peak_states;
    fmt::print(
        "{} threads: {:.2f} s ({:.2f} times one), {:.2f} s of CPU, {:.1f} ns a state of all tables, {:.2f} "
        "ns a transition, "
        "peak "
        "{:.3g} states, {:.1f} bytes a state of input and output at the peak, resident {:.2f} GB\n",
        threads, seconds, one / seconds, cpu, cpu / static_cast<double>(statistics.states) * 1e9,
        cpu / static_cast<double>(statistics.moves) * 1e9, static_cast<double>(peak_states),
        static_cast<double>(statistics.peak_bytes) / static_cast<double>(peak_states) / 2,
        resident_peak() / 1e9);
  }
  fmt::print("plain sort of {:.3g} records of 32 bytes: {:.1f} ns a record\n",
             static_cast<double>(peak_states), sort_nanoseconds(peak_states));
  return 0;
}

struct ChildUse {
  double resident_peak = 0;  // bytes
  double seconds = 0;        // wall
  double cpu_seconds = 0;
  bool whole = false;  // it ended by itself, with no error
};

/// Runs all units of the job in a child process.
ChildUse run_in_child(const Job& job) {
  ChildUse use;
  std::fflush(stdout);
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    try {
      const StopSignal never;
      for (std::uint64_t unit = 0; unit < job.units(); ++unit) job.run(unit, never);
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      _exit(1);
    }
    _exit(0);
  }
  int status = 1;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return use;
  use.seconds = seconds_since(start);
  use.resident_peak = static_cast<double>(usage.ru_maxrss) * 1024;
  use.cpu_seconds = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                    1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  use.whole = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return use;
}

int compare_memory(int threads, double search_seconds, const std::vector<std::string>& paths) {
  fmt::print(
      "| matrix | threads | plan | forecast GB | resident GB | resident / forecast | predicted s | wall s | "
      "CPU s |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  Arithmetic arithmetic;
  arithmetic.moduli = {{0, 128}};
  for (const std::string& path : paths) {
    MethodOptions options;
    options.threads = threads;
    options.memory_bytes = std::uint64_t{20} << 30;
    // No thread may run before the fork: the search needs none.
    const auto job = frontier_method().make_job(bench::read_block(path), arithmetic, options);
    job->improve(search_seconds, StopSignal());
    const auto forecast = static_cast<double>(job->bytes_shared() + job->bytes_per_thread());
    if (forecast > static_cast<double>(options.memory_bytes)) {
      fmt::print("| {} | {} | {} | {:.2f} | too large | | | | |\n", path, threads, job->describe(),
                 forecast / 1e9);
      continue;
    }
    const double predicted = std::exp2(job->log2_work()) / job->nominal_rate() / job->speed_up(threads);
    const ChildUse use = run_in_child(*job);
    fmt::print("| {} | {} | {} | {:.2f} | {:.2f} | {:.2f}{} | {:.1f} | {:.1f} | {:.1f} |\n", path, threads,
               job->describe(), forecast / 1e9, use.resident_peak / 1e9, use.resident_peak / forecast,
               use.whole ? "" : " (failed)", predicted, use.seconds, use.cpu_seconds);
  }
  return 0;
}

}  // namespace
}  // namespace countpm

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  if (std::string(argv[1]) == "memory") {
    if (argc < 5) return 2;
    return countpm::compare_memory(std::stoi(argv[2]), std::stod(argv[3]), {argv + 4, argv + argc});
  }
  return countpm::run(argv[1], argc > 2 ? std::stod(argv[2]) : 1.0, argc > 3 ? std::stoi(argv[3]) : 2);
}
