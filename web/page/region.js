// A drawing as the program's input: a lattice by its name where there is one, else an edge list, and what its labels mean on the grid.
//
// drawing: {family, grid, cells: Set of keys, shape: text or null, weights: one text per direction}. A file that was given is {family: 'file', ...}.
import {GRIDS, boxOf, columnOf, halfOf, hexagonCorners, hexagonPoint, rowOf} from './geometry.js';
import {shapeOf} from './shapes.js';

// A weight is written as digits, a fraction or a decimal, so that the program's count stays exact.
export const isWeight = (text) => /^(\d{1,9}(\.\d{1,9})?|\d{1,9}\/[1-9]\d{0,8})$/.test(text);
export const isWeighted = (drawing) => drawing.weights.some((weight) => weight !== '1');
// What the program needs to add up decimals as the fractions that they spell.
export const decimalsOf = (drawing) => drawing.weights.some((weight) => weight.includes('.')) ? ['--exact'] : [];
export const directionsOf = (drawing) => GRIDS[drawing.grid].directions;

const inOrder = (cells) => [...cells].sort((a, b) => a - b);

// {grid, labels, cells (the key of each vertex, or of carbon none), xs, ys, ends (two vertices per edge), directions, numbers: label -> vertex}
export function graphOf(drawing) {
  const grid = GRIDS[drawing.grid];
  const graph = drawing.grid === 'carbon' ? atomsOf(drawing.cells) : drawing.grid === 'c60' ? netOf(drawing.cells, grid) : cellsOf(drawing.cells, grid);
  graph.grid = grid;
  graph.numbers = new Map(graph.labels.map((label, k) => [label, k]));
  return graph;
}

function cellsOf(cells, grid) {
  const keys = inOrder(cells), [top, , left] = boxOf(keys), vertex = new Map(keys.map((key, k) => [key, k]));
  const labels = keys.map((key) => grid.label(rowOf(key) - top, columnOf(key) - left, halfOf(key)));
  const xs = new Float64Array(keys.length), ys = new Float64Array(keys.length), ends = [], directions = [];
  keys.forEach((key, k) => {
    [xs[k], ys[k]] = grid.centre(key);
    grid.forward(key).forEach((other, direction) => {
      const to = vertex.get(other);
      if (to === undefined) return;
      ends.push(k, to);
      directions.push(direction);
    });
  });
  return {labels, cells: keys, xs, ys, ends, directions};
}

// Corners of hexagons; an atom is numbered from the top, row by row.
function atomsOf(cells) {
  const places = new Map(), bonds = new Map();
  const id = ([x, y]) => (y + 8192) * 16384 + x + 8192;  // below 2^30: a Map is slow with larger ones
  for (const key of cells) {
    const corners = hexagonCorners(key);
    corners.forEach((corner, k) => {
      const next = corners[(k + 1) % 6], a = id(corner), b = id(next);
      places.set(a, corner);
      const [first, second] = a < b ? [corner, next] : [next, corner], down = second[1] - first[1], right = second[0] - first[0];
      bonds.set(`${Math.min(a, b)} ${Math.max(a, b)}`, [Math.min(a, b), Math.max(a, b), right === 0 ? 0 : right * down < 0 ? 1 : 2]);
    });
  }
  const ids = [...places.keys()].sort((a, b) => a - b), vertex = new Map(ids.map((one, k) => [one, k]));
  const xs = new Float64Array(ids.length), ys = new Float64Array(ids.length), ends = [], directions = [];
  ids.forEach((one, k) => { [xs[k], ys[k]] = hexagonPoint(...places.get(one)); });
  for (const [a, b, direction] of [...bonds.values()].sort((p, q) => p[0] - q[0] || p[1] - q[1])) {
    ends.push(vertex.get(a), vertex.get(b));
    directions.push(direction);
  }
  return {labels: ids.map((_, k) => `C${k + 1}`), cells: null, xs, ys, ends, directions};
}

function netOf(cells, grid) {
  const keys = inOrder(cells), vertex = new Map(keys.map((key, k) => [key, k])), ends = [];
  for (const key of keys)
    for (const other of grid.near(key))
      if (other > key && vertex.has(other)) ends.push(vertex.get(key), vertex.get(other));
  return {labels: keys.map((key) => `C${key + 1}`), cells: keys, xs: Float64Array.from(keys, (key) => grid.centre(key)[0]),
    ys: Float64Array.from(keys, (key) => grid.centre(key)[1]), ends, directions: new Array(ends.length / 2).fill(0)};
}

