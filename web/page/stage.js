// The canvas: what part of the plane it shows, and what mouse, fingers and keys do to it.
import {paint} from './scene.js';

const LEAST_SCALE = 0.3;
const MOST_SCALE = 120;

export class Stage {
  // handlers: cellsAlong(line, tool, begins), drawn(), cancelled(), tap(point), hover(point), turn(dx, dy), cursor(step, draws), press(), moved(extent), above()
  constructor(canvas, handlers) {
    this.canvas = canvas;
    this.handlers = handlers;
    this.view = {scale: 20, x: 0, y: 0};
    this.below = [];
    this.layers = [];
    this.tool = 'draw';
    this.mode = 'region';
    this.pointers = new Map();
    this.waiting = false;
    this.extent = [0, 0, 12, 9];
    this.touched = false;
    new ResizeObserver(() => this.resize()).observe(canvas);
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, (event) => this.up(event));
    canvas.addEventListener('pointerleave', () => handlers.hover(null));
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.04 : 0.0016)), event.offsetX, event.offsetY);
    }, {passive: false});
    canvas.addEventListener('keydown', (event) => this.key(event));
    for (const change of ['focus', 'blur']) canvas.addEventListener(change, () => this.draw());
  }

  get width() { return this.canvas.clientWidth; }
  get height() { return this.canvas.clientHeight; }

  resize() {
    const ratio = window.devicePixelRatio || 1, width = Math.round(this.width * ratio), height = Math.round(this.height * ratio);
    if (!width || !height) return;
    const before = [this.canvas.width, this.canvas.height];
    if (before[0] === width && before[1] === height) return;
    this.canvas.width = width;
    this.canvas.height = height;
    this.fit();
  }

  // All of the extent in view, clear of the tools above and, on a phone, below.
  fit(extent = this.extent) {
    this.extent = extent;
    const narrow = this.width < 520, margin = narrow ? 12 : 22, top = narrow && this.mode !== 'region' ? margin : 58, bottom = narrow || this.mode === 'probabilities' ? 52 : margin, width = extent[2] - extent[0] || 1, height = extent[3] - extent[1] || 1;
    const scale = Math.min((this.width - 2 * margin) / width, (this.height - top - bottom) / height, 90);
    this.view.scale = Math.max(LEAST_SCALE, scale);
    this.view.x = this.width / 2 - this.view.scale * (extent[0] + extent[2]) / 2;
    this.view.y = (this.height + top - bottom) / 2 - this.view.scale * (extent[1] + extent[3]) / 2;
    this.moved();
    this.touched = false;
  }

  // The extent of what is shown now. A surface has a plane of its own: the picture is fitted where one takes the place of the other.
  frame(extent, plane) {
    if (plane === (this.plane ?? 'plane')) {
      if (plane === 'plane') this.extent = extent;
      return;
    }
    this.plane = plane;
    this.fit(extent);
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, this.view.scale * factor)), share = scale / this.view.scale;
    this.view.x = x - (x - this.view.x) * share;
    this.view.y = y - (y - this.view.y) * share;
    this.view.scale = scale;
    this.moved();
  }

  pan(dx, dy) {
    this.view.x += dx;
    this.view.y += dy;
    this.moved();
  }

  // touched: what is in view was chosen by hand.
  moved() {
    this.touched = true;
    this.handlers.moved(this.inView());
    this.draw();
  }

  inView() {
    const {scale, x, y} = this.view;
    return [-x / scale, -y / scale, (this.width - x) / scale, (this.height - y) / scale];
  }

  // Moves the picture as little as is needed for a point to be in view.
  show([x, y]) {
    const px = x * this.view.scale + this.view.x, py = y * this.view.scale + this.view.y, margin = 40;
    const dx = Math.max(margin - px, 0) || Math.min(this.width - margin - px, 0), dy = Math.max(60 - py, 0) || Math.min(this.height - margin - py, 0);
    if (dx || dy) this.pan(dx, dy);
  }

  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      const context = this.canvas.getContext('2d'), ratio = window.devicePixelRatio || 1;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.fillStyle = this.ground;
      context.fillRect(0, 0, this.width, this.height);
      paint(context, this.below, this.view);
      paint(context, this.layers, this.view);
      paint(context, this.handlers.above(), this.view);
    });
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [(event.clientX - box.left - this.view.x) / this.view.scale, (event.clientY - box.top - this.view.y) / this.view.scale];
  }

  down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({preventScroll: true});
    this.pointers.set(event.pointerId, {x: event.clientX, y: event.clientY, from: [event.clientX, event.clientY], far: false});
    if (this.pointers.size > 1) {
      // What the first of two fingers drew was not meant.
      this.handlers.cancelled();
      this.drawing = false;
      return;
    }
    const erases = event.button === 2 || event.shiftKey;
    this.drawing = this.mode === 'region' && this.tool !== 'move' && event.button !== 1;
    if (this.drawing) {
      this.last = this.at(event);
      this.handlers.cellsAlong([this.last, this.last], erases ? 'erase' : this.tool, true);
    }
  }

  move(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) {
      this.handlers.hover(this.at(event));
      return;
    }
    const dx = event.clientX - pointer.x, dy = event.clientY - pointer.y, others = [...this.pointers].filter(([id]) => id !== event.pointerId);
    if (Math.hypot(event.clientX - pointer.from[0], event.clientY - pointer.from[1]) > 5) pointer.far = true;
    if (others.length) {
      // Two fingers: the picture follows both.
      const other = others[0][1], before = Math.hypot(pointer.x - other.x, pointer.y - other.y), box = this.canvas.getBoundingClientRect();
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      pointer.far = other.far = true;
      this.pan(dx / 2, dy / 2);
      if (before > 0) this.zoom(after / before, (event.clientX + other.x) / 2 - box.left, (event.clientY + other.y) / 2 - box.top);
    } else if (this.drawing) {
      for (const step of event.getCoalescedEvents?.() ?? [event]) {
        const point = this.at(step);
        this.handlers.cellsAlong([this.last, point], null, false);
        this.last = point;
      }
    } else if (pointer.far) {
      if (this.mode === 'surface') this.handlers.turn(dx, dy);
      else this.pan(dx, dy);
    } else {
      return;
    }
    pointer.x = event.clientX;
    pointer.y = event.clientY;
  }

  up(event) {
    const pointer = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (!pointer) return;
    if (this.drawing) {
      this.drawing = false;
      this.handlers.drawn();
    } else if (!pointer.far && event.type === 'pointerup') {
      this.handlers.tap(this.at(event));
    }
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}, arrow = arrows[event.key];
    if (arrow && this.mode === 'surface') this.handlers.turn(20 * arrow[0], 20 * arrow[1]);
    else if (arrow && this.mode === 'region') this.handlers.cursor(arrow, event.shiftKey);
    else if (arrow) this.pan(-40 * arrow[0], -40 * arrow[1]);
    else if (event.key === ' ' || event.key === 'Enter') this.handlers.press();
    else if (event.key === '+' || event.key === '=') this.zoom(1.25);
    else if (event.key === '-') this.zoom(0.8);
    else if (event.key === '0') this.fit();
    else return;
    event.preventDefault();
  }
}
