// The grids that one draws on: where a cell lies, what its corners are, which cells share a side, and which cell is at a point.
//
// A cell is one number, `key`, made of a row, a column and, on the triangular grid, a half. Units: a side of a cell has length 1; y grows downwards.
// Rows, columns and directions are those of docs/lattices.md, so that labels and `weights=` mean the same as in `countpm lattice`.

const SIZE = 4096;
const MIDDLE = SIZE / 2;
const ROOT3 = Math.sqrt(3);

export const keyOf = (row, column, half = 0) => ((row + MIDDLE) * SIZE + column + MIDDLE) * 2 + half;
export const rowOf = (key) => Math.floor(key / (2 * SIZE)) - MIDDLE;
export const columnOf = (key) => (Math.floor(key / 2) % SIZE) - MIDDLE;
export const halfOf = (key) => key % 2;
// Keys of cells beyond would be those of others.
export const inReach = (row, column) => Math.max(Math.abs(row), Math.abs(column)) < MIDDLE - 2;

const square = {
  name: 'square',
  cell: 'cell',
  pieces: 'dominoes',
  directions: ['across', 'upright'],
  centre: (key) => [columnOf(key) + 0.5, rowOf(key) + 0.5],
  corners(key) {
    const x = columnOf(key), y = rowOf(key);
    return [x, y, x + 1, y, x + 1, y + 1, x, y + 1];
  },
  // Neighbours in the order of directions, each pair from one end only.
  forward: (key) => [key + 2, key + 2 * SIZE],
  all: (key) => [key + 2, key + 2 * SIZE, key - 2, key - 2 * SIZE],
  at: (x, y) => keyOf(Math.floor(y), Math.floor(x)),
  step: (key, right, down) => keyOf(rowOf(key) + down, columnOf(key) + right),
  label: (row, column) => `r${row}c${column}`,
};

// Where the corner (row, column) of the sheared grid of triangles lies: columns go up to the right, rows down to the right.
export const trianglePoint = (row, column) => [(row + column) * ROOT3 / 2, (row - column) / 2];

// Each cell of a sheared grid is cut into the triangles a (half 0, towards row 0, column 0) and b.
const triangular = {
  name: 'triangular',
  cell: 'triangle',
  pieces: 'lozenges',
  directions: ['flat', 'rising', 'falling'],
  centre(key) {
    const [x, y] = trianglePoint(rowOf(key), columnOf(key));
    return [x + (halfOf(key) ? 2 : 1) / ROOT3, y];
  },
  corners(key) {
    const row = rowOf(key), column = columnOf(key);
    const above = trianglePoint(row, column + 1), below = trianglePoint(row + 1, column);
    return halfOf(key) ? [...trianglePoint(row + 1, column + 1), ...below, ...above] : [...trianglePoint(row, column), ...above, ...below];
  },
  forward: (key) => halfOf(key) ? [] : [key + 1, key - 1, key + 1 - 2 * SIZE],
  all: (key) => halfOf(key) ? [key - 1, key + 1, key - 1 + 2 * SIZE] : [key + 1, key - 1, key + 1 - 2 * SIZE],
  at(x, y) {
    const across = x / ROOT3 * 2, row = (across + 2 * y) / 2, column = (across - 2 * y) / 2;
    const r = Math.floor(row), c = Math.floor(column);
    return keyOf(r, c, row - r + column - c > 1 ? 1 : 0);
  },
  step(key, right, down) {
    // Right and left: the other half. Up and down: along the column of triangles, where the halves alternate.
    const row = rowOf(key), column = columnOf(key), half = halfOf(key);
    if (right) return half === (right > 0 ? 0 : 1) ? keyOf(row, column, 1 - half) : right > 0 ? keyOf(row, column + 1, 0) : keyOf(row, column - 1, 1);
    return down > 0 ? (half ? keyOf(row + 1, column, 0) : keyOf(row, column - 1, 1)) : half ? keyOf(row, column + 1, 0) : keyOf(row - 1, column, 1);
  },
  label: (row, column, half) => `r${row}c${column}${half ? 'b' : 'a'}`,
};

const HEXAGON = [[0, -2], [1, -1], [1, 1], [0, 2], [-1, 1], [-1, -1]];
// Twice the centre of a hexagon, in units of half its width and half its side.
export const hexagonMiddle = (key) => [2 * columnOf(key) - rowOf(key), 3 * rowOf(key)];
export const hexagonCorners = (key) => {
  const [x, y] = hexagonMiddle(key);
  return HEXAGON.map(([dx, dy]) => [x + dx, y + dy]);
};
export const hexagonPoint = (x, y) => [x * ROOT3 / 2, y / 2];

