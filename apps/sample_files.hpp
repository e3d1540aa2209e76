#pragma once
// What sample writes beside its lines: a picture of the first sample, and the samples' height functions.
#include <optional>

#include "apps/matching_lines.hpp"
#include "apps/picture_file.hpp"

namespace countpm::app {

class SampleFiles {
 public:
  /// Opens the files that the request names; throws as they do.
  explicit SampleFiles(const Request& request);

  /// Keeps the graph where it is going to be drawn.
  void keep(const Graph& graph);
  /// Throws UnableError where heights were asked for and the matchings have none.
  void check(const ListStart& start) const;
  /// Every matching, in order. Throws UnableError for what cannot be drawn.
  void take(const Pairs& pairs, const ListStart& start);
  /// After the last. Throws UnableError where a picture was asked for and there was no matching.
  void finish();

 private:
  void write_heights(const Pairs& pairs);
  draw::Picture picture(const Pairs& pairs, const ListStart& start) const;

  const Request& request_;
  std::optional<std::string> lattice_;  // its spec, where the input is one
  std::optional<PictureFile> picture_;
  std::optional<OutputFile> heights_;
  std::optional<Graph> graph_;
  std::uint64_t taken_ = 0;
};

}  // namespace countpm::app
