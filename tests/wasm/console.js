// What tests/cli/console/*.console have recorded of the program, compared with what it prints as WebAssembly in Node (scripts/build-wasm --test).
//
//   node tests/wasm/console.js FOLDER [--only TEXT] [--show]
//
// FOLDER has the build. A file's commands run one after another in an empty folder with links to data/ and examples/: those of the program alone within this
// process, others by bash. Standard output and the exit code are compared, and standard error where the exit code is not 0. Where a line is not as it was
// recorded, times, sizes of memory and the like are left out of both (the last of `quantities`). What cannot be the same is in left-out.txt, with reasons; a
// line there that nothing needs any longer is an error, too. --only: files whose names have TEXT in them; --show: all that differs, in full.
'use strict';
const {spawnSync} = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const {isMainThread, parentPort, Worker, workerData} = require('worker_threads');

const top = path.resolve(__dirname, '../..');
const {hostProgram} = require(path.join(top, 'web/node-countpm.js'));

// --- what was recorded

function readConsole(text) {
  const examples = [];
  let blank = [];
  let goesOn = false;
  let inHead = true;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const last = examples[examples.length - 1];
    if (goesOn) {
      last.command += `\n${line}`;
      goesOn = line.endsWith('\\');
    } else if (line.startsWith('$ ')) {
      examples.push({command: line.slice(2), out: [], err: [], code: 0});
      blank = [];
      goesOn = line.endsWith('\\');
      inHead = false;
    } else if (line === '' || (inHead && /^#( |$)/.test(line))) {
      blank.push(line);
      inHead = true;
    } else {
      last.out.push(...blank);
      blank = [];
      inHead = false;
      if (/^2>( |$)/.test(line)) {
        last.err.push(line.slice(3));
      } else if (line.startsWith('[exit ')) {
        last.code = Number.parseInt(line.slice(6), 10);
      } else {
        last.out.push(line);
      }
    }
  }
  return examples;
}

const linesOf = (text) => (text === '' ? [] : text.replace(/\n$/, '').split('\n').map((line) => line.replace(/\r$/, '')));

// Each key of an object on a line of its own; other text as it is.
function lineByKey(text) {
  try {
    const value = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return linesOf(text);
  } catch {
    return linesOf(text);
  }
  const lines = ['{'];
  let depth = 0;
  let inString = false;
  let line = '';
  for (let k = 0; k < text.length; ++k) {
    const c = text[k];
    if (inString) {
      line += c;
      if (c === '\\') line += text[++k];
      if (c === '"') inString = false;
      continue;
    }
    if (/\s/.test(c)) continue;
    if (c === '"') inString = true;
    if (c === '}' || c === ']') --depth;
    const isEnd = depth === 0 && c === '}';
    if (depth === 1 && (c === ',' || c === '{')) {
      if (c === '{') line += c;
      if (c === ',') {
        lines.push(`  ${line}`);
        line = '';
      }
    } else if (isEnd) {
      if (line !== '') lines.push(`  ${line}`);
    } else if (!(depth === 0 && c === '{')) {
      line += depth === 1 && c === ':' ? ': ' : c;
    }
    if (c === '{' || c === '[') ++depth;
  }
  lines.push('}');
  return lines;
}

function fits(text, pattern) {
  const parts = pattern.split('...');
  if (parts.length === 1) return text === pattern;
  if (!text.startsWith(parts[0])) return false;
  let at = parts[0].length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.slice(at).endsWith(parts[parts.length - 1]);
}

function fit(text, pattern, same = fits) {
  const from = (line, row) => {
    if (row === pattern.length) return line === text.length;
    if (pattern[row] !== '...') return line < text.length && same(text[line], pattern[row]) && from(line + 1, row + 1);
    for (let next = line; next <= text.length; ++next) if (from(next, row + 1)) return true;
    return false;
  };
  return from(0, 0);
}

// --- what differs from machine to machine

const quantities = [
  [/"([a-z0-9_]*seconds[a-z_]*)":( ?)(null|[-+.0-9e]+|\{[^}]*\}|\.\.\.)/g, '"$1":...'],
  [/"([a-z_]*bytes[a-z_]*)":( ?)([0-9]+|null)/g, '"$1":...'],
  [/"work":[-+.0-9e]+/g, '"work":...'],
  [/(under )?[0-9][0-9.]*(e[-+]?[0-9]+)? (ms|s|min|h|days?|years?|B|KiB|MiB|GiB)\b/g, '...'],
  [/modulo the prime [0-9]+/g, 'modulo the prime ...'],
  [/(\.\.\.\s*)+/g, '...'],
  [/ +\.\.\./g, '...'],
  [/ +$/g, ''],
];
const without = (line) => quantities.reduce((text, [rule, by]) => text.replace(rule, by), line);
const alike = (text, pattern) => fits(text, pattern) || fits(without(text), without(pattern));

// --- the program

