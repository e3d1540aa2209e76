#include "kernels/planar/elimination/threaded_elimination.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>

#include "kernels/support/task_pool.hpp"

namespace countpm::planar {
namespace {

// 500 x 500 then is 126 parts, 150 x 150 triangular 124. Played through with their times (2-core AMD EPYC,
// Zen 4, 2026-11-27), 2, 4, 8, 16 threads are 1.8, 3.0, 4.6, 6.1 and 1.8, 3.1, 3.9, 4.4 times as fast as one.
constexpr double largest_share = 0.01;

/// Of each front, with its subtree's work.
struct Subtree {
  std::size_t first = 0;  // its fronts are first .. itself
  std::size_t parent = TreePart::none;
  double multiplications = 0;
};

std::vector<Subtree> subtrees(const FrontTree& tree) {
  std::vector<Subtree> result(tree.fronts.size());
  std::vector<std::size_t> waiting;
  for (std::size_t front = 0; front < tree.fronts.size(); ++front) {
    Subtree& own = result[front];
    own.first = front;
    own.multiplications = tree.work[front].multiplications;
    for (Index c = 0; c < tree.fronts[front].children; ++c) {
      Subtree& child = result[waiting.back()];
      waiting.pop_back();
      own.first = child.first;
      own.multiplications += child.multiplications;
      child.parent = front;
    }
    if (!tree.fronts[front].border.empty()) waiting.push_back(front);
  }
  return result;
}

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

std::vector<TreePart> tree_parts(const FrontTree& tree) {
  const std::vector<Subtree> subtree = subtrees(tree);
  const double most = largest_share * tree.total.multiplications;
  std::vector<TreePart> parts;
  std::vector<std::size_t> taker;    // beside the parts: the front that takes what they leave
  std::vector<std::size_t> waiting;  // parts that it has not taken yet
  for (std::size_t front = 0; front < tree.fronts.size(); ++front) {
    const Subtree& own = subtree[front];
    if (own.multiplications <= most) {
      // Of a small subtree only its root, and only where that is in no larger one that is small.
      if (own.parent != TreePart::none && subtree[own.parent].multiplications <= most) continue;
      const bool joins = !waiting.empty() && parts[waiting.back()].last == own.first &&
                         taker[waiting.back()] == own.parent &&
                         parts[waiting.back()].multiplications + own.multiplications <= most;
      if (joins) {
        parts[waiting.back()].last = front + 1;
        parts[waiting.back()].multiplications += own.multiplications;
      } else {
        waiting.push_back(parts.size());
        parts.push_back({own.first, front + 1, TreePart::none, {}, own.multiplications});
        taker.push_back(own.parent);
      }
      continue;
    }
    std::size_t first_child = waiting.size();
    while (first_child > 0 && taker[waiting[first_child - 1]] == front) --first_child;
    if (waiting.size() - first_child == 1) {
      // What takes a single part goes on with it.
      TreePart& part = parts[waiting.back()];
      part.last = front + 1;
      part.multiplications += tree.work[front].multiplications;
      taker[waiting.back()] = own.parent;
      continue;
    }
    TreePart part{front, front + 1, TreePart::none, {}, tree.work[front].multiplications};
    part.children.assign(waiting.begin() + static_cast<std::ptrdiff_t>(first_child), waiting.end());
    waiting.resize(first_child);
    for (const std::size_t child : part.children) parts[child].parent = parts.size();
    waiting.push_back(parts.size());
    parts.push_back(std::move(part));
    taker.push_back(own.parent);
  }
  return parts;
}

std::optional<Pivots> eliminate_on_threads(const SignedMatrix& matrix, const FrontTree& tree,
                                           const LaneArithmetic& lanes, int threads, const StopSignal& stop,
                                           const FrontElimination::Seen& seen) {
  return ThreadedElimination(matrix, tree, lanes, stop, seen).run(threads);
}

}  // namespace countpm::planar
