// What the program wrote, as numbers; and surfaces of lozenge tilings.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {digitsOf, duration, edgesAtVertices, edgesOfSample, grouped, powerOfTen, probabilitiesOf} from '../../web/page/answers.js';
import {surfaceOf} from '../../web/page/heights.js';
import {svgOf} from '../../web/page/scene.js';
import {probabilityPicture, regionPicture, tilingPicture} from '../../web/page/pictures.js';
import {themeOf} from '../../web/page/colours.js';
import {keyOf} from '../../web/page/geometry.js';
import {graphOf} from '../../web/page/region.js';
import {shapeOf} from '../../web/page/shapes.js';

const drawn = (family, text) => {
  const {grid, cells} = shapeOf(family, text);
  return {family, grid, shape: null, cells: new Set(cells), weights: []};
};
const withEdges = (drawing) => {
  const graph = graphOf(drawing);
  graph.edges = edgesAtVertices(graph);
  return graph;
};

test('samples and probabilities are those of the drawing\'s edges', () => {
  const graph = withEdges(drawn('square', 'board:2x2'));
  assert.deepEqual(edgesOfSample(graph, 'r0c0 r0c1\tr1c1 r1c0\n').map((edge) => graph.directions[edge]), [0, 0]);
  assert.equal(edgesOfSample(graph, ''), null);
  const {values, texts} = probabilitiesOf(graph, 'r0c0 r0c1 1/4\nr1c0 r0c0 0.75\n');
  assert.deepEqual([...values].sort(), [0, 0, 0.25, 0.75]);
  assert.ok(texts.includes('1/4'));
  assert.throws(() => edgesOfSample(graph, 'r0c0 r1c1\n'), /which the drawing has not/);
});

test('numbers are readable', () => {
  assert.equal(grouped('12988816'), '12\u2009988\u2009816');
  assert.equal(grouped('1234'), '1234');
  assert.equal(grouped('12345/6789'), '12\u2009345/6789');
  assert.equal(digitsOf('-120'), 3);
  assert.deepEqual(powerOfTen(3), ['1.00', 3]);
  assert.deepEqual(powerOfTen(2.9999999), ['1.00', 3]);
  assert.deepEqual(powerOfTen(7.11357), ['1.30', 7]);
  assert.equal(duration(0.0123), '12 ms');
  assert.equal(duration(61), '61 s');
  assert.equal(duration(90000), '25 hours');
});

// All tilings of a small region, as edges.
function matchings(graph) {
  const near = graph.labels.map(() => []), found = [], used = new Uint8Array(graph.labels.length), edges = [];
  for (let k = 0; k < graph.directions.length; ++k) {
    near[graph.ends[2 * k]].push([graph.ends[2 * k + 1], k]);
    near[graph.ends[2 * k + 1]].push([graph.ends[2 * k], k]);
  }
  const rest = (from) => {
    while (from < used.length && used[from]) ++from;
    if (from === used.length) { found.push([...edges]); return; }
    used[from] = 1;
    for (const [other, edge] of near[from]) {
      if (used[other]) continue;
      used[other] = 1;
      edges.push(edge);
      rest(from + 1);
      edges.pop();
      used[other] = 0;
    }
    used[from] = 0;
  };
  rest(0);
  return found;
}

test('a lozenge tiling is a stack of cubes: each lozenge a unit square at right angles to its axis', () => {
  const graph = withEdges(drawn('triangular', 'hexagon:2x2x2')), all = matchings(graph), volumes = new Map();
  assert.equal(all.length, 20);
  for (const matching of all) {
    const {faces} = surfaceOf(graph, matching);
    let volume = 0;
    for (const {direction, corners} of faces) {
      const spread = [0, 1, 2].map((axis) => Math.max(...corners.map((p) => p[axis])) - Math.min(...corners.map((p) => p[axis])));
      assert.deepEqual(spread, [[1, 1, 0], [0, 1, 1], [1, 0, 1]][direction]);
      if (direction === 0) volume += corners[0][2];
    }
    volumes.set(volume, (volumes.get(volume) ?? 0) + 1);
  }
  // Plane partitions in a 2 x 2 x 2 box by their size: 1, 1, 3, 3, 4, 3, 3, 1, 1.
  const least = Math.min(...volumes.keys());
  assert.deepEqual([...Array(9).keys()].map((n) => volumes.get(least + n)), [1, 1, 3, 3, 4, 3, 3, 1, 1]);
});

test('around a hole of one triangle of each kind apart, heights need not close', () => {
  const drawing = drawn('triangular', 'strip:5x5');
  drawing.cells.delete(keyOf(1, 1, 0));
  drawing.cells.delete(keyOf(3, 3, 1));
  const graph = withEdges(drawing), [first] = [matchings(graph)[0]];
  assert.ok(first);
  assert.equal(surfaceOf(graph, first), null);
});

test('pictures are files that say what they show', () => {
  const theme = themeOf(false);
  for (const [family, text] of [['square', 'board:2x3'], ['triangular', 'hexagon:1x1x1'], ['hexagonal', 'rhombus:2x2'], ['carbon', 'acene:2'], ['carbon', 'c60']]) {
    const drawing = drawn(family, text), graph = withEdges(drawing), matching = family === 'carbon' && text === 'c60' ? [] : matchings(graph)[0];
    const values = Float64Array.from(graph.directions, (_, k) => k / graph.directions.length), texts = Array.from(values, String);
    for (const layers of [regionPicture(drawing, graph, theme, null), tilingPicture(drawing, graph, matching, theme),
      probabilityPicture(drawing, graph, {values, texts}, theme).layers]) {
      const svg = svgOf(layers, [0, 0, 4, 4], {title: 'a < b', description: 'd & e', ground: '#ffffff'});
      assert.match(svg, /<title>a &lt; b<\/title>/);
      assert.match(svg, /<path /);
      assert.doesNotMatch(svg, /NaN|undefined/);
    }
  }
});

test('tiles cover the region: their areas add up', () => {
  const area = (points, corners) => {
    let sum = 0;
    for (let k = 0; k < points.length; k += 2 * corners) {
      let twice = 0;
      for (let n = 0; n < corners; ++n) {
        const m = (n + 1) % corners;
        twice += points[k + 2 * n] * points[k + 2 * m + 1] - points[k + 2 * m] * points[k + 2 * n + 1];
      }
      sum += Math.abs(twice) / 2;
    }
    return sum;
  };
  for (const [family, text, expected] of [['square', 'board:4x4', 16], ['triangular', 'hexagon:2x2x2', 24 * Math.sqrt(3) / 4], ['hexagonal', 'rhombus:2x4', 8 * 1.5 * Math.sqrt(3)]]) {
    const drawing = drawn(family, text), graph = withEdges(drawing), layers = tilingPicture(drawing, graph, matchings(graph)[0], themeOf(false));
    const sum = layers.reduce((total, {points, corners}) => total + area(points, corners), 0);
    assert.ok(Math.abs(sum - expected) < 1e-9, `${family}: ${sum}`);
  }
});
