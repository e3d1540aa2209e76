// Random commands, whose answers as WebAssembly in Node are compared with those of the native program: numbers of 64 bits where a size_t has 32, several
// residues, denominators, large counts.
//
//   node tests/wasm/random.js FOLDER NATIVE [--cases N] [--seed S] [--only K] [--show]
//
// FOLDER has the build, NATIVE is the program of this machine. One process runs all that WebAssembly does. Exit codes must be the same, and JSON but for what
// is of a machine, of a run or of a plan (`of_a_run`); words on standard error where the exit code is 2. Floating-point numbers may differ by `tolerance`.
'use strict';
const {spawnSync} = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const {hostProgram} = require(path.resolve(__dirname, '../../web/node-countpm.js'));

const of_a_run = new Set([
  'threads', 'method', 'blocks', 'checks', 'reductions', 'warnings', 'machine', 'device', 'devices', 'command', 'version', 'commit', 'plan', 'work', 'work_name',
  'kernel', 'arithmetic', 'units', 'predicted', 'prediction', 'rates', 'host', 'build', 'memory', 'audit', 'double_check', 'time', 'pass', 'passes', 'primes', 'error_bound',
]);
const is_of_a_run = (key) => of_a_run.has(key) || /seconds|bytes/.test(key);
const tolerance = 1e-9;

class Random {
  constructor(seed) {
    this.state = BigInt.asUintN(64, BigInt(seed) * 0x9e3779b97f4a7c15n + 0x1234567n);
  }
  bits() {
    this.state = BigInt.asUintN(64, this.state + 0x9e3779b97f4a7c15n);
    let z = this.state;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  }
  below(n) {
    return Number(this.bits() % BigInt(n));
  }
  between(least, most) {
    return least + this.below(most - least + 1);
  }
  once_in(n) {
    return this.below(n) === 0;
  }
  share() {
    return Number(this.bits() >> 11n) / 2 ** 53;
  }
  of(list) {
    return list[this.below(list.length)];
  }
}

// --- weights

function whole(random, bits) {
  const value = ((1n << BigInt(bits - 1)) | (random.bits() << 64n | random.bits())) & ((1n << BigInt(bits)) - 1n);
  return value === 0n ? 1n : value;
}

// At the borders of 31, 32, 63 and 64 bits, and beyond.
const at_borders = [1n << 31n, (1n << 31n) - 1n, 1n << 32n, (1n << 32n) - 1n, (1n << 32n) + 1n, (1n << 63n) - 1n, 1n << 63n, (1n << 64n) - 1n, 1n << 64n, (1n << 64n) + 1n];

const weight_kinds = {
  one: () => '1',
  small: (random) => String(random.between(1, 9)),
  signed: (random) => String(random.between(-9, 9) || 1),
  word: (random) => String(whole(random, random.of([31, 32, 33, 47, 62, 63]))),
  signed_word: (random) => (random.once_in(2) ? '-' : '') + String(whole(random, random.of([31, 32, 33, 61]))),
  border: (random) => (random.once_in(4) ? '-' : '') + String(random.of(at_borders)),
  wide: (random) => String(whole(random, random.between(65, 120))),
  fraction: (random) => `${random.once_in(4) ? '-' : ''}${whole(random, random.of([3, 20, 40]))}/${whole(random, random.of([3, 20, 33, 40]))}`,
  decimal: (random) => `${random.below(10)}.${random.between(1, 999)}`,
  complex: (random) => `${random.between(-5, 5)}+${random.between(1, 5)}i`,
};
const exact_kinds = ['one', 'small', 'signed', 'word', 'signed_word', 'border', 'wide', 'fraction'];

// --- inputs: {name, text, options, ...}

function dense(random, rows, columns, density, kind) {
  const lines = [];
  for (let i = 0; i < rows; ++i) {
    const line = [];
    for (let j = 0; j < columns; ++j) line.push(i === j || random.share() < density ? weight_kinds[kind](random) : '0');
    lines.push(line.join(' '));
  }
  return `${lines.join('\n')}\n`;
}

