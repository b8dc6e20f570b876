/** What one letter of a word says: no, one or two phones, joined with `+`; `-` for none. */
export type Chunk = string;

const SILENT = '-';
const ROUNDS = 6;
/** Odds of a chunk that was never seen: small, but every word has to be alignable. */
const UNSEEN = 1e-6;

type Entry = { word: string; phones: readonly string[] };

/**
 * Shares the phones of each word out among its letters, none, one or two for each, by expectation-maximisation in its Viterbi form:
 * the likeliest alignment by what letters said in all alignments of the round before. Words that cannot be aligned are left out.
 */
export function alignLetters(entries: readonly Entry[]): { word: string; chunks: Chunk[] }[] {
  let odds = initialOdds(entries);
  let aligned: { word: string; chunks: Chunk[] }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const counts = new Map<string, Map<Chunk, number>>();
    aligned = [];
    for (const { word, phones } of entries) {
      const chunks = bestAlignment(word, phones, odds);
      if (chunks === null) continue;
      aligned.push({ word, chunks });
      chunks.forEach((chunk, index) => count(counts, word.charAt(index), chunk, 1));
    }
    odds = normalised(counts);
  }
  return aligned;
}

type Odds = (letter: string, chunk: Chunk) => number;

function count(counts: Map<string, Map<Chunk, number>>, letter: string, chunk: Chunk, by: number): void {
  const own = counts.get(letter) ?? new Map<Chunk, number>();
  own.set(chunk, (own.get(chunk) ?? 0) + by);
  counts.set(letter, own);
}

/** Every letter may have said every phone near its place. */
function initialOdds(entries: readonly Entry[]): Odds {
  const counts = new Map<string, Map<Chunk, number>>();
  for (const { word, phones } of entries) {
    for (let at = 0; at < word.length; at += 1) {
      const middle = (at * phones.length) / word.length;
      count(counts, word.charAt(at), SILENT, 0.5);
      phones.forEach((phone, index) => count(counts, word.charAt(at), phone, 1 / (1 + (index - middle) ** 2)));
    }
  }
  const odds = normalised(counts);
  // Two phones of one letter are rare (x, u): allowed from the start, for less.
  return (letter, chunk) => {
    if (!chunk.includes('+')) return odds(letter, chunk);
    return chunk.split('+').reduce((product, phone) => product * odds(letter, phone), 0.05);
  };
}

function normalised(counts: ReadonlyMap<string, ReadonlyMap<Chunk, number>>): Odds {
  const totals = new Map(
    [...counts].map(([letter, own]) => [letter, [...own.values()].reduce((sum, one) => sum + one, 0)]),
  );
  return (letter, chunk) => Math.max(UNSEEN, (counts.get(letter)?.get(chunk) ?? 0) / (totals.get(letter) ?? 1));
}

function bestAlignment(word: string, phones: readonly string[], odds: Odds): Chunk[] | null {
  const width = phones.length + 1;
  const best = new Float64Array((word.length + 1) * width).fill(-Infinity);
  const from = new Int8Array(best.length);
  best[0] = 0;
  for (let at = 0; at < word.length; at += 1) {
    for (let said = 0; said < width; said += 1) {
      const score = best[at * width + said] ?? -Infinity;
      if (score === -Infinity) continue;
      for (let size = 0; size <= 2 && said + size < width; size += 1) {
        const place = (at + 1) * width + said + size;
        const total = score + Math.log(odds(word.charAt(at), chunkOf(phones, said, size)));
        if (total > (best[place] ?? -Infinity)) {
          best[place] = total;
          from[place] = size;
        }
      }
    }
  }
  let said = phones.length;
  if (best[word.length * width + said] === -Infinity) return null;
  const chunks: Chunk[] = [];
  for (let at = word.length; at > 0; at -= 1) {
    const size = from[at * width + said] ?? 0;
    said -= size;
    chunks.push(chunkOf(phones, said, size));
  }
  return chunks.toReversed();
}

function chunkOf(phones: readonly string[], start: number, size: number): Chunk {
  return size === 0 ? SILENT : phones.slice(start, start + size).join('+');
}
