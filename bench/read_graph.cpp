// How fast a long edge list becomes a graph and then a matrix.
//
// Goal: 10 million edges, about 150 MB, read in under 4 s with under 1.5 GB of memory on a 2-core
// machine; we aim for 2 s. Usage: read_graph [edges [vertices [numbers|words]]]   (10000000 1000000 numbers)
// The file is written to the temporary directory first and removed in the end. Prints the seconds of every
// run, their median, MB/s and the peak resident memory, which counts the mapped file too.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "graph/instance.hpp"
#include "graph/read.hpp"

namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

// Distinct random edges of a bipartite graph on 0 .. vertices - 1 on each side: sorted by left end in blocks
// and then dealt out of order, so that neither the reader's caches nor its duplicate search meet a friendly
// order.
void write_edges(const std::string& path, std::uint64_t edges, std::uint64_t vertices, bool words) {
  std::vector<std::uint64_t> keys;
  std::uint64_t state = 1;
  while (keys.size() < edges) {
    while (keys.size() < edges + edges / 100)
      keys.push_back((split_mix(state) % vertices) * vertices + split_mix(state) % vertices);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  }
  for (std::size_t k = keys.size() - 1; k > 0; --k) std::swap(keys[k], keys[split_mix(state) % (k + 1)]);
  keys.resize(edges);
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) std::exit(1);
  const char* const format = words ? "v%07llx w%07llx\n" : "%llu %llu\n";
  for (const std::uint64_t key : keys) {
    std::fprintf(file, format, 1'000'000ULL + key / vertices, 1'000'000ULL + key % vertices);
  }
  std::fclose(file);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t edges = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  const std::uint64_t vertices = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000;
  const bool words = argc > 3 && std::string(argv[3]) == "words";
  const std::string path =
      (std::filesystem::temp_directory_path() / ("countpm-bench-" + std::to_string(getpid()) + ".edgelist"))
          .string();
  // A child writes, so that its memory does not count.
  const pid_t child = fork();
  if (child == 0) {
    write_edges(path, edges, vertices, words);
    _exit(0);
  }
  int ended = 0;
  if (waitpid(child, &ended, 0) != child || ended != 0) return 1;

  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  std::vector<double> read_seconds;
  std::vector<double> cpu_seconds;  // tells on a busy machine what the wall clock does not
  std::vector<double> instance_seconds;
  countpm::ReadOptions options;
  options.kind = countpm::GraphKind::bipartite;
  for (int run = 0; run < 5; ++run) {
    auto start = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    countpm::ReadResult result = countpm::read_graph(countpm::Source::from_argument(path), options);
    read_seconds.push_back(seconds_since(start));
    cpu_seconds.push_back(static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const double read_peak = static_cast<double>(usage.ru_maxrss) / 1024;
    start = std::chrono::steady_clock::now();
    const countpm::Instance instance = countpm::to_instance(std::move(result.graph));
    instance_seconds.push_back(seconds_since(start));
    getrusage(RUSAGE_SELF, &usage);
    std::printf(
        "run %d: read %.2f s (%.2f s of CPU), to_instance %.2f s, %llu entries, peak %.0f MiB after reading, "
        "%.0f MiB in "
        "all\n",
        run, read_seconds.back(), cpu_seconds.back(), instance_seconds.back(),
        static_cast<unsigned long long>(instance.pattern.entries()), read_peak,
        static_cast<double>(usage.ru_maxrss) / 1024);
  }
  const double read = median(read_seconds);
  std::printf(
      "median: read %.2f s (%.2f s of CPU) of %.0f MB, %.0f MB/s; to_instance %.2f s; goal: under 4 s and "
      "1500 MB\n",
      read, median(cpu_seconds), megabytes, megabytes / read, median(instance_seconds));
  std::filesystem::remove(path);
  return 0;
}
