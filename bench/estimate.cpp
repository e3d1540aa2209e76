// Goals: relative error 1 % at 95 % on 2 cores: the 24x24 square lattice as a matrix (no planar method) 60 s,
// the 6x6x6 cubic lattice 60 s; the interval of every trusted run holds the exact count where that is known.
// For every sampler: the error reached in SECONDS, and the seconds that 1 % would take at that rate (error^2
// / 0.01^2 times as many).
//   bench_estimate INPUT SECONDS [THREADS] [LOG10_OF_THE_COUNT]
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "src/estimate.hpp"

int main(int argc, char** argv) {
  using namespace countpm;
  if (argc < 3) {
    fmt::print(stderr, "usage: bench_estimate INPUT SECONDS [THREADS] [LOG10_OF_THE_COUNT]\n");
    return 2;
  }
  CountOptions count_options;
  count_options.threads = argc > 3 ? std::atoi(argv[3]) : 1;
  fmt::print("{:<12}{:>14}{:>12}{:>12}{:>12}{:>10}{:>12}  {}\n", "sampler", "log10", "samples", "nonzero",
             "effective", "error", "s to 1 %", "interval");
  for (const SamplerInfo& info : samplers()) {
    EstimateOptions options;
    options.sampler.kind = info.kind;
    options.relative_error = 1e-6;
    options.time_limit_seconds = std::atof(argv[2]);
    options.all_sampled = true;
    const EstimateResult result = estimate(Source::from_argument(argv[1]), {}, count_options, options);
    if (!result.estimate) {
      fmt::print("{} is counted by structure and reductions alone\n", argv[1]);
      return 0;
    }
    const Estimate& e = *result.estimate;
    const double seconds = result.seconds.count * std::pow(e.relative_error / 0.01, 2);
    std::string verdict = e.doubt.empty() ? "trusted" : e.doubt;
    if (argc > 4) {
      const double truth = std::atof(argv[4]);
      verdict += truth >= e.low_log10 && truth <= e.high_log10 ? ", holds" : ", MISSES";
    }
    fmt::print("{:<12}{:>14.6f}{:>12}{:>12}{:>12.0f}{:>10.2g}{:>12.3g}  {}\n", info.name, e.log10, e.samples,
               e.nonzero, e.effective_samples, e.relative_error, seconds, verdict);
  }
  return 0;
}
