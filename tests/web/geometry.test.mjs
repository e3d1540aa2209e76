// Grids and shapes: what is beside what, which cell is at a point, and how many cells shapes have.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {GRIDS, extentOf, keyOf, rowOf, columnOf, halfOf, hexagonCorners} from '../../web/page/geometry.js';
import {SHAPES, shapeOf} from '../../web/page/shapes.js';

const FAMILIES = ['square', 'triangular', 'hexagonal'];
const keysAround = (grid) => {
  const keys = [];
  for (let row = -4; row <= 4; ++row)
    for (let column = -4; column <= 4; ++column)
      for (const half of grid.name === 'triangular' ? [0, 1] : [0]) keys.push(keyOf(row, column, half));
  return keys;
};

test('a key is a row, a column and a half', () => {
  for (const [row, column, half] of [[0, 0, 0], [-7, 12, 1], [300, -300, 1], [-2040, 2040, 0]]) {
    const key = keyOf(row, column, half);
    assert.deepEqual([rowOf(key), columnOf(key), halfOf(key)], [row, column, half]);
  }
});

for (const name of [...FAMILIES, 'carbon']) {
  const grid = GRIDS[name];
  test(`${name}: a cell's centre is in the cell, and its corners are around it`, () => {
    for (const key of keysAround(grid)) {
      const [x, y] = grid.centre(key), corners = grid.corners(key);
      assert.equal(grid.at(x, y), key);
      let sumX = 0, sumY = 0;
      for (let k = 0; k < corners.length; k += 2) {
        sumX += corners[k] / (corners.length / 2);
        sumY += corners[k + 1] / (corners.length / 2);
        // A little inside of a corner is still the cell.
        assert.equal(grid.at(corners[k] + (x - corners[k]) * 1e-6, corners[k + 1] + (y - corners[k + 1]) * 1e-6), key);
        const next = (k + 2) % corners.length;
        assert.ok(Math.abs(Math.hypot(corners[next] - corners[k], corners[next + 1] - corners[k + 1]) - 1) < 1e-9, 'a side has length 1');
      }
      assert.ok(Math.hypot(sumX - x, sumY - y) < 1e-9);
    }
  });
}

for (const name of FAMILIES) {
  const grid = GRIDS[name];
  test(`${name}: neighbours share a side, and forward ones are half of all`, () => {
    const sides = (key) => {
      const corners = grid.corners(key), found = new Set();
      for (let k = 0; k < corners.length; k += 2) {
        const next = (k + 2) % corners.length;
        const ends = [[corners[k], corners[k + 1]], [corners[next], corners[next + 1]]].map(([a, b]) => `${Math.round(a * 1e6)},${Math.round(b * 1e6)}`).sort();
        found.add(ends.join(' '));
      }
      return found;
    };
    const key = keyOf(1, 2, 0);
    for (const one of name === 'triangular' ? [key, key + 1] : [key]) {
      const own = sides(one), all = grid.all(one);
      assert.equal(all.length, own.size);
      for (const other of all) assert.equal([...sides(other)].filter((side) => own.has(side)).length, 1);
      for (const other of all) assert.ok(grid.forward(one).includes(other) !== grid.forward(other).includes(one), 'each pair from one end only');
    }
  });
  test(`${name}: four steps of the cursor reach neighbours, and steps back return`, () => {
    for (const key of keysAround(grid)) {
      for (const [right, down] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        const there = grid.step(key, right, down), [x, y] = grid.centre(key), [a, b] = grid.centre(there);
        assert.ok(grid.all(key).includes(there));
        assert.ok(right ? Math.sign(a - x) === right : Math.sign(b - y) === down);
        assert.equal(grid.step(there, -right, -down), key);
      }
    }
  });
}

test('C60 has 60 atoms of three bonds each, and its net has no crossing', () => {
  const grid = GRIDS.c60, bonds = [];
  for (let key = 0; key < 60; ++key) {
    assert.equal(grid.near(key).length, 3);
    for (const other of grid.near(key)) {
      assert.ok(grid.near(other).includes(key));
      if (key < other) bonds.push([key, other]);
    }
    assert.equal(grid.at(...grid.centre(key)), key);
  }
  assert.equal(bonds.length, 90);
  const turn = (p, q, r) => Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
  for (const [a, b] of bonds)
    for (const [c, d] of bonds) {
      if (a === c || a === d || b === c || b === d) continue;
      const [p, q, r, s] = [a, b, c, d].map((key) => grid.centre(key));
      assert.ok(turn(p, q, r) === turn(p, q, s) || turn(r, s, p) === turn(r, s, q), `${a}-${b} crosses ${c}-${d}`);
    }
});

test('shapes have the cells that they should', () => {
  const count = (family, text) => shapeOf(family, text).cells.length;
  assert.equal(count('square', 'board:3x5'), 15);
  assert.equal(count('square', 'aztec:20'), 2 * 20 * 21);
  assert.equal(count('triangular', 'hexagon:2x3x4'), 2 * (6 + 8 + 12));
  assert.equal(count('hexagonal', 'honeycomb:4'), 36);
  assert.equal(count('carbon', 'coronene:2'), 7);
  assert.equal(count('carbon', 'kekulene'), 12);
  assert.equal(count('carbon', 'c60'), 60);
  assert.equal(shapeOf('square', 'nothing:3'), null);
  // Sizes out of bounds are moved to the nearest within.
  assert.equal(shapeOf('square', 'aztec:100000').text, 'aztec:300');
  assert.equal(shapeOf('square', 'aztec').text, 'aztec:20');
});

test('shapes to begin with have as many cells of each colour, so that there can be a tiling', () => {
  for (const family of FAMILIES)
    for (const shape of SHAPES[family]) {
      if (shape.name === 'corners') continue;  // the famous one without any
      const {cells} = shapeOf(family, shape.name), side = (key) => family === 'triangular' ? halfOf(key) : Math.abs(rowOf(key) + columnOf(key)) % 2;
      if (family === 'hexagonal') assert.equal(cells.length % 2, 0, shape.name);
      else assert.equal(2 * cells.filter(side).length, cells.length, shape.name);
    }
});

test('an extent has all corners in it', () => {
  assert.deepEqual(extentOf(GRIDS.square, [keyOf(0, 0), keyOf(2, 3)]), [0, 0, 4, 3]);
  assert.equal(hexagonCorners(keyOf(0, 0)).length, 6);
});
