// The page: what is drawn, which picture is shown, and what the program is asked about it.
import {GRIDS, inReach, keyOf, columnOf, rowOf, extentOf} from './geometry.js';
import {SHAPES, shapeOf} from './shapes.js';
import {benzenoidOf, cellsOfBoard, directionsOf, edgeListOf, graphOf, inputOf, isWeighted} from './region.js';
import {drawingOf, linkOf} from './link.js';
import {Runner, Stopped, programBytes} from './runner.js';
import {edgesAtVertices, edgesOfSample, probabilitiesOf} from './answers.js';
import {surfaceOf} from './heights.js';
import {themeOf} from './colours.js';
import {svgOf} from './scene.js';
import {gridPicture, pictureExtent, probabilityPicture, regionPicture, surfacePicture, tilingPicture} from './pictures.js';
import {Stage} from './stage.js';
import {addFacts, element, hideMessage, hideWork, showCommand, showCount, showEmpty, showMessage, showNoCount, showPending, showWeights, showWork,
  summarizeWeights} from './panel.js';

const TIME_LIMIT = '60s';
const PAUSE = 180;  // milliseconds after the last stroke until it is counted
const MOST_UNDONE = 200;

const dark = matchMedia('(prefers-color-scheme: dark)');
let theme = themeOf(dark.matches);

const wasm = programBytes(element('wasm'), 'countpm.wasm.gz');
const script = element('worker').textContent;
const counting = new Runner(wasm, script);
let picturing = null;  // the second worker, from the first picture on

let drawing = fromShape('square', 'board:8x8');
let graph = null;
let view = 'region';
let seed = 1 + Math.floor(Math.random() * 1e9);
let found = {};  // about this drawing: count, matching, probabilities, surface, picture
let stroke = null;
let undone = [], redone = [];
let cursor = null;
let turn = {turn: Math.PI / 4 + 0.3, tilt: 0.55};
let version = 0;
let timer = 0;

function fromShape(family, text) {
  const {grid, text: shape, cells} = shapeOf(family, text);
  return {family, grid, shape, cells: new Set(cells), weights: GRIDS[grid].directions.map(() => '1')};
}

const isFile = () => drawing.family === 'file';
const isAtoms = () => drawing.grid === 'carbon' || drawing.grid === 'c60';

const stage = new Stage(element('canvas'), {
  cellsAlong: paintCells,
  drawn: endStroke,
  tap() { if (view === 'tiling') another(); },
  hover,
  turn(dx, dy) {
    turn = {turn: turn.turn + dx * 0.008, tilt: Math.min(Math.PI / 2, Math.max(0, turn.tilt + dy * 0.008))};
    if (found.surface) showPicture();
  },
  cursor: moveCursor,
  press() {
    if (view === 'tiling') another();
    else if (view === 'region' && !isFile()) {
      cursor ??= [...drawing.cells][0] ?? 0;
      paintCells(null, drawing.cells.has(cursor) ? 'erase' : 'draw', true, [cursor]);
      endStroke();
      sayCursor();
    }
  },
  moved: (inView) => showGrid(inView),
  above: cursorPicture,
});

// Drawing.

function paintCells(line, tool, begins, keys = null) {
  if (isFile()) return;
  if (begins) stroke = {tool, before: {...drawing, cells: new Set(drawing.cells)}, changed: false};
  if (!stroke) return;
  const grid = GRIDS[drawing.grid], cells = keys ?? [];
  if (line) {
    const [[x0, y0], [x1, y1]] = line, count = Math.max(1, Math.ceil(Math.hypot(x1 - x0, y1 - y0) / 0.25));
    for (let k = 0; k <= count; ++k) cells.push(grid.at(x0 + (x1 - x0) * k / count, y0 + (y1 - y0) * k / count));
  }
  let changed = false;
  for (const key of cells) {
    if (key < 0 || (drawing.grid !== 'c60' && !inReach(rowOf(key), columnOf(key)))) continue;
    if (stroke.tool === 'erase' ? drawing.cells.delete(key) : !drawing.cells.has(key) && drawing.cells.add(key)) changed = true;
  }
  if (!changed) return;
  stroke.changed = true;
  drawing.shape = null;
  showSketch();
}

