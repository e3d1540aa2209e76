// --html: docs/html.md. That pages hold what they should is tested in tests/html; here commands write them,
// and Chromium, where there is one, looks at them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/command_line.hpp"
#include "apps/report_page.hpp"
#include "src/draw/svg.hpp"
#include "test_paths.hpp"
#include "tests/cli/run_binary.hpp"
#include "tests/file_text.hpp"
#include "tests/html/html_reader.hpp"

namespace countpm::test {
namespace {

namespace fs = std::filesystem;

using countpm::testing::file_text;

const std::string harmful_label = "<script>alert(1)</script>";

/// A folder for pages, and a graph in it whose labels would do harm.
class Html : public ::testing::Test {
 protected:
  Html()
      : graph_(
            file_with(harmful_label + " x\n" + harmful_label + " y\nb x\nb y\nb z\nc z\nc y\n", "graph.el")),
        folder_(fs::path(graph_).parent_path()) {}
  std::string at(const std::string& name) const { return (folder_ / name).string(); }

  /// Runs the command with --html, and reads the page.
  std::string page_of(std::vector<std::string> arguments, int code = 0) {
    const std::string file = at("page.html");
    fs::remove(file);
    arguments.insert(arguments.end(), {"--html", file});
    outcome_ = run(arguments);
    EXPECT_EQ(outcome_.code, code) << outcome_.err;
    EXPECT_NE(outcome_.err.find("page        " + file), std::string::npos) << outcome_.err;
    return file_text(file);
  }

  void expect_words(const std::string& page, const std::vector<std::string>& words) {
    const std::string text = text_of(parse_page(page));
    for (const std::string& word : words)
      EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
  }

  const std::string graph_;
  const fs::path folder_;
  Outcome outcome_;
};

TEST_F(Html, SaysWhatTheCountSays) {
  const std::string page = page_of({"lattice:square:8x8", "--json"});
  const nlohmann::json json = nlohmann::json::parse(outcome_.out);
  expect_words(page, {json["count"], "exact, proved", json["method"], json["input"]["path"], json["version"],
                      "What was asked", "--html="});
  for (const auto& check : json["checks"]) expect_words(page, {check["name"]});
  for (const auto& [rule, counts] : json["reductions"].items()) expect_words(page, {rule});
  expect_words(page,
               {"8x8", "64 vertices, 112 edges", "in some perfect matchings (112)", "Drawn on the lattice."});
  EXPECT_NE(page.find("<svg "), std::string::npos);
  // The same count without it, and with everything else that there is on standard output.
  EXPECT_EQ(run({"lattice:square:8x8"}).out, json["count"].get<std::string>() + "\n");
  const std::string hashed = page_of({graph_, "--kind", "bipartite"});
  expect_words(hashed, {"SHA-256", "graph.el"});
  EXPECT_EQ(outcome_.out, "3\n");
}

// What they say is in console/html-pages.console.
TEST_F(Html, IsReadForEveryKindOfResult) {
  const std::string board = COUNTPM_SOURCE_DIR "/data/boards/mutilated-8x8.edgelist";
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"explain", "lattice:square:6x6"},
           {"estimate", "lattice:square:6x6", "--all-sampled", "--samples", "200"},
           {"many", "lattice:square:2x2..6x6:step=2"},
           {"compare", "lattice:square:6x6", "--sizes", "50", "--samplers", "rasmussen"},
           {"lattice:square:8x8", "--ln-z"},
           {board},
           {"explain", board},
           {"marginals", board}})
    expect_words(page_of(arguments),
                 {"What was asked", arguments.back() == board ? "Why there is none" : ""});
  expect_words(page_of({"marginals", graph_, "--exact"}), {harmful_label, "2/3"});
  expect_words(page_of({"lattice:square:12x12", "--method", "enumerate"}, 3), {"no number"});
}

