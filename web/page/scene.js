// What a picture consists of: layers of polygons, lines, dots and words of one colour each, painted on a canvas or written as SVG.
//
// A layer: {points: x, y, x, y, ..., corners: how many points a figure has (2: a line, 1: a dot of `radius`), fill, line, width, from} in units of a side;
// `from`: the least number of pixels per unit at which its outlines are seen. Or {words: [{x, y, text}], size, fill, halo}.

// Browsers take quadratic time for paths of very many figures (Chromium 156: 15 s for 80,000 squares), so that a layer is several.
const MOST_FIGURES = 500;

function pathsOf(layer) {
  if (layer.paths) return layer.paths;
  const {points, corners} = layer;
  layer.paths = [];
  for (let k = 0; k < points.length; k += 2 * corners) {
    if (k % (2 * corners * MOST_FIGURES) === 0) layer.paths.push(new Path2D());
    const path = layer.paths[layer.paths.length - 1];
    if (corners === 1) {
      path.moveTo(points[k] + layer.radius, points[k + 1]);
      path.arc(points[k], points[k + 1], layer.radius, 0, 2 * Math.PI);
      continue;
    }
    path.moveTo(points[k], points[k + 1]);
    for (let n = 2; n < 2 * corners; n += 2) path.lineTo(points[k + n], points[k + n + 1]);
    if (corners > 2) path.closePath();
  }
  return layer.paths;
}

// Paints on a context whose units are pixels; view: {scale, x, y} says where the origin is and how many pixels a unit has.
export function paint(context, layers, view) {
  context.save();
  context.translate(view.x, view.y);
  context.scale(view.scale, view.scale);
  context.lineJoin = 'round';
  context.lineCap = 'round';
  for (const layer of layers) {
    if (layer.words) {
      if (view.scale * layer.size < 7) continue;
      context.font = `600 ${layer.size}px system-ui, sans-serif`;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.lineWidth = layer.size / 3;
      context.strokeStyle = layer.halo;
      context.fillStyle = layer.fill;
      for (const {x, y, text} of layer.words) {
        context.strokeText(text, x, y);
        context.fillText(text, x, y);
      }
      continue;
    }
    const outlined = layer.line && view.scale >= (layer.from ?? 0);
    if (layer.fill) context.fillStyle = layer.fill;
    if (outlined) {
      context.strokeStyle = layer.line;
      context.lineWidth = layer.pixels ? layer.pixels / view.scale : layer.width;
    }
    // Where outlines are too thin to be seen, a little of its own colour closes the seams between a layer's paths.
    const closes = layer.fill && layer.line && !outlined;
    if (closes) {
      context.strokeStyle = layer.fill;
      context.lineWidth = 0.8 / view.scale;
    }
    for (const path of pathsOf(layer)) {
      if (layer.fill) context.fill(path);
      if (outlined || closes) context.stroke(path);
    }
  }
  context.restore();
}

const escaped = (text) => text.replace(/[&<>"]/g, (letter) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[letter]);
const short = (x) => String(Math.round(x * 1000) / 1000);

// The same as a file. extent: [left, top, right, bottom].
export function svgOf(layers, extent, {title, description, ground}) {
  const margin = 0.5, left = extent[0] - margin, top = extent[1] - margin, width = extent[2] - extent[0] + 2 * margin, height = extent[3] - extent[1] + 2 * margin;
  const scale = Math.min(40, Math.max(2, 900 / Math.max(width, height))), lines = [];
  lines.push('<?xml version="1.0" encoding="UTF-8"?>',
      `<svg xmlns="http://www.w3.org/2000/svg" width="${short(width * scale)}" height="${short(height * scale)}" viewBox="${short(left)} ${short(top)} ${
        short(width)} ${short(height)}" role="img" stroke-linejoin="round" stroke-linecap="round">`,
      `<title>${escaped(title)}</title>`, `<desc>${escaped(description)}</desc>`,
      `<rect x="${short(left)}" y="${short(top)}" width="${short(width)}" height="${short(height)}" fill="${ground}"/>`);
  for (const layer of layers) {
    if (layer.words) {
      lines.push(`<g font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-weight="600" font-size="${short(layer.size)}" text-anchor="middle" fill="${
        layer.fill}" stroke="${layer.halo}" stroke-width="${short(layer.size / 3)}" paint-order="stroke">`);
      for (const {x, y, text} of layer.words) lines.push(`<text x="${short(x)}" y="${short(y + layer.size * 0.35)}">${escaped(text)}</text>`);
      lines.push('</g>');
      continue;
    }
    const {points, corners} = layer, parts = [];
    for (let k = 0; k < points.length; k += 2 * corners) {
      if (corners === 1) {
        const r = short(layer.radius);
        parts.push(`M${short(points[k] - layer.radius)} ${short(points[k + 1])}a${r} ${r} 0 1 0 ${short(2 * layer.radius)} 0a${r} ${r} 0 1 0 ${
          short(-2 * layer.radius)} 0`);
        continue;
      }
      let part = 'M';
      for (let n = 0; n < 2 * corners; n += 2) part += `${n ? ' ' : ''}${short(points[k + n])} ${short(points[k + n + 1])}`;
      parts.push(corners > 2 ? `${part}z` : part);
    }
    if (!parts.length) continue;
    const outlined = layer.line && scale >= (layer.from ?? 0);
    const width2 = layer.pixels ? layer.pixels / scale : layer.width;
    lines.push(`<path fill="${layer.fill ?? 'none'}"${outlined ? ` stroke="${layer.line}" stroke-width="${short(width2)}"` : ''} d="${parts.join('')}"/>`);
  }
  lines.push('</svg>', '');
  return lines.join('\n');
}