function endStroke() {
  const done = stroke;
  stroke = null;
  if (!done?.changed) return;
  remember(done.before);
  changed();
}

function remember(before) {
  undone.push(before);
  if (undone.length > MOST_UNDONE) undone.shift();
  redone = [];
}

function restore(from, to) {
  const last = from.pop();
  if (!last) return;
  to.push({...drawing, cells: new Set(drawing.cells)});
  const moved = last.family !== drawing.family || last.grid !== drawing.grid;
  drawing = {...last, cells: new Set(last.cells)};
  changed({fits: moved});
}

function replace(next) {
  remember({...drawing, cells: new Set(drawing.cells)});
  drawing = next;
  cursor = null;
  changed({fits: true});
}

// What is to be done whenever the drawing, its weights or its options are others.
function changed({fits = false, at = PAUSE} = {}) {
  ++version;
  found = {};
  graph = isFile() ? null : graphOf(drawing);
  if (graph) graph.edges = edgesAtVertices(graph);
  if (isFile() && view === 'region') view = 'tiling';
  if (drawing.grid !== 'triangular' && view === 'surface') view = 'tiling';
  showControls();
  if (fits && graph) stage.fit(pictureExtent(drawing, graph));
  else if (graph) stage.extent = pictureExtent(drawing, graph);
  showPicture();
  hideMessage();
  showPending(drawing, isWeighted(drawing));
  if (counting.busy) counting.stop();
  if (picturing?.busy) picturing.stop();
  clearTimeout(timer);
  timer = setTimeout(() => { keepLink(); ask(); }, at);
}

// What the program is asked.

const emptyDrawing = () => !isFile() && (drawing.cells.size === 0 || graph.labels.length === 0);
const decimals = () => drawing.weights.some((weight) => weight.includes('.')) ? ['--exact'] : [];
const textOf = (data) => typeof data === 'string' ? data : new TextDecoder().decode(data ?? new Uint8Array());

async function run(runner, what, words, files) {
  const begun = performance.now();
  const shows = setTimeout(() => showWork(what, null), 350);
  try {
    const answer = await runner.run(words, {files, progress: (said) => showWork(what, said)});
    return {...answer, stdout: textOf(answer.stdout), stderr: textOf(answer.stderr), milliseconds: performance.now() - begun};
  } finally {
    clearTimeout(shows);
    if (!counting.busy && !picturing?.busy) hideWork();
  }
}

// What an answer says that is no answer: {text, limit: whether a longer time would do}.
function complaint(answer) {
  let text = '';
  try { text = JSON.parse(answer.stdout).error.message; } catch { /* then it is on standard error */ }
  text ||= answer.stderr.split('\n').filter((line) => line && !line.startsWith('{')).join('\n').replace(/^countpm: /gm, '');
  return {text: text || `The program ended with code ${answer.code}.`, limit: answer.code === 3 && /time limit/.test(text)};
}

async function ask(limit = TIME_LIMIT) {
  const own = version;
  const {words, files, shown} = emptyDrawing() ? {words: []} : inputOf(drawing, graph);
  if (!words.length) {
    showEmpty();
    showCommand('', '');
    return;
  }
  const name = Object.keys(files)[0];
  showCommand(`countpm ${[...shown, ...decimals()].join(' ')}`, name && shown.includes(name) ? isFile() ? '' : `${name} is “Edge list” below.` : '');
  if (!isFile()) picture(limit);
  try {
    const answer = await run(counting, 'Counting', ['count', ...words, ...decimals(), '--json', '--progress', 'json', '--time-limit', limit], files);
    if (own !== version) return;
    if (answer.code !== 0) {
      const {text, limit: slow} = complaint(answer);
      showNoCount(slow ? 'This would take too long.' : '');
      showMessage(text, slow && limit !== 'none' ? () => { hideMessage(); showPending(drawing, isWeighted(drawing)); ask('none'); } : null);
      document.body.dataset.counted = '?';
      return;
    }
    found.count = JSON.parse(answer.stdout);
    showCount(drawing, found.count, answer.milliseconds);
    document.body.dataset.counted = found.count.count;
    if (view === 'region' && graph) showPicture();
    if (isFile() && found.count.count !== '0') picture(limit);
    if (isAtoms() && !isWeighted(drawing) && graph.labels.length <= 150 && found.count.count !== '0') await molecule(own, words, files);
  } catch (error) {
    if (own !== version) return;
    if (error instanceof Stopped) {
      showNoCount('Stopped.');
      hideWork();
      return;
    }
    showNoCount('');
    showMessage(error.message, null);
  }
}

