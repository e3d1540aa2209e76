// The panel: the count, what else is known, the weights, the command line. It shows what it is given and says which button was pressed.
import {digitsOf, duration, grouped, powerOfTen} from './answers.js';
import {isWeight} from './region.js';

export const element = (id) => document.getElementById(id);

const QUESTIONS = {square: 'Domino tilings', triangular: 'Lozenge tilings', hexagonal: 'Tilings by pairs of hexagons', carbon: 'Kekulé structures', c60: 'Kekulé structures',
  file: 'Perfect matchings'};
// Weights that the slider goes through, the same above 1 as below.
const STEPS = ['0', '1/10', '1/5', '1/4', '1/3', '2/5', '1/2', '2/3', '3/4', '4/5', '9/10', '1', '10/9', '5/4', '4/3', '3/2', '2', '5/2', '3', '4', '5', '10'];
const valueOf = (text) => text.includes('/') ? text.split('/')[0] / text.split('/')[1] : Number(text);

export const questionOf = (drawing) => QUESTIONS[drawing.grid];

export function showPending(drawing, weighted) {
  element('question').textContent = weighted ? `${questionOf(drawing)}, weighted` : questionOf(drawing);
  element('count').classList.add('stale');
  if (element('count').textContent === '?') element('about').textContent = '';
}

export function showEmpty() {
  const count = element('count');
  count.textContent = '–';
  count.className = 'count';
  element('about').textContent = 'Draw some cells to begin with.';
  element('facts').replaceChildren();
  element('digits-box').hidden = true;
  hideMessage();
  showCommand('', '');
}

const fact = (name, value) => {
  const dt = document.createElement('dt'), dd = document.createElement('dd');
  dt.textContent = name;
  dd.textContent = value;
  return [dt, dd];
};
const figures = (x) => x.toFixed(Math.abs(x) < 10 ? 6 : 3);

// result: the object of `countpm count --json`.
export function showCount(drawing, result) {
  const count = element('count'), text = result.count ?? '?', long = text.length > 40;
  count.className = text.length > 15 && !long ? 'count long' : 'count';
  if (long && result.log10 !== null) {
    const [mantissa, exponent] = powerOfTen(result.log10), power = document.createElement('sup');
    power.textContent = exponent;
    count.replaceChildren(`${text.startsWith('-') ? '−' : ''}${mantissa} × 10`, power);
  } else {
    count.textContent = grouped(text);
  }
  const whole = /^-?\d+$/.test(text), exactly = result.exact ? 'exactly counted' : 'in floating point';
  element('about').textContent = text === '0' ? whyNone(result)
    : long ? (whole ? `${grouped(String(digitsOf(text)))} digits, ${exactly}` : `a fraction of ${grouped(String(text.length))} characters, ${exactly}`) : exactly;
  if (drawing.family === 'file') element('question').textContent = result.problem[0].toUpperCase() + result.problem.slice(1);
  const facts = [], input = result.input, atoms = drawing.grid === 'carbon' || drawing.grid === 'c60', file = drawing.family === 'file';
  const cell = file ? 'vertex' : atoms ? 'atom' : drawing.grid === 'square' ? 'cell' : drawing.grid === 'triangular' ? 'triangle' : 'hexagon';
  if (result.entropy) {
    facts.push(...fact('ln Z', figures(result.entropy.ln_z)), ...fact(`ln Z per ${cell}`, figures(result.entropy.per_vertex)));
    if (result.entropy.limit) facts.push(...fact('… in the limit', figures(result.entropy.limit.per_vertex)));
  }
  const plural = cell === 'vertex' ? 'vertices' : `${cell}s`;
  facts.push(...fact(plural[0].toUpperCase() + plural.slice(1), grouped(String(input.vertices))), ...fact(atoms ? 'Bonds' : 'Edges', grouped(String(input.edges))));
  facts.push(...fact('Method', result.method), ...fact('Time', duration(result.seconds.total)));
  element('facts').replaceChildren(...facts);
  const box = element('digits-box');
  box.hidden = !long;
  element('digits').textContent = text;
  element('digits-title').textContent = whole ? `All ${grouped(String(digitsOf(text)))} digits` : 'The whole fraction';
  const warnings = result.warnings ?? [];
  if (warnings.length) showMessage(warnings.join('\n'), null);
  else hideMessage();
}

// Of a molecule, when they are known.
export function addClar({clar_number: number, clar_covers: covers}) {
  if (number === null) return;
  const power = (k) => [...String(k)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]).join('');
  const terms = covers.map((count, k) => k ? `${count} x${k > 1 ? power(k) : ''}` : count);
  element('facts').append(...fact('Clar number', String(number)), ...fact('Clar covers', terms.join(' + ')));
}

