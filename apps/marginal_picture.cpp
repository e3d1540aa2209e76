#include "apps/marginal_picture.hpp"

#include <fmt/format.h>
#include <gmpxx.h>

#include <charconv>

#include "apps/choose_layout.hpp"
#include "graph/kinds/monomers.hpp"
#include "src/draw/matrix.hpp"
#include "src/draw/structure.hpp"
#include "src/words/result_words.hpp"

namespace countpm::app {
namespace {

constexpr std::size_t longest_fraction = 7;  // that fits beside an edge

// "5/12", "0.44", "1.25e-07"
double value_of(const std::string& probability) {
  if (probability.find('/') != std::string::npos) return mpq_class(probability).get_d();
  double value = 0;
  std::from_chars(probability.data(), probability.data() + probability.size(), value);
  return value;
}

}  // namespace

MarginalPicture::MarginalPicture(const Request& request) : request_(request) {
  if (request.svg) file_.emplace(*request.svg, request.overwrite);
}

void MarginalPicture::keep(const Graph& graph) {
  graph_ = without_monomers(graph);
  monomers_ = graph.monomers;
}

void MarginalPicture::take(const EdgeProbability& edge) {
  // How likely a vertex is to stay alone has no place in the picture.
  if (monomers_ && edge.from == edge.to) return;
  if (!file_ && (!request_.html || values_.size() > draw::most_edges_on_page)) return;
  const double value = value_of(edge.probability);
  const bool fraction = request_.marginals.exact && edge.probability.size() <= longest_fraction;
  values_.push_back({value, fraction ? edge.probability : fmt::format("{:.2f}", value)});
}

void MarginalPicture::draw(const ListStart& start) {
  if (!file_ && !request_.html) return;
  try {
    const auto work = [&] { picture_ = drawn(start); };
    if (file_) {
      file_->limited(request_, work);
    } else {
      time_.limited(request_, no_picture_on_page, work);
    }
  } catch (const UnableError& error) {
    refusal_ = error;
  }
}

draw::Picture MarginalPicture::drawn(const ListStart& start) const {
  if (start.violator) {
    throw UnableError("there is no perfect matching, and so no probability to draw",
                      "'countpm explain INPUT --svg FILE' draws why");
  }
  if (values_.empty())
    throw UnableError("a graph without edges has no picture", file_ ? "leave --svg out" : "");
  if (!file_ && values_.size() > draw::most_edges_on_page) {
    throw UnableError(fmt::format("a page has pictures of at most {} edges", draw::most_edges_on_page),
                      "--svg FILE draws more");
  }
  const std::string title = quoted(request_.arguments.front(), 100);
  const std::string caption = fmt::format(
      "probability of each {} in a random {}{}", start.problem == Problem::cycle_covers ? "arc" : "edge",
      words::matching_text(start), request_.read.weights || start.input.weighted ? ", by weight" : "");
  const auto layout = choose_layout(*graph_, lattice_spec(request_), request_.draw);
  return layout ? draw::draw_probabilities(*graph_, *layout, values_, title, caption, request_.map_scale,
                                           request_.page)
                : draw::draw_probability_matrix(*graph_, values_, title, caption, request_.map_scale,
                                                request_.page);
}

void MarginalPicture::write() {
  if (!file_) return;
  if (refusal_) throw UnableError(*refusal_);
  file_->limited(request_, [&] { file_->write(request_, *picture_); });
}

}  // namespace countpm::app
