// The page: an editor's drawing, a stage that shows pictures of it, and a panel with what the program says about it. This file joins them.
import {GRIDS, keyOf} from './geometry.js';
import {SHAPES} from './shapes.js';
import {cellsOfBoard, decimalsOf, directionsOf, edgeListOf, graphOf, inputOf, isWeighted} from './region.js';
import {drawingOf, linkOf} from './link.js';
import {Stopped, theProgram} from './runner.js';
import {Questions} from './questions.js';
import {edgesAtVertices, edgesOfSample, probabilitiesOf} from './answers.js';
import {surfaceOf} from './heights.js';
import {themeOf} from './colours.js';
import {svgOf} from './scene.js';
import {cursorPicture, gridPicture, pictureExtent, probabilityPicture, regionPicture, surfacePicture, tilingPicture} from './pictures.js';
import {Stage} from './stage.js';
import {Editor, drawnFrom} from './editor.js';
import {isAtoms, showControls, showShapes} from './controls.js';
import {addClar, element, hideMessage, showCommand, showCount, showEmpty, showLegend, showMessage, showNoCount, showPending, showWeights, showWork,
  summarizeWeights} from './panel.js';
import {copy, download, say} from './keep.js';

const TIME_LIMIT = '60s';
const PAUSE = 180;        // milliseconds after the last stroke until it is counted
const MOST_ATOMS = 150;   // of molecules whose Clar covers are asked for
const MOST_EXACT = 400;   // bonds whose orders are shown as fractions
const VIEWS = ['region', 'tiling', 'probabilities', 'surface'];

const dark = matchMedia('(prefers-color-scheme: dark)');
let theme = themeOf(dark.matches);
let view = 'region';
let graph = null;  // of the drawing; null of a file
let found = {};    // about this drawing: count, matching, probabilities, surface; of a file the program's pictures
let version = 0;   // of the drawing: what was asked about an earlier one is no answer
let timer = 0;
let turn = {turn: Math.PI / 4 + 0.3, tilt: 0.55};
const newSeed = () => 1 + Math.floor(Math.random() * 1e9);
let seed = newSeed();

const questions = new Questions(theProgram(element('wasm'), 'countpm.wasm.gz'), element('worker').textContent, showWork);
const editor = new Editor(drawnFrom('square', 'board:8x8'), {sketched: showSketch, changed});
const stage = new Stage(element('canvas'), {
  cellsAlong: (line, tool, begins) => editor.paint(line, tool, begins),
  drawn: () => editor.endStroke(),
  cancelled: () => editor.cancelStroke(),
  tap() { if (view === 'tiling') another(); },
  hover,
  turn(dx, dy) {
    turn = {turn: turn.turn + dx * 0.008, tilt: Math.min(Math.PI / 2, Math.max(0, turn.tilt + dy * 0.008))};
    if (found.surface) showPicture();
  },
  cursor(step, draws) {
    if (editor.isFile) return;
    editor.moveCursor(step, stage.inView());
    if (draws) editor.pressCursor(stage.tool === 'erase' ? 'erase' : 'draw');
    stage.show(GRIDS[editor.drawing.grid].centre(editor.cursor));
    stage.draw();
    hint(editor.whereabouts);
  },
  press() {
    if (view === 'tiling' || view === 'surface') another();
    if (view !== 'region' || editor.isFile) return;
    editor.pressCursor();
    hint(editor.whereabouts);
  },
  moved: (inView) => showGrid(inView),
  above: () => view === 'region' && editor.cursor !== null && document.activeElement === element('canvas') ? cursorPicture(editor.drawing, editor.cursor, theme) : [],
});

// What is to be done whenever the drawing, its weights or its options are others.
function changed({fits = false, pause = PAUSE}) {
  const {drawing} = editor;
  ++version;
  found = {};
  graph = editor.isFile ? null : graphWithEdges(drawing);
  if (editor.isFile && view === 'region') view = 'tiling';
  if (drawing.grid !== 'triangular' && view === 'surface') view = 'tiling';
  showAllControls();
  if (graph) stage.extent = pictureExtent(drawing, graph);
  if (fits && graph) stage.fit();
  showPicture();
  hideMessage();
  showPending(drawing, isWeighted(drawing));
  questions.stop();
  clearTimeout(timer);
  timer = setTimeout(() => { keepLink(); ask(); }, pause);
}

function graphWithEdges(drawing) {
  const result = graphOf(drawing);
  result.edges = edgesAtVertices(result);
  return result;
}

// What the program is asked.

const isEmpty = () => !editor.isFile && !graph.labels.length;

