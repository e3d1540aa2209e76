// The colours of the program's own pictures (src/draw/colours.hpp), on paper and, lighter, in the dark.

// From pale sand over rose to dark indigo in equal steps of lightness: order shows in grey, too.
export function dusk(share) {
  const t = Math.min(1, Math.max(0, share)), hue = (88 - 165 * t) * Math.PI / 180, chroma = 14 + 35 * Math.sin(Math.PI * t) + 14 * t;
  const middle = (95 - 80 * t + 16) / 116, cube = (u) => u > 6 / 29 ? u ** 3 : 3 * (6 / 29) ** 2 * (u - 4 / 29);
  const x = 0.95047 * cube(middle + chroma * Math.cos(hue) / 500), y = cube(middle), z = 1.08883 * cube(middle - chroma * Math.sin(hue) / 200);
  const byte = (linear) => {
    const v = Math.max(0, linear), s = v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.min(1, s)).toString(16).padStart(2, '0');
  };
  return `#${byte(3.2404542 * x - 1.5371385 * y - 0.4985314 * z)}${byte(-0.969266 * x + 1.8760108 * y + 0.041556 * z)}${byte(
      0.0556434 * x - 0.2040259 * y + 1.0572252 * z)}`;
}

const LIGHT = {
  ground: '#ffffff', grid: '#e6e9ee', cell: '#d9e0ee', other: '#c6d0e4', line: '#ffffff', ink: '#22262d', grey: '#6b7280', pale: '#eef1f6',
  blue: '#31508f', red: '#cf4a42', teal: '#5aa9a3', yellow: '#f4d06f', focus: '#d9641a', sextet: '#f4d06f', heat: dusk,
};
const DARK = {
  ground: '#14171e', grid: '#262b36', cell: '#3d4a68', other: '#2f3a54', line: '#14171e', ink: '#e4e6ec', grey: '#9aa3b2', pale: '#1f2530',
  blue: '#5474bd', red: '#d8605a', teal: '#5fb3ac', yellow: '#f0cf78', focus: '#ff9a52', sextet: '#6b5620', heat: (share) => dusk(0.06 + 0.94 * (1 - share)),
};
export const themeOf = (dark) => dark ? DARK : LIGHT;
