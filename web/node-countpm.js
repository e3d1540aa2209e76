#!/usr/bin/env node
// The program as it was compiled to WebAssembly, in Node, with this machine's files, arguments and streams: for the tests of scripts/build-wasm.
//
//   node web/node-countpm.js FOLDER ARGUMENTS...    FOLDER: where countpm.wasm and countpm-glue.js are
'use strict';
const fs = require('fs');
const path = require('path');
const {loadCountpm, redirect} = require('./countpm.js');

function readByte() {
  const one = Buffer.alloc(1);
  for (;;) {
    try {
      return fs.readSync(0, one, 0, 1, null) === 1 ? one[0] : null;
    } catch (error) {
      if (error.code === 'EOF') return null;
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

const broken_pipe = 64; // EPIPE of Emscripten's C library

function writeAll(FS, descriptor, bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += fs.writeSync(descriptor, bytes, at);
    } catch (error) {
      if (error.code === 'EPIPE') throw new FS.ErrnoError(broken_pipe);
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

// Standard output in pieces as large as the native program's: Emscripten's C library cuts what is printed at once in two, and where `head` has ended between
// them the second is lost, and all that the program does after it. write() throws as writeAll(), flush() as Node does.
class Output {
  constructor(FS) {
    this.FS = FS;
    this.pieces = [];
    this.size = 0;
  }

  write(bytes) {
    this.pieces.push(Buffer.from(bytes));
    this.size += bytes.length;
    if (this.size >= 1 << 16) this.flush();
  }

  flush() {
    const bytes = Buffer.concat(this.pieces);
    this.pieces = [];
    this.size = 0;
    writeAll(this.FS, 1, bytes);
  }
}

// This machine's folders, in place of those that are in memory.
function mountHost({FS, NODEFS}, folder) {
  for (const name of fs.readdirSync('/')) {
    const top = `/${name}`;
    if (['dev', 'proc', 'sys'].includes(name) || !fs.statSync(top, {throwIfNoEntry: false})?.isDirectory()) continue;
    if (!FS.analyzePath(top).exists) FS.mkdir(top);
    FS.mount(NODEFS, {root: top}, top);
  }
  FS.chdir(folder);
}

async function load(folder) {
  return loadCountpm(path.join(folder, 'countpm.wasm'), require(path.join(folder, 'countpm-glue.js')));
}

// The program loaded once: run(arguments, working folder) -> {code, stdout, stderr}, with nothing on standard input.
async function hostProgram(folder) {
  const program = await load(path.resolve(folder));
  return {
    async run(args, workingFolder) {
      const {instance, main} = await program.start({}, () => null);
      const written = {1: [], 2: []};
      for (const descriptor of [1, 2]) redirect(instance.FS, descriptor, (bytes) => written[descriptor].push(Buffer.from(bytes)));
      mountHost(instance, workingFolder);
      let code;
      try {
        code = main(args);
      } catch (error) {
        code = `a trap: ${error.stack}`;
      }
      return {code, stdout: Buffer.concat(written[1]).toString(), stderr: Buffer.concat(written[2]).toString()};
    },
  };
}

async function run() {
  const program = await load(path.resolve(process.argv[2]));
  const {instance, main} = await program.start(process.env, readByte);
  const output = new Output(instance.FS);
  redirect(instance.FS, 1, (bytes) => output.write(bytes));
  redirect(instance.FS, 2, (bytes) => {
    output.flush();
    writeAll(instance.FS, 2, bytes);
  });
  mountHost(instance, process.cwd());
  process.exitCode = main(process.argv.slice(3));
  try {
    output.flush();
  } catch (error) {
    if (error.errno === broken_pipe) return;
    console.error(`countpm: standard output: ${error.message}`);
    process.exitCode = 1;
  }
}

module.exports = {hostProgram};
if (require.main === module) run();