async function molecule(own, words, files) {
  const answer = await run(counting, 'Clar covers', ['chem', ...words, '--json', '--time-limit', TIME_LIMIT], files);
  if (own !== version || answer.code !== 0) return;
  const said = JSON.parse(answer.stdout);
  if (said.clar_number !== null) addFacts([['Clar number', String(said.clar_number)], ['Clar covers', said.clar_covers.map((n, k) => k ? `${n} x${k > 1 ? superscript(k) : ''}` : n).join(' + ')]]);
}
const superscript = (n) => [...String(n)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]).join('');

// The answers that the chosen picture shows.
async function picture(limit = TIME_LIMIT) {
  const own = version, wanted = view;
  if (wanted === 'region' || emptyDrawing()) return;
  if (wanted === 'probabilities' ? found.probabilities || found.drawnProbabilities : found.matching || found.drawnMatching) { showPicture(); return; }
  picturing ??= new Runner(wasm, script);
  if (picturing.busy) picturing.stop();
  const {words, files} = inputOf(drawing, graph), svg = isFile() ? ['--svg', 'picture.svg'] : [], limits = ['--time-limit', limit, '--progress', 'json'];
  try {
    const begun = performance.now();
    let answer;
    if (wanted === 'probabilities') {
      const figures = isAtoms() && graph.directions.length <= 400 ? ['--exact'] : isFile() ? [] : ['--digits', '6'];
      answer = await run(picturing, 'Probabilities', ['marginals', ...words, ...figures, ...svg, ...limits], files);
    } else {
      answer = await run(picturing, 'Drawing a tiling', ['sample', ...words, '--number', '1', '--seed', String(seed), ...svg, ...limits], files);
    }
    if (own !== version) return;
    if (answer.code !== 0) {
      const {text, limit: slow} = complaint(answer);
      showMessage(text, slow && limit !== 'none' ? () => { hideMessage(); picture('none'); } : null);
      return;
    }
    if (isFile()) {
      found[wanted === 'probabilities' ? 'drawnProbabilities' : 'drawnMatching'] = answer.files['picture.svg'];
    } else if (wanted === 'probabilities') {
      found.probabilities = probabilitiesOf(graph, answer.stdout);
    } else {
      found.matching = edgesOfSample(graph, answer.stdout);
      found.surface = undefined;
    }
    showPicture();
    document.body.dataset.drawn = `${wanted} ${Math.round(performance.now() - begun)}`;
  } catch (error) {
    if (error instanceof Stopped) return;
    if (own === version) showMessage(error.message, null);
  }
}

function another() {
  if (view !== 'tiling' && view !== 'surface') return;
  seed = 1 + Math.floor(Math.random() * 1e9);
  delete found.matching;
  delete found.drawnMatching;
  picture();
}

// What is seen.

function layersOf() {
  if (!graph || !graph.labels.length) return {layers: []};
  if (view === 'probabilities' && found.probabilities) return probabilityPicture(drawing, graph, found.probabilities, theme);
  if (view === 'tiling' && found.matching) return {layers: tilingPicture(drawing, graph, found.matching, theme)};
  if (view === 'surface' && found.matching) {
    found.surface ??= surfaceOf(graph, found.matching);
    if (found.surface) return surfacePicture(found.surface, turn, theme);
  }
  return {layers: regionPicture(drawing, graph, theme, view === 'region' ? blamed() : null)};
}

