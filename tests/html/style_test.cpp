// Colours that can be read: the contrast ratio of W3C, WCAG 2.1.
#include "src/html/style.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/contrast.hpp"

namespace countpm::test {
namespace {

using html::Tone;
using testing::contrast;

TEST(HtmlStyle, ContrastIsThatOfTheStandard) {
  EXPECT_NEAR(contrast("#000000", "#ffffff"), 21, 1e-9);
  EXPECT_NEAR(contrast("#777777", "#ffffff"), 4.48, 0.005);  // the known grey that just fails
}

TEST(HtmlStyle, WritingCanBeReadOnEveryGround) {
  const std::set<std::string_view> grounds{"page", "paper", "shade"};
  std::size_t pairs = 0;
  for (const Tone& ground : html::tones) {
    if (!grounds.contains(ground.role)) continue;
    for (const Tone& writing : html::tones) {
      if (grounds.contains(writing.role) || writing.role == "line") continue;
      EXPECT_GE(contrast(writing.light, ground.light), 4.5) << writing.role << " on " << ground.role;
      EXPECT_GE(contrast(writing.dark, ground.dark), 4.5) << writing.role << " on " << ground.role;
      ++pairs;
    }
  }
  EXPECT_EQ(pairs, 15U);
}

TEST(HtmlStyle, HasBothSchemesAndNothingFromElsewhere) {
  const std::string style = html::style_sheet();
  for (const Tone& tone : html::tones) {
    EXPECT_NE(style.find("--" + std::string(tone.role) + ":" + std::string(tone.light)), std::string::npos);
    EXPECT_NE(style.find("--" + std::string(tone.role) + ":" + std::string(tone.dark)), std::string::npos);
    EXPECT_NE(style.find("var(--" + std::string(tone.role) + ")"), std::string::npos) << tone.role;
  }
  for (const char* bad : {"url(", "@import", "http", "<", "&"})
    EXPECT_EQ(style.find(bad), std::string::npos) << bad;
}

// A notebook has styles of its own: none of ours may reach beyond the report.
TEST(HtmlStyle, StaysWithinTheReport) {
  std::string style = html::style_sheet();
  std::size_t rules = 0;
  for (std::size_t brace = style.find('{'); brace != std::string::npos; brace = style.find('{', brace + 1)) {
    std::size_t begin = style.find_last_of("{}\n", brace - 1);
    begin = begin == std::string::npos ? 0 : begin + 1;
    const std::string selectors = style.substr(begin, brace - begin);
    if (selectors.starts_with("@media")) continue;
    ++rules;
    // A comma within :is() or a function would need more; there are none.
    for (std::size_t at = 0; at != std::string::npos && at < selectors.size();) {
      EXPECT_EQ(selectors.compare(at, 15, ".countpm-report"), 0) << selectors;
      at = selectors.find(',', at);
      if (at != std::string::npos) ++at;
    }
  }
  EXPECT_GT(rules, 60U);
}

}  // namespace
}  // namespace countpm::test
