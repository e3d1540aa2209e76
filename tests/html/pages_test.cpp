// Every page: well formed, with all that the result has, and with its labels as text.
#include "src/html/pages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "src/draw/page.hpp"
#include "tests/html/html_reader.hpp"
#include "tests/html/sample_results.hpp"

namespace countpm::test {
namespace {

using boost::property_tree::ptree;
using html::Fragment;

draw::Picture sample_picture() {
  draw::Legend legend;
  legend.title = harmful;
  legend.caption = "what is drawn: " + harmful;
  legend.swatches = {{draw::blue, "edges of " + harmful}};
  legend.scale = draw::Scale{"probability", "0.1", "0.9"};
  legend.remarks = {"a remark"};
  draw::Page page(300, 200, legend);
  page.svg().text(10, 20, 11, harmful);
  return page.finish();
}

html::ComparisonTable sample_comparison() {
  html::ComparisonTable table;
  html::Refused refused{harmful, "too large"};
  table.refused = {refused};
  ComparedInput input;
  fill_input(input.start);
  input.start.exact = sample_count();
  ComparedEstimate row;
  row.sampler = "walks";
  row.samples = 100;
  row.estimate = *sample_estimate().estimate;
  row.log10_ratio = 0.001;
  row.covered = true;
  input.estimates = {row};
  table.inputs = {input};
  table.notes = {"a sampler left out: " + harmful};
  return table;
}

html::SeriesTable sample_series() {
  html::SeriesTable table;
  table.title = "lattice:square:2..4 " + harmful;
  SeriesRow row;
  row.input = harmful;
  row.vertices = 4;
  row.edges = 4;
  row.count = std::string(40, '7');
  row.digits = 40;
  row.log10 = 39.9;
  row.entropy = Entropy{91.9, 0.25, 0.5, KnownLimit{0.29, "square lattice", "Kasteleyn 1961"}};
  row.method = "first";
  row.seconds = 0.125;
  row.ratio = "1.5";
  table.rows = {row};
  table.refused = {{"lattice:square:99x99", "beyond the limits"}};
  table.ratio = true;
  return table;
}

html::MarginalTable sample_marginals() {
  html::MarginalTable table;
  fill_input(table.start);
  table.edges = {{"a", harmful, "5/12"}, {harmful, "b", std::string(50, '3')}};
  table.all = 3;
  return table;
}

LnZResult sample_logarithm() {
  LnZResult result;
  fill_input(result);
  result.ln_z = 16.379;
  result.ln_z_error = 1e-12;
  result.blocks = 1;
  result.notes = {harmful};
  return result;
}

struct NamedFragment {
  std::string name;
  Fragment fragment;
};

std::vector<NamedFragment> all_fragments() {
  static const draw::Picture picture = sample_picture();
  const html::Beside beside{"countpm '" + harmful + "' --html=page.html", &picture, ""};
  EstimateResult doubtful = sample_estimate();
  doubtful.estimate->doubt = "too few samples: " + harmful;
  EstimateResult exact = sample_estimate();
  exact.estimate.reset();
  exact.exact_count = "12988816";
  exact.exact_log10 = 7.1135686;
  Explanation none = sample_explanation();
  none.violator = sample_violator();
  none.blocks.clear();
  Explanation beyond = sample_explanation();
  beyond.feasible = false;
  beyond.log10_total_seconds = 9;
  html::MarginalTable nothing = sample_marginals();
  nothing.edges.clear();
  nothing.all = 0;
  nothing.start.violator = sample_violator();
  LnZResult zero = sample_logarithm();
  zero.ln_z = -std::numeric_limits<double>::infinity();
  zero.violator = sample_violator();
  return {{"count", html::count_fragment(sample_count(), beside)},
          {"zero", html::count_fragment(zero_count(), beside)},
          {"logarithm", html::ln_z_fragment(sample_logarithm(), beside)},
          {"logarithm of zero", html::ln_z_fragment(zero, beside)},
          {"explain", html::explain_fragment(sample_explanation(), 3600, beside)},
          {"explain zero", html::explain_fragment(none, 3600, beside)},
          {"explain beyond", html::explain_fragment(beyond, 3600, beside)},
          {"estimate", html::estimate_fragment(sample_estimate(), beside)},
          {"estimate in doubt", html::estimate_fragment(doubtful, beside)},
          {"estimate exact", html::estimate_fragment(exact, beside)},
          {"marginals", html::marginals_fragment(sample_marginals(), beside)},
          {"marginals of nothing", html::marginals_fragment(nothing, beside)},
          {"series", html::series_fragment(sample_series(), beside)},
          {"comparison", html::comparison_fragment(sample_comparison(), beside)},
          {"no number", html::no_number_fragment({harmful, "refused", "because of " + harmful, 3}, beside)}};
}

bool is_handler(const std::string& attribute) {
  return attribute.starts_with("on") || attribute == "href" || attribute == "src" || attribute == "action";
}

/// Every element's name and attributes: none that runs or loads anything.
void expect_harmless(const ptree& element, const std::string& page) {
  for (const auto& [name, child] : element) {
    for (const char* bad :
         {"script", "img", "iframe", "object", "link", "a", "form", "base", "foreignObject"})
      EXPECT_NE(name, bad) << page;
    if (name == "<xmlattr>") {
      for (const auto& [attribute, value] : child)
        EXPECT_FALSE(is_handler(attribute)) << page << ": " << attribute;
    } else {
      expect_harmless(child, page);
    }
  }
}

/// By its Content-Security-Policy, but for its own style.
bool forbids_itself_everything(const ptree& page) {
  for (const Element& meta : elements(page, "meta")) {
    if (attribute(meta.tree, "http-equiv") == "Content-Security-Policy")
      return attribute(meta.tree, "content") == "default-src 'none'; style-src 'unsafe-inline'";
  }
  return false;
}

TEST(HtmlPages, AreWellFormedAndHoldNothingThatRuns) {
  for (const auto& [name, fragment] : all_fragments()) {
    SCOPED_TRACE(name);
    const ptree page = parse_page(fragment);
    expect_harmless(page, name);
    // The harmful label is there, as text, in the body and in the title.
    EXPECT_NE(text_of(page.get_child("body")).find(harmful), std::string::npos);
    EXPECT_NE(text_of(page.get_child("head.title")).find("<script>alert(1)"), std::string::npos);
    EXPECT_EQ(html::page_of(fragment).find("<script"), std::string::npos);
    EXPECT_EQ(html::page_of(fragment).find("<img"), std::string::npos);
    EXPECT_TRUE(forbids_itself_everything(page));
  }
}

TEST(HtmlPages, SayHowTheyWereAskedFor) {
  for (const auto& [name, fragment] : all_fragments()) {
    const std::string text = text_of(parse_page(fragment).get_child("body"));
    EXPECT_NE(text.find("countpm '" + harmful + "' --html=page.html"), std::string::npos) << name;
    EXPECT_NE(text.find(std::string("countpm ") + version()), std::string::npos) << name;
  }
}

std::string body_text(const Fragment& fragment) {
  return text_of(parse_page(fragment).get_child("body"));
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    EXPECT_NE(text.find(word), std::string::npos) << word << " is not in\n" << text;
}

TEST(HtmlPages, OfACountHaveAllThatTheReportHas) {
  const Fragment fragment = html::count_fragment(sample_count());
  EXPECT_EQ(fragment.title.substr(0, 35), "12988816: perfect matchings of fold");
  const std::string text = body_text(fragment);
  expect_words(text, {"12988816",
                      "exact, proved",
                      "1 check passed",
                      "first on cpu with 2 threads",
                      "500 ms",
                      "7.1135686",
                      "ln Z 16.379",
                      "square lattice",
                      "Kasteleyn 1961",
                      "degree-one",
                      "not applied: twins",
                      "8 rows, 23 entries",
                      "first, modulo 2^64",
                      "812 subsets",
                      "250 ms",
                      "500 ms",
                      "built in, for 8 rows",
                      "parity",
                      "even, as ",
                      "left out",
                      "not asked for",
                      "3 of 30 units run again",
                      "a note about ",
                      std::string(64, 'a'),
                      "16 vertices"});
  EXPECT_EQ(text.find("Picture"), std::string::npos);
  EXPECT_EQ(text.find("Why there is none"), std::string::npos);
}

TEST(HtmlPages, OfZeroSayWhy) {
  const std::string text = body_text(html::count_fragment(zero_count()));
  expect_words(text, {"Why there is none", "the 14 left vertices {", "have only 2 neighbours, {",
                      "all 14 left vertices", harmful + "13", "exact, proved"});
}

TEST(HtmlPages, OfZeroNameOddComponents) {
  CountResult result = zero_count();
  ViolatorReport& violator = *result.violator;
  violator.side = "vertices";
  violator.vertices.clear();
  violator.neighbours = {"hub"};
  for (int k = 0; k < 15; ++k) {
    violator.odd_components.push_back({"leaf" + std::to_string(k)});
    violator.vertices.push_back("leaf" + std::to_string(k));
  }
  expect_words(body_text(html::count_fragment(result)),
               {"15 odd components", "odd component 15: 1 vertex", "leaf14"});
}

TEST(HtmlPages, OfFloatingPointSayTheError) {
  CountResult result = sample_count();
  result.exact = false;
  result.error_bound = "1e-9";
  result.count = "1.25e+03";
  expect_words(body_text(html::count_fragment(result)), {"1.25e+03", "floating point, error at most 1e-9"});
}

TEST(HtmlPages, OfAPlanHaveEveryMethod) {
  const ptree page = parse_page(html::explain_fragment(sample_explanation(), 3600));
  const std::string text = text_of(page.get_child("body"));
  expect_words(text,
               {"1 ms", "within the time limit of 1 h", "by first", "1 block to count", "count below 2^12.3",
                "from 10^1.23 (lower theorem) to 10^5.68 (upper theorem)", "32 years", "4 KiB",
                "1 method cannot", "the block is not ", "order 3 1 2", "the permanent of a 8 x 8 matrix"});
  // A bar for each method that can, longer for more time; the one beyond the limit says so.
  const std::vector<Element> fills = elements(page, "span", "fill");
  ASSERT_EQ(fills.size(), 2U);
  const auto width = [&](std::size_t k) { return std::stod(attribute(fills[k].tree, "style").substr(6)); };
  EXPECT_LT(width(0), 30);
  EXPECT_EQ(width(1), 100);
  EXPECT_EQ(elements(page, "span", "bar over pale").size(), 1U);
  EXPECT_EQ(elements(page, "span", "limit").size(), 2U);
  // Without a limit there is none to draw.
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(
      elements(parse_page(html::explain_fragment(sample_explanation(), infinity)), "span", "limit").empty());
}

TEST(HtmlPages, OfPlansOutOfReachSaySo) {
  Explanation explanation = sample_explanation();
  explanation.feasible = false;
  explanation.log10_total_seconds = std::numeric_limits<double>::infinity();
  for (MethodForecast& method : explanation.blocks[0].methods) {
    method.obstacle = Refusal{RefusalKind::structure, "no"};
    method.chosen = false;
  }
  expect_words(body_text(html::explain_fragment(explanation, 3600)),
               {"out of reach: a block has no method that can count it", "3 methods cannot"});
}

TEST(HtmlPages, OfManyBlocksFoldTheSmallOnes) {
  Explanation explanation = sample_explanation();
  explanation.blocks.resize(300, explanation.blocks.front());
  const ptree page = parse_page(html::explain_fragment(explanation, 3600));
  expect_words(text_of(page.get_child("body")),
               {"Block 8", "Smaller blocks", "Block 200: ", "... and 100 more blocks"});
  CountResult result = sample_count();
  result.blocks.resize(600, result.blocks.front());
  expect_words(body_text(html::count_fragment(result)), {"600 blocks", "... and 100 more blocks"});
}

TEST(HtmlPages, OfAnEstimateNeverLoseTheError) {
  const Fragment fragment = html::estimate_fragment(sample_estimate());
  expect_words(body_text(fragment),
               {"1.2989e+07", "+- 0.84% (95% confidence, seed 3)", "an estimate, not an exact count", "walks",
                "12,000 samples", "certified bounds", "0.4%", "others"});
  expect_words(fragment.title, {"1.2989e+07 +- 0.84% (95% confidence, seed 3)"});
  EstimateResult doubtful = sample_estimate();
  doubtful.estimate->doubt = "too few samples";
  doubtful.estimate->low_log10 = 2;
  expect_words(body_text(html::estimate_fragment(doubtful)),
               {"about 1e+07", "from 1.0e+02 to 1.4e+07", "too few samples"});
  EstimateResult guaranteed = sample_estimate();
  guaranteed.estimate->guarantee = GuaranteeGoal{0.1, 0.05};
  expect_words(
      body_text(html::estimate_fragment(guaranteed)),
      {"within a factor 1 +- 0.1, guaranteed with probability 0.95", "12,000 trials", "for every matrix"});
}

TEST(HtmlPages, OfMarginalsListTheEdges) {
  const ptree page = parse_page(html::marginals_fragment(sample_marginals()));
  const auto table = table_of(page);
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table[0], (std::vector<std::string>{"from", "to", "", "probability"}));
  EXPECT_EQ(table[1], (std::vector<std::string>{"a", harmful, "", "5/12"}));
  expect_words(table[2][3], {std::string(50, '3')});
  expect_words(text_of(page.get_child("body")), {"the first 2 of 3 edges; standard output has all"});
}

TEST(HtmlPages, OfMarginalsOfNothingSaySo) {
  html::MarginalTable nothing = sample_marginals();
  nothing.edges.clear();
  nothing.all = 0;
  nothing.start.violator = sample_violator();
  expect_words(body_text(html::marginals_fragment(nothing)), {"no perfect matching", "Why there is none"});
  nothing.start.problem = Problem::cycle_covers;
  nothing.start.kind = GraphKind::directed;
  expect_words(body_text(html::marginals_fragment(nothing)),
               {"no cycle cover", "arc probabilities in cycle covers"});
}

TEST(HtmlPages, OfASeriesHaveTheTable) {
  const ptree page = parse_page(html::series_fragment(sample_series()));
  const auto table = table_of(page);
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[0].size(), table[1].size());
  EXPECT_EQ(table[1][0], harmful);
  EXPECT_EQ(table[1][3], "91.900000");
  EXPECT_EQ(table[1][9], "1.5");
  expect_words(table[1][10], {"7.777777778e+39", std::string(40, '7')});
  expect_words(text_of(page.get_child("body")),
               {"1 count", "infinite-lattice limit 0.29 per vertex: square lattice; Kasteleyn 1961",
                "lattice:square:99x99", "beyond the limits"});
  html::SeriesTable digits = sample_series();
  digits.counts = false;
  digits.stopped = "interrupted: what had been counted until then";
  const ptree other = parse_page(html::series_fragment(digits));
  EXPECT_EQ(table_of(other)[1][10], "40");
  expect_words(text_of(other.get_child("body")), {"interrupted: "});
  digits.rows[0].graph = "I?BeeOwM?";
  const auto named = table_of(parse_page(html::series_fragment(digits)));
  EXPECT_EQ(named[0][1], "graph");
  EXPECT_EQ(named[1][1], "I?BeeOwM?");
  EXPECT_EQ(named[1][11], "40");
}

