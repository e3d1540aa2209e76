// Lists of sets: one set of vertices a line, "a b c [; weight]". docs/formats.md has the rules. O(bytes log
// bytes).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/formats/reader.hpp"
#include "graph/formats/set_lines.hpp"
#include "graph/graph_builder.hpp"
#include "graph/kinds/tiles.hpp"
#include "graph/label_text.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

ReadOptions with_loops(ReadOptions options) {
  options.loops = LoopPolicy::monomer;  // a set of one vertex
  return options;
}

class HyperReader {
 public:
  HyperReader(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info)
      : name_(name),
        options_(options),
        info_(info),
        lines_(bytes),
        builder_(name, GraphKind::undirected, with_loops(options), info) {
    refuse_options();
  }

  Graph read(const std::optional<SetLines>& printed) {
    if (printed) {
      read_printed(*printed);
    } else {
      while (lines_.next()) {
        poll_.step();
        line_ = lines_.number();
        if (lines_.line().size() > text_line_limit) fail("a line of at most 1 MiB", "a longer line");
        read_line(lines_.line());
      }
    }
    if (nothing_)
      throw InputError(name_, 0, "sets of vertices ('#! empty' for none)", "only blank lines and comments");
    Graph graph = builder_.finish();
    add_tiles(graph, tiles_);
    graph.weight_kind = std::max(graph.weight_kind, weight_kind_);
    return graph;
  }

 private:
  void refuse_options() const {
    const auto refuse = [&](const char* option) {
      throw UsageError(
          fmt::format("{}: {} is of graphs, and this is a list of sets", quoted(name_, 400), option));
    };
    if (options_.kind.value_or(GraphKind::undirected) != GraphKind::undirected || options_.symmetric)
      refuse("--kind");
    if (options_.loops != LoopPolicy::reject) refuse("--loops");
    if (!options_.remove.empty()) refuse("--remove");
  }

  [[noreturn]] void fail(std::string expected, std::string found) const {
    throw InputError(name_, line_, std::move(expected), std::move(found));
  }

  void read_printed(const SetLines& printed) {
    for (const std::string& note : printed.notes)
      info_.warnings.push_back(fmt::format("{}: {}", quoted(name_, 400), note));
    line_ = printed.line;
    if (printed.empty_row) fail("a 1 in every row, a set that is not empty", "zeros");
    for (const std::string& column : printed.columns) builder_.left(column);
    for (const SetLine& set : printed.sets) {
      poll_.step();
      line_ = set.line;
      for (const std::string_view label : set.labels) {
        if (label.empty()) fail("a label in every place", "none");
        if (const std::optional<BadText> bad = bad_text(label, true)) fail(bad->expected, bad->found);
      }
      if (set.labels.empty()) fail("a set that is not empty", "no label");
      add(set.labels,
          set.weight.empty() ? std::nullopt : std::optional<Weight>(parse_weight(set.weight, name_, line_)));
    }
  }

  /// Text, but for its end in a comment.
  std::string_view without_comment(std::string_view line) const {
    for (std::size_t at = 0; at < line.size(); ++at) {
      const bool starts_word = at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t';
      if (starts_word && (line[at] == '#' || line[at] == '%')) {
        line = line.substr(0, at);
        break;
      }
    }
    if (const std::optional<BadText> bad = bad_text(line, true)) fail(bad->expected, bad->found);
    return line;
  }

  static std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
  }

  void read_line(std::string_view line) {
    if (const std::string_view text = trimmed(line); text.starts_with("#!"))
      return read_directive(text.substr(2));
    line = without_comment(line);
    const std::size_t semicolon = line.find(';');
    const std::string_view labels = trimmed(line.substr(0, semicolon));
    if (semicolon == std::string_view::npos) {
      if (const std::vector<std::string_view> words = words_in(labels); !words.empty())
        add(words, std::nullopt);
      return;
    }
    const std::string_view weight = trimmed(line.substr(semicolon + 1));
    const std::vector<std::string_view> words = words_in(labels);
    if (words.empty()) fail("'LABEL LABEL ...' or 'LABEL LABEL ... ; WEIGHT'", "no label before the ;");
    if (weight.empty()) fail("a weight after the ;", "none");
    add(words, parse_weight(weight, name_, line_));
  }

  void read_directive(std::string_view text) {
    TextLines words(text);
    words.next();
    const std::string_view verb = words.word();
    const std::string_view label = words.word();
    const std::string_view more = words.word();
    nothing_ = false;
    if (verb == "empty" && label.empty()) return;
    if (verb != "vertex")
      fail("a directive '#! vertex LABEL' or '#! empty'",
           fmt::format("'#! {}'", quoted(std::string(trimmed(text)))));
    if (label.empty() || !more.empty())
      fail("one label after '#! vertex'", label.empty() ? "none" : fmt::format("{} too", shown(more)));
    without_comment(label);
    builder_.left(label);
  }

  void add(const std::vector<std::string_view>& labels, const std::optional<Weight>& weight) {
    nothing_ = false;
    std::vector<Index> vertices;
    vertices.reserve(labels.size());
    for (const std::string_view label : labels) vertices.push_back(builder_.left(label));
    std::vector<Index> sorted = vertices;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      fail("a set of different vertices", fmt::format("a vertex twice in {}", shown_set(labels)));
    if (vertices.size() > 2) {
      add_tile(std::move(sorted), weight, labels);
    } else if (weight) {
      builder_.add(vertices.front(), vertices.back(), line_, *weight);
    } else {
      builder_.add(vertices.front(), vertices.back(), line_);
    }
  }

  static std::string shown_set(const std::vector<std::string_view>& labels) {
    return shown(fmt::format("{}", fmt::join(labels, " ")));
  }

  void add_tile(std::vector<Index> vertices, const std::optional<Weight>& weight,
                const std::vector<std::string_view>& labels) {
    if (weight && weight->is_zero()) {
      ++info_.zeros_dropped;
      return;
    }
    const auto [known, is_new] = first_line_.try_emplace(vertices, line_);
    if (!is_new) {
      if (options_.multi != MultiPolicy::sum)
        fail("every set once (--multi sum adds the weights of equal ones)",
             fmt::format("{}, the set of line {}", shown_set(labels), known->second));
      // Two tiles are a sum.
      ++info_.parallel_summed;
    }
    const bool used = weight && options_.weights;
    if (used) weight_kind_ = std::max(weight_kind_, weight->kind);
    if (weight && !used && !weight->is_one()) ++info_.values_unused;
    tiles_.push_back({std::move(vertices), used ? *weight : Weight{}});
  }

  const std::string& name_;
  const ReadOptions& options_;
  InputInfo& info_;
  TextLines lines_;
  std::uint64_t line_ = 0;
  StopPoll poll_;
  GraphBuilder builder_;
  std::vector<Tile> tiles_;
  std::map<std::vector<Index>, std::uint64_t> first_line_;  // of every set of three vertices and more
  WeightKind weight_kind_ = WeightKind::none;               // of tiles
  bool nothing_ = true;
};

}  // namespace

Graph read_hyper(std::string_view bytes, const std::string& name, const ReadOptions& options,
                 InputInfo& info) {
  return HyperReader(bytes, name, options, info).read(set_lines(bytes, options.first_line));
}

}  // namespace countpm
