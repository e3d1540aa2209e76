// Shapes to begin with: names, sizes, and the cells that they have.
import {GRIDS, keyOf} from './geometry.js';

const board = ([rows, columns], has = () => true) => {
  const cells = [];
  for (let row = 0; row < rows; ++row)
    for (let column = 0; column < columns; ++column)
      if (has(row, column)) cells.push(keyOf(row, column));
  return cells;
};

// Both halves of a sheared grid, cut by what a triangle's centre says: thirds of a row and of a column.
const triangles = (rows, columns, has) => {
  const cells = [];
  for (let row = 0; row < rows; ++row)
    for (let column = 0; column < columns; ++column)
      for (const half of [0, 1])
        if (has(row + (half ? 2 : 1) / 3, column + (half ? 2 : 1) / 3)) cells.push(keyOf(row, column, half));
  return cells;
};

// As lattice:hexagon:AxBxC: two corners of a box of B + C rows and A + C columns are cut off.
export const hexagonTriangles = (a, b, c) => triangles(b + c, a + c, (row, column) => row + column > c && row + column < a + b + c);

const hexagons = (reach, has) => {
  const cells = [];
  for (let row = -reach; row <= reach; ++row)
    for (let column = -reach; column <= reach; ++column)
      if (has(row, column)) cells.push(keyOf(row, column));
  return cells;
};
// How many steps from the hexagon in the middle.
const steps = (row, column) => row * column >= 0 ? Math.max(Math.abs(row), Math.abs(column)) : Math.abs(row) + Math.abs(column);
const inHexagon = (side) => hexagons(side - 1, (row, column) => steps(row, column) < side);
const named = (text) => text.split(' ').map((pair) => keyOf(...pair.split(',').map(Number)));

const size = (label, value, most, least = 1) => ({label, value, least, most});

// `lattice`: the spec that is the same graph, with the same labels.
export const SHAPES = {
  square: [
    {name: 'board', title: 'Board', sizes: [size('rows', 8, 300), size('columns', 8, 300)], cells: (s) => board(s), lattice: (s) => `square:${s.join('x')}`},
    {name: 'aztec', title: 'Aztec diamond', sizes: [size('order', 20, 300)], lattice: (s) => `aztec:${s[0]}`,
      cells: ([n]) => board([2 * n, 2 * n], (r, c) => Math.abs(r + 0.5 - n) + Math.abs(c + 0.5 - n) <= n)},
    {name: 'holes', title: 'Board with holes', sizes: [size('side', 20, 300, 8)],
      // Four holes of even sides, each a fifth of the board.
      cells([n]) {
        const hole = 2 * Math.max(1, Math.round(n / 10)), start = Math.floor((n / 2 - hole) / 2);
        const inside = (x) => (x >= start && x < start + hole) || (x >= n - start - hole && x < n - start);
        return board([n, n], (r, c) => !(inside(r) && inside(c)));
      }},
    {name: 'ring', title: 'Frame', sizes: [size('side', 16, 300, 4), size('width', 4, 150)],
      cells: ([n, w]) => board([n, n], (r, c) => Math.min(r, c, n - 1 - r, n - 1 - c) < w)},
    {name: 'corners', title: 'Mutilated board', sizes: [size('side', 8, 300, 2)],
      cells: ([n]) => board([n, n], (r, c) => !(r === c && (r === 0 || r === n - 1)))},
    {name: 'lshape', title: 'L', sizes: [size('side', 16, 300, 2)], cells: ([n]) => board([n, n], (r, c) => r >= n / 2 || c < n / 2)},
  ],
  triangular: [
    {name: 'hexagon', title: 'Hexagon', sizes: [size('a', 12, 100), size('b', 12, 100), size('c', 12, 100)], lattice: (s) => `hexagon:${s.join('x')}`,
      cells: (s) => hexagonTriangles(...s)},
    {name: 'holed', title: 'Hexagon with a hole', sizes: [size('side', 10, 100, 4)],
      // A hexagonal hole of a quarter of the side in the middle: as many triangles of each kind.
      cells([n]) {
        const hole = Math.max(1, Math.round(n / 4)), middle = n;
        const inner = (row, column) => Math.abs(row - middle) < hole && Math.abs(column - middle) < hole && Math.abs(row + column - 2 * middle) < hole;
        return triangles(2 * n, 2 * n, (row, column) => row + column > n && row + column < 3 * n && !inner(row, column));
      }},
    {name: 'strip', title: 'Parallelogram', sizes: [size('rows', 6, 100), size('columns', 10, 100)], cells: ([r, c]) => triangles(r, c, () => true)},
  ],
  hexagonal: [
    {name: 'honeycomb', title: 'Hexagon with a hole', sizes: [size('side', 4, 12, 2)],
      cells: ([n]) => inHexagon(n).filter((key) => key !== keyOf(0, 0))},
    {name: 'rhombus', title: 'Rhombus', sizes: [size('rows', 6, 40), size('columns', 6, 40)], cells: (s) => board(s), lattice: (s) => `triangular:${s.join('x')}`},
  ],
  carbon: [
    {name: 'coronene', title: 'Coronene, larger', sizes: [size('side', 2, 20)], cells: ([n]) => inHexagon(n)},
    {name: 'acene', title: 'Rings in a row', sizes: [size('rings', 2, 60)], cells: ([n]) => board([1, n])},
    {name: 'pyrene', title: 'Pyrene', sizes: [], cells: () => named('0,0 1,0 1,1 2,1')},
    {name: 'kekulene', title: 'Kekulene', sizes: [], cells: () => hexagons(2, (r, c) => steps(r, c) === 2)},
    {name: 'triangulene', title: 'Triangulene', sizes: [size('side', 3, 20)], cells: ([n]) => board([n, n], (r, c) => c <= r)},
    {name: 'parallelogram', title: 'Parallelogram', sizes: [size('rows', 3, 40), size('columns', 4, 40)], cells: (s) => board(s)},
    {name: 'c60', title: 'C60, as a net', grid: 'c60', sizes: [], cells: () => Array.from({length: GRIDS.c60.atoms}, (_, k) => k)},
  ],
};

// The shape by a name such as aztec:20, with sizes within their bounds; null if there is none of that name.
export function shapeOf(family, text) {
  const [name, numbers = ''] = text.split(':');
  const shape = SHAPES[family]?.find((one) => one.name === name);
  if (!shape) return null;
  const given = numbers ? numbers.split('x').map(Number) : [];
  const sizes = shape.sizes.map((one, k) => Number.isInteger(given[k]) ? Math.min(one.most, Math.max(one.least, given[k])) : one.value);
  const exact = sizes.length ? `${name}:${sizes.join('x')}` : name;
  return {shape, sizes, text: exact, grid: shape.grid ?? family, cells: shape.cells(sizes)};
}
