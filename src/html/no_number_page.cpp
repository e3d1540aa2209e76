// The page of an input for which there is no number, and why.
#include <fmt/format.h>

#include "src/html/sections.hpp"

namespace countpm::html {

Fragment no_number_fragment(const NoNumber& reason, const Beside& beside) {
  Report report("no number for", reason.input, "");
  HtmlWriter& html = report.html();
  {
    const Section answer(html, "", "answer refused");
    html.element("p", {{"class", "number"}}, "no number");
    html.element("p", {{"class", "kind bad"}}, reason.head);
    html.open("div", {{"class", "below"}});
    html.element("p", {}, reason.message);
    html.close();
    write_chips(html, {fmt::format("exit code {}", reason.exit_code)});
  }
  write_asked(html, nullptr, beside);
  return report.finish(fmt::format("no number: {}", reason.input));
}

}  // namespace countpm::html
