#include "kernels/planar/elimination/threaded_elimination.hpp"

#include <atomic>
#include <mutex>
#include <utility>

#include "kernels/planar/elimination/tree_parts.hpp"
#include "kernels/support/task_pool.hpp"

namespace countpm::planar {
namespace {

class ThreadedElimination {
 public:
  ThreadedElimination(const SignedMatrix& matrix, const FrontTree& tree, const LaneArithmetic& lanes,
                      const StopSignal& stop, const FrontElimination::Seen& seen)
      : matrix_(matrix),
        tree_(tree),
        lanes_(lanes),
        stop_(stop),
        seen_(seen),
        values_(std::make_shared<const LaneValues>(matrix, lanes)),
        parts_(tree_parts(tree)),
        left_(parts_.size()),
        open_children_(parts_.size()) {
    for (std::size_t part = 0; part < parts_.size(); ++part)
      open_children_[part] = parts_[part].children.size();
  }

  std::optional<Pivots> run(int threads) {
    std::vector<std::size_t> leaves;
    // The first of them is to be the last one added.
    for (std::size_t part = parts_.size(); part-- > 0;) {
      if (parts_[part].children.empty()) leaves.push_back(part);
    }
    const int useful =
        static_cast<int>(std::min(static_cast<std::size_t>(std::max(threads, 1)), leaves.size()));
    work_through(useful, std::move(leaves), [this] {
      FrontElimination& own = new_elimination();
      return [this, &own](std::size_t part, const auto& add) {
        if (full_rank_ && take(own, part) && parts_[part].parent != TreePart::none &&
            --open_children_[parts_[part].parent] == 0)
          add(parts_[part].parent);
      };
    });
    if (!full_rank_) return std::nullopt;
    return all_pivots();
  }

 private:
  /// A thread's.
  FrontElimination& new_elimination() {
    auto made = std::make_unique<FrontElimination>(matrix_, tree_, lanes_, values_, stop_);
    const std::lock_guard lock(mutex_);
    eliminations_.push_back(std::move(made));
    return *eliminations_.back();
  }

  /// False where the rank is too small.
  bool take(FrontElimination& own, std::size_t part) {
    std::vector<FrontElimination::PassedOn> taken;
    for (const std::size_t child : parts_[part].children) {
      std::move(left_[child].blocks.begin(), left_[child].blocks.end(), std::back_inserter(taken));
    }
    if (!own.run_part(parts_[part].first, parts_[part].last, std::move(taken), seen_)) {
      full_rank_ = false;
      return false;
    }
    for (const std::size_t child : parts_[part].children) left_[child] = {};
    left_[part] = own.remainder();
    return true;
  }

  Pivots all_pivots() const {
    Pivots all;
    all.product.assign(lanes_.primes().one, lanes_.primes().one + lanes_.width());
    for (const auto& elimination : eliminations_) {
      const Pivots& own = elimination->pivots();
      all.vertices.insert(all.vertices.end(), own.vertices.begin(), own.vertices.end());
      lanes_.scale(all.product.data(), 0, 1, own.product.data());
    }
    return all;
  }

  const SignedMatrix& matrix_;
  const FrontTree& tree_;
  const LaneArithmetic& lanes_;
  const StopSignal& stop_;
  const FrontElimination::Seen& seen_;
  std::shared_ptr<const LaneValues> values_;
  std::vector<TreePart> parts_;
  std::vector<FrontElimination::Remainder> left_;        // by part, until it is taken
  std::vector<std::atomic<std::size_t>> open_children_;  // by part
  std::atomic<bool> full_rank_{true};
  std::mutex mutex_;
  std::vector<std::unique_ptr<FrontElimination>> eliminations_;
};

}  // namespace

std::optional<Pivots> eliminate_on_threads(const SignedMatrix& matrix, const FrontTree& tree,
                                           const LaneArithmetic& lanes, int threads, const StopSignal& stop,
                                           const FrontElimination::Seen& seen) {
  return ThreadedElimination(matrix, tree, lanes, stop, seen).run(threads);
}

}  // namespace countpm::planar
