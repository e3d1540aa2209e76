#include "kernels/planar/elimination/tree_parts.hpp"

namespace countpm::planar {
namespace {

// 16 threads are busy to the end if no part takes a sixth of one thread's share.
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

}  // namespace countpm::planar
