// Goal: a journal takes less than 1 % of a thread at one unit a second, whatever thread it is.
//   bench_checkpoint [SECONDS [FOLDER]]
// Units of several lengths end one after another for SECONDS (10) each, by sleeping through them: all
// processor time is the journal's, written in FOLDER (where temporary files go). Two moduli, 65,536 units, as
// a 48-row block has them.
#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "bench/clock.hpp"
#include "src/journal/checkpoint.hpp"

namespace {

using namespace countpm;

constexpr std::uint64_t units = 65'536;

JournalHeader header() {
  JournalTask task;
  task.fingerprint = std::string(32, '0');
  task.rows = 48;
  task.entries = 1152;
  task.method = "ryser";
  task.arithmetic.moduli = choose_primes(2);
  task.units = units;
  task.predicted_seconds = 1e5;
  JournalHeader header;
  header.input = "lattice:square:2x2";
  header.sha256 = std::string(64, '0');
  header.blocks.push_back({true, false, {task}});
  return header;
}

void measure(double unit_seconds, double seconds, const std::string& file) {
  using bench::process_seconds;
  using bench::wall_seconds;
  Checkpoint checkpoint(file, [](const std::string& text) { fmt::print(stderr, "{}\n", text); });
  checkpoint.begin(header(), [] { return JournalProgress(); });
  Ledger& ledger = checkpoint.ledger(0);
  const double start = wall_seconds();
  const double processor = process_seconds();
  double longest = 0;
  std::uint64_t unit = 0;
  for (; unit < units && wall_seconds() < start + seconds; ++unit) {
    std::this_thread::sleep_for(std::chrono::duration<double>(unit_seconds));
    const double before = wall_seconds();
    ledger.add({{unit, unit + 1}, Residues{{unit, unit + 1}}, unit_seconds});
    longest = std::max(longest, wall_seconds() - before);
  }
  const double took = wall_seconds() - start;
  const double used = process_seconds() - processor;
  checkpoint.close();
  fmt::print("| {:g} | {} | {:.3f} % | {:.1f} | {:.1f} | {} |\n", unit_seconds, unit, 100 * used / took,
             1e6 * used / static_cast<double>(unit), 1e6 * longest, std::filesystem::file_size(file));
  std::filesystem::remove(file);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 10;
    const std::filesystem::path folder = argc > 2 ? argv[2] : std::filesystem::temp_directory_path().string();
    fmt::print(
        "| a unit every, s | units | processor time | us/unit | longest wait of a worker, us | file, bytes "
        "|\n"
        "|---|---|---|---|---|---|\n");
    for (const double unit_seconds : {1.0, 0.1, 0.01, 0.001, 0.0001})
      measure(unit_seconds, seconds, (folder / "countpm-bench.journal").string());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_checkpoint: {}\n", error.what());
    return 1;
  }
}