TEST(HtmlPages, OfAComparisonHaveBothNumbers) {
  const ptree page = parse_page(html::comparison_fragment(sample_comparison()));
  const auto table = table_of(page);
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[1][0], "walks");
  EXPECT_EQ(table[1][6], "yes");
  expect_words(
      text_of(page.get_child("body")),
      {"exactly, by first", "1 of 1 interval covered the exact count", "too large", "a sampler left out"});
  html::ComparisonTable without = sample_comparison();
  without.inputs[0].start.exact.reset();
  without.inputs[0].start.refusal = "beyond the limits";
  without.inputs[0].estimates.clear();
  expect_words(body_text(html::comparison_fragment(without)),
               {"no exact count: beyond the limits", "nothing to sample"});
}

TEST(HtmlPages, WithoutANumberSayWhy) {
  const Fragment fragment =
      html::no_number_fragment({"board", "refused", "it takes 10^9 years; try an estimate", 3});
  EXPECT_EQ(fragment.title, "no number: board");
  expect_words(body_text(fragment),
               {"no number", "refused", "it takes 10^9 years; try an estimate", "exit code 3"});
}

// The drawing alone is in view; caption and legend are words of the page, and so can be read on a phone.
TEST(HtmlPages, ShowTheDrawingAndTellTheLegend) {
  const draw::Picture picture = sample_picture();
  const ptree page = parse_page(html::count_fragment(sample_count(), {"", &picture, ""}));
  const ptree svg = elements(page, "svg").at(0).tree;
  EXPECT_EQ(attribute(svg, "viewBox"),
            draw::number(picture.drawing.x - 6) + " " + draw::number(picture.drawing.y - 6) + " 312 212");
  EXPECT_EQ(attribute(svg, "width"), "");
  EXPECT_EQ(attribute(svg, "style"), "min-width:234px;max-width:312px");  // words are not made tiny
  expect_words(text_of(first(page, "figcaption", "")),
               {"what is drawn: ", "blue: edges of ", "0.1", "0.9", "probability", "a remark"});
  expect_words(body_text(html::count_fragment(sample_count(), {"", nullptr, "it has no edges"})),
               {"no picture: it has no edges"});
  draw::Picture large = picture;
  large.svg.insert(large.svg.rfind("</svg>"), std::string(9U << 20U, ' '));
  const std::string text = html::page_of(html::count_fragment(sample_count(), {"", &large, ""}));
  EXPECT_LT(text.size(), 100'000U);
  EXPECT_NE(text.find("--svg FILE"), std::string::npos);
}

}  // namespace
}  // namespace countpm::test
