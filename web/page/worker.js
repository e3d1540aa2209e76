// The program in a worker: it answers one command line after another, and is stopped by ending the worker.
// In front of this are countpm-glue.js and countpm.js, which define loadCountpm (scripts/build-web).

let program = null;

self.onmessage = async ({data}) => {
  if (data.wasm) {
    program = loadCountpm(data.wasm);
    program.then(() => self.postMessage({ready: true}), (error) => self.postMessage({broken: String(error?.message ?? error)}));
    return;
  }
  const {id, words, files} = data;
  try {
    const answer = await (await program).run(words, {files, onStderr: (text) => self.postMessage({id, said: text})});
    self.postMessage({id, answer});
  } catch (error) {
    self.postMessage({id, failure: String(error?.message ?? error)});
  }
};