async function ask(limit = TIME_LIMIT) {
  const own = version, {drawing} = editor;
  if (isEmpty()) {
    showEmpty();
    return;
  }
  const input = inputOf(drawing, graph), {shown, files} = input;
  showCommand(['countpm', ...shown, ...decimalsOf(drawing)].join(' '), shown[0] in files && !editor.isFile ? `${shown[0]} is “Edge list” below.` : '');
  if (!editor.isFile) askPicture(limit);
  try {
    const answer = await questions.count(drawing, input, limit);
    if (own !== version) return;
    if (answer.code) {
      showNoCount(answer.slow ? 'This would take too long.' : '');
      complain(answer, limit, () => {
        showPending(drawing, isWeighted(drawing));
        ask('none');
      });
      document.body.dataset.counted = '?';
      return;
    }
    found.count = answer.result;
    showCount(drawing, answer.result);
    document.body.dataset.counted = answer.result.count;
    if (view === 'region') showPicture();
    const none = answer.result.count === '0';
    if (editor.isFile && !none) askPicture(limit);
    if (isAtoms(drawing) && !isWeighted(drawing) && !none && graph.labels.length <= MOST_ATOMS) {
      const molecule = await questions.molecule(input, limit);
      if (own === version && !molecule.code) addClar(molecule.result);
    }
  } catch (error) {
    if (own !== version) return;
    showNoCount(error instanceof Stopped ? 'Stopped.' : '');
    if (!(error instanceof Stopped)) showMessage(error.message, null);
  }
}

// What the program says in place of an answer; where only the time limit is in the way, a button asks again without.
function complain({text, slow}, limit, again) {
  showMessage(text, slow && limit !== 'none' ? () => { hideMessage(); again(); } : null);
}

// The answer that the chosen picture shows, unless it is there.
async function askPicture(limit = TIME_LIMIT) {
  const own = version, wanted = view, {drawing} = editor, draws = editor.isFile, probable = wanted === 'probabilities';
  if (wanted === 'region' || isEmpty()) return;
  if (probable ? found.probabilities : found.matching) {
    showPicture();
    return;
  }
  const input = inputOf(drawing, graph), begun = performance.now();
  try {
    const exact = isAtoms(drawing) && graph.directions.length <= MOST_EXACT;
    const answer = await (probable ? questions.probabilities(input, {exact, draws}, limit) : questions.sample(input, seed, draws, limit));
    if (own !== version) return;
    if (answer.code) {
      complain(answer, limit, () => askPicture('none'));
      return;
    }
    if (probable) found.probabilities = draws ? answer.picture : probabilitiesOf(graph, answer.text);
    else [found.matching, found.surface] = [draws ? answer.picture : edgesOfSample(graph, answer.text), undefined];
    showPicture();
    document.body.dataset.drawn = `${wanted} ${Math.round(performance.now() - begun)}`;
  } catch (error) {
    if (own === version && !(error instanceof Stopped)) showMessage(error.message, null);
  }
}

function another() {
  seed = newSeed();
  delete found.matching;
  askPicture();
}

// What is seen.

// {layers, extent, low, high}: the last three where they are not the region's own.
function pictureNow() {
  const {drawing} = editor;
  if (!graph || isEmpty()) return {layers: []};
  if (view === 'probabilities' && found.probabilities) return probabilityPicture(drawing, graph, found.probabilities, theme);
  if (view === 'tiling' && found.matching) return {layers: tilingPicture(drawing, graph, found.matching, theme)};
  if (view === 'surface' && found.matching) {
    if (found.surface === undefined) found.surface = surfaceOf(graph, found.matching);
    if (found.surface) return surfacePicture(found.surface, turn, theme);
  }
  return {layers: regionPicture(drawing, graph, theme, view === 'region' ? blamed() : null)};
}

// The vertices that show why there is no matching.
function blamed() {
  const violator = found.count?.violator;
  if (!violator) return null;
  const numbers = (labels) => labels.map((label) => graph.numbers.get(label)).filter((k) => k !== undefined);
  return {vertices: numbers(violator.vertices), neighbours: numbers(violator.neighbours)};
}

// A file's picture, as the program drew it.
const fileNow = () => editor.isFile ? (view === 'probabilities' ? found.probabilities : found.matching) ?? null : null;

function showPicture() {
  const picture = pictureNow(), file = fileNow();
  stage.ground = theme.ground;
  stage.layers = picture.layers;
  if (graph) stage.frame(picture.extent ?? pictureExtent(editor.drawing, graph), picture.extent ? 'surface' : 'plane');
  showLegend(picture, theme);
  element('blank').hidden = !editor.isFile || file !== null;
  element('again').disabled = editor.isFile && file === null;
  showFile(file);
  hint(hintNow());
  showGrid(stage.inView());
  stage.draw();
}

