// The page of a forecast.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/html/numbers.hpp"
#include "src/html/sections.hpp"
#include "src/text/format_number.hpp"
#include "src/text/format_quantity.hpp"
#include "src/words/count_words.hpp"
#include "src/words/explain_words.hpp"
#include "src/words/result_words.hpp"

namespace countpm::html {
namespace {

constexpr std::size_t most_forecasts = 200;  // blocks
constexpr std::size_t open_forecasts = 8;    // the others are folded

/// The bars' scale: powers of ten of seconds, from below the fastest method to a little beyond the time
/// limit, or to the slowest method where that is nearer.
struct TimeScale {
  double low = -6;
  double high = 0;
  double limit = 0;  // log10

  TimeScale(const std::vector<MethodForecast>& methods, double time_limit_seconds)
      : limit(std::log10(time_limit_seconds)) {
    constexpr double beyond = 3;
    double fastest = std::isfinite(limit) ? limit : 0;
    double slowest = std::isfinite(limit) ? limit : 0;
    for (const MethodForecast& method : methods) {
      if (method.obstacle || !std::isfinite(method.log10_seconds)) continue;
      fastest = std::min(fastest, method.log10_seconds);
      slowest = std::max(slowest, method.log10_seconds);
    }
    high = std::isfinite(limit) ? std::min(slowest, limit + beyond) + 0.2 : slowest;
    low = std::min(fastest - 0.5, high - 1);
  }
  double share(double log10_seconds) const {
    return std::clamp((log10_seconds - low) / (high - low), 0.0, 1.0);
  }
  Bar bar(const MethodForecast& method) const {
    Bar bar{std::max(share(method.log10_seconds), 0.01)};
    if (std::isfinite(limit)) bar.limit = share(limit);
    bar.over = method.log10_seconds > limit;
    bar.pale = !method.chosen;
    return bar;
  }
};

void write_methods(HtmlWriter& html, const BlockForecast& block, double time_limit_seconds) {
  const TimeScale scale(block.methods, time_limit_seconds);
  Table table(html, "",
              {{"method"},
               {"time", true},
               {""},
               {"memory", true},
               {"work", true},
               {"unit of work, rate", false, true}});
  std::vector<words::Fact> cannot;
  std::vector<MethodForecast> methods = block.methods;
  std::stable_sort(methods.begin(), methods.end(), [](const MethodForecast& a, const MethodForecast& b) {
    return std::pair(!a.chosen, a.log10_seconds) < std::pair(!b.chosen, b.log10_seconds);
  });
  for (const MethodForecast& method : methods) {
    const words::ForecastWords words = words::forecast_words(method);
    if (method.obstacle) {
      cannot.push_back({method.method, words.rate});
      continue;
    }
    table.row({method.chosen ? method.method + " \u2190 chosen" : method.method, words.time,
               scale.bar(method), words.memory, words.work, words.rate},
              method.chosen ? "chosen" : "");
  }
  table.finish();
  html.element("p", {{"class", "soft small"}},
               fmt::format("bars: predicted time, by powers of ten{}",
                           std::isfinite(scale.limit) ? "; the mark is the time limit" : ""));
  for (const MethodForecast& method : block.methods) {
    if (method.chosen && !method.plan.empty()) write_facts(html, {{"plan", method.plan}}, "below");
  }
  if (cannot.empty()) return;
  const Within details(html, "details");
  html.element("summary", {}, counted(cannot.size(), "method") + " cannot");
  write_facts(html, cannot, "below");
}

void write_block_forecast(HtmlWriter& html, const BlockForecast& block, double time_limit_seconds) {
  html.element("p", {}, words::block_text(block));
  if (!block.modulo.empty()) html.element("p", {{"class", "soft small"}}, "residue: " + block.modulo);
  if (block.bounds) html.element("p", {{"class", "soft small"}}, words::bounds_text(*block.bounds));
  html.open("div", {{"class", "below"}});
  write_methods(html, block, time_limit_seconds);
  html.close();
}

void write_block_forecasts(HtmlWriter& html, const Explanation& explanation, double time_limit_seconds) {
  for (std::size_t b = 0; b < explanation.blocks.size() && b < most_forecasts; ++b) {
    const std::string name = fmt::format("Block {}", b + 1);
    if (b < open_forecasts) {
      const Section section(html, name, "large");
      write_block_forecast(html, explanation.blocks[b], time_limit_seconds);
      continue;
    }
    if (b == open_forecasts) html.open("section", {{"class", "large"}});
    if (b == open_forecasts) html.element("h2", {}, "Smaller blocks");
    const Within details(html, "details");
    html.element("summary", {}, fmt::format("{}: {}", name, words::block_text(explanation.blocks[b])));
    write_methods(html, explanation.blocks[b], time_limit_seconds);
  }
  write_more_blocks(html, explanation.blocks.size(), most_forecasts);
  if (explanation.blocks.size() > open_forecasts) html.close();
}

/// "planar, frontier": the methods that the plan takes, each once.
std::string chosen_methods(const Explanation& explanation) {
  std::vector<std::string> names;
  for (const BlockForecast& block : explanation.blocks) {
    for (const MethodForecast& method : block.methods) {
      if (method.chosen && std::find(names.begin(), names.end(), method.method) == names.end())
        names.push_back(method.method);
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void write_forecast(HtmlWriter& html, const Explanation& explanation, const std::string& total) {
  const bool bad = !explanation.violator && !explanation.feasible;
  const Section answer(html, "", bad ? "answer refused" : "answer");
  if (explanation.violator) {
    html.element("p", {{"class", "number"}}, "0");
    html.element("p", {{"class", "kind"}}, words::structure_text(explanation));
    return;
  }
  const std::size_t parted = total.find("; ");
  html.element("p", {{"class", "number"}},
               total.substr(0, parted == std::string::npos ? total.find(':') : parted));
  const std::string rest = parted == std::string::npos ? total : total.substr(parted + 2);
  html.element("p", {{"class", bad ? "kind bad" : "kind"}}, rest);
  std::vector<std::string> chips{words::left_text(explanation)};
  if (const std::string methods = chosen_methods(explanation); !methods.empty())
    chips.push_back("by " + methods);
  write_chips(html, chips);
}

}  // namespace

Fragment explain_fragment(const Explanation& explanation, double time_limit_seconds, const Beside& beside) {
  Report report(fmt::format("plan for counting {} of", words::problem_name(explanation)),
                explanation.input.path, words::graph_text(explanation));
  HtmlWriter& html = report.html();
  const std::string total =
      explanation.violator ? "the count is 0" : words::total_text(explanation, time_limit_seconds);
  write_forecast(html, explanation, total);
  write_warnings(html, explanation.input.warnings);
  write_violator(html, explanation.violator);
  write_picture(html, beside);
  if (!explanation.violator) {
    const Section section(html, "Structure", "large");
    Cell factor = number_cell(explanation.factor, std::nan(""));
    std::vector<words::Fact> facts{{"problem", words::problem_text(explanation)},
                                   {"structure", words::structure_text(explanation)},
                                   {"factor", factor.text},
                                   {"left", words::left_text(explanation)}};
    if (!explanation.settings.empty())
      facts.push_back({"settings", words::settings_text(explanation.settings)});
    write_facts(html, facts);
    if (!factor.folded.empty()) write_folded_digits(html, factor.folded, "the whole factor");
    write_rules(html, explanation.reductions);
  }
  write_block_forecasts(html, explanation, time_limit_seconds);
  write_notes(html, explanation.notes);
  write_asked(html, &explanation, beside);
  return report.finish(fmt::format("plan for {}: {}", explanation.input.path, total));
}

}  // namespace countpm::html
