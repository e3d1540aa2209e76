// What all pages have around them.
#include "src/html/html_writer.hpp"
#include "src/html/pages.hpp"
#include "src/html/style.hpp"

namespace countpm::html {

std::string page_of(const Fragment& fragment) {
  HtmlWriter html;
  html.verbatim("<!DOCTYPE html>\n");
  html.open("html", {{"lang", "en"}, {"xmlns", "http://www.w3.org/1999/xhtml"}});
  html.open("head");
  html.single("meta", {{"charset", "utf-8"}});
  // Were something not escaped, it still could neither run nor load anything.
  html.single("meta", {{"http-equiv", "Content-Security-Policy"},
                       {"content", "default-src 'none'; style-src 'unsafe-inline'"}});
  html.single("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  html.single("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  html.single("meta", {{"name", "generator"}, {"content", std::string("countpm ") + version()}});
  html.element("title", {}, fragment.title);
  html.open("style");
  html.verbatim(page_style_sheet());
  html.close();
  html.close();
  html.open("body");
  html.verbatim(fragment.body);
  return html.finish();
}

}  // namespace countpm::html
