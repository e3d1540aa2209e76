// Links hold drawings: what is written is read again, and what is no drawing is refused.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {GRIDS, keyOf} from '../../web/page/geometry.js';
import {drawingOf, linkOf} from '../../web/page/link.js';
import {shapeOf} from '../../web/page/shapes.js';

const drawn = (family, text) => {
  const {grid, cells, text: shape} = shapeOf(family, text);
  return {family, grid, shape, cells: new Set(cells), weights: GRIDS[grid].directions.map(() => '1')};
};
const sorted = (cells) => [...cells].sort((a, b) => a - b);

test('a shape is a short link', () => {
  assert.equal(linkOf(drawn('square', 'aztec:20'), 'tiling'), '#grid=square&shape=aztec:20&view=tiling');
  const {drawing, view} = drawingOf('#grid=square&shape=aztec:20&weights=2,1/3&view=tiling');
  assert.equal(view, 'tiling');
  assert.equal(drawing.cells.size, 840);
  assert.deepEqual(drawing.weights, ['2', '1/3']);
});

test('any drawing comes back, on every grid, few cells or many', () => {
  let random = 12345;
  const next = () => (random = (random * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (const family of ['square', 'triangular', 'hexagonal', 'carbon'])
    for (const share of [0.02, 0.5, 0.98]) {
      const cells = new Set();
      for (let row = -7; row < 20; ++row)
        for (let column = -20; column < 9; ++column)
          for (const half of family === 'triangular' ? [0, 1] : [0])
            if (next() < share) cells.add(keyOf(row, column, half));
      const drawing = {family, grid: family, shape: null, cells, weights: GRIDS[family].directions.map((_, k) => `${k + 1}/7`)};
      const back = drawingOf(linkOf(drawing, 'region'));
      assert.deepEqual(sorted(back.drawing.cells), sorted(cells));
      assert.deepEqual(back.drawing.weights, drawing.weights);
      assert.equal(back.view, 'region');
    }
});

test('C60 without some atoms, an empty drawing, and a file come back', () => {
  const c60 = {...drawn('carbon', 'c60'), shape: null};
  c60.cells.delete(7);
  c60.cells.delete(59);
  assert.deepEqual(sorted(drawingOf(linkOf(c60, 'region')).drawing.cells), sorted(c60.cells));
  assert.equal(drawingOf(linkOf({...drawn('square', 'board'), shape: null, cells: new Set()}, 'region')).drawing.cells.size, 0);
  const file = {family: 'file', grid: 'file', name: 'Zürich.edges', options: ['--kind', 'directed'], bytes: new TextEncoder().encode('ä ö\n'), cells: new Set(), weights: []};
  const back = drawingOf(linkOf(file, 'tiling')).drawing;
  assert.deepEqual([back.name, back.options, [...back.bytes]], [file.name, file.options, [...file.bytes]]);
  assert.equal(linkOf({...file, bytes: new Uint8Array(100000)}, 'tiling'), null);
});

test('a link may bring nothing but a drawing', () => {
  assert.equal(drawingOf(''), null);
  for (const bad of ['#grid=cubes', '#grid=square&shape=nothing', '#grid=square&box=0,0,3,3&cells=r1.zzzzz', '#grid=square&box=0,0,99999,99999&cells=r1',
    '#grid=square&box=a,b,c,d&cells=r9', '#grid=square&box=0,0,2,2&cells=q', '#grid=__proto__']) assert.throws(() => drawingOf(bad), Error, bad);
  // Options of files are from a list, and their names no paths.
  const {drawing} = drawingOf('#file=..%2Fa&options=--weights,--output,x,--kind,directed&text=YSBiCg');
  assert.deepEqual(drawing.options, ['--weights', '--kind', 'directed']);
  assert.equal(drawing.name, '.._a');
  // Weights that are none are 1.
  assert.deepEqual(drawingOf('#grid=square&shape=board:2x2&weights=-1,x').drawing.weights, ['1', '1']);
});