function sparse(random, rows, degree, kind) {
  const entries = new Map();
  for (let d = 0; d < degree; ++d) {
    const order = [...Array(rows).keys()];
    for (let k = rows - 1; k > 0; --k) {
      const other = random.below(k + 1);
      [order[k], order[other]] = [order[other], order[k]];
    }
    order.forEach((j, i) => entries.set(i * rows + j, [i, j]));
  }
  const list = [...entries.values()];
  const isWhole = ['one', 'small', 'signed', 'word', 'signed_word', 'border', 'wide'].includes(kind);
  if (kind === 'one') return {name: 'in.mtx', text: `%%MatrixMarket matrix coordinate pattern general\n${rows} ${rows} ${list.length}\n${list.map(([i, j]) => `${i + 1} ${j + 1}\n`).join('')}`};
  if (isWhole && random.once_in(2))
    return {name: 'in.mtx', text: `%%MatrixMarket matrix coordinate integer general\n${rows} ${rows} ${list.length}\n${list.map(([i, j]) => `${i + 1} ${j + 1} ${weight_kinds[kind](random)}\n`).join('')}`};
  return {name: 'in.edgelist', text: list.map(([i, j]) => `r${i} c${j} ${weight_kinds[kind](random)}\n`).join(''), bipartite: random.once_in(2)};
}

function general(random, vertices, density, kind) {
  const lines = [];
  for (let j = 0; j < vertices; ++j)
    for (let i = 0; i < j; ++i) if (j === i + 1 || random.share() < density) lines.push(`v${i} v${j} ${weight_kinds[kind](random)}\n`);
  return {name: 'in.edgelist', text: lines.join('')};
}

function lattice(random) {
  const n = (least, most) => random.between(least, most);
  const weights = (directions) => {
    if (!random.once_in(2)) return '';
    const kind = random.of(['small', 'word', 'fraction', 'signed', 'border']);
    return `:weights=${Array.from({length: directions}, () => weight_kinds[kind](random)).join(',')}`;
  };
  return random.of([
    () => `lattice:square:${n(2, 8)}x${2 * n(1, 150)}${weights(2)}`,
    () => `lattice:square:${2 * n(5, 24)}x${n(10, 48)}${weights(2)}`,
    () => `lattice:aztec:${n(1, 40)}${weights(2)}`,
    () => `lattice:hexagon:${n(1, 12)}x${n(1, 12)}x${n(1, 12)}${weights(3)}`,
    () => `lattice:honeycomb:${n(1, 16)}x${n(1, 16)}`,
    () => `lattice:torus:${2 * n(2, 5)}x${n(3, 10)}${weights(2)}`,
    () => `lattice:cylinder:${2 * n(1, 12)}x${n(3, 20)}${weights(2)}`,
    () => `lattice:moebius:${2 * n(1, 5)}x${n(3, 9)}`,
    () => `lattice:klein:${2 * n(2, 5)}x${n(3, 9)}`,
    () => `lattice:triangular:${n(2, 9)}x${2 * n(1, 9)}${weights(3)}`,
    () => `lattice:kagome:${n(2, 6)}x${2 * n(1, 5)}`,
    () => `lattice:square-octagon:${n(1, 12)}x${n(1, 12)}`,
    () => `lattice:cubic:${n(2, 4)}x${n(2, 4)}x${2 * n(1, 2)}${weights(3)}`,
    () => `lattice:prism:${n(3, 300)}`,
    () => `lattice:hypercube:${n(2, 5)}`,
    () => `lattice:complete:${2 * n(2, 16)}`,
    () => `lattice:complete-bipartite:${n(2, 60)}x${n(2, 60)} --maximum`,
    () => `lattice:circulant:${2 * n(5, 40)}:1,${n(2, 4)}`,
    () => `lattice:brickwork:${n(2, 20)}x${2 * n(2, 20)}`,
  ])();
}

// --- commands

