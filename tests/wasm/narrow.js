// Sizes that 32 bits do not hold, as a size_t there has: the program as WebAssembly in Node beside the native one.
//
//   node tests/wasm/narrow.js FOLDER NATIVE
//
// FOLDER has the build, NATIVE is the program of this machine. Each command must end with the same exit code and, without what is measured, the same words;
// or it is refused with exit code 3, where WebAssembly has too little memory.
'use strict';
const {spawnSync} = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const {hostProgram} = require(path.resolve(__dirname, '../../web/node-countpm.js'));

const beyond = 2 ** 32;

// An edge list whose first four bytes are one edge, and then zeros up to 4 GiB and 4 bytes; on the disk it is small.
function large(file) {
  fs.writeFileSync(file, 'a b\n');
  fs.truncateSync(file, beyond + 4);
}

function npy(shape) {
  const text = `{'descr': '<i8', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`;
  const header = Buffer.from(`${text.padEnd(117)}\n`);
  const head = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8]);
  return Buffer.concat([head, header, Buffer.alloc(32, 1)]);
}

// A diagonal, and little more.
function diagonal(rows, columns) {
  const entries = Array.from({length: Math.min(rows, columns)}, (_, i) => `${i + 1} ${i + 1}\n`);
  if (columns > rows) entries.push(`${rows} ${columns}\n`);
  return `%%MatrixMarket matrix coordinate pattern general\n${rows} ${columns} ${entries.length}\n${entries.join('')}`;
}

// Two entries a row and column, and a few more: one block.
function ring(rows) {
  const entries = Array.from({length: rows}, (_, i) => `${i + 1} ${i + 1}\n${i + 1} ${((i + 1) % rows) + 1}\n`);
  for (let k = 0; k < 40; ++k) entries.push(`${k * 31 + 1} ${k * 57 + 900}\n`);
  return `%%MatrixMarket matrix coordinate pattern general\n${rows} ${rows} ${2 * rows + 40}\n${entries.join('')}`;
}

// graph6 with its longest number of vertices, of 36 bits.
function graph6(vertices) {
  let text = '~~';
  for (let shift = 30; shift >= 0; shift -= 6) text += String.fromCharCode(63 + (Math.floor(vertices / 2 ** shift) & 63));
  return `${text}?\n`;
}

const files = {
  'large.edgelist': large,
  'metis.graph': `${beyond + 2} 1\n2\n1\n`,
  'rows.mtx': `%%MatrixMarket matrix coordinate pattern general\n${beyond + 1} ${beyond + 1} 1\n1 1\n`,
  'entries.mtx': `%%MatrixMarket matrix coordinate pattern general\n1 1 ${beyond + 1}\n1 1\n`,
  'place.mtx': `%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 ${beyond + 2}\n`,
  'weight.mtx': `%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 1 ${beyond}\n2 2 ${beyond + 1}\n2 1 -${beyond}\n`,
  'wide.mtx': diagonal(65536, 65537),
  'ring.mtx': ring(65536),
  'shape.npy': npy([beyond + 2, 2]),
  'square.npy': npy([65536, 65536]),
  'beyond.g6': graph6(beyond + 2),
  'dimacs.col': `p edge ${beyond + 2} 1\ne 1 ${beyond + 2}\n`,
  'picture.pbm': 'P1\n65537 65536\n1 1 1 1\n',
  'pajek.net': `*Vertices ${beyond + 2}\n*Edges\n1 2\n`,
  'parallel.edgelist': `a b ${beyond}\na b ${beyond}\nc d 1\n`,
  'square.edgelist': 'a b\nb c\nc d\nd a\n',
};

