// A lozenge tiling as a surface of unit squares in space (W. P. Thurston's height functions): a stack of cubes.
//
// Corners of the grid are lifted along sides of tiles, where no lozenge is crossed: a row down is a step along x, a column up one back along y,
// and the side from (r, c) to (r + 1, c - 1) one down. Around a hole of the wrong kind the steps do not close, and there is no surface.
import {columnOf, keyOf, rowOf} from './geometry.js';

const STEPS = [[[0, 0], [0, 1], [0, -1, 0]], [[0, 0], [1, 0], [1, 0, 0]], [[0, 1], [1, 0], [0, 0, -1]]];
// Sides of a triangle a, from its corner (r, c), and of b, which has (r + 1, c + 1) instead.
const SIDES = [STEPS, [[[0, 1], [1, 1], [1, 0, 0]], [[1, 0], [1, 1], [0, -1, 0]], [[0, 1], [1, 0], [0, 0, -1]]]];
// The side that a lozenge of each direction covers, as a side of its triangle a.
const COVERED = [2, 1, 0];

// {faces: [{direction, corners: four points}]}; null if there is no surface. O(triangles).
export function surfaceOf(graph, matching) {
  const covered = new Set();
  for (const edge of matching) covered.add(graph.cells[graph.ends[2 * edge]] * 3 + COVERED[graph.directions[edge]]);
  // The a beside a side may be missing, so that sides are known by their ends.
  const sideOf = (key, [from, to]) => {
    const row = rowOf(key), column = columnOf(key);
    return [keyOf(row + from[0], column + from[1]), keyOf(row + to[0], column + to[1])];
  };
  const inside = new Set();
  for (const one of covered) {
    const [from, to] = sideOf(Math.floor(one / 3), STEPS[one % 3]);
    inside.add(`${from} ${to}`);
  }
  const links = new Map(), link = (from, to, step) => {
    if (!links.has(from)) links.set(from, []);
    links.get(from).push([to, step]);
  };
  for (const key of graph.cells) {
    for (const side of SIDES[key % 2]) {
      const [from, to] = sideOf(key, side);
      if (inside.has(`${from} ${to}`)) continue;
      link(from, to, side[2]);
      link(to, from, side[2].map((x) => -x));
    }
  }
  const places = new Map();
  // From the first corner of each piece, which is on its border, so that all tilings have it at the same place.
  for (const start of [...links.keys()].sort((a, b) => a - b)) {
    if (places.has(start)) continue;
    places.set(start, [rowOf(start), -columnOf(start), 0]);
    const waiting = [start];
    while (waiting.length) {
      const from = waiting.pop(), place = places.get(from);
      for (const [to, step] of links.get(from)) {
        const there = [place[0] + step[0], place[1] + step[1], place[2] + step[2]], known = places.get(to);
        if (!known) {
          places.set(to, there);
          waiting.push(to);
        } else if (known.some((x, k) => x !== there[k])) {
          return null;
        }
      }
    }
  }
  const faces = matching.map((edge) => {
    const key = graph.cells[graph.ends[2 * edge]], direction = graph.directions[edge], row = rowOf(key), column = columnOf(key);
    const around = [[[0, 0], [0, 1], [1, 1], [1, 0]], [[0, 0], [0, 1], [1, 0], [1, -1]], [[0, 0], [-1, 1], [0, 1], [1, 0]]][direction];
    return {direction, corners: around.map(([r, c]) => places.get(keyOf(row + r, column + c)))};
  });
  return {faces};
}

// The faces as they are seen from a direction, the farthest first: {points: four per face, order}. turn and tilt in radians; orthographic.
export function seenFrom({faces}, turn, tilt) {
  const cosTurn = Math.cos(turn), sinTurn = Math.sin(turn), cosTilt = Math.cos(tilt), sinTilt = Math.sin(tilt);
  const across = ([x, y]) => x * cosTurn - y * sinTurn, away = ([x, y]) => x * sinTurn + y * cosTurn;
  const points = new Float64Array(8 * faces.length), depth = new Float64Array(faces.length);
  faces.forEach(({corners}, k) => {
    corners.forEach((corner, n) => {
      points[8 * k + 2 * n] = across(corner);
      points[8 * k + 2 * n + 1] = away(corner) * sinTilt - corner[2] * cosTilt;
      depth[k] += away(corner) * cosTilt + corner[2] * sinTilt;
    });
  });
  const order = Array.from(faces, (_, k) => k).sort((a, b) => depth[a] - depth[b]);
  return {points, order};
}
