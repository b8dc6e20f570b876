import { type NamedModel, type WordMap, bigramNode, emptyModel, normalizeBackoffs } from './named-model.ts';
import { bigramLogp, type BigramNode, type TrigramModel } from './ngram.ts';

/** A published model mapped to our numbers. */
interface Projection {
  source: TrigramModel;
  /** Our number of each published word; −1 for none. */
  target: Int32Array;
  /** Published words that map to our boundary: sentence marks or punctuation. */
  boundaries: number[];
  /** Probability of unmapped words after each published word. */
  dropped: Float64Array;
}

/**
 * Maps a published model to our `size` words (0 is the boundary). Removes unmapped words and
 * renormalizes every distribution; merges several boundary words, weighted by their probabilities.
 * Contexts that end in a boundary only occur at the beginning: [boundary, word].
 */
export function projectModel({ words, model }: NamedModel, numberOf: WordMap, size: number): TrigramModel {
  const target = Int32Array.from(words, (text) => numberOf(text) ?? -1);
  const boundaries: number[] = [];
  const projected = emptyModel(size);
  let droppedMass = 0;
  const mass = new Float64Array(size);
  for (const [word, number] of target.entries()) {
    const probability = Math.exp(model.unigramLogp[word] ?? -Infinity);
    if (number === 0) boundaries.push(word);
    if (number >= 0) mass[number] = (mass[number] ?? 0) + probability;
    else droppedMass += probability;
  }
  for (const [number, probability] of mass.entries()) {
    projected.unigramLogp[number] = Math.log(probability / (1 - droppedMass));
  }
  const dropped = Float64Array.from(words, (_, word) => droppedAfter(model, target, droppedMass, word));
  const projection: Projection = { source: model, target, boundaries, dropped };
  for (const [first, row] of model.bigrams) {
    const number = target[first] ?? -1;
    if (number > 0) projectRow(projection, projected, first, number, row);
  }
  projectBoundary(projection, projected);
  normalizeBackoffs(projected);
  return projected;
}

function droppedAfter(source: TrigramModel, target: Int32Array, droppedMass: number, first: number): number {
  let [explicit, lower] = [0, 0];
  for (const [word, node] of source.bigrams.get(first) ?? []) {
    if ((target[word] ?? -1) >= 0) continue;
    explicit += Math.exp(node.logp);
    lower += Math.exp(source.unigramLogp[word] ?? -Infinity);
  }
  return explicit + Math.exp(source.unigramBackoff[first] ?? 0) * Math.max(0, droppedMass - lower);
}

function projectRow(
  projection: Projection,
  projected: TrigramModel,
  first: number,
  number: number,
  row: Map<number, BigramNode>,
): void {
  const { source, target, boundaries, dropped } = projection;
  const kept = Math.log(Math.max(1e-6, 1 - (dropped[first] ?? 0)));
  let endsSeen = false;
  for (const [second, node] of row) {
    const secondNumber = target[second] ?? -1;
    if (secondNumber === 0) endsSeen = true;
    if (secondNumber <= 0) continue;
    const pair = bigramNode(projected, number, secondNumber);
    pair.logp = node.logp - kept;
    projectThirds(projection, pair, second, node);
  }
  if (!endsSeen) return;
  let ends = 0;
  for (const mark of boundaries) ends += Math.exp(bigramLogp(source, first, mark));
  bigramNode(projected, number, 0).logp = Math.log(ends) - kept;
}

function projectThirds(projection: Projection, pair: BigramNode, second: number, node: BigramNode): void {
  const { source, target, boundaries, dropped } = projection;
  if (node.next.size === 0) return;
  let [explicit, lower] = [0, 0];
  let endsSeen = false;
  for (const [third, logp] of node.next) {
    if (target[third] === 0) endsSeen = true;
    if ((target[third] ?? -1) >= 0) continue;
    explicit += Math.exp(logp);
    lower += Math.exp(bigramLogp(source, second, third));
  }
  const lost = explicit + Math.exp(node.backoff) * Math.max(0, (dropped[second] ?? 0) - lower);
  const kept = Math.log(Math.max(1e-6, 1 - lost));
  for (const [third, logp] of node.next) {
    const number = target[third] ?? -1;
    if (number > 0) pair.next.set(number, logp - kept);
  }
  if (!endsSeen) return;
  let ends = 0;
  for (const mark of boundaries) {
    ends += Math.exp(node.next.get(mark) ?? node.backoff + bigramLogp(source, second, mark));
  }
  pair.next.set(0, Math.log(ends) - kept);
}

/** Distribution at the beginning of an utterance: the mixture after each kind of boundary. */
function projectBoundary(projection: Projection, projected: TrigramModel): void {
  const { source, target, boundaries, dropped } = projection;
  const rows = boundaries.map((mark) => source.bigrams.get(mark)).filter((row) => row !== undefined);
  const starts = boundaries.filter((mark) => source.bigrams.has(mark));
  // A mark that only begins sentences has almost no probability of its own, so a single one gets
  // full weight.
  const startWeights = starts.map((mark) =>
    starts.length === 1 ? 1 : Math.exp(source.unigramLogp[mark] ?? -Infinity),
  );
  const total = startWeights.reduce((sum, weight) => sum + weight, 0);
  const weights = startWeights.map((weight) => weight / total);
  let kept = 0;
  for (const [index, mark] of starts.entries()) kept += (weights[index] ?? 0) * (1 - (dropped[mark] ?? 0));
  const seconds = new Set(rows.flatMap((row) => [...row.keys()]));
  for (const second of seconds) {
    const number = target[second] ?? -1;
    if (number <= 0) continue;
    const shares = starts.map((mark, index) => (weights[index] ?? 0) * Math.exp(bigramLogp(source, mark, second)));
    const probability = shares.reduce((sum, share) => sum + share, 0);
    const pair = bigramNode(projected, 0, number);
    pair.logp = Math.log(probability / kept);
    const thirds = new Set(rows.flatMap((row) => [...(row.get(second)?.next.keys() ?? [])]));
    for (const third of thirds) {
      const thirdNumber = target[third] ?? -1;
      if (thirdNumber <= 0) continue;
      let logp = 0;
      for (const [index, mark] of starts.entries()) {
        const context = source.bigrams.get(mark)?.get(second);
        const seen = context?.next.get(third) ?? (context?.backoff ?? 0) + bigramLogp(source, second, third);
        logp += ((shares[index] ?? 0) / probability) * Math.exp(seen);
      }
      pair.next.set(thirdNumber, Math.log(logp));
    }
  }
}