function blamed() {
  const violator = found.count?.violator;
  if (!violator) return null;
  const numbers = (labels) => labels.map((label) => graph.numbers.get(label)).filter((k) => k !== undefined);
  return {vertices: numbers(violator.vertices), neighbours: numbers(violator.neighbours)};
}

function showPicture() {
  const picture = layersOf(), file = isFile() ? found[view === 'probabilities' ? 'drawnProbabilities' : 'drawnMatching'] : null;
  stage.ground = theme.ground;
  stage.layers = picture.layers;
  if (view === 'surface' && picture.extent) {
    if (!stage.surfaceFitted) stage.fit(picture.extent);
    stage.surfaceFitted = true;
  } else if (stage.surfaceFitted) {
    stage.surfaceFitted = false;
    stage.fit(pictureExtent(drawing, graph));
  }
  element('legend').hidden = picture.low === undefined;
  if (picture.low !== undefined) {
    const show = (value) => value === 0 || value === 1 ? String(value) : value.toPrecision(3);
    element('low').textContent = show(picture.low);
    element('high').textContent = show(picture.high);
    element('ramp').style.background = `linear-gradient(to right, ${[0, 0.25, 0.5, 0.75, 1].map((share) => theme.heat(share)).join(', ')})`;
  }
  element('paper').hidden = !file;
  element('blank').hidden = !isFile() || Boolean(file);
  element('again').disabled = isFile() && !file;
  if (file) {
    const image = element('drawn');
    if (image.file !== file) {
      URL.revokeObjectURL(image.src);
      image.src = URL.createObjectURL(new Blob([file], {type: 'image/svg+xml'}));
      image.file = file;
    }
    image.alt = view === 'probabilities' ? 'Every edge with its probability' : 'A random perfect matching';
  }
  sayHint();
  showGrid(stage.inView());
  stage.draw();
}

// While a stroke goes on only cells are drawn anew.
function showSketch() {
  if (isAtoms()) {
    graph = graphOf(drawing);
    graph.edges = edgesAtVertices(graph);
  } else {
    graph = {grid: GRIDS[drawing.grid], cells: [...drawing.cells], labels: [...drawing.cells]};
  }
  stage.layers = regionPicture(drawing, graph, theme, null);
  stage.draw();
}

function showGrid(inView) {
  stage.below = view === 'region' && !isFile() && stage.view.scale >= 7 ? gridPicture(GRIDS[drawing.grid], theme, inView) : [];
}

function cursorPicture() {
  if (view !== 'region' || isFile() || cursor === null || document.activeElement !== element('canvas')) return [];
  const grid = GRIDS[drawing.grid], points = grid.corners ? grid.corners(cursor) : grid.centre(cursor);
  return [grid.corners ? {points, corners: points.length / 2, line: theme.focus, pixels: 3} : {points, corners: 1, radius: 0.3, line: theme.focus, pixels: 3}];
}

function moveCursor([right, down], draws) {
  if (isFile()) return;
  const grid = GRIDS[drawing.grid];
  if (cursor === null) {
    const [left, top, right2, bottom] = stage.inView();
    cursor = drawing.grid === 'c60' ? 0 : drawing.cells.size ? [...drawing.cells][0] : grid.at((left + right2) / 2, (top + bottom) / 2);
  } else {
    const next = grid.step(cursor, right, down);
    if (drawing.grid === 'c60' || inReach(rowOf(next), columnOf(next))) cursor = next;
  }
  if (draws) {
    paintCells(null, stage.tool === 'erase' ? 'erase' : 'draw', true, [cursor]);
    endStroke();
  }
  stage.show(grid.centre(cursor));
  stage.draw();
  sayCursor();
}

const say = (text) => { element('hint').textContent = text; };
function sayCursor() {
  const grid = GRIDS[drawing.grid], where = drawing.grid === 'c60' ? `atom ${cursor + 1}` : `${grid.cell}, row ${rowOf(cursor)}, column ${columnOf(cursor)}`;
  say(`${where}: ${drawing.cells.has(cursor) ? 'drawn' : 'empty'}`);
}