function modulo(random) {
  const numbers = [];
  for (let k = random.between(1, 3); k > 0; --k)
    numbers.push(random.once_in(3) ? random.of([(1n << 32n), (1n << 32n) - 1n, (1n << 32n) + 1n, 1n << 63n, 1n << 64n, (1n << 64n) - 59n, 4294967291n, 18446744073709551557n]) : whole(random, random.between(2, 64)) | 2n);
  return ['--modulo', [...new Set(numbers.map(String))].join(',')];
}

// A command as words, and the file it reads.
function command(random) {
  const sort = random.below(20);
  const kind = random.of(random.once_in(5) ? Object.keys(weight_kinds) : exact_kinds);
  const weighted = kind === 'one' ? [] : ['--weights'];
  const more = [];
  let file = null;
  let words;
  if (sort < 5) {
    const binary = kind === 'one';
    const n = binary ? random.between(4, 24) : random.between(2, 15);
    file = {name: 'in.dense', text: dense(random, n, n, random.of([0.25, 0.5, 0.8, 1]), kind)};
    const methods = ['auto', 'ryser', 'grouped', 'pruned', 'pruned', 'pruned', 'frontier', 'rook', 'low-rank', 'sparyser', 'skipper', 'forbert-marx', 'codegen'];
    if (n <= 8) methods.push('definition', 'enumerate');
    more.push('--method', random.of(methods));
    if (random.once_in(3)) more.push('--no-rule', 'all');
  } else if (sort < 8) {
    file = sparse(random, random.between(3, 40), random.between(2, 3), kind);
    if (file.bipartite) more.push('--kind', 'bipartite');
    more.push('--method', random.of(['auto', 'frontier', 'pruned', 'forbert-marx', 'frontier']));
    if (random.once_in(3)) more.push('--order', random.of(['greedy', 'rows', 'columns', 'nested-dissection', 'annealing', 'tree']));
    if (random.once_in(3)) more.push('--no-rule', 'all');
  } else if (sort < 11) {
    file = general(random, random.between(2, 22), random.of([0.15, 0.3, 0.8]), kind);
    more.push('--method', random.of(['auto', 'frontier', 'hafnian', 'hafnian', 'nearly-planar']));
    if (random.once_in(4)) more.push('--monomers', random.of(['1', 't', '2/3', '4294967297']));
    else if (random.once_in(6)) more.push('--degree', String(random.between(1, 3)));
    else if (random.once_in(6)) more.push('--ground-state', random.of(['min', 'max']));
    else if (random.once_in(6)) more.push('--rings', '3,4', '--ring-weight', random.of(['x', '3', '4294967296']));
  } else if (sort < 16) {
    words = ['count', ...lattice(random).split(' ')];
    more.push('--method', random.of(['auto', 'planar', 'planar', 'frontier', 'condensation', 'nearly-planar']));
  } else if (sort < 17) {
    const n = random.between(2, 9);
    const m = random.between(2, 14);
    file = {name: 'in.dense', text: dense(random, n, m, 0.8, kind)};
    more.push('--maximum');
    if (random.once_in(2)) more.push('--rows', Array.from({length: n}, () => random.between(0, 3)).join(','));
  } else if (sort < 18) {
    const n = random.between(2, 12);
    file = {name: 'in.dense', text: dense(random, n, n, 0.7, kind)};
    words = [random.of(['determinant', 'minors', 'bounds']), 'in.dense'];
    if (words[0] === 'minors') words.push('--column', String(random.between(1, n)));
    if (words[0] === 'bounds') words.push('--weights');
    return {words: [...words, '--json'], file};
  } else if (sort < 19) {
    words = ['marginals', `lattice:square:${random.between(2, 10)}x${2 * random.between(1, 8)}`];
    if (random.once_in(2)) words.push('--exact');
    if (random.once_in(3)) words[1] = `lattice:hexagon:${random.between(1, 4)}x${random.between(1, 4)}x${random.between(1, 4)}`;
    return {words: [...words, '--json'], file};
  } else {
    words = ['sample', random.of([`lattice:square:${random.between(2, 12)}x${2 * random.between(1, 10)}`, `lattice:aztec:${random.between(1, 16)}`, `lattice:cubic:2x${random.between(2, 3)}x${2 * random.between(1, 2)}`]),
      '--number', String(random.between(1, 4)), '--seed', String(random.bits())];
    return {words: [...words, '--json'], file};
  }
  words ??= ['count', file.name, ...weighted];
  if (random.once_in(6)) more.push(...modulo(random));
  else if (random.once_in(8)) more.push('--double-check');
  else if (random.once_in(12)) more.push('--audit', '10%');
  if (random.once_in(10) && ['decimal', 'complex'].includes(kind)) more.push('--exact');
  return {words: [...words, ...more, '--json', '--seed', String(random.between(1, 99)), '--time-limit', '20'], file};
}

