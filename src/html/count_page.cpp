// The page of a count.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/html/numbers.hpp"
#include "src/html/sections.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/text/ground_state_text.hpp"
#include "src/words/count_words.hpp"
#include "src/words/ln_z_words.hpp"
#include "src/words/result_words.hpp"

namespace countpm::html {
namespace {

/// "perfect matchings", "sum over perfect matchings, by weight".
std::string what_is_counted(const InputSummary& summary, bool weighted) {
  const std::string name = words::problem_name(summary);
  return weighted ? fmt::format("sum over all {}, by weight", name) : name;
}

double log10_of(const std::string& count) {
  // A block's number comes without its logarithm; integers alone are so long that they need one.
  constexpr std::size_t digits = 15;
  const bool integer = count.find_first_not_of("0123456789") == std::string::npos;
  if (!integer || count.empty()) return std::nan("");
  const double head = std::stod(count.substr(0, digits));
  return std::log10(head) + static_cast<double>(count.size() - std::min(count.size(), digits));
}

/// With all digits behind it, unless they are the answer's.
Cell block_count(const BlockReport& block, const std::string& answer) {
  if (block.count.empty()) return "";
  Cell cell = number_cell(block.count, log10_of(block.count));
  if (block.count == answer) cell.folded.clear();
  return cell;
}

void write_blocks(HtmlWriter& html, const std::vector<BlockReport>& blocks, const std::string& count) {
  if (blocks.empty()) return;
  html.element("h3", {}, counted(blocks.size(), "block"));
  double longest = 0;
  for (const BlockReport& block : blocks) longest = std::max(longest, block.seconds);
  Table table(html, "",
              {{"block", false, true},
               {"by"},
               {"count", true},
               {"work", true},
               {""},
               {"time", true},
               {"predicted", true}});
  for (std::size_t b = 0; b < blocks.size() && b < most_blocks; ++b) {
    const BlockReport& block = blocks[b];
    const bool ran = !block.arithmetic.empty();
    table.row(
        {words::size_text(block), ran ? fmt::format("{}, {}", block.method, block.arithmetic) : block.method,
         block_count(block, count),
         ran ? fmt::format("{} {}", format_power(std::log10(block.work)), block.work_name) : block.work_name,
         blocks.size() > 1 && longest > 0 && ran ? Cell(Bar{block.seconds / longest}) : Cell(""),
         ran ? format_duration(block.seconds) : "", ran ? format_duration(block.predicted_seconds) : ""});
  }
  table.finish();
  write_more_blocks(html, blocks.size(), most_blocks);
}

/// Of the first block that was counted by one.
std::string kernel_text(const std::vector<BlockReport>& blocks) {
  for (const BlockReport& block : blocks)
    if (!block.kernel.empty()) return fmt::format("{}: {}", block.device, block.kernel);
  return "";
}

std::vector<std::string> chips_of(const CountResult& result) {
  std::vector<std::string> chips{checks_chip(result.checks), words::method_text(result),
                                 format_duration(result.seconds.total)};
  if (result.audit) {
    chips.push_back(
        fmt::format("audit: {} of {} run again", result.audit->units, counted(result.audit->of, "unit")));
  }
  return chips;
}

void write_found(HtmlWriter& html, const CountResult& result) {
  const Section section(html, "How it was found", "large");
  std::vector<words::Fact> facts{{"method", words::method_text(result)}};
  if (const std::string kernel = kernel_text(result.blocks); !kernel.empty())
    facts.push_back({"kernel", kernel});
  if (!result.settings.empty()) facts.push_back({"settings", words::settings_text(result.settings)});
  if (result.audit) facts.push_back({"audit", words::audit_text(*result.audit)});
  write_facts(html, facts);
  if (!result.violator) write_rules(html, result.reductions);
  write_blocks(html, result.blocks, result.count);
}

std::vector<words::Fact> answer_facts(const CountResult& result) {
  std::vector<words::Fact> facts;
  if (result.count.size() > 7 && std::isfinite(result.log10))
    facts.push_back({"log10", fmt::format("{:.12g}", result.log10)});
  if (const std::optional<GroundStates>& states = result.input.ground_states)
    facts.push_back({fmt::format("{} weight", name_of(states->which)), weight_text(*states)});
  if (result.residues.size() > 1) {
    for (const CountResidue& one : result.residues)
      facts.push_back({"modulo " + one.modulus.get_str(), one.residue.get_str()});
  }
  if (!result.coefficients.empty()) {
    std::string list;
    for (const mpq_class& one : result.coefficients) list += (list.empty() ? "" : ", ") + one.get_str();
    facts.push_back(
        {result.problem == Problem::exact_covers ? "by number of rings" : "by number of edges", list});
  }
  if (result.polynomial) {
    std::string list;
    for (const PolynomialTerm& term : result.polynomial->terms) {
      list += (list.empty() ? "" : " + ") + term.coefficient.get_str();
      for (std::size_t l = 0; l < term.exponents.size(); ++l) {
        if (term.exponents[l] != 0)
          list += fmt::format(" {}^{}", result.polynomial->variables[l], term.exponents[l]);
      }
    }
    facts.push_back({"polynomial", list.empty() ? "0" : list});
  }
  if (result.entropy) facts.push_back({"entropy", words::entropy_text(*result.entropy)});
  if (result.entropy && result.entropy->limit) facts.push_back({"source", result.entropy->limit->source});
  return facts;
}

}  // namespace

Fragment count_fragment(const CountResult& result, const Beside& beside, std::optional<std::uint64_t> power) {
  std::string what = what_is_counted(result, result.weighted);
  if (power) what += fmt::format(" with {}", counted(*power, "edge"));
  const std::string number =
      result.residues.empty() ? result.count : result.residues.front().residue.get_str();
  Report report(what + " of", result.input.path, words::graph_text(result));
  HtmlWriter& html = report.html();
  {
    const Section answer(html, "", "answer");
    write_number(html, number, result.log10);
    html.element("p", {{"class", "kind"}}, words::value_kind(result));
    write_chips(html, chips_of(result));
    write_facts(html, answer_facts(result), "below");
  }
  write_warnings(html, result.input.warnings);
  write_violator(html, result.violator);
  write_picture(html, beside);
  write_found(html, result);
  write_checks(html, result.checks);
  write_times(html, result.seconds);
  write_notes(html, result.notes);
  write_asked(html, &result, beside);
  return report.finish(
      fmt::format("{}: {} of {}", short_number(number, result.log10), what, result.input.path));
}

Fragment ln_z_fragment(const LnZResult& result, const Beside& beside) {
  const std::string name = words::logarithm_name(result);
  const std::string value = words::logarithm_text(result);
  Report report(name + " of", result.input.path, words::graph_text(result));
  HtmlWriter& html = report.html();
  {
    const Section answer(html, "", "answer");
    html.element("p", {{"class", "number"}}, value);
    html.element("p", {{"class", "kind"}}, words::logarithm_kind(result));
    const std::string device =
        result.gpu.empty() ? counted(static_cast<std::uint64_t>(result.threads), "thread") : result.gpu;
    write_chips(html, {counted(result.blocks, "block"), device, format_duration(result.seconds.total)});
    write_facts(html, words::facts_of(result), "below");
  }
  write_warnings(html, result.input.warnings);
  write_violator(html, result.violator);
  write_picture(html, beside);
  write_times(html, result.seconds);
  write_notes(html, result.notes);
  write_asked(html, &result, beside);
  return report.finish(fmt::format("{} = {}: {}", name, value, result.input.path));
}

}  // namespace countpm::html
