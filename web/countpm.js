// The program countpm in a browser or in Node, as WebAssembly (scripts/build-wasm): a script that defines loadCountpm(), which import() and require() take
// as well. Beside it, or before it in a page, belongs countpm-glue.js, which the build makes: a script that defines countpm_module().
//
//   const program = await loadCountpm('countpm.wasm');   // or its bytes, or a WebAssembly.Module
//   const answer = await program.run(['count', 'graph.txt', '--json'], {files: {'graph.txt': 'a b\n'}});
//   answer.code, answer.stdout, answer.stderr, answer.files
//
// Each run is a program that has just been started: nothing is left of those before. It holds its thread until it ends, so that a page runs it in a worker,
// which it ends to stop it. One thread, and memory up to a limit of the build.
(() => {
  'use strict';

  const inNode = typeof process === 'object' && typeof process.versions === 'object' && typeof process.versions.node === 'string';

  function theGlue() {
    if (typeof countpm_module === 'function') return countpm_module;
    if (inNode && typeof require === 'function') return require('./countpm-glue.js');
    throw new Error('countpm-glue.js belongs before countpm.js');
  }

  async function compiled(source) {
    if (source instanceof WebAssembly.Module) return source;
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
    if (inNode && !/^https?:/.test(String(source))) return WebAssembly.compile(await require('fs').promises.readFile(source));
    const answer = await fetch(source);
    if (!answer.ok) throw new Error(`${source}: ${answer.status} ${answer.statusText}`);
    return WebAssembly.compile(await answer.arrayBuffer());
  }

  const bytesOf = (data) => (typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data));

  // Text as it comes, in pieces that may end within a character.
  class TextSink {
    constructor(told) {
      this.decoder = new TextDecoder('utf-8', {fatal: false, ignoreBOM: true});
      this.pieces = [];
      this.told = told;
    }

    take(text) {
      if (text === '') return;
      this.pieces.push(text);
      if (this.told) this.told(text);
    }

    write(bytes) {
      this.take(this.decoder.decode(bytes, {stream: true}));
    }

    end() {
      this.take(this.decoder.decode());
      return this.pieces.join('');
    }
  }

  // write(bytes) in place of one byte after the other.
  function redirect(FS, descriptor, write) {
    const stream = FS.getStream(descriptor);
    stream.stream_ops = {
      ...stream.stream_ops,
      write(_, buffer, offset, length) {
        write(new Uint8Array(buffer.slice(offset, offset + length)));
        return length;
      },
    };
  }

  function filesIn(FS, folder, below, found) {
    for (const name of FS.readdir(folder)) {
      if (name === '.' || name === '..') continue;
      const path = `${folder}/${name}`;
      const mode = FS.lstat(path).mode;
      if (FS.isDir(mode)) {
        filesIn(FS, path, `${below}${name}/`, found);
      } else if (FS.isFile(mode)) {
        found[below + name] = FS.readFile(path);
      }
    }
    return found;
  }

  const same = (a, b) => a.length === b.length && a.every((byte, k) => byte === b[k]);

  class Countpm {
    constructor(module, glue) {
      this.module = module;
      this.glue = glue;
    }

    // The program, ready to be run once by callMain().
    async start(environment, readByte) {
      let code = null;
      const instance = await new Promise((resolve, reject) => {
        this.glue({
          noInitialRun: true,
          thisProgram: 'countpm',
          quit(status, reason) {
            if (code === null) code = status;
            throw reason;
          },
          print() {},
          printErr() {},
          instantiateWasm: (imports, ready) => {
            WebAssembly.instantiate(this.module, imports).then((made) => ready(made, this.module), reject);
            return {};
          },
          preRun: [
            (made) => {
              made.FS.init(readByte, () => {}, () => {});
              Object.assign(made.ENV, {LANG: 'C.UTF-8'}, environment);
            },
          ],
        }).then(resolve, reject);
      });
      return {
        instance,
        main: (args) => {
          const returned = instance.callMain(args);
          return code === null ? returned : code;
        },
      };
    }

    async run(args, {files = {}, stdin = '', environment = {}, onStdout, onStderr} = {}) {
      const input = bytesOf(stdin);
      let at = 0;
      const {instance, main} = await this.start(environment, () => (at < input.length ? input[at++] : null));
      const FS = instance.FS;
      const out = new TextSink(onStdout);
      const errors = new TextSink(onStderr);
      redirect(FS, 1, (bytes) => out.write(bytes));
      redirect(FS, 2, (bytes) => errors.write(bytes));
      const folder = '/work';
      FS.mkdir(folder);
      FS.chdir(folder);
      const given = {};
      for (const [name, data] of Object.entries(files)) {
        const parts = name.split('/');
        for (let k = 1; k < parts.length; ++k) {
          const part = parts.slice(0, k).join('/');
          if (!FS.analyzePath(part).exists) FS.mkdir(part);
        }
        given[name] = bytesOf(data);
        FS.writeFile(name, given[name]);
      }
      let code = 1;
      try {
        code = main(args);
      } catch (error) {
        // A trap: memory or the stack at an end, or a fault of the program.
        errors.take(`countpm: internal fault: ${error && error.message ? error.message : error}; please report it\n`);
      }
      const written = filesIn(FS, folder, '', {});
      for (const name of Object.keys(written)) {
        if (name in given && same(written[name], given[name])) delete written[name];
      }
      return {code, stdout: out.end(), stderr: errors.end(), files: written};
    }
  }

  async function loadCountpm(source, glue = theGlue()) {
    return new Countpm(await compiled(source), glue);
  }

  globalThis.loadCountpm = loadCountpm;
  if (typeof module === 'object' && module.exports) module.exports = {loadCountpm, redirect};
})();
