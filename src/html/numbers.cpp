#include "src/html/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/text/format_number.hpp"

namespace countpm::html {
namespace {

constexpr int shown_digits = 7;
constexpr std::size_t large_digits = 18;  // longer answers are written smaller

bool is_integer(std::string_view count) {
  if (count.starts_with('-')) count.remove_prefix(1);
  return !count.empty() &&
         std::all_of(count.begin(), count.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::size_t digits_of(const std::string& count) {
  return count.size() - (count.starts_with('-') ? 1 : 0);
}

void write_groups(HtmlWriter& html, std::string_view digits) {
  if (digits.starts_with('-')) {
    html.text("-");
    digits.remove_prefix(1);
  }
  for (std::size_t at = 0; at < digits.size();) {
    const std::size_t length = at == 0 && digits.size() % 3 != 0 ? digits.size() % 3 : 3;
    if (at != 0) html.single("wbr");
    html.element("span", {{"class", "group"}}, digits.substr(at, length));
    at += length;
  }
}

/// 1.298881 x 10^126493
void write_rounded(HtmlWriter& html, const std::string& count, double log10) {
  const std::string power = format_log10(log10, shown_digits);
  const std::size_t e = power.find('e');
  if (e == std::string::npos) return html.text(power);
  html.text(fmt::format("{}{}\u00a0\u00d7\u00a010", count.starts_with('-') ? "-" : "", power.substr(0, e)));
  const std::string exponent = power.substr(power[e + 1] == '+' ? e + 2 : e + 1);
  html.element("sup", {}, exponent);
}

}  // namespace

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string short_number(const std::string& count, double log10) {
  if (count.size() <= longest_in_line) return count;
  if (!std::isfinite(log10)) return count.substr(0, longest_in_line) + "...";
  return (count.starts_with('-') ? "-" : "") + format_log10(log10, shown_digits);
}

void write_folded_digits(HtmlWriter& html, const std::string& count, std::string_view summary) {
  const Within details(html, "details");
  html.element("summary", {}, summary);
  html.element("pre", {{"class", "digits"}}, count);
}

void write_number(HtmlWriter& html, const std::string& count, double log10) {
  const bool integer = is_integer(count);
  const bool folded = count.size() > longest_answer && std::isfinite(log10);
  {
    const bool small = count.size() > large_digits && !folded;
    const Within number(html, "p", {{"class", small ? "number long" : "number"}});
    if (folded) {
      html.text("\u2248 ");
      write_rounded(html, count, log10);
    } else if (integer) {
      write_groups(html, count);
    } else {
      html.text(count);
    }
  }
  if (!folded) return;
  write_folded_digits(html, count,
                      integer ? fmt::format("all {} digits", with_commas(digits_of(count)))
                              : fmt::format("all {} characters", with_commas(count.size())));
}

}  // namespace countpm::html
