// Command lines for the program, one after another, in a worker that can be stopped at any time. A second worker waits so that work goes on at once.

export class Stopped extends Error {}

export class Runner {
  // wasm: a promise of the program, a WebAssembly.Module; script: the text of the worker.
  constructor(wasm, script) {
    this.wasm = wasm;
    this.address = URL.createObjectURL(new Blob([script], {type: 'text/javascript'}));
    this.number = 0;
    this.waiting = [];
    this.running = null;
    this.current = this.start();
    this.spare = null;
  }

  start() {
    const worker = new Worker(this.address), one = {worker};
    one.ready = new Promise((resolve, reject) => {
      one.told = ({data}) => {
        if (data.ready) resolve();
        if (data.broken) reject(new Error(data.broken));
      };
      worker.onerror = (event) => reject(new Error(event.message || 'the worker does not start'));
    });
    one.ready.catch(() => {});
    worker.onmessage = (event) => { one.told(event); if (one === this.current) this.hear(event.data); };
    this.wasm.then((wasm) => worker.postMessage({wasm}), () => {});
    return one;
  }

  // {code, stdout, stderr, files}. progress: called with what --progress json says.
  run(words, {files = {}, progress = null} = {}) {
    return new Promise((resolve, reject) => {
      this.waiting.push({id: ++this.number, words, files, progress, resolve, reject, rest: ''});
      this.next();
    });
  }

  async next() {
    if (this.running || !this.waiting.length) return;
    const task = this.running = this.waiting.shift();
    try {
      await this.wasm;
      await this.current.ready;
    } catch (error) {
      if (this.running === task) this.running = null;
      task.reject(error);
      return;
    }
    if (this.running !== task) return;
    this.current.worker.postMessage({id: task.id, words: task.words, files: task.files});
  }

  hear(data) {
    const task = this.running;
    if (!task || data.id !== task.id) return;
    if (data.said !== undefined) {
      task.rest += data.said;
      const lines = task.rest.split('\n');
      task.rest = lines.pop();
      for (const line of lines) {
        if (task.progress && line.startsWith('{')) {
          try { task.progress(JSON.parse(line)); } catch { /* half a line is no progress */ }
        }
      }
      return;
    }
    this.running = null;
    if (data.answer) task.resolve(data.answer);
    else task.reject(new Error(data.failure));
    if (!this.spare && !this.waiting.length) this.spare = this.start();
    this.next();
  }

  get busy() { return Boolean(this.running); }

  // Ends what runs, and drops what waits.
  stop() {
    const dropped = [...this.running ? [this.running] : [], ...this.waiting];
    this.waiting = [];
    if (this.running) {
      this.running = null;
      this.current.worker.terminate();
      this.current = this.spare ?? this.start();
      this.spare = null;
    }
    for (const task of dropped) task.reject(new Stopped('stopped'));
  }
}

// The program, compiled once for all workers: in the page itself, or beside it. Both are gzipped.
export async function theProgram(element, address) {
  let packed;
  if (element) {
    const text = element.textContent, bytes = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    packed = new Blob([bytes]).stream();
  } else {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
    packed = answer.body;
  }
  const headers = {'Content-Type': 'application/wasm'};
  return WebAssembly.compileStreaming(new Response(packed.pipeThrough(new DecompressionStream('gzip')), {headers}));
}
