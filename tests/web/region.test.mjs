// A drawing as the program's input: vertices, edges with directions, weights, lattices and benzenoids by name.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {keyOf} from '../../web/page/geometry.js';
import {benzenoidOf, cellsOfBoard, edgeListOf, graphOf, inputOf, isWeight, latticeOf} from '../../web/page/region.js';
import {shapeOf} from '../../web/page/shapes.js';

const drawn = (family, text, weights) => {
  const {grid, cells, text: shape} = shapeOf(family, text);
  const count = {square: 2, triangular: 3, hexagonal: 3, carbon: 3, c60: 0}[grid];
  return {family, grid, shape, cells: new Set(cells), weights: weights ?? new Array(count).fill('1')};
};
const changed = (drawing, change) => {
  const result = {...drawing, cells: new Set(drawing.cells), shape: null};
  change(result.cells);
  return result;
};

// Perfect matchings by taking the first vertex's edges in turn: the oracle of these tests.
function countOf(graph) {
  const near = graph.labels.map(() => []);
  for (let k = 0; k < graph.directions.length; ++k) {
    near[graph.ends[2 * k]].push(graph.ends[2 * k + 1]);
    near[graph.ends[2 * k + 1]].push(graph.ends[2 * k]);
  }
  const used = new Uint8Array(graph.labels.length);
  const rest = (from) => {
    while (from < used.length && used[from]) ++from;
    if (from === used.length) return 1;
    let sum = 0;
    used[from] = 1;
    for (const other of near[from]) {
      if (used[other]) continue;
      used[other] = 1;
      sum += rest(from + 1);
      used[other] = 0;
    }
    used[from] = 0;
    return sum;
  };
  return rest(0);
}

test('graphs of shapes have the known numbers of perfect matchings', () => {
  for (const [family, text, count] of [['square', 'board:4x4', 36], ['square', 'board:4x7', 781], ['square', 'aztec:3', 64], ['square', 'corners:6', 0],
    ['triangular', 'hexagon:2x2x2', 20], ['triangular', 'hexagon:1x2x3', 10], ['carbon', 'acene:2', 3], ['carbon', 'coronene:2', 20], ['carbon', 'pyrene', 6],
    ['carbon', 'triangulene:3', 0], ['carbon', 'acene:6', 7]]) assert.equal(countOf(graphOf(drawn(family, text))), count, `${family} ${text}`);
});

test('an edge list has labels from row 0 and column 0, wherever the drawing is', () => {
  const drawing = {family: 'square', grid: 'square', shape: null, weights: ['1', '1'], cells: new Set([keyOf(-5, 7), keyOf(-5, 8), keyOf(-4, 7)])};
  assert.equal(edgeListOf(drawing), '# undirected graph, 3 vertices, 2 edges\n#! vertex r0c0\n#! vertex r0c1\nr0c0 r0c1\nr0c0 r1c0\n');
  assert.equal(edgeListOf({...drawing, weights: ['2/3', '0.5']}), '# undirected graph, 3 vertices, 2 edges\n#! vertex r0c0\n#! vertex r0c1\nr0c0 r0c1 2/3\nr0c0 r1c0 0.5\n');
});

test('a cell without neighbours is a vertex all the same', () => {
  const drawing = {family: 'square', grid: 'square', shape: null, weights: ['1', '1'], cells: new Set([keyOf(0, 0), keyOf(5, 5)])};
  assert.equal(edgeListOf(drawing), '# undirected graph, 2 vertices, 0 edges\n#! vertex r0c0\n#! vertex r5c5\n');
});

test('directions are those of the lattices', () => {
  const triangles = graphOf(drawn('triangular', 'hexagon:1x1x1'));
  assert.equal(triangles.labels.length, 6);
  for (let k = 0; k < triangles.directions.length; ++k) {
    const [a, b] = [triangles.labels[triangles.ends[2 * k]], triangles.labels[triangles.ends[2 * k + 1]]].map((label) => label.match(/r(\d+)c(\d+)(.)/).slice(1));
    assert.deepEqual([a[2], b[2]], ['a', 'b']);
    assert.deepEqual([[0, 0], [0, -1], [-1, 0]][triangles.directions[k]], [b[0] - a[0], b[1] - a[1]]);
  }
  const benzene = graphOf(drawn('carbon', 'acene:1'));
  assert.deepEqual([0, 1, 2].map((direction) => benzene.directions.filter((d) => d === direction).length), [2, 2, 2]);
});

test('lattices are named where there is one, also of a board that was drawn', () => {
  assert.equal(latticeOf(drawn('square', 'aztec:7')), 'lattice:aztec:7');
  assert.equal(latticeOf(drawn('triangular', 'hexagon:2x3x4')), 'lattice:hexagon:2x3x4');
  assert.equal(latticeOf(drawn('hexagonal', 'rhombus:4x6')), 'lattice:triangular:4x6');
  const board = changed(drawn('square', 'board:3x4'), () => {});
  assert.equal(latticeOf(board), 'lattice:square:3x4');
  assert.equal(latticeOf(changed(board, (cells) => cells.delete(keyOf(1, 1)))), null);
  assert.deepEqual(inputOf(drawn('square', 'aztec:2', ['2', '1/3'])).words, ['lattice:aztec:2:weights=2,1/3']);
});

test('a board is read', () => {
  const ring = changed(drawn('square', 'board:3x3'), (cells) => cells.delete(keyOf(1, 1)));
  assert.deepEqual(inputOf(ring).words, ['region.edgelist']);
  assert.deepEqual([...cellsOfBoard('###\n#.#\n###\n', keyOf)].sort(), [...ring.cells].sort());
  assert.equal(cellsOfBoard('a b\nb c\n', keyOf), null);
  assert.equal(cellsOfBoard('0110\n1001\n', keyOf), null);
});

test('benzenoids are named by coordinates where all rings hang together', () => {
  assert.equal(benzenoidOf(drawn('carbon', 'acene:2')), 'lattice:benzenoid:0,0+1,0');
  const apart = changed(drawn('carbon', 'acene:1'), (cells) => cells.add(keyOf(4, 4)));
  assert.equal(benzenoidOf(apart), null);
  assert.deepEqual(inputOf(apart).shown, ['region.edgelist']);
});

test('weights are whole numbers, fractions and decimals, and nothing else', () => {
  for (const good of ['1', '0', '12', '2/3', '0.25', '10.5']) assert.ok(isWeight(good), good);
  for (const bad of ['', '-1', '1/0', 'x', '1e5', '1,5', '.5', '2/', '1 ', '$(rm)', '1234567890']) assert.ok(!isWeight(bad), bad);
});

test('names of files are quoted for a shell', () => {
  const file = {family: 'file', grid: 'file', name: "it's a graph.txt", options: ['--weights'], bytes: new Uint8Array(), cells: new Set(), weights: []};
  assert.deepEqual(inputOf(file).shown, ["'it'\\''s a graph.txt'", '--weights']);
});
