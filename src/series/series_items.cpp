#include "src/series/series_items.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "graph/formats/formats.hpp"
#include "graph/formats/input_bytes.hpp"
#include "graph/lattices/lattice.hpp"
#include "graph/lattices/lattice_range.hpp"
#include "graph/read.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

// Of a folder's files that were left out, as many are named.
constexpr std::size_t most_named = 3;
constexpr std::uint64_t longest_list_line = 1U << 16U;

bool is_lattice(const std::string& argument) {
  return argument.starts_with("lattice:");
}

bool is_folder(const std::string& argument) {
  std::error_code none;
  return std::filesystem::is_directory(argument, none);
}

// The first size that is different in the two specs of a range.
std::size_t growing_axis(const LatticeInfo& first, const LatticeInfo& last) {
  std::size_t axis = 0;
  while (axis + 1 < first.size.size() && first.size[axis] == last.size[axis]) ++axis;
  return axis;
}

class SeriesBuilder {
 public:
  explicit SeriesBuilder(double wait_seconds) : wait_seconds_(wait_seconds) {}

  Series build(const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
      if (argument.size() > 1 && argument[0] == '@') {
        append_list(argument.substr(1));
      } else {
        append(argument);
      }
    }
    return std::move(series_);
  }

 private:
  void append(const std::string& argument) {
    if (is_lattice(argument) && is_lattice_range(argument)) return append_range(argument);
    if (!is_lattice(argument) && is_folder(argument)) return append_folder(argument);
    append_single({argument, 0, std::nullopt, is_lattice(argument) ? known_limit(argument) : std::nullopt});
  }

  void append_single(SeriesItem item) {
    if (!singles_) {
      singles_ = series_.groups.size();
      series_.groups.push_back({"single inputs", 0});
    }
    ++series_.groups[*singles_].items;
    item.group = *singles_;
    series_.items.push_back(std::move(item));
  }

  void append_failure(const std::string& input, const InputError& error) {
    append_single({input, 0, std::nullopt, std::nullopt,
                   SeriesFailure{SeriesFailure::Kind::input, error.what(), error}});
  }

  void append_range(const std::string& argument) {
    const std::vector<std::string> specs = lattice_range(argument);
    const LatticeInfo first = lattice_info(specs.front());
    const LatticeInfo last = lattice_info(specs.back());
    const bool grows = is_growing_range(argument);
    const std::size_t axis = growing_axis(first, last);
    // Of one lattice alone (the step goes beyond the last): as if all its sizes grew.
    const std::optional<KnownLimit> limit =
        grows && specs.size() > 1 ? known_limit(specs.front(), specs.back()) : known_limit(specs.front());
    for (const std::string& spec : specs) {
      const std::optional<std::uint64_t> size =
          grows ? std::optional(lattice_info(spec).size[axis]) : std::nullopt;
      series_.items.push_back({spec, series_.groups.size(), size, limit});
    }
    series_.groups.push_back({argument, specs.size()});
  }

  void append_folder(const std::string& folder) {
    std::vector<std::string> files;
    std::vector<std::string> others;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
      const std::string name = at->path().filename().string();
      if (name.starts_with('.')) continue;
      std::error_code none;
      const bool is_file = !at->is_directory(none);
      (is_file && format_by_ending(name) ? files : others).push_back(is_file ? name : name + "/");
    }
    if (error) return append_failure(folder, InputError(folder, 0, "a readable folder", error.message()));
    std::sort(files.begin(), files.end());
    std::sort(others.begin(), others.end());
    if (files.empty())
      append_failure(folder, InputError(folder, 0, "files with a known ending ('countpm formats' lists them)",
                                        fmt::format("none among {}", others.size())));
    for (const std::string& file : files)
      append_single({(std::filesystem::path(folder) / file).string(), 0, std::nullopt, std::nullopt});
    note_others(folder, others);
  }

  void note_others(const std::string& folder, const std::vector<std::string>& others) {
    if (others.empty()) return;
    std::string names;
    for (std::size_t k = 0; k < std::min(most_named, others.size()); ++k)
      names += fmt::format("{}{}", k == 0 ? "" : ", ", quoted(others[k]));
    if (others.size() > most_named) names += ", ...";
    series_.notes.push_back(
        fmt::format("{}: left out {} without a known ending: {}", quoted(folder, 200), others.size(), names));
  }

  /// Blank lines, and those that begin with #, are passed over.
  void append_list(const std::string& file) {
    const std::string argument = "@" + file;
    try {
      const Source source = Source::from_argument(file);
      InputBytes bytes(source, false);
      bytes.limit_wait(wait_seconds_);
      TextLines lines(bytes.all(longest_list_line));
      bool any = false;
      while (lines.next()) {
        const std::string line(lines.line());
        if (lines.line_done() || line[0] == '#') continue;
        append_listed(source.name, lines.number(), line);
        any = true;
      }
      if (!any) throw InputError(source.name, 0, "inputs, one per line", "none");
    } catch (const InputError& error) {
      append_failure(argument, error);
    }
  }

  void append_listed(const std::string& list, std::uint64_t number, const std::string& line) {
    if (line[0] == '@')
      return append_failure(line, InputError(list, number, "a file, a folder or a lattice", "another list"));
    try {
      append(line);
    } catch (const UsageError& error) {
      append_single(
          {line, 0, std::nullopt, std::nullopt,
           SeriesFailure{SeriesFailure::Kind::usage,
                         fmt::format("{}:{}: {}", quoted(list, 400), number, error.what()), std::nullopt}});
    }
  }

  double wait_seconds_;
  Series series_;
  std::optional<std::size_t> singles_;
};

}  // namespace

Series series_items(const std::vector<std::string>& arguments, double wait_seconds) {
  return SeriesBuilder(wait_seconds).build(arguments);
}

}  // namespace countpm