// What has been found by then is worth a page; one number that was not found is not.
TEST_F(Html, HasWhatThereWasBeforeCtrlC) {
  Wiring interrupted;
  interrupted.signals = {{0.2, SIGINT}};
  interrupted.after_lines = 2;
  const std::string file = at("series.html");
  const std::vector<std::string> endless{"lattice:complete-bipartite:56x56",
                                         "--no-rule",
                                         "twins",
                                         "--method",
                                         "ryser",
                                         "--time-limit",
                                         "none",
                                         "--html",
                                         file};
  std::vector<std::string> arguments{"many", "lattice:square:4x4"};
  arguments.insert(arguments.end(), endless.begin(), endless.end());
  EXPECT_EQ(run(arguments, interrupted).code, 130);
  expect_words(file_text(file),
               {"1 count", "lattice:square:4x4", "interrupted: what had been counted until then"});
  fs::remove(file);
  interrupted.after_lines = 0;
  EXPECT_EQ(run(endless, interrupted).code, 130);
  EXPECT_FALSE(fs::exists(file));
}

// The last words at the time limit come while the command still works; nothing may come after them.
TEST_F(Html, IsWrittenOnce) {
  app::Request request;
  request.command = "count";
  request.arguments = {"board.el"};
  request.html = at("once.html");
  request.quiet = true;
  app::ReportPage page(request);
  EXPECT_TRUE(page.wanted());
  page.refuse_at_limit("the time limit of 1 s is over");
  page.write(html::count_fragment({}));
  expect_words(file_text(at("once.html")),
               {"no number", "the time limit of 1 s is over", "countpm board.el"});
}

// Words that a shell would take apart, and options that may stand alone, are written so that they can be
// given again.
TEST_F(Html, ShowsACommandThatCanBeGivenAgain) {
  EXPECT_EQ(app::command_line("count", {"a b", "it's", "lattice:square:2x2"},
                              {{"weights", "true"}, {"progress", "bar"}}),
            "countpm 'a b' 'it'\\''s' lattice:square:2x2 --weights --progress=bar");
  EXPECT_EQ(app::command_line("explain", {""}, {}), "countpm explain ''");
}

/// A program of the PATH, or nothing.
std::string find_program(const std::vector<std::string>& names) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    for (const std::string& name : names) {
      std::string program = folder;
      program += "/" + name;
      if (access(program.c_str(), X_OK) == 0) return program;
    }
  }
  return "";
}

/// A page that holds the pages in frames, 360 and 1280 pixels wide, and writes down what it sees of each: how
/// wide it is, what stands out of it, its scripts, and whether the label is text.
std::string harness(const std::vector<std::string>& pages) {
  std::string text = "<!DOCTYPE html><html><body>\n";
  for (const int width : {360, 1280}) {
    for (const std::string& page : pages) {
      text += "<iframe width=\"" + std::to_string(width) + "\" height=\"900\" style=\"border:0\" srcdoc=\"" +
              draw::escape(page) + "\"></iframe>\n";
    }
  }
  return text + R"html(<pre id="result"></pre><script>
const seen = [];
window.onerror = (message) => seen.push({error: String(message)});
window.alert = () => seen.push({error: 'alert'});
window.onload = () => {
  for (const frame of document.querySelectorAll('iframe')) {
    const page = frame.contentDocument;
    // Opened, folds hold long numbers and lists.
    for (const fold of page.querySelectorAll('details')) fold.open = true;
    const root = page.documentElement;
    const clipped = (e) => e.parentElement.closest('.wide, .sheet, .digits, .names');
    const out = [...page.body.querySelectorAll('*')].filter(
        (e) => !e.closest('svg') && !clipped(e) && e.getBoundingClientRect().right > root.clientWidth + 0.5);
    const small = [...page.body.querySelectorAll('p, dd, dt, td, th, li, summary, pre')].filter(
        (e) => parseFloat(frame.contentWindow.getComputedStyle(e).fontSize) < 12);
    seen.push({width: root.clientWidth, scroll: root.scrollWidth, out: out.map((e) => e.outerHTML.slice(0, 200)),
               small: small.length, scripts: page.scripts.length, images: page.images.length,
               height: root.scrollHeight, heading: page.querySelector('h1').textContent,
               label: page.body.textContent.includes('<script>alert(1)</' + 'script>')});
  }
  document.getElementById('result').textContent = JSON.stringify(seen);
};
</script></body></html>
)html";
}