// The edge list that the page hands over or that one downloads: weights in the third column unless all are 1.
export function edgeListOf(drawing, graph = graphOf(drawing)) {
  const {labels, ends, directions} = graph, weighted = isWeighted(drawing), seen = new Uint8Array(labels.length);
  // The ends of the first edge are said to be vertices, so that its line is no header, whatever follows.
  const lines = [`# undirected graph, ${labels.length} vertices, ${directions.length} edges`, ...[...ends.slice(0, 2)].map((vertex) => `#! vertex ${labels[vertex]}`)];
  for (let k = 0; k < directions.length; ++k) {
    const weight = weighted ? drawing.weights[directions[k]] : '';
    seen[ends[2 * k]] = seen[ends[2 * k + 1]] = 1;
    lines.push(`${labels[ends[2 * k]]} ${labels[ends[2 * k + 1]]}${weighted ? ` ${weight}` : ''}`);
  }
  labels.forEach((label, k) => { if (!seen[k]) lines.push(`#! vertex ${label}`); });
  return `${lines.join('\n')}\n`;
}

// The lattice with the same graph and labels; null if there is none. A whole board is one however it was drawn.
export function latticeOf(drawing) {
  if (drawing.shape) {
    const known = shapeOf(drawing.family, drawing.shape);
    if (known?.shape.lattice) return `lattice:${known.shape.lattice(known.sizes)}`;
  }
  if (drawing.grid === 'square' && drawing.cells.size) {
    const [top, bottom, left, right] = boxOf(drawing.cells), rows = bottom - top + 1, columns = right - left + 1;
    if (drawing.cells.size === rows * columns) return `lattice:square:${rows}x${columns}`;
  }
  return null;
}

// The hexagons by coordinates, as `lattice:benzenoid:` takes them: only where all hang together and a command line has room. Atoms have other numbers there.
export function benzenoidOf(drawing) {
  if (drawing.grid !== 'carbon' || drawing.cells.size > 40 || !drawing.cells.size || isWeighted(drawing)) return null;
  const keys = inOrder(drawing.cells), reached = new Set([keys[0]]), waiting = [keys[0]];
  while (waiting.length)
    for (const next of GRIDS.carbon.all(waiting.pop()))
      if (drawing.cells.has(next) && !reached.has(next)) { reached.add(next); waiting.push(next); }
  if (reached.size !== keys.length) return null;
  const row = rowOf(keys[0]), column = columnOf(keys[0]);
  return `lattice:benzenoid:${keys.map((key) => {
    const r = rowOf(key) - row;
    return `${columnOf(key) - column - r},${r}`;
  }).join('+')}`;
}

const shellWord = (text) => /^[\w./:,=+@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

// What the program is to read: {words: input and the options about it, files: by name, shown: the same for a shell}.
export function inputOf(drawing, graph) {
  if (drawing.family === 'file') {
    const words = [drawing.name, ...drawing.options];
    return {words, files: {[drawing.name]: drawing.bytes}, shown: words.map(shellWord)};
  }
  const lattice = latticeOf(drawing), weighted = isWeighted(drawing);
  if (lattice) {
    const words = [weighted ? `${lattice}:weights=${drawing.weights.join(',')}` : lattice];
    return {words, files: {}, shown: words};
  }
  const words = ['region.edgelist', ...weighted ? ['--weights'] : []], benzenoid = benzenoidOf(drawing);
  return {words, files: {'region.edgelist': edgeListOf(drawing, graph)}, shown: benzenoid ? [benzenoid] : words};
}

// A board as the program reads it; null if the text is none. Lines of 0 and 1 may be a matrix, and are left to the program.
export function cellsOfBoard(text, keyOf) {
  const lines = text.replace(/\r/g, '').split('\n');
  if (!lines.every((line) => /^[#X█. ]*$/.test(line)) || !/[#█]/.test(text)) return null;
  const cells = new Set();
  lines.forEach((line, row) => [...line].forEach((letter, column) => { if ('#X█'.includes(letter)) cells.add(keyOf(row, column)); }));
  return cells;
}
