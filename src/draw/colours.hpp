#pragma once
// Colours that people with any colour vision tell apart: hues that differ in lightness, too.
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace countpm::draw {

struct Colour {
  std::string_view name;  // "blue", as reports call it
  std::string_view code;  // "#2f4b8f"
};

/// For kinds of things, in the order of use: lightness (CIE L*) steps by 10 at least from each to the next,
/// so that they differ in grey, too.
inline constexpr Colour blue{"blue", "#31508f"};
inline constexpr Colour red{"red", "#cf4a42"};
inline constexpr Colour teal{"teal", "#5aa9a3"};
inline constexpr Colour yellow{"yellow", "#f4d06f"};
inline constexpr std::array<Colour, 4> kinds{blue, red, teal, yellow};

/// Those of them that are too pale for lines and dots, darker.
inline constexpr Colour deep_teal{"teal", "#2f9a92"};
inline constexpr Colour deep_yellow{"yellow", "#ae8410"};

/// For curves, of which there may be more: those, and others far from each of them in hue or lightness. Each
/// has a contrast of 3 with white paper and with what lies under a matrix (W3C, WCAG 2.1, 1.4.11).
inline constexpr Colour plum{"plum", "#4a2545"};
inline constexpr Colour brown{"brown", "#7d4a1e"};
inline constexpr Colour violet{"violet", "#9d7ecd"};
inline constexpr Colour orange{"orange", "#d9641a"};
inline constexpr Colour lime{"lime", "#669618"};
inline constexpr Colour pink{"pink", "#d0639b"};
inline constexpr Colour moss{"moss", "#35502a"};
inline constexpr std::array<Colour, 11> curves{blue,   red,    deep_teal, deep_yellow, plum, brown,
                                               violet, orange, lime,      pink,        moss};

/// For what stands back, and for what is written.
inline constexpr Colour pale{"pale grey", "#dfe2e6"};
inline constexpr Colour grey{"grey", "#8a9099"};
inline constexpr Colour ink{"black", "#22262d"};
/// The grounds that they are drawn on: the page, in a dark window too, and a matrix.
inline constexpr std::string_view white_paper = "#ffffff";
inline constexpr std::string_view matrix_ground = "#f5f6f8";

/// The map for quantities, `dusk`: from pale sand over rose to dark indigo. Equal shares are equal steps of
/// lightness (CIE L* from 95 to 15) along a smooth curve of hue and chroma, so that order shows in grey, too.
/// `share` from 0 (pale) to 1 (dark), clamped.
inline constexpr std::string_view map_name = "dusk";
std::string map_colour(double share);

}  // namespace countpm::draw
