#include "apps/picture_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>

#include "apps/output.hpp"
#include "apps/run_filter.hpp"
#include "apps/signals.hpp"
#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "src/text/format_duration.hpp"
#include "src/watch/monitor.hpp"

namespace countpm::app {
namespace {

constexpr const char* converter_name = "rsvg-convert";

bool is_png(const std::string& path) {
  return ascii_lower(path).ends_with(".png");
}

// The path of librsvg's program; empty where PATH has none.
std::string find_converter() {
  const char* const folders = std::getenv("PATH");
  std::istringstream list(folders == nullptr ? "" : folders);
  for (std::string folder; std::getline(list, folder, ':');) {
    std::string path = (folder.empty() ? "." : folder) + "/" + converter_name;
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return "";
}

/// Nobody wants SVG under a name that says something else.
void check_ending(const std::string& path) {
  constexpr std::array<std::string_view, 14> others{".pdf",  ".ps",   ".eps",  ".jpg", ".jpeg",
                                                    ".gif",  ".tif",  ".tiff", ".bmp", ".webp",
                                                    ".svgz", ".html", ".sdf",  ".mol"};
  const std::string lower = ascii_lower(path);
  for (const std::string_view ending : others) {
    if (!lower.ends_with(ending)) continue;
    throw UsageError(fmt::format(
        "{}: pictures are SVG, or PNG if the name ends in .png; give a name that ends in "
        ".svg or .png{}",
        quoted(path, 400),
        ending == ".html" ? ", or use --html"
                          : ", and convert it (rsvg-convert --format=pdf makes a PDF of an SVG)"));
  }
}

std::string converter_for(const std::string& path) {
  check_ending(path);
  if (!is_png(path)) return "";
  std::string converter = find_converter();
  if (converter.empty()) {
    throw UnableError(fmt::format("a PNG is made by librsvg's {}, and PATH has none", converter_name),
                      "install it (Debian: apt-get install librsvg2-bin), or give a file that ends in .svg");
  }
  return converter;
}

}  // namespace

PictureFile::PictureFile(const std::string& path, bool overwrite)
    : converter_(converter_for(path)), file_(path, overwrite) {}

void PictureFile::write(const Request& request, const draw::Picture& picture) {
  if (converter_.empty()) {
    file_.write(picture.svg);
  } else {
    // Without --unlimited large pictures are refused.
    file_.write(run_filter({converter_, "--unlimited", "--format=png"}, picture.svg));
  }
  file_.close();
  if (request.quiet) return;
  std::string text =
      fmt::format("picture     {}: {}\n", quoted(file_.path(), 400), printable(picture.legend.caption));
  for (const std::string& line : lines_of(picture.legend)) text += printable(line) + "\n";
  write_error(text);
}

void PictureFile::limited(const Request& request, const std::function<void()>& work) const {
  time_.limited(request, fmt::format("the picture {} is not written", quoted(file_.path(), 400)), work);
}

void DrawingTime::limited(const Request& request, const std::string& lost,
                          const std::function<void()>& work) const {
  const double limit = request.count.time_limit_seconds;
  CountOptions options;
  options.time_limit_seconds = std::max(limit - Stopwatch(since_start_).lap(), 0.0);
  options.interrupted = stop_requested;
  Monitor monitor(options);
  try {
    work();
  } catch (const Stopped&) {
    if (!monitor.limit_is_over()) throw InterruptedError("interrupted: " + lost);
    throw UnableError(fmt::format("the time limit of {} is over: {}", format_duration(limit), lost),
                      "try a longer --time-limit");
  }
}

}  // namespace countpm::app
