// What the program wrote, as numbers about a graph's edges and corners.

// The edges at each vertex: those of vertex v are list[starts[v]] to list[starts[v + 1] - 1].
export function edgesAtVertices(graph) {
  const starts = new Int32Array(graph.labels.length + 1), list = new Int32Array(graph.ends.length);
  for (const vertex of graph.ends) ++starts[vertex + 1];
  for (let k = 1; k < starts.length; ++k) starts[k] += starts[k - 1];
  const next = starts.slice();
  graph.ends.forEach((vertex, k) => { list[next[vertex]++] = k >> 1; });
  return {starts, list};
}

function edgeOf(graph, from, to) {
  const a = graph.numbers.get(from), b = graph.numbers.get(to), {starts, list} = graph.edges;
  for (let k = starts[a]; k < starts[a + 1]; ++k)
    if (graph.ends[2 * list[k]] === b || graph.ends[2 * list[k] + 1] === b) return list[k];
  throw new Error(`the program speaks of an edge ${from} ${to}, which the drawing has not`);
}

// A line of `countpm sample`: pairs, with a blank within and a tab between them. The edges of the matching; null where there is none.
export function edgesOfSample(graph, text) {
  const end = text.indexOf('\n');
  if (end < 0) return null;
  const edges = [];
  for (const pair of text.slice(0, end).split('\t')) {
    if (!pair) continue;
    const blank = pair.indexOf(' ');
    edges.push(edgeOf(graph, pair.slice(0, blank), pair.slice(blank + 1)));
  }
  return edges;
}

const valueOf = (text) => {
  const slash = text.indexOf('/');
  return slash < 0 ? Number(text) : Number(text.slice(0, slash)) / Number(text.slice(slash + 1));
};

// Lines `from to probability` of `countpm marginals`: {values, texts}, by the numbers of edges. Null where there is no perfect matching.
export function probabilitiesOf(graph, text) {
  if (!text) return null;
  const values = new Float64Array(graph.directions.length), texts = new Array(graph.directions.length).fill('0');
  for (const line of text.split('\n')) {
    if (!line) continue;
    const [from, to, probability] = line.split(' '), edge = edgeOf(graph, from, to);
    values[edge] = valueOf(probability);
    texts[edge] = probability;
  }
  return {values, texts};
}

// 12345678 as 12 345 678, with thin blanks, where lines may break; a fraction and a decimal likewise in its integers.
export const grouped = (text) => text.replace(/\d{5,}/g, (digits, at, whole) => whole[at - 1] === '.' ? digits : digits.replace(/\B(?=(\d{3})+$)/g, '\u2009'));

// The number of decimal digits of an integer's text, without its sign.
export const digitsOf = (count) => count.replace(/^-/, '').length;

// A long number at a glance: 3.53 × 10^6050 as [mantissa, exponent].
export function powerOfTen(log10) {
  let exponent = Math.floor(log10), mantissa = 10 ** (log10 - exponent);
  if (mantissa >= 9.995) [mantissa, exponent] = [1, exponent + 1];
  return [mantissa.toFixed(2), exponent];
}

// Seconds in words, rounded as one says them.
export function duration(seconds) {
  if (seconds < 0.0995) return `${Math.max(1, Math.round(seconds * 1000))} ms`;
  if (seconds < 9.95) return `${seconds.toFixed(seconds < 0.995 ? 2 : 1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`;
  return seconds < 172800 ? `${Math.round(seconds / 3600)} hours` : `${Math.round(seconds / 86400)} days`;
}