// --- comparing

function difference(a, b, where = '') {
  if (typeof a === 'number' && typeof b === 'number') {
    if (a === b || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b))) return null;
    return `${where}: ${a} and ${b}`;
  }
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b ? null : `${where}: ${JSON.stringify(a)?.slice(0, 200)} and ${JSON.stringify(b)?.slice(0, 200)}`;
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (is_of_a_run(key)) continue;
    const found = difference(a[key], b[key], `${where}.${key}`);
    if (found) return found;
  }
  return null;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function main() {
  const [build, named, ...options] = process.argv.slice(2);
  const native = path.resolve(named);
  const option = (name, other) => (options.includes(name) ? Number(options[options.indexOf(name) + 1]) : other);
  const program = await hostProgram(build);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'countpm-random-'));
  const seed = option('--seed', 1);
  const sum = {same: 0, codes: {}, differ: 0, limits: 0, residues: {}};
  const only = option('--only', -1);
  const first = only < 0 ? option('--from', 0) : only;
  const end = only < 0 ? first + option('--cases', 2000) : only + 1;
  for (let k = first; k < end; ++k) {
    const {words, file} = command(new Random(seed * 1000003 + k));
    if (file) fs.writeFileSync(path.join(folder, file.name), file.text);
    const done = spawnSync(native, words, {cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28, env: {...process.env, OMP_NUM_THREADS: '1'}});
    const began = Date.now();
    const found = await program.run(words, folder);
    if (Date.now() - began > 20000) console.log(`${k}: ${((Date.now() - began) / 1000).toFixed(0)} s as WebAssembly: ${words.join(' ')}`);
    sum.codes[done.status] = (sum.codes[done.status] ?? 0) + 1;
    const arithmetic = /modulo ([0-9]+) primes/.exec(found.stdout);
    if (arithmetic) sum.residues[arithmetic[1]] = (sum.residues[arithmetic[1]] ?? 0) + 1;
    let wrong = found.code === done.status ? null : `exit codes ${done.status} and ${found.code}`;
    if (wrong && [done.status, found.code].includes(3) && /limit|predicted/.test(found.stderr + done.stderr)) {
      ++sum.limits;
      if (!options.includes('--show')) continue;
    }
    if (!wrong && done.status === 0) wrong = difference(parsed(done.stdout), parsed(found.stdout));
    if (!wrong && done.status === 2 && done.stderr !== found.stderr) wrong = 'other words';
    if (!wrong) {
      ++sum.same;
      continue;
    }
    ++sum.differ;
    console.log(`${k}: ${words.join(' ')}\n  ${wrong}`);
    if (done.status !== 0) console.log(`  native: ${done.stderr.slice(0, 400)}`);
    if (found.code !== 0) console.log(`  WebAssembly: ${found.stderr.slice(0, 400)}`);
    if (only >= 0 && file) console.log(file.text);
  }
  fs.rmSync(folder, {recursive: true, force: true});
  console.log(`${end - first} commands, seed ${seed}: ${sum.same} the same, ${sum.limits} beyond a limit in one alone, ${sum.differ} differ; exit codes ${JSON.stringify(sum.codes)}`);
  process.exitCode = sum.differ > 0 ? 1 : 0;
}

main();
