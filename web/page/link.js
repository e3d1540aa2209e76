// A drawing as the fragment of a link, and back: nothing is sent to a server, since browsers keep what follows the #.
//
//   #grid=square&shape=aztec:20&weights=2,1&view=tiling      a shape that was not changed
//   #grid=square&box=0,0,8,8&cells=r...                      any other: runs of cells without and with, row by row, in base 36; or b...: a bit per cell
//   #file=name&options=--weights&text=...                    a graph that was pasted or dropped, if it is short
import {GRIDS, boxOf, columnOf, halfOf, inReach, keyOf, rowOf} from './geometry.js';
import {SHAPES, shapeOf} from './shapes.js';
import {isWeight} from './region.js';

const LONGEST_FILE = 60000;
const MOST_CELLS = 400000;

const toBase64 = (bytes) => {
  let text = '';
  for (let k = 0; k < bytes.length; k += 4096) text += String.fromCharCode(...bytes.subarray(k, k + 4096));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};
const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

function packed(bits) {
  const runs = [];
  let value = 0, length = 0;
  for (const bit of bits) {
    if (bit !== value) { runs.push(length.toString(36)); value = bit; length = 0; }
    ++length;
  }
  runs.push(length.toString(36));
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  bits.forEach((bit, k) => { if (bit) bytes[k >> 3] |= 1 << (k & 7); });
  const asRuns = `r${runs.join('.')}`, asBits = `b${toBase64(bytes)}`;
  return asRuns.length <= asBits.length ? asRuns : asBits;
}

function unpacked(text, count) {
  const bits = new Uint8Array(count);
  if (text[0] === 'b') {
    const bytes = fromBase64(text.slice(1));
    for (let k = 0; k < count; ++k) bits[k] = bytes[k >> 3] >> (k & 7) & 1;
  } else if (text[0] === 'r') {
    let at = 0, value = 0;
    for (const run of text.slice(1).split('.')) {
      const length = parseInt(run, 36);
      if (!(length >= 0) || at + length > count) throw new Error('runs that do not fit');
      bits.fill(value, at, at + length);
      at += length;
      value = 1 - value;
    }
  } else {
    throw new Error('cells of an unknown kind');
  }
  return bits;
}

// Null: the file is too long for a link.
export function linkOf(drawing, view) {
  const parts = [];
  if (drawing.family === 'file') {
    if (drawing.bytes.length > LONGEST_FILE) return null;
    parts.push(`file=${encodeURIComponent(drawing.name)}`);
    if (drawing.options.length) parts.push(`options=${drawing.options.join(',')}`);
    parts.push(`text=${toBase64(drawing.bytes)}`);
  } else {
    parts.push(`grid=${drawing.family}`);
    if (drawing.shape) {
      parts.push(`shape=${drawing.shape}`);
    } else if (drawing.grid === 'c60') {
      parts.push('shape=c60', `cells=${packed(Array.from({length: GRIDS.c60.atoms}, (_, k) => drawing.cells.has(k) ? 1 : 0))}`);
    } else if (drawing.cells.size) {
      const [top, bottom, left, right] = boxOf(drawing.cells), rows = bottom - top + 1, columns = right - left + 1;
      const halves = drawing.grid === 'triangular' ? 2 : 1, bits = new Uint8Array(rows * columns * halves);
      for (const key of drawing.cells) bits[((rowOf(key) - top) * columns + columnOf(key) - left) * halves + halfOf(key)] = 1;
      parts.push(`box=${[top, left, rows, columns].join(',')}`, `cells=${packed(bits)}`);
    }
    if (drawing.weights.some((weight) => weight !== '1')) parts.push(`weights=${drawing.weights.join(',')}`);
  }
  if (view && view !== 'region') parts.push(`view=${view}`);
  return `#${parts.join('&')}`;
}

// {drawing, view}; null where the fragment says nothing, and an Error where it says something that is no drawing.
export function drawingOf(fragment) {
  const parts = new Map(fragment.replace(/^#/, '').split('&').filter(Boolean).map((part) => {
    const at = part.indexOf('=');
    return [part.slice(0, at), part.slice(at + 1)];
  }));
  const view = parts.get('view') ?? 'region';
  if (parts.has('file')) {
    const options = (parts.get('options') ?? '').split(',').filter((word) => /^--(weights|kind|bipartite|directed|undirected)$|^(bipartite|directed|undirected)$/.test(word));
    return {view, drawing: {family: 'file', grid: 'file', name: decodeURIComponent(parts.get('file')).replace(/[/\\]/g, '_') || 'graph.txt', options,
      bytes: fromBase64(parts.get('text') ?? ''), cells: new Set(), shape: null, weights: []}};
  }
  if (!parts.has('grid')) return null;
  const family = parts.get('grid');
  if (!Object.hasOwn(SHAPES, family)) throw new Error(`there is no grid '${family}'`);
  let drawing;
  const known = parts.has('shape') ? shapeOf(family, parts.get('shape')) : null;
  if (known) {
    drawing = {family, grid: known.grid, shape: known.text, cells: new Set(known.cells)};
    if (known.grid === 'c60' && parts.has('cells')) {
      const bits = unpacked(parts.get('cells'), GRIDS.c60.atoms);
      drawing.cells = new Set(known.cells.filter((key) => bits[key]));
      drawing.shape = null;
    }
  } else if (parts.has('shape')) {
    throw new Error(`there is no shape '${parts.get('shape')}'`);
  } else {
    drawing = {family, grid: family, shape: null, cells: new Set()};
    if (parts.has('cells')) {
      const [top, left, rows, columns] = (parts.get('box') ?? '').split(',').map(Number), halves = family === 'triangular' ? 2 : 1;
      if (![top, left, rows, columns].every(Number.isInteger) || rows < 1 || columns < 1 || rows * columns * halves > MOST_CELLS || !inReach(top, left)
          || !inReach(top + rows, left + columns)) throw new Error('a box that is none');
      unpacked(parts.get('cells'), rows * columns * halves).forEach((bit, k) => {
        const place = Math.floor(k / halves);
        if (bit) drawing.cells.add(keyOf(top + Math.floor(place / columns), left + place % columns, k % halves));
      });
    }
  }
  const count = GRIDS[drawing.grid].directions.length, given = (parts.get('weights') ?? '').split(',');
  drawing.weights = Array.from({length: count}, (_, k) => given.length === count && isWeight(given[k]) ? given[k] : '1');
  return {drawing, view};
}
