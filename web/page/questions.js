// What the page asks the program, each question as a command line, and what its answer means.
//
// A question's answer is {code 0 and what was asked for}, or {code, text, slow}: what the program says, and whether a longer time limit would do.
import {Runner} from './runner.js';
import {decimalsOf} from './region.js';

const textOf = (data) => typeof data === 'string' ? data : new TextDecoder().decode(data ?? new Uint8Array());
const BUSY_AFTER = 350;  // milliseconds until work is shown

export class Questions {
  // shown(what, progress) is called while something runs, and with null when nothing does.
  constructor(wasm, script, shown) {
    this.begin = () => new Runner(wasm, script);
    this.shown = shown;
    this.counting = this.begin();
    this.picturing = null;  // a second worker, from the first picture on: nothing waits for a long count
  }

  stop() {
    for (const runner of [this.counting, this.picturing]) if (runner?.busy) runner.stop();
  }

  async run(runner, what, words, files) {
    const shows = setTimeout(() => this.shown(what, null), BUSY_AFTER);
    try {
      const {code, stdout, stderr, files: made} = await runner.run(words, {files, progress: (said) => this.shown(what, said)});
      const answer = {code, text: textOf(stdout), files: made};
      return code === 0 ? answer : complaint(code, answer.text, textOf(stderr));
    } finally {
      clearTimeout(shows);
      if (!this.counting.busy && !this.picturing?.busy) this.shown(null);
    }
  }

  // {result: the object of `countpm count --json`}
  async count(drawing, {words, files}, limit) {
    const answer = await this.run(this.counting, 'Counting', ['count', ...words, ...decimalsOf(drawing), '--json', '--progress', 'json', '--time-limit', limit], files);
    return answer.code ? answer : {...answer, result: JSON.parse(answer.text)};
  }

  // {result: the object of `countpm chem --json`}
  async molecule({words, files}, limit) {
    const answer = await this.run(this.counting, 'Clar covers', ['chem', ...words, '--json', '--time-limit', limit], files);
    return answer.code ? answer : {...answer, result: JSON.parse(answer.text)};
  }

  // {proof: the file's content}
  async proof(drawing, {words, files}, limit) {
    const more = ['--json', '--proof', 'proof.json', '--progress', 'json', '--time-limit', limit];
    const answer = await this.run(this.counting, 'Proof', ['count', ...words, ...decimalsOf(drawing), ...more], files);
    return answer.code ? answer : {...answer, proof: answer.files['proof.json']};
  }

  // {text: lines of probabilities, picture: of a file, as the program draws it}. What was asked before and is not answered is dropped.
  async probabilities({words, files}, {exact, draws}, limit) {
    return this.picture('Probabilities', ['marginals', ...words, ...exact ? ['--exact'] : draws ? [] : ['--digits', '6']], files, draws, limit);
  }

  // {text: a line of edges, picture}
  async sample({words, files}, seed, draws, limit) {
    return this.picture('Drawing at random', ['sample', ...words, '--number', '1', '--seed', String(seed)], files, draws, limit);
  }

  async picture(what, words, files, draws, limit) {
    this.picturing ??= this.begin();
    if (this.picturing.busy) this.picturing.stop();
    const more = [...draws ? ['--svg', 'picture.svg'] : [], '--time-limit', limit, '--progress', 'json'];
    const answer = await this.run(this.picturing, what, [...words, ...more], files);
    return answer.code ? answer : {...answer, picture: draws ? textOf(answer.files['picture.svg']) : null};
  }
}

function complaint(code, stdout, stderr) {
  let text = '';
  try { text = JSON.parse(stdout).error.message; } catch { /* then it is on standard error */ }
  text ||= stderr.split('\n').filter((line) => line && !line.startsWith('{')).join('\n').replace(/^countpm: /gm, '');
  return {code, text: text || `The program ended with code ${code}.`, slow: code === 3 && /time limit/.test(text)};
}