// The scale of a picture that has one.
export function showLegend({low, high}, theme) {
  element('legend').hidden = low === undefined;
  if (low === undefined) return;
  const text = (value) => value === 0 || value === 1 ? String(value) : value.toPrecision(3);
  element('low').textContent = text(low);
  element('high').textContent = text(high);
  element('ramp').style.background = `linear-gradient(to right, ${[0, 0.25, 0.5, 0.75, 1].map((share) => theme.heat(share)).join(', ')})`;
}

function whyNone(result) {
  const violator = result.violator;
  if (!violator) return 'There is none.';
  if (violator.odd_components?.length)
    return `There is none: without the ${violator.neighbours.length} in yellow, ${violator.odd_components.length} odd parts are left.`;
  return `There is none: the ${violator.vertices.length} in red have only ${violator.neighbours.length} neighbours${violator.neighbours.length ? ', in yellow' : ''}.`;
}

// What the program says, in its words. action: a function for the button, or null.
export function showMessage(text, action) {
  element('message').hidden = false;
  element('message-text').textContent = text;
  element('unlimited').parentElement.hidden = !action;
  element('unlimited').onclick = action;
}
export function hideMessage() { element('message').hidden = true; }

export function showNoCount(text) {
  const count = element('count');
  count.className = 'count';
  count.textContent = '?';
  element('about').textContent = text;
  element('facts').replaceChildren();
  element('digits-box').hidden = true;
}

// What runs, and what --progress json says of it; null: nothing does.
export function showWork(what, said) {
  element('work').hidden = what === null;
  if (what === null) return;
  const bar = element('progress');
  if (typeof said?.done === 'number') bar.value = said.done;
  else bar.removeAttribute('value');
  const left = said?.remaining_seconds;
  element('stage-name').textContent = typeof left === 'number' ? `${what}, ${duration(left)} left` : what;
}

export function showCommand(text, note) {
  element('command').textContent = text;
  element('command-note').textContent = note;
}

// A small picture of a tile of each direction.
const ICONS = {
  square: ['M3 7h16v8H3z', 'M7 3h8v16H7z'],
  triangular: ['M1 11L11 5l10 6-10 6z', 'M5.500 7l11-5v13l-11 5z', 'M5.500 2l11 5v13l-11-5z'],
  hexagonal: ['M4 11h14', 'M14.500 5l-7 12', 'M7.500 5l7 12'],
  carbon: ['M9.500 4v14M12.500 4v14', 'M4 13.500L16 6.500M6 16l12-7', 'M4 8.500L16 15.500M6 6l12 7'],
};
const FILLS = {square: ['yellow', 'teal'], triangular: ['yellow', 'teal', 'blue'], hexagonal: ['yellow', 'teal', 'blue']};

export function showWeights(drawing, directions, changed) {
  const rows = directions.map((name, k) => {
    const row = document.createElement('div');
    row.className = 'weight';
    const icon = drawing.grid === 'square' || drawing.grid === 'triangular' ? `fill="var(--${FILLS[drawing.grid][k]})"`
      : `fill="none" stroke="${FILLS[drawing.grid] ? `var(--${FILLS[drawing.grid][k]})` : 'currentColor'}" stroke-width="${drawing.grid === 'hexagonal' ? 7 : 1.7}" stroke-linecap="round"`;
    row.innerHTML = `<span class="name"><svg viewBox="0 0 22 22" aria-hidden="true"><path d="${ICONS[drawing.grid][k]}" ${icon}/></svg><span></span></span>
      <input type="range" min="0" max="${STEPS.length - 1}" step="1"><input type="text" inputmode="text" autocomplete="off" spellcheck="false">`;
    row.querySelector('.name span').textContent = name;
    const [slider, field] = row.querySelectorAll('input');
    const near = () => STEPS.reduce((best, step, n) => Math.abs(valueOf(step) - valueOf(drawing.weights[k])) < Math.abs(valueOf(STEPS[best]) - valueOf(drawing.weights[k])) ? n : best, 0);
    slider.value = near();
    slider.setAttribute('aria-label', `Weight: ${name}`);
    slider.setAttribute('aria-valuetext', drawing.weights[k]);
    field.value = drawing.weights[k];
    field.setAttribute('aria-label', `Weight as a number: ${name}`);
    slider.addEventListener('input', () => {
      field.value = STEPS[slider.value];
      field.classList.remove('wrong');
      slider.setAttribute('aria-valuetext', field.value);
      changed(k, field.value);
    });
    field.addEventListener('input', () => {
      const good = isWeight(field.value.trim());
      field.classList.toggle('wrong', !good);
      field.setAttribute('aria-invalid', String(!good));
      if (!good) return;
      changed(k, field.value.trim());
      slider.value = near();
    });
    return row;
  });
  element('weights').replaceChildren(...rows);
}

export function summarizeWeights(drawing) {
  element('weights-now').textContent = drawing.weights.some((weight) => weight !== '1') ? drawing.weights.join(' : ') : '';
}
