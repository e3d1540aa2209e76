// The first line of /proc/stat (proc(5)): cpu user nice system idle iowait irq softirq steal ..., of all
// cores together, in ticks; what a hypervisor gave to others counts as busy.
#include "src/machine/load.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <utility>

#include "graph/clock.hpp"

namespace countpm {
namespace {

constexpr double least_seconds = 0.1;

double process_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

LoadMeter::LoadMeter(std::string root) : root_(std::move(root)), start_(read()) {}

std::optional<LoadMeter::Reading> LoadMeter::read() const {
  std::ifstream file(root_ + "/proc/stat");
  std::string head;
  constexpr std::size_t idle = 3;
  constexpr std::size_t waiting = 4;
  std::array<double, 8> ticks{};
  if (!(file >> head) || head != "cpu") return std::nullopt;
  Reading reading;
  for (std::size_t k = 0; k < ticks.size(); ++k) {
    if (!(file >> ticks[k])) return std::nullopt;
    reading.all += ticks[k];
    if (k != idle && k != waiting) reading.busy += ticks[k];
  }
  reading.wall_seconds = seconds_now();
  reading.own_seconds = process_seconds();
  return reading;
}

std::optional<MachineLoad> LoadMeter::since() const {
  const std::optional<Reading> now = read();
  if (!start_ || !now) return std::nullopt;
  const double wall = now->wall_seconds - start_->wall_seconds;
  const double all = now->all - start_->all;
  if (wall < least_seconds || !(all > 0)) return std::nullopt;
  MachineLoad load;
  load.cores = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  const double busy = load.cores * (now->busy - start_->busy) / all;
  const double own = (now->own_seconds - start_->own_seconds) / wall;
  load.busy = std::clamp(busy - own, 0.0, static_cast<double>(load.cores));
  return load;
}

}  // namespace countpm