function sayHint() {
  const none = found.count?.count === '0';
  if (view === 'region') say(isAtoms() ? 'Draw rings, or erase them' : 'Draw cells, or erase them');
  else if (none) say('There is none to show');
  else if (view === 'tiling') say(isFile() ? '' : 'Click for another one');
  else if (view === 'surface') say(found.surface === null ? 'No surface: around a hole, heights do not close' : 'Drag to turn it');
  else say(isAtoms() ? 'Point at a bond' : 'Point at an edge');
  if (drawing.grid === 'c60' && view === 'region') say('Erase atoms, or put them back');
}

function hover(point) {
  if (view !== 'probabilities' || !found.probabilities || !graph) return;
  if (!point) { sayHint(); return; }
  const [x, y] = point;
  let best = -1, least = 0.7;
  graph.directions.forEach((_, edge) => {
    const u = graph.ends[2 * edge], v = graph.ends[2 * edge + 1];
    const distance = Math.hypot((graph.xs[u] + graph.xs[v]) / 2 - x, (graph.ys[u] + graph.ys[v]) / 2 - y);
    if (distance < least) [best, least] = [edge, distance];
  });
  if (best < 0) { sayHint(); return; }
  say(`${graph.labels[graph.ends[2 * best]]} – ${graph.labels[graph.ends[2 * best + 1]]}: ${found.probabilities.texts[best]}`);
}

// Controls.

function showControls() {
  document.querySelectorAll('input[name="family"]').forEach((radio) => { radio.checked = radio.value === drawing.family; });
  document.querySelectorAll('input[name="view"]').forEach((radio) => { radio.checked = radio.value === view; });
  const file = isFile();
  element('shape-row').hidden = file;
  element('tools').hidden = view !== 'region' || file;
  element('sizes-of-view').hidden = file;
  element('blank-name').textContent = file ? drawing.name : '';
  element('surface-choice').hidden = drawing.grid !== 'triangular';
  document.querySelector('input[name="view"][value="region"]').parentElement.hidden = file;
  element('tiling-name').textContent = isAtoms() ? 'Random structure' : file ? 'Random matching' : 'Random tiling';
  element('probabilities-name').textContent = isAtoms() ? 'Bond orders' : 'Probabilities';
  element('again').hidden = view !== 'tiling' && view !== 'surface';
  element('save-list').textContent = file ? 'Your file' : 'Edge list';
  element('undo').disabled = !undone.length;
  element('redo').disabled = !redone.length;
  element('canvas').setAttribute('aria-label', file ? drawing.name : `${GRIDS[drawing.grid].name} grid, ${drawing.cells.size} ${GRIDS[drawing.grid].cell}s drawn`);
  stage.mode = view;
  element('canvas').style.cursor = view === 'tiling' ? 'pointer' : view === 'region' && stage.tool !== 'move' ? 'crosshair' : 'grab';
  if (!file) {
    showShapes();
    const key = `${drawing.grid} ${drawing.weights.length}`;
    if (element('weights').dataset.of !== key || !element('weights').contains(document.activeElement)) {
      showWeights(drawing, directionsOf(drawing), (k, weight) => {
        if (drawing.weights[k] === weight) return;
        drawing.weights[k] = weight;
        changed();
      });
      element('weights').dataset.of = key;
    }
    summarizeWeights(drawing);
  } else {
    element('weights-box').hidden = true;
  }
}

