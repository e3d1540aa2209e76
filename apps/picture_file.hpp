#pragma once
// Pictures in files, and what a command says about them.
#include <functional>
#include <string>

#include "apps/options.hpp"
#include "apps/output_file.hpp"
#include "src/draw/page.hpp"
#include "src/watch/stopwatch.hpp"

namespace countpm::app {

/// The time that there is for a picture: the time limit, which begins when this is made.
class DrawingTime {
 public:
  /// Draws or writes until Ctrl-C or the end of the time limit. Then it throws InterruptedError or
  /// UnableError, which say what is `lost`: "the picture 'x.svg' is not written".
  void limited(const Request& request, const std::string& lost, const std::function<void()>& work) const;

 private:
  Stopwatch since_start_;
};

/// What is lost of a page where its picture takes too long.
inline constexpr const char* no_picture_on_page = "the page is without its picture";

/// FILE.svg, or FILE.png by librsvg's program rsvg-convert. Made before the work whose picture it is to hold:
/// throws as OutputFile does, and UnableError where it is to be a PNG and rsvg-convert
/// is not to be found.
class PictureFile {
 public:
  PictureFile(const std::string& path, bool overwrite);
  /// Writes the picture, and on standard error, but with --quiet, where it is and what its colours mean.
  void write(const Request& request, const draw::Picture& picture);
  /// As DrawingTime, from when this was made; the errors say that there is no picture.
  void limited(const Request& request, const std::function<void()>& work) const;

 private:
  std::string converter_;  // empty: SVG
  OutputFile file_;
  DrawingTime time_;
};

}  // namespace countpm::app
