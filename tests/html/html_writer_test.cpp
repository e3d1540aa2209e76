// The writer: text stays text.
#include "src/html/html_writer.hpp"

#include <gtest/gtest.h>

#include "src/html/numbers.hpp"
#include "tests/html/html_reader.hpp"

namespace countpm::test {
namespace {

using html::HtmlWriter;

TEST(HtmlWriter, LeavesTextText) {
  HtmlWriter html;
  html.open("p", {{"title", "a\"b'<c>&"}});
  html.text("<script>alert(1)</script> & \"more\"\x01\xFF\u202e");
  EXPECT_EQ(html.finish(),
            "<p title=\"a&quot;b&#39;&lt;c&gt;&amp;\">&lt;script&gt;alert(1)&lt;/script&gt; &amp; "
            "&quot;more&quot;\\x01\\xff\\xe2\\x80\\xae</p>\n");
}

TEST(HtmlWriter, ClosesWhatIsOpen) {
  HtmlWriter html;
  html.open("ul");
  {
    const html::Within item(html, "li", {{"class", ""}});
    html.element("span", {}, "a");
    html.element("span", {}, "b");
    html.single("wbr");
  }
  html.open("li");
  EXPECT_EQ(html.finish(), "<ul><li><span>a</span><span>b</span><wbr/></li>\n<li></li>\n</ul>\n");
  EXPECT_EQ(html.finish(), "");
}

std::string number(const std::string& count, double log10) {
  HtmlWriter html;
  html.open("body");
  html::write_number(html, count, log10);
  return html.finish();
}

TEST(HtmlNumbers, AreCopiedWithoutTheirGaps) {
  const std::string text = number("-12988816", 7.1);
  EXPECT_NE(text.find("-<span class=\"group\">12</span><wbr/><span class=\"group\">988</span><wbr/>"
                      "<span class=\"group\">816</span></p>"),
            std::string::npos)
      << text;
  EXPECT_EQ(number("123456", 5).find("<span class=\"group\">123</span><wbr/>"),
            std::string("<body><p class=\"number\">").size());
  EXPECT_NE(number("1/3", -0.5).find(">1/3</p>"), std::string::npos);
  EXPECT_NE(number("(1.5,-2e-3)", 0.2).find(">(1.5,-2e-3)</p>"), std::string::npos);
}

TEST(HtmlNumbers, OfManyDigitsAreFoldedAndWhole) {
  const std::string count = "123456789" + std::string(126'485, '7');
  const std::string text = number(count, 126'493.09151);
  EXPECT_NE(text.find("\u2248 1.234"), std::string::npos) << text.substr(0, 300);
  EXPECT_NE(text.find("\u00d7\u00a010<sup>126493</sup>"), std::string::npos) << text.substr(0, 300);
  EXPECT_NE(text.find("<summary>all 126,494 digits</summary>\n<pre class=\"digits\">" + count + "</pre>"),
            std::string::npos);
}

TEST(HtmlNumbers, AreShortInTitles) {
  EXPECT_EQ(html::with_commas(0), "0");
  EXPECT_EQ(html::with_commas(999), "999");
  EXPECT_EQ(html::with_commas(1000), "1,000");
  EXPECT_EQ(html::with_commas(126'494), "126,494");
  EXPECT_EQ(html::short_number("12988816", 7.1), "12988816");
  EXPECT_EQ(html::short_number("-1" + std::string(30, '0'), 30), "-1.000000e+30");
}

}  // namespace
}  // namespace countpm::test
