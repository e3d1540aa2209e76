#include "kernels/support/nested_dissection.hpp"

#include <metis.h>

#include <array>
#include <atomic>
#include <csignal>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "kernels/support/abandonable.hpp"

namespace countpm {
namespace {

/// METIS 5.1 installs handlers of its own for SIGTERM and SIGABRT while it runs, whatever its options say: on
/// an error it raises one of the two and jumps out of its handler. They cannot be prevented; this keeps the
/// harm small.
///   - Afterwards METIS puts the old handlers back by signal(), without their flags and masks, and as
///   handlers
///     for one signal only. Here they are restored as they were.
///   - A SIGTERM from outside would make METIS give up in the midst of whatever it did. The calling thread
///     blocks it, so that it waits for the handlers restored here, and is not lost.
///   - Left open: in a process with other threads that do not block SIGTERM, one of them may get it, and
///     METIS' handler kills the process there: as SIGTERM does by itself where nobody handles it. countpm's
///     own program blocks SIGTERM in all threads (apps/signals.cpp); METIS' handler never sees it.
/// SIGABRT stays as METIS wants it: out of memory it raises that in this thread, and returns an error.
class SignalsKept {
 public:
  SignalsKept() {
    for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], nullptr, &actions_[k]);
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, &mask_);
  }
  ~SignalsKept() {
    for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], &actions_[k], nullptr);
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }
  SignalsKept(const SignalsKept&) = delete;
  SignalsKept& operator=(const SignalsKept&) = delete;

 private:
  static constexpr std::array<int, 2> signals{SIGTERM, SIGABRT};
  std::array<struct sigaction, signals.size()> actions_{};
  sigset_t mask_{};
};

/// Graph, work space and result of one call, which may outlive its caller.
class Dissection {
 public:
  Dissection(std::span<const std::uint64_t> start, std::span<const Index> neighbour, std::uint64_t seed)
      : first_(start.begin(), start.end()), adjacent_(neighbour.begin(), neighbour.end()) {
    METIS_SetDefaultOptions(options_.data());
    options_[METIS_OPTION_NUMBERING] = 0;
    options_[METIS_OPTION_DBGLVL] = 0;  // silent
    options_[METIS_OPTION_SEED] = static_cast<idx_t>(seed % 0x7fffffff);
  }

  /// abandoned: nobody waits for it any more, so that it need not begin.
  std::vector<Index> operator()(const std::atomic<bool>& abandoned) {
    auto vertices = static_cast<idx_t>(first_.size() - 1);
    std::vector<idx_t> vertex_at(first_.size() - 1);
    std::vector<idx_t> place_of(first_.size() - 1);
    static std::mutex one_at_a_time;
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    if (abandoned) return {};
    const SignalsKept signals;
    const int status = METIS_NodeND(&vertices, first_.data(), adjacent_.data(), nullptr, options_.data(),
                                    vertex_at.data(), place_of.data());
    if (status != METIS_OK) return {};
    return {vertex_at.begin(), vertex_at.end()};
  }

 private:
  std::vector<idx_t> first_;
  std::vector<idx_t> adjacent_;
  std::array<idx_t, METIS_NOPTIONS> options_{};
};

/// METIS takes 10 ms for so many edges of a square lattice, twice, and 4 s for 1000 x 1000 vertices (2-core
/// EPYC, Zen 4, 2026-11-27).
constexpr std::size_t many_neighbours = 20000;

}  // namespace

std::vector<Index> nested_dissection(std::span<const std::uint64_t> start, std::span<const Index> neighbour,
                                     std::uint64_t seed) {
  const std::size_t count = start.size() - 1;
  if (neighbour.empty()) {  // METIS wants edges
    std::vector<Index> order(count);
    std::iota(order.begin(), order.end(), Index{0});
    return order;
  }
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<idx_t>::max());
  if (neighbour.size() > most || count > most) return {};
  Dissection dissection(start, neighbour, seed);
  const auto abandoned = std::make_shared<std::atomic<bool>>(false);
  if (neighbour.size() < many_neighbours) return dissection(*abandoned);
  try {
    return done_or_abandoned(
        [dissection = std::move(dissection), abandoned]() mutable { return dissection(*abandoned); });
  } catch (const Stopped&) {
    *abandoned = true;
    throw;
  }
}

}  // namespace countpm