TEST_F(Html, LooksRightInChromium) {
  const std::string chromium = find_program({"chromium", "chromium-browser", "google-chrome"});
  if (chromium.empty()) GTEST_SKIP() << "there is no chromium in PATH (Debian: apt-get install chromium)";
  std::vector<std::string> pages;
  const std::string board = COUNTPM_SOURCE_DIR "/data/boards/mutilated-8x8.edgelist";
  pages.push_back(page_of({graph_, "--double-check"}));
  pages.push_back(page_of({"explain", graph_}));
  // A name, too: it is the picture's title.
  pages.push_back(page_of({"marginals", file_with(file_text(graph_), "<img src=x onerror=alert(1)>.el")}));
  const std::size_t with_labels = pages.size();
  pages.push_back(page_of({"lattice:square:40x40"}));  // 227 digits
  pages.push_back(page_of({"explain", COUNTPM_SOURCE_DIR "/data/boards/8x8.edgelist"}));
  pages.push_back(page_of({board}));
  pages.push_back(page_of({"estimate", "lattice:square:6x6", "--all-sampled", "--samples", "200"}));
  pages.push_back(page_of({"many", "lattice:square:2x2..12x12:step=2", "--ratio-to-first"}));
  pages.push_back(page_of({"compare", "lattice:square:6x6", "--sizes", "50,100"}));
  pages.push_back(page_of({"lattice:square:12x12", "--method", "enumerate", "--time-limit", "20s"}, 3));
  const std::string file = at("harness.html");
  std::ofstream(file) << harness(pages);
  Wiring browser;
  browser.launcher = {"/bin/sh", "-c",
                      "exec '" + chromium +
                          "' --headless --no-sandbox --disable-gpu --disable-dev-shm-usage" +
                          " --hide-scrollbars --no-first-run --enable-logging=stderr --user-data-dir='" +
                          at("profile") + "' --virtual-time-budget=20000 --dump-dom 'file://" + file + "'"};
  const Outcome outcome = run({}, browser);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("CONSOLE"), std::string::npos) << outcome.err;
  const std::string mark = "<pre id=\"result\">";
  const std::size_t begin = outcome.out.rfind(mark) + mark.size();
  std::string result = outcome.out.substr(begin, outcome.out.find("</pre>", begin) - begin);
  for (const auto& [escaped, character] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}}) {
    for (std::size_t k = result.find(escaped); k != std::string::npos; k = result.find(escaped, k + 1))
      result.replace(k, std::string(escaped).size(), character);
  }
  const nlohmann::json seen = nlohmann::json::parse(result);
  ASSERT_EQ(seen.size(), 2 * pages.size()) << result;
  for (std::size_t k = 0; k < seen.size(); ++k) {
    SCOPED_TRACE(seen[k].dump());
    EXPECT_EQ(seen[k]["width"], k < pages.size() ? 360 : 1280);
    EXPECT_LE(seen[k]["scroll"], seen[k]["width"]) << "the page is wider than the screen";
    EXPECT_TRUE(seen[k]["out"].empty());
    EXPECT_EQ(seen[k]["small"], 0) << "too small to read";
    EXPECT_EQ(seen[k]["scripts"], 0);
    EXPECT_EQ(seen[k]["images"], 0);
    EXPECT_GT(seen[k]["height"], 300);
    // Reports name no label but those of a violator; pictures and tables do.
    if (k % pages.size() == with_labels - 1) {
      EXPECT_EQ(seen[k]["label"], true);
    }
  }
}

}  // namespace
}  // namespace countpm::test
