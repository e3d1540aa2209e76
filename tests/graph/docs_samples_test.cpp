// The sample files of docs/formats.md and docs/formats-exchange.md are what their sections say: each block of
// indented lines below a heading with a format, pasted into a file, is read.
#include <sstream>

#include "test_paths.hpp"
#include "tests/file_text.hpp"
#include "tests/graph/read_support.hpp"

namespace countpm {
namespace {

struct Sample {
  std::string section;
  std::string text;
};

// The blocks of a page, each under its nearest heading "## ...".
std::vector<Sample> samples_of(const std::string& page) {
  std::istringstream lines(testing::file_text(COUNTPM_SOURCE_DIR "/docs/" + page));
  std::vector<Sample> samples;
  std::string section;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) section = line.substr(3);
    const bool indented = line.starts_with("    ");
    if (indented && !inside) samples.push_back({section, ""});
    if (indented) samples.back().text += line.substr(4) + "\n";
    inside = indented;
  }
  return samples;
}

std::optional<Format> format_of(const std::string& section) {
  for (const auto& [head, format] :
       std::vector<std::pair<std::string, Format>>{{"Edge list", Format::edge_list},
                                                   {"Lists of sets", Format::hyper},
                                                   {"CSV", Format::csv},
                                                   {"DIMACS", Format::dimacs},
                                                   {"GraphML", Format::graphml},
                                                   {"GML (", Format::gml},
                                                   {"GEXF", Format::gexf},
                                                   {"Pajek", Format::pajek},
                                                   {"JSON", Format::json}}) {
    if (section.starts_with(head)) return format;
  }
  return std::nullopt;
}

TEST(DocsSamples, OfFormatsAreRead) {
  std::size_t read = 0;
  for (const std::string page : {"formats.md", "formats-exchange.md"}) {
    for (const Sample& sample : samples_of(page)) {
      const std::optional<Format> format = format_of(sample.section);
      if (!format) continue;
      SCOPED_TRACE(page + ", " + sample.section);
      EXPECT_NO_THROW(
          read_graph(Source::from_bytes(sample.text), testing::with_weights(testing::in_format(*format))))
          << sample.text;
      ++read;
    }
  }
  EXPECT_GE(read, 10U);
}

}  // namespace
}  // namespace countpm
