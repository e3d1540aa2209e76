// countpm methods: the methods and the reduction rules.
#include <fmt/format.h>

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
  text += "\nReduction rules (--no-rule NAME switches one off):\n";
  for (const RuleInfo& rule : rules()) {
    text +=
        wrap(rule.help, width, fmt::format("  {} {:<14}  ", rule.number, rule.name), std::string(20, ' '));
  }
  return text;
}

}  // namespace

int run_methods(const Request& request) {
  write_output(request.json ? indented(json_of(MethodsObject())) : methods_text());
  flush_output();
  return 0;
}

}  // namespace countpm::app
