#pragma once
// How pages look: colours by role, for light and dark, and the style sheet that uses them.
#include <array>
#include <string>
#include <string_view>

namespace countpm::html {

struct Tone {
  std::string_view role;   // the variable of the style sheet
  std::string_view light;  // "#rrggbb"
  std::string_view dark;
};

/// Everything that is written is ink, soft, accent, good or bad, on page, paper or shade; each of those
/// reaches a contrast of 4.5 on each of these (W3C, WCAG 2.1, 1.4.3), in both schemes.
inline constexpr std::array<Tone, 9> tones{{{"page", "#f4f2ee", "#14161a"},
                                            {"paper", "#ffffff", "#1d2026"},
                                            {"shade", "#f2f1ee", "#272b33"},
                                            {"line", "#dcd8d0", "#3a3f49"},
                                            {"ink", "#22262d", "#ecebe8"},
                                            {"soft", "#5a616d", "#b0b6c1"},
                                            {"accent", "#31508f", "#9db8f2"},
                                            {"good", "#1c6b58", "#74d3b5"},
                                            {"bad", "#a8321f", "#ff9f8c"}}};

/// For a <style> element of a report: all selectors begin with .countpm-report.
std::string style_sheet();
/// For the page around it.
std::string page_style_sheet();

}  // namespace countpm::html
