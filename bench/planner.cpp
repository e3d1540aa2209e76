// Goal: of ../shared/matrices at least 85 of 104 decided within 60 s each and none wrong; over these and 200
// random instances (n 20 to 80, degree 3 to n/2) predicted over measured within 0.5 to 2 for at least 90 % of
// the counts over 0.5 s, and the chosen method within 1.5 times the best for at least 90 %; the goals of
// issue 3.
//   bench_planner matrices RECORDS SHARED [SECONDS=60]
//   bench_planner random   RECORDS [FIRST=0 LAST=199] [SECONDS=15]
//   bench_planner goals    RECORDS SHARED DATA [TURNS=5]
//   bench_planner report   RECORDS
// Runs append to RECORDS and skip what stands there: an interrupted one goes on, parts may run in any order.
// COUNTPM_BENCH_MEMORY=BYTES limits each count's memory; COUNTPM_BENCH_ONLY=NAME runs one instance.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <sstream>
#include <string>

#include "bench/planner_record.hpp"
#include "bench/planner_report.hpp"
#include "kernels/method.hpp"
#include "src/api/entries.hpp"

namespace countpm::bench {
namespace {

// Other methods than the chosen one run where they are predicted to take at most that many times its seconds
// ...
constexpr double rival_factor = 2;
constexpr double rival_seconds = 3;  // ... or that many

/// What ../shared knows of a pattern's permanent.
struct Known {
  std::string count = "-";
  std::map<std::uint64_t, std::uint64_t> residues;  // by modulus; 0: 2^64
};

constexpr std::uint64_t prime_1 = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t prime_2 = 2305843009213693921U;

/// known.tsv of ../shared/matrices (two residues), or of ../shared/random (count, residue modulo 2^64).
std::map<std::string, Known> read_known(const std::filesystem::path& path, bool random) {
  std::map<std::string, Known> known;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream in(line);
    std::string name, skipped;
    Known row;
    in >> name;
    if (!random) in >> skipped >> skipped;
    in >> row.count;
    if (!random) {
      in >> row.residues[prime_1] >> row.residues[prime_2];
    } else {
      in >> row.residues[0];
    }
    known[name] = row;
  }
  return known;
}

std::string check_count(const Known& known, const std::string& text) {
  if (known.count != "-") return known.count == text ? "right" : "WRONG";
  const mpz_class count(text);
  for (const auto& [modulus, residue] : known.residues) {
    mpz_class rest;
    if (modulus == 0) {
      mpz_fdiv_r_2exp(rest.get_mpz_t(), count.get_mpz_t(), 64);
    } else {
      mpz_fdiv_r_ui(rest.get_mpz_t(), count.get_mpz_t(), modulus);
    }
    if (rest != mpz_class(std::to_string(residue))) return "WRONG";
  }
  return known.residues.empty() ? "unknown" : "right";
}

std::uint64_t memory_limit() {
  const char* text = std::getenv("COUNTPM_BENCH_MEMORY");
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

Record key(std::string part, std::string instance, std::string request, int turn = 0) {
  Record record;
  record.part = std::move(part);
  record.instance = std::move(instance);
  record.request = std::move(request);
  record.turn = turn;
  return record;
}

bool is_wanted(const std::string& instance) {
  const char* only = std::getenv("COUNTPM_BENCH_ONLY");
  return only == nullptr || instance == only;
}

std::string shape_of(std::uint64_t rows, std::uint64_t entries) {
  return fmt::format("{} rows, {} entries", rows, entries);
}

/// The methods within a factor of 10^6 of the best on the block that decides, best first.
std::string predictions(const Explanation& explanation) {
  const BlockForecast* hardest = nullptr;
  double most = -1e300;
  for (const BlockForecast& block : explanation.blocks) {
    double best = 1e300;
    for (const MethodForecast& method : block.methods) {
      if (!method.obstacle) best = std::min(best, method.log10_seconds);
    }
    if (best > most) hardest = &block;
    most = std::max(most, best);
  }
  if (hardest == nullptr) return "-";
  std::vector<MethodForecast> methods;
  for (const MethodForecast& method : hardest->methods) {
    const bool has_figures = !method.obstacle || method.obstacle->kind == RefusalKind::memory;
    if (has_figures && method.log10_seconds <= most + 6) methods.push_back(method);
  }
  std::sort(methods.begin(), methods.end(),
            [](const auto& a, const auto& b) { return a.log10_seconds < b.log10_seconds; });
  std::string text;
  for (const MethodForecast& method : methods) {
    text += fmt::format("{}{} 10^{:.1f} s, {:.3g} GB{}", text.empty() ? "" : "; ", method.method,
                        method.log10_seconds, static_cast<double>(method.memory_bytes) * 1e-9,
                        method.plan.empty() ? "" : " (" + method.plan + ")");
  }
  return text;
}

template <class Explain>
void explain_refusal(Record& record, const CountOptions& options, const Explain& explain) {
  try {
    const Explanation explanation = explain(options);
    record.note = predictions(explanation);
    if (!explanation.blocks.empty())
      record.shape = shape_of(explanation.blocks.front().rows, explanation.blocks.front().entries);
    record.predicted = std::pow(10, std::min(explanation.log10_total_seconds, 300.0));
  } catch (const UnableError& error) {
    record.note += fmt::format("; explain: {}", error.what());
  }
}

/// Fills in what the run says. `source` makes the input afresh.
template <class Count, class Explain>
Record measure(Record record, const Known& known, double limit, const Count& count, const Explain& explain) {
  CountOptions options;
  options.method = record.request;
  options.time_limit_seconds = limit;
  options.memory_limit_bytes = memory_limit();
  record.shape = record.method = record.check = "-";
  const double start = wall_seconds();
  try {
    const CountResult result = count(options);
    record.outcome = result.violator ? "zero" : "counted";
    record.check = check_count(known, result.count);
    record.method = result.method;
    record.counting = result.seconds.count;
    record.planning = result.seconds.plan;
    record.total = result.seconds.total;
    std::uint64_t rows = 0;
    for (const BlockReport& block : result.blocks) {
      record.predicted += block.predicted_seconds;
      if (block.method == "reductions" || block.rows <= rows) continue;
      rows = block.rows;
      record.shape = shape_of(block.rows, block.entries);
    }
  } catch (const UnableError& error) {
    record.total = wall_seconds() - start;
    record.outcome =
        std::string(error.what()).find("is over before") != std::string::npos ? "stopped" : "refused";
    record.note = error.what();
    if (record.outcome == "stopped") record.counting = record.total;
    if (record.part == "matrices" || record.outcome == "stopped") explain_refusal(record, options, explain);
  } catch (const std::exception& error) {
    record.outcome = "FAILED";
    record.check = "WRONG";
    record.note = error.what();
  }
  fmt::print("{} {} {}: {} {} by {}, predicted {:.3g} s, counted in {:.3g} s, planned in {:.3g} s\n",
             record.part, record.instance, record.request, record.outcome, record.check, record.method,
             record.predicted, record.counting, record.planning);
  std::fflush(stdout);
  return record;
}

Record measure_file(Record record, const Known& known, double limit, const std::string& input) {
  return measure(
      std::move(record), known, limit,
      [&](const CountOptions& options) { return count(Source::from_argument(input), {}, options); },
      [&](const CountOptions& options) { return explain(Source::from_argument(input), {}, options); });
}

class Bench {
 public:
  explicit Bench(std::string records) : path_(std::move(records)), records_(read_records(path_)) {}

  void matrices(const std::filesystem::path& shared, double limit) {
    const auto known = read_known(shared / "matrices" / "known.tsv", false);
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(shared / "matrices")) {
      if (file.path().extension() == ".mtx") names.push_back(file.path().stem());
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      const auto at = known.find(name);
      run(key("matrices", name, "auto"), [&](const Record& record) {
        return measure_file(record, at == known.end() ? Known{} : at->second, limit,
                            (shared / "matrices" / (name + ".mtx")).string());
      });
    }
  }

  /// n rows of d different columns each.
  void random(int first, int last, double limit) {
    const std::string input = path_ + ".instance.edgelist";
    for (int seed = first; seed <= last; ++seed) {
      std::mt19937_64 generator(20261121 + static_cast<std::uint64_t>(seed));
      const int n = 20 + static_cast<int>(generator() % 61);
      // Log-uniform in 3 .. n/2, so that many are within reach.
      const double u = static_cast<double>(generator() % 1000000) / 1e6;
      const int d = std::min(n / 2, static_cast<int>(3 * std::pow((n / 2.0 + 1) / 3, u)));
      const std::string name = fmt::format("{}: n = {}, d = {}", seed, n, d);
      {
        std::ofstream file(input);
        std::vector<int> columns(static_cast<std::size_t>(n));
        for (int row = 0; row < n; ++row) {
          std::iota(columns.begin(), columns.end(), 0);
          for (int k = 0; k < d; ++k) {
            const auto left = static_cast<std::uint64_t>(n - k);
            std::swap(columns[static_cast<std::size_t>(k)],
                      columns[static_cast<std::size_t>(k) + generator() % left]);
            file << fmt::format("r{} c{}\n", row, columns[static_cast<std::size_t>(k)]);
          }
        }
      }
      run(key("random", name, "auto"),
          [&](const Record& record) { return measure_file(record, {}, limit, input); });
      rivals(name, input);
    }
    std::filesystem::remove(input);
  }

  void all_goals(const std::filesystem::path& shared, const std::filesystem::path& data, int turns) {
    const auto matrices = read_known(shared / "matrices" / "known.tsv", false);
    const auto random = read_known(shared / "random" / "known.tsv", true);
    for (int turn = 0; turn < turns; ++turn) {
      for (const Goal& goal : goals()) {
        Known known;
        std::string input = goal.name;
        for (const auto& [folder, rows] : {std::pair{"matrices", &matrices}, std::pair{"random", &random}}) {
          const std::filesystem::path file = shared / folder / (goal.name + ".mtx");
          if (!std::filesystem::exists(file)) continue;
          input = file.string();
          if (const auto row = rows->find(goal.name); row != rows->end()) known = row->second;
        }
        if (input == goal.name) {
          if (!goal.count.empty()) known.count = goal.count;
          if (!goal.name.starts_with("lattice:")) input = (data / (goal.name + ".edgelist")).string();
        }
        run(key("goals", goal.name, "auto", turn),
            [&](const Record& run) { return measure_file(run, known, 600, input); });
      }
    }
  }

  void report() const {
    fmt::print("{}{}{}{}", goals_report(records_), matrices_report(records_), accuracy_report(records_),
               choice_report(records_));
  }

 private:
  template <class Run>
  void run(const Record& record, const Run& measured) {
    if (has_record(records_, record) || !is_wanted(record.instance)) return;
    records_.push_back(measured(record));
    append_record(path_, records_.back());
  }

  /// The other methods, where that is affordable: by their own predictions.
  void rivals(const std::string& name, const std::string& input) {
    for (const Record& chosen : std::vector<Record>(records_)) {
      if (chosen.part != "random" || chosen.instance != name || chosen.request != "auto" ||
          !is_counted(chosen) || chosen.counting < counts_from_seconds)
        continue;
      const double limit = std::max(rival_seconds, rival_factor * chosen.counting);
      for (const Method* method : exact_methods()) {
        if (method->name() == chosen.method) continue;
        run(key("random", name, std::string(method->name())),
            [&](const Record& record) { return measure_file(record, {}, limit, input); });
      }
    }
  }

  std::string path_;
  std::vector<Record> records_;
};

int run(const std::vector<std::string>& words) {
  const auto number = [&](std::size_t k, double otherwise) {
    return words.size() > k ? std::stod(words[k]) : otherwise;
  };
  if (words.size() < 2) throw std::runtime_error("bench_planner matrices|random|goals|report RECORDS ...");
  Bench bench(words[1]);
  if (words[0] == "matrices" && words.size() > 2) {
    bench.matrices(words[2], number(3, 60));
  } else if (words[0] == "random") {
    bench.random(static_cast<int>(number(2, 0)), static_cast<int>(number(3, 199)), number(4, 15));
  } else if (words[0] == "goals" && words.size() > 3) {
    bench.all_goals(words[2], words[3], static_cast<int>(number(4, 5)));
  } else if (words[0] == "report") {
    bench.report();
  } else {
    throw std::runtime_error("unknown part or too few arguments: " + words[0]);
  }
  return 0;
}

}  // namespace
}  // namespace countpm::bench

int main(int count, char** words) {
  try {
    return countpm::bench::run({words + 1, words + count});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