const hexagonal = {
  name: 'hexagonal',
  cell: 'hexagon',
  pieces: 'pairs of hexagons',
  directions: ['across', 'down left', 'down right'],
  centre: (key) => hexagonPoint(...hexagonMiddle(key)),
  corners: (key) => hexagonCorners(key).flatMap(([x, y]) => hexagonPoint(x, y)),
  forward: (key) => [key + 2, key + 2 * SIZE, key + 2 * SIZE + 2],
  all: (key) => [key + 2, key + 2 * SIZE, key + 2 * SIZE + 2, key - 2, key - 2 * SIZE, key - 2 * SIZE - 2],
  at(x, y) {
    // The nearest of the centres around.
    const row = Math.round(y / 1.5);
    let best = 0, least = Infinity;
    for (let r = row - 1; r <= row + 1; ++r) {
      const column = Math.round(x / ROOT3 + r / 2);
      for (let c = column - 1; c <= column + 1; ++c) {
        const distance = (x - (c - r / 2) * ROOT3) ** 2 + (y - 1.5 * r) ** 2;
        if (distance < least) [best, least] = [keyOf(r, c), distance];
      }
    }
    return best;
  },
  // Down and up zigzag, so that the cursor stays below where it was.
  step(key, right, down) {
    const row = rowOf(key), column = columnOf(key), odd = Math.abs(row % 2);
    return keyOf(row + down, column + right + (down > 0 ? odd : down < 0 ? -1 + odd : 0));
  },
  label: (row, column) => `r${row}c${column}`,
};

// Hexagons as rings of carbon atoms: the vertices are the corners.
const carbon = {...hexagonal, name: 'carbon', cell: 'ring', pieces: 'double bonds', directions: ['upright', 'rising', 'falling']};

// C60 as a net: its atoms on a sphere, seen from a pentagon and spread out in the plane. A cell is an atom.
function buckminsterfullerene() {
  const phi = (1 + Math.sqrt(5)) / 2, atoms = [];
  for (const [a, b, c] of [[0, 1, 3 * phi], [1, 2 + phi, 2 * phi], [phi, 2, 2 * phi + 1]]) {
    for (let signs = 0; signs < 8; ++signs) {
      if (a === 0 && signs & 1) continue;
      const p = [signs & 1 ? -a : a, signs & 2 ? -b : b, signs & 4 ? -c : c];
      for (let turn = 0; turn < 3; ++turn) atoms.push([p[turn], p[(turn + 1) % 3], p[(turn + 2) % 3]]);
    }
  }
  const far = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  const near = atoms.map((p) => atoms.flatMap((q, k) => Math.abs(far(p, q) - 2) < 1e-6 ? [k] : []));
  // A pentagon's centre is an axis of five-fold symmetry: (0, 1, phi).
  const length = Math.hypot(1, phi), axis = [0, 1 / length, phi / length], across = [1, 0, 0], up = [0, phi / length, -1 / length];
  const dot = (p, q) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
  const radius = Math.hypot(...atoms[0]);
  const points = atoms.map((p) => {
    const angle = Math.acos(dot(p, axis) / radius), turn = Math.atan2(dot(p, up), dot(p, across));
    const spread = 3.1 * Math.tan(angle / 2.75) + 0.9 * angle;
    return [spread * Math.cos(turn), spread * Math.sin(turn)];
  });
  // Numbered from the middle outwards, as one reads a net.
  const order = points.map((_, k) => k).sort((j, k) => {
    const inner = Math.hypot(...points[j]) - Math.hypot(...points[k]);
    return Math.abs(inner) > 1e-6 ? inner : Math.atan2(points[j][1], points[j][0]) - Math.atan2(points[k][1], points[k][0]);
  });
  const place = new Map(order.map((atom, k) => [atom, k]));
  return {points: order.map((k) => points[k]), near: order.map((k) => near[k].map((other) => place.get(other)))};
}

const net = buckminsterfullerene();
const c60 = {
  name: 'c60',
  cell: 'atom',
  pieces: 'double bonds',
  directions: [],
  atoms: 60,
  centre: (key) => net.points[key],
  near: (key) => net.near[key],
  at(x, y) {
    let best = -1, least = 0.5;
    net.points.forEach(([a, b], key) => {
      const distance = Math.hypot(x - a, y - b);
      if (distance < least) [best, least] = [key, distance];
    });
    return best;
  },
  step(key, right, down) {
    // The nearest atom in that direction.
    const [x, y] = net.points[key];
    let best = key, least = Infinity;
    net.points.forEach(([a, b], other) => {
      const along = (a - x) * right + (b - y) * down, beside = Math.abs((a - x) * down) + Math.abs((b - y) * right);
      if (along > 1e-6 && along + 2 * beside < least) [best, least] = [other, along + 2 * beside];
    });
    return best;
  },
};

export const GRIDS = {square, triangular, hexagonal, carbon, c60};

// The bounding box of cells, in rows and columns: [first row, last row, first column, last column].
export function boxOf(cells) {
  let top = Infinity, bottom = -Infinity, left = Infinity, right = -Infinity;
  for (const key of cells) {
    const row = rowOf(key), column = columnOf(key);
    top = Math.min(top, row);
    bottom = Math.max(bottom, row);
    left = Math.min(left, column);
    right = Math.max(right, column);
  }
  return [top, bottom, left, right];
}

// What is in view if all of the cells are: [left, top, right, bottom] in units of a side.
export function extentOf(grid, cells) {
  const extent = [Infinity, Infinity, -Infinity, -Infinity];
  for (const key of cells) {
    const points = grid.corners ? grid.corners(key) : grid.centre(key);
    for (let k = 0; k < points.length; k += 2) {
      extent[0] = Math.min(extent[0], points[k]);
      extent[1] = Math.min(extent[1], points[k + 1]);
      extent[2] = Math.max(extent[2], points[k]);
      extent[3] = Math.max(extent[3], points[k + 1]);
    }
  }
  return extent;
}