function showFile(file) {
  const paper = element('paper');
  paper.hidden = file === null;
  if (file === null || paper.file === file) return;
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([file], {type: 'image/svg+xml'}));
  image.alt = view === 'probabilities' ? 'Every edge with its probability' : 'A random perfect matching';
  image.onload = () => URL.revokeObjectURL(image.src);
  paper.replaceChildren(image);
  paper.file = file;
}

// While a stroke goes on only cells are drawn anew.
function showSketch() {
  const {drawing} = editor;
  graph = isAtoms(drawing) ? graphWithEdges(drawing) : {grid: GRIDS[drawing.grid], cells: [...drawing.cells], labels: [...drawing.cells]};
  stage.layers = regionPicture(drawing, graph, theme, null);
  stage.draw();
}

function showGrid(inView) {
  stage.below = view === 'region' && !editor.isFile && stage.view.scale >= 7 ? gridPicture(GRIDS[editor.drawing.grid], theme, inView) : [];
}

function showAllControls() {
  const {drawing} = editor;
  stage.mode = view;
  showControls(editor, view, stage.tool);
  element('weights-box').hidden = editor.isFile || !drawing.weights.length;
  if (editor.isFile) return;
  showShapes(drawing, (text) => {
    const next = drawnFrom(editor.drawing.family, text), kept = editor.drawing.weights;
    editor.replace({...next, weights: kept.length === next.weights.length ? [...kept] : next.weights});
  });
  // Fields that are being typed in stay as they are.
  const box = element('weights');
  if (box.dataset.of !== drawing.grid || !box.contains(document.activeElement)) {
    showWeights(drawing, directionsOf(drawing), (direction, weight) => editor.weigh(direction, weight));
    box.dataset.of = drawing.grid;
  }
  summarizeWeights(drawing);
}

function hint(text) { element('hint').textContent = text; }

function hintNow() {
  const {drawing} = editor, atoms = isAtoms(drawing);
  if (view === 'region') return drawing.grid === 'c60' ? 'Erase atoms, or put them back' : `Draw ${atoms ? 'rings' : 'cells'}, or erase them`;
  if (found.count?.count === '0') return 'There is none to show';
  if (editor.isFile) return '';
  if (view === 'tiling') return 'Click for another one';
  if (view === 'surface') return found.surface === null ? 'No surface: around a hole, heights do not close' : 'Drag to turn it';
  return `Point at ${atoms ? 'a bond' : 'an edge'}`;
}

// The number of the edge under the pointer.
function hover(point) {
  if (view !== 'probabilities' || !graph || !found.probabilities) return;
  let best = -1, least = 0.7;
  if (point) {
    graph.directions.forEach((_, edge) => {
      const u = graph.ends[2 * edge], v = graph.ends[2 * edge + 1];
      const distance = Math.hypot((graph.xs[u] + graph.xs[v]) / 2 - point[0], (graph.ys[u] + graph.ys[v]) / 2 - point[1]);
      if (distance < least) [best, least] = [edge, distance];
    });
  }
  hint(best < 0 ? hintNow() : `${graph.labels[graph.ends[2 * best]]} – ${graph.labels[graph.ends[2 * best + 1]]}: ${found.probabilities.texts[best]}`);
}

// What is chosen, opened and kept.

function choose(next) {
  view = next;
  hideMessage();
  showAllControls();
  if (!stage.touched) stage.fit();
  showPicture();
  keepLink();
  askPicture();
}

function keepLink() {
  try { history.replaceState(null, '', linkOf(editor.drawing, view) ?? '#'); } catch { /* some browsers keep no links of files */ }
}

// What is wrong with the link; empty if it was read, or says nothing.
function readLink() {
  try {
    const read = drawingOf(location.hash);
    if (!read) return '';
    editor.drawing = read.drawing;
    view = VIEWS.includes(read.view) ? read.view : 'region';
    return '';
  } catch (error) {
    return `This link holds no drawing: ${error.message}.`;
  }
}

function openLink() {
  const fault = readLink();
  changed({fits: true, pause: 0});
  if (fault) showMessage(fault, null);
}

// A graph that was pasted or dropped. A board becomes a drawing.
function open(name, bytes, options = []) {
  const plain = !options.length && /(\.board|\.txt|^[^.]*)$/.test(name) && bytes.length < 2e6;
  const cells = plain ? cellsOfBoard(new TextDecoder().decode(bytes), keyOf) : null;
  if (cells?.size) editor.replace({family: 'square', grid: 'square', shape: null, cells, weights: ['1', '1']});
  else editor.replace({family: 'file', grid: 'file', name: name.replace(/[/\\]/g, '_'), bytes, options, shape: null, cells: new Set(), weights: []});
}

