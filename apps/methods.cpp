// countpm methods: the methods, the reduction rules and the formats.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/help_topics.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/text.hpp"
#include "kernels/method.hpp"

namespace countpm::app {
namespace {

std::string methods_text() {
  const std::size_t width = output_width();
  std::string text = "Methods (--method NAME):\n";
  for (const Method* method : exact_methods()) {
    const std::string head = fmt::format("  {:<14}  ", method->name());
    const std::string rest(head.size(), ' ');
    text += wrap(method->summary(), width, head, rest);
    text += wrap(method->complexity(), width, rest, rest);
    text += wrap(method->reference(), width, rest, rest);
  }
  text += "\nReduction rules (--no-rule NAME switches one off):\n";
  for (const RuleInfo& rule : rules()) {
    text +=
        wrap(rule.help, width, fmt::format("  {} {:<14}  ", rule.number, rule.name), std::string(20, ' '));
  }
  text += "\nFormats (--format NAME):\n" + format_lines(width);
  return text;
}

nlohmann::ordered_json methods_json() {
  nlohmann::ordered_json value{{"version", version()},
                               {"methods", nlohmann::ordered_json::array()},
                               {"rules", nlohmann::ordered_json::array()},
                               {"formats", nlohmann::ordered_json::array()}};
  for (const Method* method : exact_methods()) {
    value["methods"].push_back({{"name", method->name()},
                                {"summary", method->summary()},
                                {"complexity", method->complexity()},
                                {"reference", method->reference()},
                                {"work_name", method->work_name()}});
  }
  for (const RuleInfo& rule : rules()) {
    value["rules"].push_back({{"name", rule.name}, {"number", rule.number}, {"help", rule.help}});
  }
  for (const FormatInfo& format : formats()) {
    value["formats"].push_back({{"name", format.name}, {"endings", format.endings}, {"help", format.help}});
  }
  return value;
}

}  // namespace

int run_methods(const Request& request) {
  write_output(request.json ? indented(methods_json()) : methods_text());
  flush_output();
  return 0;
}

}  // namespace countpm::app
