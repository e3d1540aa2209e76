#include "src/matchings/matching_labels.hpp"

namespace countpm {
namespace {

class Labelled {
 public:
  Labelled(const Instance& instance, const MatchingSink& sink) : instance_(&instance), sink_(&sink) {}

  bool operator()(const std::vector<Edge>& matching) {
    shown_.resize(matching.size(), Edge{no_index, no_index});
    pairs_.resize(matching.size());
    const LabelTable& right =
        instance_->kind == GraphKind::bipartite ? instance_->right_labels : instance_->left_labels;
    for (std::size_t k = 0; k < matching.size(); ++k) {
      const Edge& edge = matching[k];
      if (shown_[k].from != edge.from) pairs_[k].first = instance_->left_labels.label(edge.from);
      if (shown_[k].to != edge.to) pairs_[k].second = right.label(edge.to);
      shown_[k] = edge;
    }
    return (*sink_)(pairs_);
  }

 private:
  const Instance* instance_;
  const MatchingSink* sink_;
  std::vector<Edge> shown_;
  std::vector<std::pair<std::string, std::string>> pairs_;
};

}  // namespace

SinkFor with_ids(const MatchingIdSink& sink) {
  return [sink](const Instance&) { return sink; };
}

SinkFor with_labels(const MatchingSink& sink) {
  return [&sink](const Instance& instance) { return MatchingIdSink(Labelled(instance, sink)); };
}

}  // namespace countpm
