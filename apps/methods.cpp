// countpm methods: the methods, the reduction rules, and what papers vary of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/commands.hpp"
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
  text += "\nReduction rules (--no-rule NAME switches off one, or all):\n";
  for (const RuleInfo& rule : rules()) {
    text +=
        wrap(rule.help, width, fmt::format("  {} {:<14}  ", rule.number, rule.name), std::string(20, ' '));
  }
  return text;
}

std::string settings_text() {
  const std::size_t width = output_width();
  std::string text = "Settings (--set NAME=VALUE):\n";
  for (const SettingInfo& info : settings()) {
    const std::string head = fmt::format("  {:<10}  ", info.name);
    const std::string rest(head.size(), ' ');
    text += wrap(fmt::format("{}; unless set {}", values_text(info), info.usual), width, head, rest);
    text += wrap(std::string(info.help), width, rest, rest);
    const std::string where =
        info.methods.empty() ? "all methods" : fmt::format("{}", fmt::join(info.methods, ", "));
    text += wrap(fmt::format("{}{}", where, info.of_gpus ? "; with --device gpu" : ""), width, rest, rest);
    text += wrap(std::string(info.source), width, rest, rest);
  }
  return text;
}

}  // namespace

int run_methods(const Request& request) {
  write_output(request.json       ? indented(json_of(MethodsObject()))
               : request.settings ? settings_text()
                                  : methods_text());
  flush_output();
  return 0;
}

}  // namespace countpm::app