function showShapes() {
  const select = element('shape'), shapes = SHAPES[drawing.family];
  if (select.dataset.family !== drawing.family) {
    select.replaceChildren(...shapes.map((shape) => new Option(shape.title, shape.name)), new Option('Your drawing', ''));
    select.dataset.family = drawing.family;
  }
  const [name, numbers = ''] = (drawing.shape ?? '').split(':');
  select.value = name;
  const shape = shapes.find((one) => one.name === name), box = element('sizes'), key = `${drawing.family} ${name}`;
  if (box.dataset.of !== key) {
    box.dataset.of = key;
    box.replaceChildren(...(shape?.sizes ?? []).map((size) => {
      const label = document.createElement('label'), input = document.createElement('input');
      label.className = 'field';
      Object.assign(input, {type: 'number', min: size.least, max: size.most, inputMode: 'numeric'});
      input.addEventListener('input', () => {
        const values = [...box.querySelectorAll('input')].map((one) => Number(one.value));
        if (!values.every((value, k) => Number.isInteger(value) && value >= shape.sizes[k].least && value <= shape.sizes[k].most)) return;
        replace({...fromShape(drawing.family, `${shape.name}:${values.join('x')}`), weights: drawing.weights});
      });
      label.append(size.label, input);
      return label;
    }));
  }
  box.querySelectorAll('input').forEach((input, k) => {
    const value = numbers.split('x')[k];
    if (document.activeElement !== input || Number(input.value) !== Number(value)) input.value = value;
  });
}

function choose(next) {
  view = next;
  hideMessage();
  showControls();
  if (!stage.touched) stage.fit();
  showPicture();
  keepLink();
  picture();
}

function keepLink() {
  const link = linkOf(drawing, view);
  try { history.replaceState(null, '', link ?? '#'); } catch { /* some browsers keep no links of files */ }
}

// What is wrong with the link; empty if it was read, or says nothing.
function readLink() {
  try {
    const read = drawingOf(location.hash);
    if (!read) return '';
    drawing = read.drawing;
    view = ['region', 'tiling', 'probabilities', 'surface'].includes(read.view) ? read.view : 'region';
    return '';
  } catch (error) {
    return `This link holds no drawing: ${error.message}.`;
  }
}

// Files that were pasted or dropped. A board becomes a drawing.
async function take(name, bytes, options = []) {
  const text = bytes.length < 2e6 ? new TextDecoder().decode(bytes) : '';
  const cells = options.length || !/(\.board|\.txt|^[^.]*)$/.test(name) ? null : cellsOfBoard(text, keyOf);
  if (cells?.size && (name.endsWith('.board') || /[#█]/.test(text))) replace({family: 'square', grid: 'square', shape: null, cells, weights: ['1', '1']});
  else replace({family: 'file', grid: 'file', name: name.replace(/[/\\]/g, '_'), bytes, options, shape: null, cells: new Set(), weights: []});
}

function download(name, content, type) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  element('saved').textContent = `${name} is in your downloads.`;
}

async function saveProof() {
  const own = version, {words, files} = inputOf(drawing, graph);
  element('saved').textContent = 'Making the proof …';
  try {
    const answer = await run(counting, 'Proof', ['count', ...words, ...decimals(), '--json', '--proof', 'proof.json', '--progress', 'json', '--time-limit', TIME_LIMIT], files);
    if (own !== version) return;
    if (answer.code !== 0) {
      element('saved').textContent = '';
      showMessage(complaint(answer).text, null);
      return;
    }
    download('proof.json', answer.files['proof.json'], 'application/json');
    element('saved').textContent = 'proof.json is in your downloads; tools/check_proof.py checks it without countpm.';
  } catch (error) {
    element('saved').textContent = error instanceof Stopped ? 'Stopped.' : error.message;
  }
}

function savePicture() {
  if (isFile()) {
    const file = found[view === 'probabilities' ? 'drawnProbabilities' : 'drawnMatching'];
    if (file) download('countpm.svg', file, 'image/svg+xml');
    return;
  }
  // On white paper, whatever the window is.
  const kept = theme;
  theme = themeOf(false);
  const picture = layersOf(), title = drawing.shape ? `${drawing.family} ${drawing.shape}` : `${drawing.cells.size} ${GRIDS[drawing.grid].cell}s`;
  theme = kept;
  const svg = svgOf(picture.layers, picture.extent ?? pictureExtent(drawing, graph), {title, ground: '#ffffff',
    description: `${view === 'tiling' || view === 'surface' ? `a random perfect matching, seed ${seed}` : view}; ${element('command').textContent}`});
  download('countpm.svg', svg, 'image/svg+xml');
}

async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    element('saved').textContent = said;
  } catch {
    element('saved').textContent = 'The browser does not let this page copy: mark the text instead.';
  }
}

