// The pictures of a region and of what was found about it, as layers of a scene (scene.js): the region, a tiling, probabilities, a surface.
import {GRIDS, columnOf, extentOf, halfOf, rowOf} from './geometry.js';
import {seenFrom} from './heights.js';

const flat = (grid, cells) => {
  const corners = grid.corners(cells[0]).length, points = new Float64Array(corners * cells.length);
  cells.forEach((key, k) => points.set(grid.corners(key), corners * k));
  return {points, corners: corners / 2};
};
const lines = (graph, edges) => {
  const points = new Float64Array(4 * edges.length);
  edges.forEach((edge, k) => points.set([graph.xs[graph.ends[2 * edge]], graph.ys[graph.ends[2 * edge]], graph.xs[graph.ends[2 * edge + 1]],
    graph.ys[graph.ends[2 * edge + 1]]], 4 * k));
  return points;
};
const dots = (graph, vertices) => Float64Array.from(vertices.flatMap((k) => [graph.xs[k], graph.ys[k]]));
const allEdges = (graph) => graph.directions.map((_, k) => k);
const isDrawnAsBonds = (graph) => !graph.grid.forward || graph.cells === null;

// Cells by two shades: of a chessboard, or of the two kinds of triangles.
const shade = (grid, key) => grid.name === 'square' ? Math.abs(rowOf(key) + columnOf(key)) % 2 : grid.name === 'triangular' ? halfOf(key) : 0;

// blamed: {vertices, neighbours}, sets of vertices that show why there is no matching.
export function regionPicture(drawing, graph, theme, blamed) {
  const layers = [];
  const marks = (vertices, colour) => {
    if (!vertices?.length) return;
    if (isDrawnAsBonds(graph)) layers.push({points: dots(graph, vertices), corners: 1, radius: 0.22, fill: colour});
    else layers.push({...flat(graph.grid, vertices.map((k) => graph.cells[k])), fill: colour, line: theme.line, width: 0.06, from: 6});
  };
  if (isDrawnAsBonds(graph)) {
    if (drawing.grid === 'carbon' && drawing.cells.size) layers.push({...flat(graph.grid, [...drawing.cells]), fill: theme.pale});
    layers.push({points: lines(graph, allEdges(graph)), corners: 2, line: theme.ink, width: 0.08});
    layers.push({points: dots(graph, graph.labels.map((_, k) => k)), corners: 1, radius: 0.11, fill: theme.ink});
  } else {
    for (const kind of [0, 1]) {
      const cells = graph.cells.filter((key) => shade(graph.grid, key) === kind);
      if (cells.length) layers.push({...flat(graph.grid, cells), fill: kind ? theme.other : theme.cell, line: theme.line, width: 0.05, from: 7});
    }
  }
  marks(blamed?.neighbours, theme.yellow);
  marks(blamed?.vertices, theme.red);
  return layers;
}

// The outline of the tile of each direction, relative to the centre of the cell that the edge comes from.
function outlines(grid) {
  const from = GRIDS.square.at(0, 0), centre = grid.centre(from), corners = (key) => {
    const points = grid.corners(key), pairs = [];
    for (let k = 0; k < points.length; k += 2) pairs.push([points[k] - centre[0], points[k + 1] - centre[1]]);
    return pairs;
  };
  const same = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1]) < 1e-6;
  // A cell's corners in their order, from behind one end of the shared side to the other end.
  const opened = (own, others) => {
    const shared = own.map((p) => others.some((q) => same(p, q)));
    const start = shared.findIndex((is, k) => is && !shared[(k + 1) % own.length]);
    return own.map((_, k) => own[(start + k) % own.length]);
  };
  return grid.forward(from).map((to) => {
    const a = corners(from), b = corners(to), first = opened(a, b), second = opened(b, a);
    // Both run the same way round: the ends of the first are those of the second.
    return [...first, ...second.slice(1, -1)].flat();
  });
}
const placed = (graph, edges, outline) => {
  const points = new Float64Array(outline.length * edges.length);
  edges.forEach((edge, k) => {
    const vertex = graph.ends[2 * edge], x = graph.xs[vertex], y = graph.ys[vertex];
    for (let n = 0; n < outline.length; n += 2) {
      points[k * outline.length + n] = outline[n] + x;
      points[k * outline.length + n + 1] = outline[n + 1] + y;
    }
  });
  return {points, corners: outline.length / 2};
};