async function openPasted() {
  const file = element('paste-file').files[0], text = element('paste-text').value, kind = element('paste-kind').value;
  if (!file && !text.trim()) return;
  element('paste').close();
  const bytes = file ? new Uint8Array(await file.arrayBuffer()) : new TextEncoder().encode(text.endsWith('\n') ? text : `${text}\n`);
  element('paste-file').value = '';
  open(file?.name ?? 'graph.txt', bytes, [...element('paste-weights').checked ? ['--weights'] : [], ...kind ? ['--kind', kind] : []]);
}

async function openDropped(event) {
  event.preventDefault();
  document.body.classList.remove('dropping');
  const file = event.dataTransfer.files[0], text = event.dataTransfer.getData('text/plain');
  if (file) open(file.name, new Uint8Array(await file.arrayBuffer()));
  else if (text) open('graph.txt', new TextEncoder().encode(`${text}\n`));
}

async function keepProof() {
  const own = version;
  say('Making the proof …');
  try {
    const answer = await questions.proof(editor.drawing, inputOf(editor.drawing, graph), TIME_LIMIT);
    if (own !== version) return;
    say('');
    if (answer.code) {
      showMessage(answer.text, null);
      return;
    }
    download('proof.json', answer.proof, 'application/json');
    say('proof.json is in your downloads; tools/check_proof.py checks it without countpm.');
  } catch (error) {
    say(error instanceof Stopped ? 'Stopped.' : error.message);
  }
}

// On white paper, whatever the window is.
function keepPicture() {
  const {drawing} = editor;
  if (editor.isFile) {
    if (fileNow()) download('countpm.svg', fileNow(), 'image/svg+xml');
    return;
  }
  const kept = theme;
  theme = themeOf(false);
  const picture = pictureNow(), title = drawing.shape ? `${drawing.family} ${drawing.shape}` : `${drawing.cells.size} ${GRIDS[drawing.grid].cell}s`;
  const what = {region: 'the region', probabilities: 'the probability of each edge in a random perfect matching'}[view] ?? `a random perfect matching, seed ${seed}`;
  const svg = svgOf(picture.layers, picture.extent ?? pictureExtent(drawing, graph), {title, description: `${what}; ${element('command').textContent}`, ground: theme.ground});
  theme = kept;
  download('countpm.svg', svg, 'image/svg+xml');
}

function keepInput() {
  if (editor.isFile) download(editor.drawing.name, editor.drawing.bytes, 'application/octet-stream');
  else download('region.edgelist', edgeListOf(editor.drawing, graph), 'text/plain');
}

function keepAddress() {
  const link = linkOf(editor.drawing, view);
  if (link === null) say('The file is too long for a link.');
  else copy(location.href.replace(/#.*/, '') + link, 'The link is copied: it holds the drawing.');
}

function listen() {
  const onChoice = (name, chosen) => document.querySelectorAll(`input[name="${name}"]`).forEach((radio) => radio.addEventListener('change', () => chosen(radio.value)));
  onChoice('family', (family) => editor.replace(drawnFrom(family, SHAPES[family][0].name)));
  onChoice('view', choose);
  onChoice('tool', (tool) => {
    stage.tool = tool;
    showAllControls();
  });
  const onClick = {
    undo: () => editor.undo(), redo: () => editor.redo(), clear: () => editor.replace({...editor.drawing, cells: new Set(), shape: null}),
    larger: () => stage.zoom(1.3), smaller: () => stage.zoom(1 / 1.3), fit: () => stage.fit(), again: another, stop: () => questions.stop(),
    'save-svg': keepPicture, 'save-list': keepInput, 'save-proof': keepProof, 'copy-link': keepAddress,
    'copy-command': () => copy(element('command').textContent, 'The command is copied.'),
    'copy-digits': () => copy(element('digits').textContent, 'The digits are copied.'),
    'open-paste': () => element('paste').showModal(), 'paste-count': openPasted,
  };
  for (const [name, action] of Object.entries(onClick)) element(name).addEventListener('click', action);
  addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', (event) => { if (!event.relatedTarget) document.body.classList.remove('dropping'); });
  addEventListener('drop', openDropped);
  addEventListener('keydown', (event) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || !'zy'.includes(key) || event.target.matches('input[type="text"], textarea')) return;
    if (key === 'y' || event.shiftKey) editor.redo();
    else editor.undo();
    event.preventDefault();
  });
  addEventListener('hashchange', openLink);
  dark.addEventListener('change', () => {
    theme = themeOf(dark.matches);
    showPicture();
  });
}

listen();
openLink();

// For tests/web/page_test.py: where a cell is in the window, and the same question once more.
window.countpmStage = stage;
window.countpmAsk = () => {
  showPending(editor.drawing, isWeighted(editor.drawing));
  ask();
};
