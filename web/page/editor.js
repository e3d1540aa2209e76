// What is drawn, and what strokes, keys, shapes and undoing make of it.
import {GRIDS, columnOf, inReach, rowOf} from './geometry.js';
import {shapeOf} from './shapes.js';

const MOST_UNDONE = 200;
const STEP = 0.25;  // how close the points of a stroke are, in sides of a cell

export const drawnFrom = (family, text) => {
  const {grid, text: shape, cells} = shapeOf(family, text);
  return {family, grid, shape, cells: new Set(cells), weights: GRIDS[grid].directions.map(() => '1')};
};
const copyOf = (drawing) => ({...drawing, cells: new Set(drawing.cells), weights: [...drawing.weights]});

export class Editor {
  // sketched(): cells changed in a stroke that goes on; changed({fits}): the drawing is another one, and `fits` if it shall be all in view.
  constructor(drawing, {sketched, changed}) {
    this.drawing = drawing;
    this.sketched = sketched;
    this.changed = changed;
    this.undone = [];
    this.redone = [];
    this.stroke = null;
    this.cursor = null;
  }

  get isFile() { return this.drawing.family === 'file'; }

  // Draws or erases along a line, or the given cells.
  paint(line, tool, begins, keys = []) {
    if (this.isFile) return;
    if (begins) this.stroke = {tool, before: copyOf(this.drawing), changed: false};
    if (!this.stroke) return;
    const {drawing} = this, grid = GRIDS[drawing.grid], cells = [...keys];
    if (line) {
      const [[x0, y0], [x1, y1]] = line, count = Math.max(1, Math.ceil(Math.hypot(x1 - x0, y1 - y0) / STEP));
      for (let k = 0; k <= count; ++k) cells.push(grid.at(x0 + (x1 - x0) * k / count, y0 + (y1 - y0) * k / count));
    }
    let changed = false;
    for (const key of cells) {
      if (!this.isCell(key)) continue;
      if (this.stroke.tool === 'erase' ? drawing.cells.delete(key) : !drawing.cells.has(key) && drawing.cells.add(key)) changed = true;
    }
    if (!changed) return;
    this.stroke.changed = true;
    drawing.shape = null;
    this.sketched();
  }

  isCell(key) { return this.drawing.grid === 'c60' ? key >= 0 : inReach(rowOf(key), columnOf(key)); }

  endStroke() {
    const done = this.stroke;
    this.stroke = null;
    if (!done?.changed) return;
    this.remember(done.before);
    this.changed({});
  }

  // As if the stroke had not begun.
  cancelStroke() {
    const dropped = this.stroke;
    this.stroke = null;
    if (!dropped?.changed) return;
    this.drawing = dropped.before;
    this.changed({});
  }

  remember(before) {
    this.undone.push(before);
    if (this.undone.length > MOST_UNDONE) this.undone.shift();
    this.redone = [];
  }

  replace(next) {
    this.remember(copyOf(this.drawing));
    this.drawing = next;
    this.cursor = null;
    this.changed({fits: true});
  }

  weigh(direction, weight) {
    if (this.drawing.weights[direction] === weight) return;
    this.drawing.weights[direction] = weight;
    this.changed({});
  }

  undo() { this.restore(this.undone, this.redone); }
  redo() { this.restore(this.redone, this.undone); }
  restore(from, to) {
    const last = from.pop();
    if (!last) return;
    to.push(copyOf(this.drawing));
    const fits = last.family !== this.drawing.family || last.grid !== this.drawing.grid;
    this.drawing = last;
    this.cursor = null;
    this.changed({fits});
  }

  // Moves the cursor by a step; the first one puts it on a cell that is drawn, or else in the middle of what is seen.
  moveCursor([right, down], [left, top, right2, bottom]) {
    const {drawing} = this, grid = GRIDS[drawing.grid];
    if (this.cursor === null) {
      this.cursor = drawing.grid === 'c60' ? 0 : drawing.cells.size ? [...drawing.cells][0] : grid.at((left + right2) / 2, (top + bottom) / 2);
      return;
    }
    const next = grid.step(this.cursor, right, down);
    if (this.isCell(next)) this.cursor = next;
  }

  // Draws the cell under the cursor, or erases it; without a tool, whichever it is not.
  pressCursor(tool = null) {
    this.cursor ??= this.drawing.cells.size ? [...this.drawing.cells][0] : GRIDS[this.drawing.grid].at(0.5, 0.5);
    this.paint(null, tool ?? (this.drawing.cells.has(this.cursor) ? 'erase' : 'draw'), true, [this.cursor]);
    this.endStroke();
  }

  // Where the cursor is, in words.
  get whereabouts() {
    const {drawing, cursor} = this, where = drawing.grid === 'c60' ? `atom ${cursor + 1}` : `${GRIDS[drawing.grid].cell}, row ${rowOf(cursor)}, column ${columnOf(cursor)}`;
    return `${where}: ${drawing.cells.has(cursor) ? 'drawn' : 'empty'}`;
  }
}