// Kinds of tiles as in the program's pictures: dominoes by direction and by the chessboard's colour of their first cell, others by direction.
const KINDS = {square: ['yellow', 'blue', 'teal', 'red'], triangular: ['yellow', 'teal', 'blue'], hexagonal: ['yellow', 'teal', 'blue']};

export function tilingPicture(drawing, graph, matching, theme) {
  if (isDrawnAsBonds(graph)) return structurePicture(drawing, graph, matching, theme);
  const square = drawing.grid === 'square', parity = square ? shade(graph.grid, graph.cells[0]) : 0, shapes = outlines(graph.grid);
  const kinds = KINDS[drawing.grid].map(() => []);
  for (const edge of matching) {
    const direction = graph.directions[edge];
    kinds[square ? 2 * direction + (shade(graph.grid, graph.cells[graph.ends[2 * edge]]) === parity ? 0 : 1) : direction].push(edge);
  }
  return kinds.flatMap((edges, kind) => edges.length
    ? [{...placed(graph, edges, shapes[square ? kind >> 1 : kind]), fill: theme[KINDS[drawing.grid][kind]], line: theme.ground, width: 0.09, from: 6}] : []);
}

// Double bonds; rings with three of them are shaded.
function structurePicture(drawing, graph, matching, theme) {
  const double = new Set(matching), single = allEdges(graph).filter((edge) => !double.has(edge)), layers = [];
  if (drawing.grid === 'carbon') {
    const middles = new Map(), marked = [];
    for (const edge of matching) {
      const x = (graph.xs[graph.ends[2 * edge]] + graph.xs[graph.ends[2 * edge + 1]]) / 2, y = (graph.ys[graph.ends[2 * edge]] + graph.ys[graph.ends[2 * edge + 1]]) / 2;
      middles.set(`${Math.round(8 * x)} ${Math.round(8 * y)}`, true);
    }
    for (const key of drawing.cells) {
      const corners = graph.grid.corners(key);
      let found = 0;
      for (let k = 0; k < 12; k += 2)
        if (middles.has(`${Math.round(4 * (corners[k] + corners[(k + 2) % 12]))} ${Math.round(4 * (corners[k + 1] + corners[(k + 3) % 12]))}`)) ++found;
      if (found === 3) marked.push(key);
    }
    layers.push({...flat(graph.grid, [...drawing.cells]), fill: theme.pale});
    if (marked.length) layers.push({...flat(graph.grid, marked), fill: theme.sextet});
  }
  const pair = lines(graph, matching), both = new Float64Array(2 * pair.length);
  for (let k = 0; k < pair.length; k += 4) {
    const dx = pair[k + 2] - pair[k], dy = pair[k + 3] - pair[k + 1], length = Math.hypot(dx, dy) || 1, x = -dy / length * 0.085, y = dx / length * 0.085;
    both.set([pair[k] + x, pair[k + 1] + y, pair[k + 2] + x, pair[k + 3] + y, pair[k] - x, pair[k + 1] - y, pair[k + 2] - x, pair[k + 3] - y], 2 * k);
  }
  layers.push({points: lines(graph, single), corners: 2, line: theme.grey, width: 0.06});
  layers.push({points: both, corners: 2, line: theme.ink, width: 0.085});
  return layers;
}