function listen() {
  document.querySelectorAll('input[name="family"]').forEach((radio) => radio.addEventListener('change', () => {
    const first = SHAPES[radio.value][0];
    replace(fromShape(radio.value, first.name));
    if (view === 'probabilities' || view === 'tiling' || view === 'surface') picture();
  }));
  document.querySelectorAll('input[name="view"]').forEach((radio) => radio.addEventListener('change', () => choose(radio.value)));
  document.querySelectorAll('input[name="tool"]').forEach((radio) => radio.addEventListener('change', () => { stage.tool = radio.value; showControls(); }));
  element('shape').addEventListener('change', (event) => { if (event.target.value) replace(fromShape(drawing.family, event.target.value)); });
  element('undo').onclick = () => restore(undone, redone);
  element('redo').onclick = () => restore(redone, undone);
  element('clear').onclick = () => replace({...drawing, cells: new Set(), shape: null});
  element('larger').onclick = () => stage.zoom(1.3);
  element('smaller').onclick = () => stage.zoom(1 / 1.3);
  element('fit').onclick = () => stage.fit();
  element('again').onclick = another;
  element('stop').onclick = () => { counting.stop(); picturing?.stop(); };
  element('save-svg').onclick = savePicture;
  element('save-list').onclick = () => {
    if (isFile()) download(drawing.name, drawing.bytes, 'application/octet-stream');
    else download('region.edgelist', edgeListOf(drawing, graph), 'text/plain');
  };
  element('save-proof').onclick = saveProof;
  element('copy-link').onclick = () => {
    const link = linkOf(drawing, view);
    if (link === null) element('saved').textContent = 'The file is too long for a link.';
    else copy(location.href.replace(/#.*/, '') + link, 'The link is copied: it holds the drawing.');
  };
  element('copy-command').onclick = () => copy(element('command').textContent, 'The command is copied.');
  element('copy-digits').onclick = () => copy(element('digits').textContent, 'The digits are copied.');
  element('open-paste').onclick = () => element('paste').showModal();
  element('paste-count').onclick = async () => {
    const file = element('paste-file').files[0], text = element('paste-text').value, kind = element('paste-kind').value;
    if (!file && !text.trim()) return;
    const options = [...element('paste-weights').checked ? ['--weights'] : [], ...kind ? ['--kind', kind] : []];
    element('paste').close();
    await take(file?.name ?? 'graph.txt', file ? new Uint8Array(await file.arrayBuffer()) : new TextEncoder().encode(text.endsWith('\n') ? text : `${text}\n`), options);
    element('paste-file').value = '';
  };
  addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', (event) => { if (!event.relatedTarget) document.body.classList.remove('dropping'); });
  addEventListener('drop', async (event) => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    const file = event.dataTransfer.files[0], text = event.dataTransfer.getData('text/plain');
    if (file) await take(file.name, new Uint8Array(await file.arrayBuffer()));
    else if (text) await take('graph.txt', new TextEncoder().encode(`${text}\n`));
  });
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target.matches('input[type="text"], textarea')) return;
    const key = event.key.toLowerCase();
    if (key === 'z' && !event.shiftKey) restore(undone, redone);
    else if (key === 'y' || (key === 'z' && event.shiftKey)) restore(redone, undone);
    else return;
    event.preventDefault();
  });
  addEventListener('hashchange', () => {
    const fault = readLink();
    changed({fits: true, at: 0});
    if (fault) showMessage(fault, null);
  });
  dark.addEventListener('change', () => {
    theme = themeOf(dark.matches);
    showPicture();
  });
}

listen();
const linkFault = readLink();
changed({fits: true, at: 0});
if (linkFault) showMessage(linkFault, null);

// For tests/web/page_test.py: where a cell is in the window, and the same question once more.
window.countpmStage = stage;
window.countpmAsk = () => { showPending(drawing, isWeighted(drawing)); ask(); };
