#include "src/html/style.hpp"

#include <fmt/format.h>

namespace countpm::html {
namespace {

// No '<' and no '&' in here: the text stands in XML, too.
constexpr std::string_view rules = R"css(
.countpm-report{color-scheme:light dark;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,'Segoe UI','Liberation Sans',Arial,sans-serif;padding:1rem;overflow-wrap:break-word}
.countpm-report *{box-sizing:border-box}
.countpm-report .column{max-width:66rem;margin:0 auto}
.countpm-report h1,.countpm-report h2,.countpm-report h3,.countpm-report p,.countpm-report dl,.countpm-report dd,.countpm-report ul,.countpm-report figure,.countpm-report pre{margin:0;padding:0}
.countpm-report header{padding:1.2rem .2rem 1rem}
.countpm-report h1{font-size:1.5rem;line-height:1.25;font-weight:650;overflow-wrap:anywhere}
.countpm-report h2{font-size:1.05rem;font-weight:650;margin-bottom:.7rem}
.countpm-report h3{font-size:1rem;font-weight:600;margin:1.2rem 0 .4rem}
.countpm-report h3:first-child{margin-top:0}
.countpm-report .eyebrow{font-size:.82rem;letter-spacing:.06em;text-transform:uppercase;color:var(--soft)}
.countpm-report .soft{color:var(--soft)}
.countpm-report .good{color:var(--good)}
.countpm-report .bad{color:var(--bad)}
.countpm-report .small{font-size:.88rem}
.countpm-report section{background:var(--paper);border:1px solid var(--line);border-radius:.75rem;padding:1.1rem 1.25rem;margin-bottom:1rem}
.countpm-report .answer{border-top:4px solid var(--accent);padding-top:1.3rem;padding-bottom:1.3rem}
.countpm-report .answer.refused{border-top-color:var(--bad)}
.countpm-report .number{font-size:2.3rem;line-height:1.2;font-weight:600;font-variant-numeric:tabular-nums;overflow-wrap:anywhere;margin-bottom:.3rem}
.countpm-report .number.long{font-size:1.45rem}
.countpm-report .number .group~.group{margin-left:.18em}
.countpm-report .number sup{font-size:.6em;line-height:0}
.countpm-report .kind{font-size:1.05rem}
.countpm-report .chips{display:flex;flex-wrap:wrap;gap:.45rem;list-style:none;margin-top:.9rem}
.countpm-report .chips li{background:var(--shade);border-radius:1rem;padding:.15rem .75rem;font-size:.9rem}
.countpm-report details{margin-top:.8rem}
.countpm-report .number+details{margin:.5rem 0 .7rem}
.countpm-report td details{margin:0}
.countpm-report summary{cursor:pointer;color:var(--accent);font-weight:550}
.countpm-report summary:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:3px}
.countpm-report pre,.countpm-report code{font-family:ui-monospace,'SF Mono',Menlo,Consolas,'Liberation Mono',monospace;font-size:.88rem}
.countpm-report pre{background:var(--shade);border-radius:.5rem;padding:.7rem .8rem;margin-top:.5rem;white-space:pre-wrap;overflow-wrap:anywhere}
.countpm-report .digits{max-height:18rem;overflow-y:auto;word-break:break-all;-webkit-user-select:all;user-select:all}
.countpm-report dl{display:grid;grid-template-columns:minmax(6.5rem,max-content) 1fr;gap:.3rem 1.1rem}
.countpm-report dt{color:var(--soft)}
.countpm-report dd{overflow-wrap:anywhere;min-width:0}
.countpm-report .below{margin-top:1rem}
.countpm-report table{border-collapse:collapse;width:100%;font-size:.93rem;font-variant-numeric:tabular-nums}
.countpm-report th{text-align:left;color:var(--soft);font-weight:500;font-size:.85rem;padding:.2rem .7rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:bottom;background:none}
.countpm-report td{text-align:left;padding:.38rem .7rem .38rem 0;border-bottom:1px solid var(--line);vertical-align:top;background:none}
.countpm-report tr{background:none}
.countpm-report tr:last-child td{border-bottom:0}
.countpm-report th.right,.countpm-report td.right{text-align:right}
.countpm-report td:last-child,.countpm-report th:last-child{padding-right:0}
.countpm-report td.barred{width:22%;min-width:6rem;vertical-align:middle}
.countpm-report .bars td.barred{width:70%}
.countpm-report .cards td.right{white-space:nowrap}
.countpm-report .slim{max-width:28rem}
.countpm-report .chosen td:first-child{font-weight:650;color:var(--accent)}
.countpm-report .cannot td{color:var(--soft)}
.countpm-report .wide{overflow-x:auto}
.countpm-report .wide td,.countpm-report .wide th{white-space:nowrap}
.countpm-report .wide table{font-size:.88rem}
.countpm-report .wide td:first-child,.countpm-report .wide th:first-child{position:sticky;left:0;background:var(--paper)}
.countpm-report .wide details{white-space:normal;max-width:32rem;margin:0}
.countpm-report .bar{position:relative;display:block;height:.6rem;background:var(--shade);border-radius:.3rem;overflow:hidden;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.countpm-report .bar .fill{display:block;height:100%;background:var(--accent);border-radius:.3rem}
.countpm-report .bar.over .fill{background:var(--bad)}
.countpm-report .bar.pale .fill{opacity:.45}
.countpm-report .bar .limit{position:absolute;top:0;bottom:0;width:2px;background:var(--ink)}
.countpm-report .notes{padding-left:1.1rem}
.countpm-report .notes li+li{margin-top:.35rem}
.countpm-report .checks{list-style:none}
.countpm-report .checks li{display:grid;grid-template-columns:5.2rem 1fr;gap:.1rem .6rem;padding:.45rem 0;border-bottom:1px solid var(--line)}
.countpm-report .checks li:last-child{border-bottom:0}
.countpm-report .checks .detail{grid-column:2;min-width:0;overflow-wrap:anywhere}
.countpm-report .names{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem;margin-top:.4rem;max-height:22rem;overflow-y:auto}
.countpm-report .names li{background:var(--shade);border-radius:.3rem;padding:0 .45rem;font-size:.9rem;overflow-wrap:anywhere;min-width:0}
.countpm-report .sheet{background:#ffffff;border-radius:.5rem;padding:.6rem;overflow-x:auto;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.countpm-report .sheet svg{display:block;width:100%;height:auto;margin:0 auto}
.countpm-report .sheet .title,.countpm-report .sheet .caption,.countpm-report .sheet .legend{display:none}
.countpm-report figcaption{margin-top:.8rem}
.countpm-report .meanings{list-style:none;margin-top:.5rem;font-size:.93rem}
.countpm-report .meanings li{margin-top:.2rem;overflow-wrap:anywhere}
.countpm-report .meanings .colour{display:inline-block;margin-right:1.6rem}
.countpm-report .patch{display:inline-block;width:.8em;height:.8em;border-radius:.15em;margin-right:.5em;border:1px solid var(--line);-webkit-print-color-adjust:exact;print-color-adjust:exact}
.countpm-report .scale{display:flex;flex-wrap:wrap;align-items:center;gap:.3rem .6rem}
.countpm-report .ramp{display:inline-block;width:9rem;height:.8rem;border-radius:.2rem;border:1px solid var(--line);-webkit-print-color-adjust:exact;print-color-adjust:exact}
.countpm-report footer{color:var(--soft);font-size:.88rem;padding:.3rem .2rem 1rem}
@media screen and (max-width:48rem){
.countpm-report{padding:.6rem}
.countpm-report section{padding:.9rem .9rem;border-radius:.6rem}
.countpm-report h1{font-size:1.25rem}
.countpm-report .number{font-size:1.6rem}
.countpm-report .number.long{font-size:1.2rem}
.countpm-report dl{grid-template-columns:1fr;gap:0}
.countpm-report dd{margin-bottom:.5rem}
.countpm-report .cards thead{display:none}
.countpm-report .cards,.countpm-report .cards tbody{display:block}
.countpm-report .cards tr{display:grid;grid-template-columns:1fr 1fr;gap:.05rem .8rem;padding:.6rem 0;border-bottom:1px solid var(--line)}
.countpm-report .cards tr:last-child{border-bottom:0}
.countpm-report .cards td,.countpm-report .cards td.right{border:0;padding:0;text-align:left;min-width:0;white-space:normal;overflow-wrap:anywhere}
.countpm-report .slim,.countpm-report .bars{max-width:none}
.countpm-report .bars tr{grid-template-columns:1fr auto}
.countpm-report .slim tr{grid-template-columns:1fr auto auto}
.countpm-report .cards td:empty{display:none}
.countpm-report .cards td[data-head]::before{content:attr(data-head) ' ';color:var(--soft);font-size:.85rem}
.countpm-report .cards td.whole,.countpm-report .cards td.barred{grid-column:1 / -1;width:auto;padding:.15rem 0}
.countpm-report .bars td.barred{order:1}
}
@media print{
.countpm-report{padding:0;font-size:10pt;background:none}
.countpm-report .number{font-size:20pt}
.countpm-report h1{font-size:14pt}
.countpm-report table,.countpm-report .wide table{font-size:8.5pt}
.countpm-report h2{break-after:avoid}
.countpm-report tr,.countpm-report li,.countpm-report figure{break-inside:avoid}
.countpm-report .cards td.right,.countpm-report .wide td,.countpm-report .wide th{white-space:normal}
.countpm-report .sheet svg{min-width:0!important}
.countpm-report section{break-inside:avoid;border-color:#bbbbbb}
.countpm-report section.large{break-inside:auto}
.countpm-report .sheet,.countpm-report .wide{overflow:visible}
.countpm-report .names,.countpm-report .digits{max-height:none}
}
)css";

std::string variables(std::string_view Tone::*scheme) {
  std::string text;
  for (const Tone& tone : tones) text += fmt::format("--{}:{};", tone.role, tone.*scheme);
  return text;
}

}  // namespace

std::string style_sheet() {
  return fmt::format(
      "\n.countpm-report{{{}}}\n@media screen and (prefers-color-scheme:dark){{\n.countpm-report{{{}}}\n}}{}",
      variables(&Tone::light), variables(&Tone::dark), rules);
}

std::string page_style_sheet() {
  return fmt::format(
      "\nhtml{{background:{}}}\n@media screen and (prefers-color-scheme:dark){{html{{background:{}}}}}\n"
      "body{{margin:0}}\n@media print{{html{{background:none}}}}\n@page{{margin:1.6cm}}\n",
      tones.front().light, tones.front().dark);
}

}  // namespace countpm::html