const LEVELS = 40;
// {layers, low, high}: each edge as the kite between its cells, so that the region is covered; bonds as lines with their orders.
export function probabilityPicture(drawing, graph, {values, texts}, theme) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const bonds = isDrawnAsBonds(graph);
  if (bonds) [low, high] = [Math.min(0, low), Math.max(1, high)];
  const level = (value) => high > low ? Math.min(LEVELS - 1, Math.floor((value - low) / (high - low) * LEVELS)) : LEVELS / 2;
  const levels = Array.from({length: LEVELS}, () => []);
  values.forEach((value, edge) => levels[level(value)].push(edge));
  const layers = [];
  if (bonds && drawing.grid === 'carbon') layers.push({...flat(graph.grid, [...drawing.cells]), fill: theme.pale});
  levels.forEach((edges, k) => {
    if (!edges.length) return;
    const colour = theme.heat(k / (LEVELS - 1));
    if (bonds) {
      layers.push({points: lines(graph, edges), corners: 2, line: colour, width: 0.1 + 0.2 * k / LEVELS});
      return;
    }
    const points = new Float64Array(8 * edges.length);
    edges.forEach((edge, n) => {
      const u = graph.ends[2 * edge], v = graph.ends[2 * edge + 1], dx = graph.xs[v] - graph.xs[u], dy = graph.ys[v] - graph.ys[u];
      const x = (graph.xs[u] + graph.xs[v]) / 2, y = (graph.ys[u] + graph.ys[v]) / 2, half = 0.5 / Math.hypot(dx, dy);
      points.set([graph.xs[u], graph.ys[u], x - dy * half, y + dx * half, graph.xs[v], graph.ys[v], x + dy * half, y - dx * half], 8 * n);
    });
    layers.push({points, corners: 4, fill: colour, line: colour, pixels: 0.7});
  });
  if (bonds && values.length <= 400) {
    const words = [];
    values.forEach((_, edge) => {
      const u = graph.ends[2 * edge], v = graph.ends[2 * edge + 1];
      if (texts[edge].length <= 9) words.push({x: (graph.xs[u] + graph.xs[v]) / 2, y: (graph.ys[u] + graph.ys[v]) / 2, text: texts[edge]});
    });
    layers.push({words, size: drawing.grid === 'c60' ? 0.17 : 0.24, fill: theme.ink, halo: theme.ground});
  }
  return {layers, low, high};
}

// The surface as it is seen from there, with its extent.
export function surfacePicture(surface, {turn, tilt}, theme) {
  const {points, order} = seenFrom(surface, turn, tilt), layers = [], extent = [Infinity, Infinity, -Infinity, -Infinity];
  const kinds = ['yellow', 'teal', 'blue'];
  let run = null;
  for (const face of order) {
    const colour = theme[kinds[surface.faces[face].direction]];
    if (run?.fill !== colour) {
      run = {fill: colour, line: theme.ground, width: 0.05, from: 6, corners: 4, points: []};
      layers.push(run);
    }
    for (let n = 8 * face; n < 8 * face + 8; ++n) run.points.push(points[n]);
  }
  for (let k = 0; k < points.length; k += 2) {
    extent[0] = Math.min(extent[0], points[k]);
    extent[1] = Math.min(extent[1], points[k + 1]);
    extent[2] = Math.max(extent[2], points[k]);
    extent[3] = Math.max(extent[3], points[k + 1]);
  }
  return {layers, extent};
}

// What of the empty grid is in view: thin lines to draw between.
export function gridPicture(grid, theme, [left, top, right, bottom]) {
  if (!grid.corners) return [];
  const reach = grid.name === 'square' ? 1 : 2, found = new Map();
  if (grid.name === 'square') {
    const points = [];
    for (let x = Math.floor(left); x <= right; ++x) points.push(x, top, x, bottom);
    for (let y = Math.floor(top); y <= bottom; ++y) points.push(left, y, right, y);
    return [{points, corners: 2, line: theme.grid, pixels: 1}];
  }
  for (let y = top; y <= bottom; y += 0.5)
    for (let x = left; x <= right; x += 0.5) {
      const key = grid.at(x, y);
      if (found.size < 6000 * reach) found.set(key, true);
    }
  return found.size ? [{...flat(grid, [...found.keys()]), line: theme.grid, pixels: 1}] : [];
}

// The cell or the atom that keys are about.
export function cursorPicture(drawing, cursor, theme) {
  const grid = GRIDS[drawing.grid], points = grid.corners ? grid.corners(cursor) : grid.centre(cursor);
  return [{points, corners: points.length / 2, radius: 0.3, line: theme.focus, pixels: 3}];
}

// What is in view if the whole region is.
export const pictureExtent = (drawing, graph) => {
  if (isDrawnAsBonds(graph) && graph.xs.length) {
    const extent = [Infinity, Infinity, -Infinity, -Infinity];
    graph.xs.forEach((x, k) => {
      extent[0] = Math.min(extent[0], x);
      extent[1] = Math.min(extent[1], graph.ys[k]);
      extent[2] = Math.max(extent[2], x);
      extent[3] = Math.max(extent[3], graph.ys[k]);
    });
    // Room for what is written at bonds.
    return [extent[0] - 0.4, extent[1] - 0.2, extent[2] + 0.4, extent[3] + 0.2];
  }
  return drawing.cells.size ? extentOf(GRIDS[drawing.grid], drawing.cells) : [0, 0, 12, 9];
};
