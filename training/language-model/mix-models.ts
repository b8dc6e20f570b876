import { bigramNode, emptyModel, normalizeBackoffs, trigramLogp } from './named-model.ts';
import { bigramLogp, type TrigramModel } from './ngram.ts';

/**
 * Interpolates two models over the same words linearly with weight `share` for the first: every
 * n-gram of either gets the mixed probability, all others back off.
 */
export function mixModels(a: TrigramModel, b: TrigramModel, share: number): TrigramModel {
  const mix = (logpA: number, logpB: number): number =>
    Math.log(share * Math.exp(logpA) + (1 - share) * Math.exp(logpB));
  const mixed = emptyModel(a.unigramLogp.length);
  for (const word of mixed.unigramLogp.keys()) {
    mixed.unigramLogp[word] = mix(a.unigramLogp[word] ?? -Infinity, b.unigramLogp[word] ?? -Infinity);
  }
  for (const model of [a, b]) {
    for (const [first, row] of model.bigrams) {
      for (const [second, node] of row) {
        const pair = bigramNode(mixed, first, second);
        if (pair.logp === -Infinity) pair.logp = mix(bigramLogp(a, first, second), bigramLogp(b, first, second));
        for (const third of node.next.keys()) {
          if (pair.next.has(third)) continue;
          pair.next.set(third, mix(trigramLogp(a, first, second, third), trigramLogp(b, first, second, third)));
        }
      }
    }
  }
  normalizeBackoffs(mixed);
  return mixed;
}
