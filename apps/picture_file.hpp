#pragma once
// Pictures in files, and what a command says about them.
#include <string>

#include "apps/options.hpp"
#include "apps/output_file.hpp"
#include "src/draw/page.hpp"

namespace countpm::app {

/// FILE.svg, or FILE.png by librsvg's program rsvg-convert. Made before the work whose picture it is to hold:
/// throws as OutputFile does, and UnableError where it is to be a PNG and rsvg-convert
/// is not to be found.
class PictureFile {
 public:
  PictureFile(const std::string& path, bool overwrite);
  /// Writes the picture, and on standard error, but with --quiet, where it is and what its colours mean.
  void write(const Request& request, const draw::Picture& picture);

 private:
  std::string converter_;  // empty: SVG
  OutputFile file_;
};

}  // namespace countpm::app