const commands = [
  'large.edgelist', 'metis.graph --format metis', 'rows.mtx', 'entries.mtx', 'place.mtx', 'weight.mtx --weights', 'weight.mtx --weights --modulo 4294967296,18446744073709551616',
  'minors wide.mtx', 'minors wide.mtx --column 1', 'ring.mtx --no-rule all --method low-rank', 'ring.mtx --no-rule all --method f-factors', 'ring.mtx --no-rule all --method definition',
  'ring.mtx --no-rule all --method enumerate', 'ring.mtx --no-rule all --method hafnian', 'ring.mtx --no-rule all --method grouped', 'ring.mtx --no-rule all --method ryser', 'ring.mtx --no-rule all --method codegen', 'bounds ring.mtx', 'marginals ring.mtx',
  'determinant wide.mtx', 'pfaffian ring.mtx', 'estimate ring.mtx --no-rule all --all-sampled --sampler godsil-gutman --samples 10', 'estimate ring.mtx --no-rule all --all-sampled --guarantee 0.5,0.1',
  'shape.npy', 'square.npy', 'beyond.g6', 'dimacs.col --format dimacs', 'picture.pbm', 'pajek.net', 'parallel.edgelist --weights --multi sum',
  'lattice:square:65536x65536', 'lattice:square:65536x65537', 'lattice:complete-bipartite:65536x65536', 'lattice:complete:131072', 'lattice:hypercube:32', 'lattice:hypercube:33',
  'lattice:circulant:4294967298:1', 'lattice:prism:2147483649', 'lattice:kneser:40:20', 'lattice:aztec:65536', 'lattice:hexagon:65536x65536x1', 'lattice:cubic:2048x2048x1025',
  'lattice:hypercubic:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2', 'lattice:fullerene:4294967318:1,2,3,4,5,6,7,8,9,10,11,12', 'lattice:square:2x4294967298',
  'lattice:honeycomb:65536x32768', 'lattice:triangular:65536x65536', 'lattice:square:6x6:weights=4294967296,4294967297', 'lattice:square:4x4:weights=4294967296/4294967297,1/18446744073709551617',
  'lattice:complete:4 --monomers 4294967296', 'square.edgelist --rows 4294967296,1', 'square.edgelist --copies 4294967297,1,1,1', 'lattice:complete:6 --power 4294967295 --monomers t',
  'list square.edgelist --number 4294967297', 'list square.edgelist --range 4294967297..4294967299', 'sample square.edgelist --number 3 --seed 4294967297', 'sample square.edgelist --number 3 --seed 1',
  'count square.edgelist --memory-limit 8G', 'count square.edgelist --memory-limit 4294967296', 'estimate ring.mtx --no-rule all --all-sampled --population 1048576 --samples 1', 'many lattice:square:2xN --range N=4294967296..4294967297',
];

const quantities = [[/[0-9][0-9.]*(e[-+]?[0-9]+)? (ms|s|min|h|days?|years?|B|KiB|MiB|GiB|TiB)\b/g, '...'], [/under \.\.\./g, '...'], [/\b[0-9.]+e\+?[0-9]+ (years|days)/g, '...'], [/10\^[0-9.]+ (years|days|h)/g, '...']];
const without = (text) => quantities.reduce((rest, [rule, by]) => rest.replace(rule, by), text);

async function main() {
  const [build, named] = process.argv.slice(2);
  const native = path.resolve(named);
  const program = await hostProgram(build);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'countpm-narrow-'));
  for (const [name, content] of Object.entries(files)) {
    if (typeof content === 'function') content(path.join(folder, name));
    else fs.writeFileSync(path.join(folder, name), content);
  }
  const sum = {same: 0, memory: 0, differ: 0};
  for (const command of commands) {
    const words = command.split(' ');
    if (words[0] !== 'list') words.push('--time-limit', '10');
    // With a limit files are not mapped, and it is the mapping of the large one that matters.
    if (!words.includes('--memory-limit') && words[0] !== 'large.edgelist') words.push('--memory-limit', '1G');
    const done = spawnSync(native, words, {cwd: folder, encoding: 'utf8', env: {...process.env, OMP_NUM_THREADS: '1'}});
    const found = await program.run(words, folder);
    const same = done.status === found.code && done.stdout === found.stdout && (done.status === 0 || without(done.stderr) === without(found.stderr));
    const memory = found.code === 3 && /memory|limit|GiB|MiB/.test(found.stderr) && found.stdout === '';
    if (same) ++sum.same;
    else if (memory) ++sum.memory;
    else ++sum.differ;
    if (same) continue;
    console.log(`${memory ? 'refused' : 'DIFFERS'}: ${words.join(' ')}\n  native, ${done.status}: ${(done.stdout + done.stderr).slice(0, 300).trim()}\n  WebAssembly, ${found.code}: ${(found.stdout + found.stderr).slice(0, 300).trim()}`);
  }
  fs.rmSync(folder, {recursive: true, force: true});
  console.log(`${commands.length} commands: ${sum.same} the same, ${sum.memory} refused for want of memory in WebAssembly alone, ${sum.differ} differ`);
  process.exitCode = sum.differ > 0 ? 1 : 0;
}

main();