// The words of a command of the program alone; null where bash has to read it.
function wordsOf(command) {
  const words = [];
  let word = null;
  for (let k = 0; k < command.length; ++k) {
    const c = command[k];
    if (c === "'" || c === '"') {
      const end = command.indexOf(c, k + 1);
      if (end < 0 || (c === '"' && /[$`\\]/.test(command.slice(k, end)))) return null;
      word = (word ?? '') + command.slice(k + 1, end);
      k = end;
    } else if (c === '\\' && command[k + 1] === '\n') {
      ++k;
    } else if (/\s/.test(c)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (/[|&;<>()$`\\*?[\]{}~#!]/.test(c)) {
      return null;
    } else {
      word = (word ?? '') + c;
    }
  }
  if (word !== null) words.push(word);
  return words.length > 0 && words[0] === 'countpm' ? words.slice(1) : null;
}

// A program that runs it, as tests of the native one find its path in $countpm.
function wrapper(above, build) {
  const file = path.join(above, 'countpm');
  fs.writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${top}/web/node-countpm.js" "${build}" "$@"\n`, {mode: 0o755});
  return file;
}

async function runExample(example, folder, build, program) {
  const words = wordsOf(example.command);
  let found;
  if (words !== null && !words.includes('-')) {
    found = await program.run(words, folder);
  } else {
    const script = `set -o pipefail\ncountpm=${wrapper(path.dirname(folder), build)}\ncountpm() { "$countpm" "$@"; }\n${example.command}\n`;
    const done = spawnSync('bash', ['-c', script], {cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28, input: ''});
    found = {code: done.status, stdout: done.stdout, stderr: done.stderr};
  }
  const json = example.command.includes('--json');
  const out = json ? lineByKey(found.stdout) : linesOf(found.stdout);
  while (out.length > 0 && out[out.length - 1] === '') out.pop();
  return {out, err: linesOf(found.stderr), code: found.code};
}

function leftOut() {
  const lists = new Map();
  let reason = '';
  for (const line of fs.readFileSync(path.join(__dirname, 'left-out.txt'), 'utf8').split('\n')) {
    if (line.startsWith('# ')) {
      reason = line.slice(2);
    } else if (line !== '') {
      const [, file, command] = /^([^:]+): (.*)$/.exec(line);
      if (!lists.has(file)) lists.set(file, []);
      lists.get(file).push({command, reason, used: false});
    }
  }
  return lists;
}

async function runFile(name, build) {
  const program = await hostProgram(build);
  const above = fs.mkdtempSync(path.join(os.tmpdir(), 'countpm-wasm-'));
  const folder = path.join(above, name); // as what is recorded has it
  fs.mkdirSync(folder);
  for (const link of ['data', 'examples']) fs.symlinkSync(path.join(top, link), path.join(folder, link));
  const lists = leftOut();
  const exceptions = [...(lists.get(name) ?? []), ...(lists.get('any') ?? []).map((one) => ({...one, used: true}))];
  const report = {name, same: 0, leftOut: 0, differing: [], unused: []};
  for (const example of readConsole(fs.readFileSync(path.join(top, `tests/cli/console/${name}.console`), 'utf8'))) {
    const first = example.command.split('\n')[0];
    const exception = exceptions.find(({command}) => fits(first, command));
    if (exception && exception.reason.startsWith('Not run')) {
      exception.used = true;
      ++report.leftOut;
      continue;
    }
    const found = await runExample(example, folder, build, program);
    const isSame = found.code === example.code && fit(found.out, example.out, alike) && (example.code === 0 || fit(found.err, example.err, alike));
    if (isSame) {
      ++report.same;
    } else if (exception) {
      exception.used = true;
      ++report.leftOut;
    } else {
      report.differing.push({example, found});
    }
  }
  for (const {command, used} of exceptions) if (!used) report.unused.push(command);
  fs.rmSync(above, {recursive: true, force: true});
  return report;
}

// --- all files, two at a time

const text = ({command, out, err, code}) =>
  [...(command === undefined ? [] : [`$ ${command}`]), ...out, ...err.map((line) => `2> ${line}`), ...(code === 0 ? [] : [`[exit ${code}]`])].join('\n');

async function main() {
  const [folder, ...options] = process.argv.slice(2);
  const build = path.resolve(folder);
  const only = options.includes('--only') ? options[options.indexOf('--only') + 1] : '';
  const names = fs.readdirSync(path.join(top, 'tests/cli/console')).filter((file) => file.endsWith('.console') && file.includes(only));
  const waiting = names.map((file) => file.replace(/\.console$/, ''));
  const sum = {same: 0, leftOut: 0, differing: 0, unused: 0};
  const takeOne = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const report = await new Promise((resolve, reject) => {
        const worker = new Worker(__filename, {workerData: {name, build}});
        worker.once('message', resolve);
        worker.once('error', reject);
      });
      sum.same += report.same;
      sum.leftOut += report.leftOut;
      sum.differing += report.differing.length;
      sum.unused += report.unused.length;
      console.log(`${name}: ${report.same} the same, ${report.leftOut} left out, ${report.differing.length} differ`);
      for (const {example, found} of report.differing) {
        console.log(options.includes('--show') ? `${text(example)}\n--- as WebAssembly:\n${text(found)}\n` : `  ${example.command.split('\n')[0]}`);
      }
      for (const command of report.unused) console.log(`  nothing needs the exception: ${command}`);
    }
  };
  await Promise.all([takeOne(), takeOne()]);
  console.log(`${sum.same} commands print the same, ${sum.leftOut} are left out, ${sum.differing} differ`);
  process.exitCode = sum.differing + sum.unused > 0 ? 1 : 0;
}

if (isMainThread) {
  main();
} else {
  runFile(workerData.name, workerData.build).then((report) => parentPort.postMessage(report));
}
