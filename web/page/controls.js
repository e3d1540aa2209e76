// The controls around the canvas: grids, shapes with their sizes, pictures, tools.
import {GRIDS} from './geometry.js';
import {SHAPES} from './shapes.js';
import {element} from './panel.js';

const all = (selector) => [...document.querySelectorAll(selector)];
export const isAtoms = (drawing) => drawing.grid === 'carbon' || drawing.grid === 'c60';

export function showControls({drawing, undone, redone}, view, tool) {
  const file = drawing.family === 'file', atoms = isAtoms(drawing);
  for (const radio of all('input[name="family"]')) radio.checked = radio.value === drawing.family;
  for (const radio of all('input[name="view"]')) radio.checked = radio.value === view;
  element('shape-row').hidden = file;
  element('tools').hidden = view !== 'region' || file;
  element('sizes-of-view').hidden = file;
  element('blank-name').textContent = file ? drawing.name : '';
  element('surface-choice').hidden = drawing.grid !== 'triangular';
  element('region-choice').hidden = file;
  element('tiling-name').textContent = atoms ? 'Random structure' : file ? 'Random matching' : 'Random tiling';
  element('probabilities-name').textContent = atoms ? 'Bond orders' : 'Probabilities';
  element('again').hidden = view !== 'tiling' && view !== 'surface';
  element('save-list').textContent = file ? 'Your file' : 'Edge list';
  element('undo').disabled = !undone.length;
  element('redo').disabled = !redone.length;
  const canvas = element('canvas'), cell = GRIDS[drawing.grid]?.cell;
  canvas.setAttribute('aria-label', file ? drawing.name : `${GRIDS[drawing.grid].name} grid, ${drawing.cells.size} ${cell}s drawn`);
  canvas.style.cursor = view === 'tiling' ? 'pointer' : view === 'region' && tool !== 'move' ? 'crosshair' : 'grab';
}

// chosen(text): a shape was chosen, such as aztec:20.
export function showShapes(drawing, chosen) {
  const select = element('shape'), shapes = SHAPES[drawing.family];
  if (select.dataset.family !== drawing.family) {
    select.replaceChildren(...shapes.map((shape) => new Option(shape.title, shape.name)), new Option('Your drawing', ''));
    select.dataset.family = drawing.family;
    select.onchange = () => { if (select.value) chosen(select.value); };
  }
  const [name, numbers = ''] = (drawing.shape ?? '').split(':');
  select.value = name;
  const shape = shapes.find((one) => one.name === name), box = element('sizes'), key = `${drawing.family} ${name}`;
  if (box.dataset.of !== key) {
    box.dataset.of = key;
    box.replaceChildren(...(shape?.sizes ?? []).map((size) => sizeField(size, box, shape, chosen)));
  }
  box.querySelectorAll('input').forEach((input, k) => {
    const value = numbers.split('x')[k];
    if (document.activeElement !== input || Number(input.value) !== Number(value)) input.value = value;
  });
}

function sizeField(size, box, shape, chosen) {
  const label = document.createElement('label'), input = document.createElement('input');
  label.className = 'field';
  Object.assign(input, {type: 'number', min: size.least, max: size.most, inputMode: 'numeric'});
  input.addEventListener('input', () => {
    const values = [...box.querySelectorAll('input')].map((one) => Number(one.value));
    const fit = values.every((value, k) => Number.isInteger(value) && value >= shape.sizes[k].least && value <= shape.sizes[k].most);
    if (fit) chosen(`${shape.name}:${values.join('x')}`);
  });
  label.append(size.label, input);
  return label;
}
