#include "src/plan/shared_rate.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <thread>
#include <vector>

#include "graph/errors.hpp"
#include "graph/stop_signal.hpp"
#include "src/machine/startable_threads.hpp"

namespace countpm {

int threads_that_share(const Job& job, int threads) {
  if (job.runs_on_all_threads()) return 1;
  // A machine that is assumed may have more cores than this one.
  const int here = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  return std::clamp(static_cast<int>(std::llround(job.speed_up(std::clamp(threads, 1, here)))), 1, here);
}

double rate_beside_others(const Job& job, double seconds, int threads) {
  if (threads <= 1) return job.measured_rate(seconds);
  struct Measurement {
    double rate = 0;
    std::exception_ptr failure;
  };
  std::vector<Measurement> measured(static_cast<std::size_t>(threads));
  const StopSignal* const stop = current_stop_signal();
  const auto measure_one = [&](Measurement& one) {
    const StopScope scope(stop);
    try {
      one.rate = job.measured_rate(seconds);
    } catch (...) {
      one.failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  others.reserve(measured.size() - 1);
  try {
    while (others.size() + 1 < measured.size())
      others.push_back(
          start_thread([&measure_one, &one = measured[others.size() + 1]] { measure_one(one); }));
  } catch (const UnableError&) {
    measured.resize(others.size() + 1);  // smaller: nothing moves
  }
  measure_one(measured[0]);
  for (std::thread& other : others) other.join();
  double sum = 0;
  for (const Measurement& one : measured) {
    if (one.failure) std::rethrow_exception(one.failure);
    sum += one.rate;
  }
  return sum / static_cast<double>(measured.size());
}

}  // namespace countpm
